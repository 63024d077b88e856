"""What every test stands on: no network, no environment of the person's, homes to throw away.

Being here puts `tests/` on the import path, so that tests of several layers share a world.
"""

from __future__ import annotations

import gc
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, os.path.dirname(__file__))

if TYPE_CHECKING:
    from homes import AHome

# How long an example or its drawing takes says how busy the machine is, and nothing of Lobes.
settings.register_profile("lobes", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lobes")

_FOREIGN = ("LOBES_", "CLAUDE", "CODEX", "CURSOR", "GEMINI", "XDG_", "EDITOR", "VISUAL")


def pytest_collection_finish() -> None:
    """What the tests are made of stays, and an app leaves thousands of objects: collecting as often
    as the interpreter would takes a tenth of the run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """Only sockets of this machine connect: whatever would call out fails the test."""
    real = socket.socket.connect, socket.socket.connect_ex

    def guarded(call: Callable[..., Any]) -> Callable[..., Any]:
        def connect(self: socket.socket, address: Any) -> Any:
            is_local = self.family == getattr(socket, "AF_UNIX", None)
            if not is_local and address[0] not in ("127.0.0.1", "::1", "localhost"):
                raise AssertionError(f"a test called out to {address!r}")
            return call(self, address)

        return connect

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded(real[0]))
        patch.setattr(socket.socket, "connect_ex", guarded(real[1]))
        yield


@pytest.fixture(autouse=True)
def own_environment(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """HOME and the XDG folders lie in the test's own folder, and no setting comes from outside."""
    for name in list(os.environ):
        if name.startswith(_FOREIGN):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("person")
    # Short, because the path of a socket has room for about a hundred bytes.
    runtime = tempfile.mkdtemp(prefix="lr")
    monkeypatch.setenv("HOME", str(home))
    # KR-07: the person's own secret store is nothing to a test.
    monkeypatch.setenv("LOBES_SECRET_STORE", "off")
    monkeypatch.setenv("XDG_RUNTIME_DIR", runtime)
    for name in ("DATA", "STATE", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    yield
    shutil.rmtree(runtime, ignore_errors=True)


@pytest.fixture
def a_home(tmp_path: Path) -> Iterator[Callable[..., AHome]]:
    """`a_home(presence=…, samples=…, name=…)`: an open home, closed after the test."""
    from homes import opened_home

    with ExitStack() as opened:

        def make(*, name: str = "home", **wanted: Any) -> AHome:
            return opened.enter_context(opened_home(tmp_path / name, **wanted))

        yield make


@pytest.fixture
def home(a_home: Callable[..., AHome]) -> AHome:
    """An empty home without presence."""
    return a_home()
