"""One home with the samples for all tests on a terminal: none of them may change what it holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.homes import sample_home
from tests.e2e.payloads import ALL
from tests.e2e.pty import Terminal


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with sample_home(tmp_path_factory.mktemp("samples")) as home:
        yield home


@pytest.fixture(autouse=True)
def opened_as_the_first_time(request: pytest.FixtureRequest) -> None:
    """A home that tests share remembers how the one before left it; each begins anew."""
    for name in {"home", "samples"} & set(request.fixturenames):
        shared = request.getfixturevalue(name)
        if isinstance(shared, Path):
            (shared / "state" / "terminal.json").unlink(missing_ok=True)


@pytest.fixture
def hostile(tmp_path: Path) -> Iterator[Terminal]:
    """The app on values that hold all hostile texts, in a wide terminal."""
    path = tmp_path / "texts.json"
    path.write_text(json.dumps(ALL), encoding="ascii")
    terminal = Terminal(["-m", "tests.e2e.poisoned", str(path)], size=(120, 40))
    yield terminal
    terminal.close()
