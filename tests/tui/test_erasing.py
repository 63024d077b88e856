"""Erasing in the app: shown first, typed, out of every file; the dialog harms nobody by itself."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import TYPE_CHECKING, Any

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource
from tests.tui.test_home import source_of, text
from textual.message_pump import MessagePump
from textual.timer import Timer

from decided import remember
from lobes.services.erasing import Preview
from lobes.tui import jobs
from lobes.tui.app import LobesApp
from lobes.tui.erasing import impact
from lobes.tui.screens.review import ReviewScreen
from lobes.tui.screens.spaces import SpacesScreen
from lobes.tui.widgets.dialog import HEAVY_HOLD, Dialog
from lobes.tui.widgets.prompt import Prompt

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from homes import AHome

SMALL = (80, 24)
MARK = "quaggas graze at dusk"


async def typed(pilot: Pilot[None], app: LobesApp, *words: str) -> Prompt:
    """The dialog of the typed word, once it takes keys; what is typed into it."""
    await until(pilot, lambda: isinstance(app.screen, Prompt) and app.screen.field.has_focus)
    dialog = app.screen
    assert isinstance(dialog, Prompt)
    dialog.guard.release()
    for word in words:
        await pilot.press(*([word] if word in ("tab", "enter", "escape") else word))
    await settled(pilot)
    return dialog


async def ask(pilot: Pilot[None], app: LobesApp) -> None:
    """`D`, again where it came before its row had stood for a moment."""
    await settled(pilot)
    while "Erase…" not in text(app):
        if not isinstance(app.screen, Dialog):
            await pilot.press("D")
        await settled(pilot)


async def erase(pilot: Pilot[None], app: LobesApp) -> None:
    """What `D` asks, answered with its last button."""
    await ask(pilot, app)
    app.screen.guard.release()  # type: ignore[attr-defined]
    await pilot.press("tab", "tab", "enter")


async def test_a_space_is_erased_by_its_name_and_by_nothing_less() -> None:
    """The dialog opens on keeping it, takes no key for 700 ms, and counts no word but the name."""
    source = FixedSource()
    app = make(source)
    async with running(app, SMALL) as pilot:
        await erase(pilot, app)
        await until(pilot, lambda: isinstance(app.screen, Prompt))
        dialog = app.screen
        assert isinstance(dialog, Prompt)
        assert dialog.guard._hold == HEAVY_HOLD
        assert dialog.row.chosen == 0, "it opens on keeping it"
        await typed(pilot, app)
        shown = text(app)
        assert "Erase the Project Initech?" in shown
        assert "212 documents, 64 memories" in shown
        assert "what the file system or the disk keeps" in shown
        assert "Type prj_initech or Initech to erase." in shown
        assert "[ Keep it ]     Erase    when the word matches" in shown
        await typed(pilot, app, "prj_initec", "enter")
        assert "erase" not in [name for name, *_ in source.calls]
        await erase(pilot, app)
        await typed(pilot, app, "prj_initech", "tab", "tab", "enter")
        await until(pilot, lambda: "Erased Initech" in text(app))
        assert ("erase", "space", "prj_notidian") in source.calls


async def test_how_long_erasing_takes_is_told_by_one_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "SLOW", 0.05)
    source, go = FixedSource(), Event()
    source.gate = lambda name: None if name != "erase" else (go.wait(20) and None)
    app = make(source)
    async with running(app, SMALL) as pilot:
        await erase(pilot, app)
        await typed(pilot, app, "prj_initech")
        clocks: list[float] = []
        begin = MessagePump.set_interval

        def set_interval(node: MessagePump, every: float, *given: Any, **more: Any) -> Timer:
            clocks.append(every)
            return begin(node, every, *given, **more)

        monkeypatch.setattr(MessagePump, "set_interval", set_interval)
        await pilot.press("tab", "tab", "enter")
        while "waiting " not in frame(app)[1]:
            await pilot.pause(0.01)
        assert "Erasing" in text(app)
        go.set()
        await until(pilot, lambda: "Erased Initech" in text(app))
        assert set(clocks) == {jobs.TICK}
        assert "waiting" not in frame(app)[1]


@pytest.mark.parametrize(
    ("stays", "elsewhere", "told"),
    [
        ((), (), ""),
        (("a",), (), "1 memory that says the same or is tied to it stays."),
        (("a", "b"), (), "2 memories that say the same or are tied to it stay."),
        ((), ("edit/a",), "1 pack edit that says the same or is tied to it stays."),
        (
            ("a",),
            ("session/a", "session/b", "edit/a"),
            "1 memory, 2 sessions and 1 pack edit that say the same or are tied to it stay.",
        ),
    ],
)
def test_what_stays_is_counted_by_its_kind(
    stays: tuple[str, ...], elsewhere: tuple[str, ...], told: str
) -> None:
    found = Preview("x", "", (("memories", 1),), (), stays, elsewhere)
    assert [one for one in impact("memory", found, {}).sentences if "to it stay" in one] == (
        [told] if told else []
    )


async def test_of_many_none_is_erased_at_once() -> None:
    app = make(FixedSource())
    async with running(app, SMALL) as pilot:
        await pilot.press("*", "D")
        await until(pilot, lambda: len(app.screen_stack) > 1)
        assert "Erase…" not in text(app)
        app.screen.guard.release()  # type: ignore[attr-defined]
        await pilot.press("escape")


@pytest.fixture
def two(a_home: Callable[..., AHome]) -> tuple[AHome, str]:
    home = a_home()
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.a_space("prj_b", {"b.md": f"# B\n\nOkapis, and {MARK}.\n"})
    id = remember(home, f"The {MARK}.", status="active")
    home.index()
    return home, id


async def test_a_memory_and_a_space_are_out_of_every_file(two: tuple[AHome, str]) -> None:
    home, id = two
    app = make(source_of(home, "prj_b"))
    async with running(app, SMALL) as pilot:
        await pilot.press("3")
        await until(pilot, lambda: isinstance(app.screen, ReviewScreen))
        await pilot.press("f")
        await until(pilot, lambda: MARK in text(app))
        await erase(pilot, app)
        dialog = await typed(pilot, app)
        assert "1 memory and 1 version leave every file Lobes owns." in text(app)
        await typed(pilot, app, id, "tab", "tab", "enter")
        await until(pilot, lambda: "Erased this memory" in text(app))
        assert app.screen is not dialog
        assert MARK not in text(app)
        assert home.rows("SELECT id FROM memory") == []
        assert len(home.audited("memory.erased")) == 1
        await pilot.press("1")
        await until(pilot, lambda: isinstance(app.screen, SpacesScreen))
        await ask(pilot, app)
        app.screen.guard.release()  # type: ignore[attr-defined]
        await pilot.press("tab", "enter")
        await until(pilot, lambda: "Trashed Prj_B" in text(app))
        await pilot.press("f")
        await settled(pilot)
        await pilot.press("f")
        await until(pilot, lambda: "in the trash" in text(app).casefold())
        await settled(pilot)
        while not isinstance(app.screen, Prompt):
            await pilot.press("D")
            await settled(pilot)
        await typed(pilot, app, "Prj_B", "tab", "tab", "enter")
        await until(pilot, lambda: "Erased Prj_B" in text(app))
        await settled(pilot)
        assert isinstance(app.screen, SpacesScreen)
        assert app.screen.spaces == ()
    assert home.rows("SELECT id FROM space") == [("prj_a",)]
    folders = home.folders
    for folder in (folders.data, folders.index):
        for path in folder.rglob("*"):
            assert not path.is_file() or MARK.encode() not in path.read_bytes(), path
