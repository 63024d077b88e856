"""A home with a real store and real engine processes; after each test no engine may be left."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from engine_home import BUILD, Home, engines, line_of, make_store, until

from lobes.engine.endpoint import EnginePlace, EngineSettings
from lobes.engine.locking import is_held


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    # Short, because the path of a socket has room for about a hundred bytes.
    runtime = Path(tempfile.mkdtemp(prefix="lo"))
    folder = tmp_path / "home"
    place = EnginePlace(
        folder / "state" / "index",
        folder / "lobes.db",
        (runtime / "run",),
        EngineSettings(idle_seconds=30.0, build=BUILD),
    )
    make_store(place.store)
    made = Home(folder, place)
    yield made
    for face in made.faces:
        face.close()
    for one in made.engines():
        one.terminate()
    until(lambda: not made.engines())
    until(lambda: not place.lock.exists() or not is_held(place.lock))
    shutil.rmtree(runtime)


@pytest.fixture(scope="session", autouse=True)
def no_engine_is_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    yield
    # The folder of a test; those of longer life have engines of their own, ended with them.
    base = f"{tmp_path_factory.getbasetemp()}{os.sep}test_"

    def left() -> list[psutil.Process]:
        return [one for one in engines() if base in " ".join(line_of(one))]

    # The last one may still be loading, and leaves when it has loaded.
    until_quiet = time.monotonic() + 20
    while left() and time.monotonic() < until_quiet:
        time.sleep(0.05)
    forgotten = [" ".join(line_of(one)) for one in left()]
    for one in left():
        os.kill(one.pid, 9)
    assert forgotten == []
