"""What takes long says how long; what only reads can be given up with `esc`, what writes can't."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

import pytest
from tests.tui.frames import frame, make, running, settled
from tests.tui.sample import FixedSource

from lobes.tui import jobs, themes
from lobes.tui.screens.spaces import SpacesScreen


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "SLOW", 0.05)
    monkeypatch.setattr(jobs, "STOPPABLE", 60.0)
    monkeypatch.setattr(jobs, "TICK", 0.02)


@contextmanager
def held(source: FixedSource, *names: str) -> Iterator[Event]:
    """These calls take until the event is set, at the latest until the end of the test."""
    go = Event()
    source.gate = lambda name: None if name not in names else (go.wait(20) and None)
    try:
        yield go
    finally:
        go.set()


async def test_a_slow_list_says_how_long_and_esc_gives_it_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        with held(source, "spaces") as go:
            await pilot.press("f")
            while "looking… " not in frame(app)[1]:
                await pilot.pause(0.01)
            assert "esc stops" not in frame(app)[1]
            monkeypatch.setattr(jobs, "STOPPABLE", 0.1)
            while "esc stops" not in frame(app)[1]:
                await pilot.pause(0.01)
            await pilot.press("escape")
            await pilot.pause()
            assert "looking" not in frame(app)[1]
            go.set()
            await settled(pilot)
            screen = app.screen
            assert isinstance(screen, SpacesScreen)
            assert not screen.loaded, "what was given up shows nothing later"


async def test_after_a_pane_that_was_given_up_the_next_one_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "STOPPABLE", 0.1)
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        read = source.count("evidence")
        with held(source, "evidence") as go:
            await pilot.press("j")
            while "esc stops" not in frame(app)[1]:
                await pilot.pause(0.01)
            await pilot.press("escape")
            go.set()
        await pilot.press("j")
        while source.count("evidence") < read + 2:
            await pilot.pause(0.01)
        await settled(pilot)
        assert any(line.startswith(" Globex ") for line in frame(app)[13:])


async def test_a_write_that_waits_for_the_store_says_so_and_is_not_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "STOPPABLE", 0.1)
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        with held(source, "archive") as go:
            await pilot.press("A")
            while "waiting " not in frame(app)[1]:
                await pilot.pause(0.01)
            assert "another Lobes" not in frame(app)[1]
            source.kept_out = True
            while "another Lobes is writing; waiting " not in frame(app)[1]:
                await pilot.pause(0.01)
            assert "esc stops" not in frame(app)[1]
            await pilot.press("escape")
            go.set()
            await settled(pilot)
            assert source.count("archive") == 1
            assert "waiting" not in frame(app)[1]
            assert app._undo, "it was done, so it can be undone"


async def test_indexing_that_a_person_began_is_stopped_with_esc(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(jobs, "STOPPABLE", 0.1)
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        with held(source, "index") as go:
            await pilot.press("I")
            while "esc stops" not in frame(app)[1]:
                await pilot.pause(0.01)
            await pilot.press("escape")
            while source.count("stop_indexing") == 0:
                await pilot.pause(0.01)
            go.set()
            await settled(pilot)
            assert "looking" not in frame(app)[1]


async def test_a_quick_answer_says_nothing_of_time() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("f", "f", "j")
        await settled(pilot)
        assert not app.screen.jobs._since  # pyright: ignore[reportAttributeAccessIssue]
        assert app.screen.jobs._ticking is None  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(("term", "theme"), [("linux", "ansi"), ("xterm-256color", "lobes-paper")])
def test_the_linux_console_gets_its_sixteen_colours(term: str, theme: str) -> None:
    assert themes.theme_for("lobes-paper", {"TERM": term}) == theme


async def test_a_lobe_that_is_being_saved_is_neither_saved_twice_nor_dropped() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("6")
        await settled(pilot)
        await pilot.press("space")
        while source.count("preview") == 0:
            await pilot.pause(0.01)
        await settled(pilot)
        with held(source, "save"):
            await pilot.press("ctrl+s")
            if app.screen.is_modal:
                app.screen.guard.release()  # pyright: ignore[reportAttributeAccessIssue]
                await pilot.press("right", "enter")
            while source.count("save") == 0:
                await pilot.pause(0.01)
            await pilot.press("ctrl+s", "escape")
        await settled(pilot)
        assert source.count("save") == 1
        assert app.current_mode == "lobe"
