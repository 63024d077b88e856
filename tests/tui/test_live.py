"""What is watched goes on for as long as the app runs; what went wrong is said, then unsaid."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from tests.tui.frames import frame, make
from tests.tui.sample import FixedSource
from textual.pilot import Pilot

from lobes.config.folders import folders_under
from lobes.domain.errors import LobesError, Unavailable
from lobes.tui import live
from lobes.tui.app import LobesApp
from lobes.tui.home import Home
from lobes.tui.ports import Stop


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "EVERY", 0.01)
    monkeypatch.setattr(live, "AGAIN", 0.05)
    monkeypatch.setattr(live, "GRACE", 0.2)


@asynccontextmanager
async def living(source: FixedSource) -> Any:
    app = make(source, live=True)
    async with app.run_test(size=(120, 40), notifications=False) as pilot:
        yield app, pilot
        app.stopping.set()


async def shows(pilot: Pilot[None], app: LobesApp, holds: Callable[[str], bool]) -> None:
    """The test's own time limit is the end of patience."""
    while not holds(frame(app)[1]):
        await pilot.pause(0.01)


class Watched(FixedSource):
    """A source whose watch does what the test says, one try after the other."""

    tries: int = 0
    faults: tuple[Exception, ...] = ()

    def follow(
        self, stop: Stop, tell: Callable[[], None], fail: Callable[[Exception], None]
    ) -> None:
        self.tries += 1
        if self.tries <= len(self.faults):
            raise self.faults[self.tries - 1]
        stop.wait()


async def test_a_locked_store_does_not_end_the_poll_and_says_so() -> None:
    source = FixedSource()
    source.fail["version"] = sqlite3.OperationalError("database is locked")
    async with living(source) as (app, pilot):
        await shows(pilot, app, lambda line: "Something broke in Lobes." in line)
        source.fail["version"] = Unavailable("Another window is writing just now.")
        await shows(pilot, app, lambda line: "Another window is writing just now." in line)
        del source.fail["version"]
        await shows(pilot, app, lambda line: "documents" in line)
        assert app.problems == [], "line 2 told of it while it lasted"


async def test_a_fault_of_the_system_does_not_end_the_watch() -> None:
    source = Watched()
    source.faults = (OSError(24, "too many files"), Unavailable("x", reason="engine_lost"))
    async with living(source) as (app, pilot):
        while source.tries < 3:
            await pilot.pause(0.01)
        await shows(pilot, app, lambda line: "documents" in line)


async def test_a_stopped_engine_is_named_with_the_time_of_the_next_try(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(live, "AGAIN", 8.0)
    source = Watched()
    source.faults = (Unavailable("It broke off twice.", reason="engine_lost"),)
    async with living(source) as (app, pilot):
        said = "search is off: the index engine stopped. Trying again in "
        await shows(pilot, app, lambda line: said in line)
        assert source.tries == 1, "not before that time"
        assert "It broke off twice." not in "\n".join(frame(app))


async def test_a_sentence_of_trouble_passes_the_display_gate() -> None:
    app = make()
    async with app.run_test(size=(120, 40), notifications=False) as pilot:
        app.trouble = "The folder of \x1b[2J\u202eevil is gone."
        app.screen.query_one("#context").refresh()
        await pilot.pause()
        assert "of \\u{1b}[2J\\u{202e}evil is" in frame(app)[1]


def test_the_version_of_a_store_that_does_not_open_is_told_in_our_words(tmp_path: Path) -> None:
    folders = folders_under(tmp_path)
    folders.store.parent.mkdir(parents=True)
    folders.store.write_bytes(b"not a database at all" * 100)
    with pytest.raises(LobesError):
        Home(folders).version()


def test_modules_are_loaded_once_no_key_has_come_for_a_moment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source, quiet = FixedSource(), list[bool]()
    app = make(source)

    def load(name: str) -> None:
        quiet.append(monotonic() - app.last_key >= live.QUIET)
        app.last_key = monotonic()

    monkeypatch.setattr(live, "QUIET", 0.02)
    monkeypatch.setattr(live, "SETTLE", 0)
    monkeypatch.setattr(live, "give_way", lambda: None)
    monkeypatch.setattr(live, "import_module", load)
    app.last_key = monotonic()
    live.Live(app, source)._warm()
    assert quiet == [True] * len(live.ASKED_SOON)


async def test_work_in_the_background_waits_while_keys_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """10,000 folders are looked through at the start; that must not be felt in a key."""
    monkeypatch.setattr(live, "QUIET", 30.0)
    source = FixedSource()
    async with living(source) as (app, pilot):
        stop = live.Yielding(app)
        assert not stop.is_set(), "no key yet: at once"
        await pilot.press("j")
        work = asyncio.create_task(asyncio.to_thread(stop.is_set))
        await pilot.pause(0.05)
        assert not work.done()
        app.stopping.set()
        assert await work
