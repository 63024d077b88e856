"""What a session makes ready ahead of its first call, and how it ends."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from homes import AHome
from lobes.mcp.face import Face
from lobes.mcp.pipes import Pipes
from lobes.mcp.server import serve
from lobes.services.installation import Caller, Installation
from shell import until


class Opened:
    """The home, and what became of it."""

    def __init__(self, home: AHome) -> None:
        self._home = home
        self.said: list[str] = []

    @contextmanager
    def __call__(self) -> Generator[Installation]:
        self.said.append("opened")
        yield self._home.lobes
        self.said.append("closed")


@pytest.fixture
def opened(home: AHome) -> Opened:
    home.a_space("prj_a", {})
    return Opened(home)


def made_ready() -> None:
    for one in threading.enumerate():
        if one.name == "prewarm":
            one.join(30)


def test_a_client_that_ends_at_once_sets_off_nothing(home: AHome, opened: Opened) -> None:
    face = Face(home.agent("prj_a"), opened, settle=600)
    face.greet()
    face.close()
    assert opened.said == []
    assert "prewarm" not in {one.name for one in threading.enumerate()}


def test_a_client_that_asks_for_the_tools_finds_the_home_open_at_once(
    home: AHome, opened: Opened
) -> None:
    face = Face(home.agent("prj_a"), opened, settle=600)
    face.greet()
    face.hurry()
    until(lambda: opened.said == ["opened"])
    face.close()
    assert opened.said == ["opened", "closed"]


class Told(Face):
    """What the server tells it of its client."""

    def __init__(self, caller: Caller, opened: Opened) -> None:
        super().__init__(caller, opened)
        self.told: list[str] = []

    def greet(self) -> None:
        self.told.append("greeted")

    def hurry(self) -> None:
        self.told.append("asked for the tools")


ASKED = (
    b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",'
    b'"capabilities":{},"clientInfo":{"name":"a client","version":"1"}}}\n'
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n'
    b'{"jsonrpc":"2.0","id":2,"method":"tools/list"}\n'
)


def test_the_server_says_when_its_client_is_greeted_and_when_it_asks_for_the_tools(
    home: AHome, opened: Opened
) -> None:
    face = Told(home.agent("prj_a"), opened)
    (reads, asks), (answers, writes) = os.pipe(), os.pipe()
    os.write(asks, ASKED)
    os.close(asks)
    serve(face, Pipes(reads, writes))
    for one in (reads, answers, writes):
        os.close(one)
    assert sorted(face.told) == ["asked for the tools", "greeted", "greeted"]


def test_the_end_waits_for_what_is_being_made_ready(
    home: AHome, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, goes_on = threading.Event(), threading.Event()

    def warm(lobes: Installation, caller: Caller) -> None:
        begun.set()
        assert goes_on.wait(30)
        opened.said.append("ready")

    monkeypatch.setattr("lobes.services.warming.warm", warm)
    face = Face(home.agent("prj_a"), opened, settle=0)
    face.greet()
    assert begun.wait(30)
    ending = threading.Thread(target=face.close)
    ending.start()
    ending.join(0.2)
    goes_on.set()
    ending.join(30)
    assert opened.said == ["opened", "ready", "closed"]


def test_a_fault_while_it_is_made_ready_is_told_and_not_printed(
    home: AHome, opened: Opened, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def warm(lobes: Installation, caller: Caller) -> None:
        raise RuntimeError("a path of mine")

    monkeypatch.setattr("lobes.services.warming.warm", warm)
    told: list[Exception] = []
    face = Face(home.agent("prj_a"), opened, settle=0, on_fault=told.append)
    face.greet()
    made_ready()
    face.close()
    assert [type(one) for one in told] == [RuntimeError]
    assert capfd.readouterr().err == ""


def test_what_is_made_ready_yields_to_nobody_for_whom_a_call_would_wait(
    home: AHome, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It holds locks that a first call takes: that would wait for a thread which gives way."""
    nice: list[int] = []

    def warm(lobes: Installation, caller: Caller) -> None:
        nice.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))

    monkeypatch.setattr("lobes.services.warming.warm", warm)
    face = Face(home.agent("prj_a"), opened, settle=0)
    face.greet()
    made_ready()
    face.close()
    assert nice == [os.getpriority(os.PRIO_PROCESS, 0)]
