"""Dialogs start on the harmless button and take no key that was meant for something else."""

from __future__ import annotations

from dataclasses import replace
from threading import Event

import pytest
from tests.tui.frames import frame, make, running, settled
from tests.tui.sample import SPACES, FixedSource
from textual import events
from textual.widgets import Input

from lobes.tui.app import LobesApp
from lobes.tui.screens.spaces import SpacesScreen
from lobes.tui.values import Difference
from lobes.tui.widgets.dialog import HEAVY_HOLD, HOLD, QUIET, Button, Dialog, Guard, words
from lobes.tui.widgets.prompt import Prompt


class Clock:
    """Seconds that pass when told."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    def pass_(self, seconds: float) -> None:
        self.now += seconds


BUTTONS = (Button("", "Keep it"), Button("erase", "Erase"))


@pytest.mark.parametrize("hold", [HOLD, HEAVY_HOLD])
def test_keys_count_after_the_hold_and_once_all_keys_are_up(hold: float) -> None:
    clock = Clock()
    guard = Guard(hold, clock)
    held = 0.0
    while held < hold + 1:
        clock.pass_(0.03)
        held += 0.03
        assert guard.swallows(), "a key that is held down repeats for ever"
    clock.pass_(QUIET)
    assert not guard.swallows()
    assert not guard.swallows()


def test_a_key_before_the_hold_is_swallowed_even_after_a_pause() -> None:
    clock = Clock()
    guard = Guard(HEAVY_HOLD, clock)
    clock.pass_(HEAVY_HOLD - 0.1)
    assert guard.swallows()
    clock.pass_(0.2)
    assert not guard.swallows()


async def opened(app: object, pilot: object, dialog: Dialog, answers: list[str | None]) -> None:
    app.push_screen(dialog, answers.append)  # type: ignore[attr-defined]
    await settled(pilot)  # type: ignore[arg-type]


async def test_type_ahead_decides_nothing_and_enter_takes_the_harmless_button() -> None:
    clock, answers = Clock(), list[str | None]()
    app = make()
    async with running(app, (80, 24)) as pilot:
        dialog = Dialog("Erase?", words("All of it."), BUTTONS, look=app.look, clock=clock)
        await opened(app, pilot, dialog, answers)
        await pilot.press("right", "enter", "enter")
        assert answers == []
        clock.pass_(1)
        await pilot.press("enter")
        await settled(pilot)
    assert answers == [None]


async def test_the_other_button_needs_its_own_step() -> None:
    clock, answers = Clock(), list[str | None]()
    app = make()
    async with running(app, (80, 24)) as pilot:
        dialog = Dialog("Erase?", words("All of it."), BUTTONS, look=app.look, clock=clock)
        await opened(app, pilot, dialog, answers)
        clock.pass_(1)
        await pilot.press("tab", "enter")
        await settled(pilot)
    assert answers == ["erase"]


async def test_nothing_is_accepted_where_the_text_can_not_be_seen() -> None:
    """TE-14: a resize during a dialog."""
    clock, answers = Clock(), list[str | None]()
    app = make()
    async with running(app, (80, 24)) as pilot:
        dialog = Dialog("Erase?", words("All of it."), BUTTONS, look=app.look, clock=clock)
        await opened(app, pilot, dialog, answers)
        clock.pass_(1)
        await pilot.resize_terminal(20, 5)
        await settled(pilot)
        await pilot.press("tab", "enter")
        assert answers == []


async def test_a_long_text_scrolls_and_leaves_the_buttons_in_view() -> None:
    """TE-12."""
    clock, answers = Clock(), list[str | None]()
    app = make()
    async with running(app, (80, 24)) as pilot:
        text = "\n".join(f"line {n}" for n in range(200))
        dialog = Dialog("Erase?", words(text), BUTTONS, look=app.look, clock=clock)
        await opened(app, pilot, dialog, answers)
        assert "[ Keep it ]" in "\n".join(frame(app))
        assert "line 0" in "\n".join(frame(app))
        clock.pass_(1)
        await pilot.press(*["pagedown"] * 40)
        await settled(pilot)
        assert "[ Keep it ]" in "\n".join(frame(app))
        assert "line 199" in "\n".join(frame(app))


async def test_a_typed_word_must_match_to_the_letter() -> None:
    answers: list[str | None] = []
    app = make()
    async with running(app, (80, 24)) as pilot:
        dialog = Prompt("Erase?", words("Type it."), BUTTONS, look=app.look, words=("initech",))
        dialog.guard.release()
        await opened(app, pilot, dialog, answers)
        await pilot.press(*"initec")
        dialog.row.chosen = 1
        dialog.choose()
        assert answers == []
        await pilot.press("h")
        dialog.choose()
        await settled(pilot)
    assert answers == ["initech"]


async def test_no_global_key_works_beneath_a_dialog() -> None:
    clock = Clock()
    app = make()
    async with running(app, (80, 24)) as pilot:
        dialog = Dialog("Erase?", words("x"), BUTTONS, look=app.look, clock=clock)
        await opened(app, pilot, dialog, [])
        clock.pass_(1)
        await pilot.press("2", "D", "w")
        await settled(pilot)
        assert app.current_mode == "spaces"
        assert app.screen is dialog


async def test_trust_is_asked_with_every_letter_of_the_difference_in_view() -> None:
    """Consent is never given to a text that was cut."""
    long = "+read_also: " + ", ".join(f"/srv/clients/number-{n}/secrets" for n in range(300))
    newline = "+description: harmless\n-network: always"
    rows = (replace(SPACES[0], manifest_changed=True), *SPACES[1:])
    source = FixedSource(rows=rows, difference=Difference(("read_also",), (long, newline)))
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("t")
        await settled(pilot)
        dialog = app.screen
        assert isinstance(dialog, Dialog)
        dialog.guard.release()
        seen = ""
        for _ in range(40):
            shown = frame(app)
            assert any("[ Not yet ]" in line for line in shown)
            seen += "".join(line.strip().strip("│").strip() for line in shown)
            await pilot.press("pagedown")
            await pilot.pause()
        joined = seen.replace(" ", "")
        for n in range(300):
            assert f"number-{n}/" in joined
        assert "harmless\\u{a}-network:always" in joined
        assert "…" not in dialog_lines(app)
        assert source.count("trust") == 0


def dialog_lines(app: LobesApp) -> str:
    inside = [line for line in frame(app) if line.count("│") >= 2]
    return "\n".join(line[line.index("│") : line.rindex("│")] for line in inside)


async def test_a_folder_is_added_with_its_whole_path_in_view() -> None:
    app = make()
    folder = "~/" + "/".join(f"level-{n:02}" for n in range(30))
    async with running(app, (80, 24)) as pilot:
        await pilot.press("+")
        await settled(pilot)
        app.screen.query_one(Input).value = folder
        await pilot.press("enter")
        await settled(pilot)
        shown = dialog_lines(app).replace("│", "").replace("\n", "").replace(" ", "")
        assert folder in shown


async def test_a_question_that_comes_late_opens_over_nothing_else() -> None:
    """No dialog opens by itself: not over another one, not over another mode."""
    hold = Event()
    source = FixedSource()
    source.gate = lambda name: None if name != "trash_impact" else (hold.wait(20) and None)
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("D", "n")
        hold.set()
        await settled(pilot)
        assert len(app.screen_stack) == 2
        assert "Start a new Space" in "\n".join(frame(app))
        hold.clear()
        app.screen.dismiss(None)
        await settled(pilot)
        await pilot.press("D", "6")
        hold.set()
        await settled(pilot)
        assert app.current_mode == "lobe"
        assert len(app.screen_stack) == 1


async def test_a_key_pressed_twice_opens_one_dialog() -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        await pilot.press("D", "D")
        await settled(pilot)
        assert len(app.screen_stack) == 2
        await pilot.press("n", "n")
        await settled(pilot)
        assert len(app.screen_stack) == 2


@pytest.mark.parametrize("opens", ["D", "?", "!", "ctrl+o", "colon"])
async def test_keys_that_come_too_fast_end_what_is_over_the_screen_once(opens: str) -> None:
    """Both were on their way to it before it went; the second one finds nothing to end."""
    app = make()
    async with running(app, (80, 24)) as pilot:
        await pilot.press(opens)
        await settled(pilot)
        over = app.screen
        if isinstance(over, Dialog):
            over.guard.release()
        for _ in range(2):
            over.post_message(events.Key("escape", None))
        await settled(pilot)
        assert len(app.screen_stack) == 1


async def test_a_key_behind_the_answer_leaves_the_dialog_below_open() -> None:
    app, answers = make(), list[str | None]()
    async with running(app, (80, 24)) as pilot:
        dialog = Dialog("Erase?", words("x"), BUTTONS, look=app.look, clock=Clock())
        await opened(app, pilot, dialog, answers)
        app.show_keys_of("dialog")
        await settled(pilot)
        over = app.screen
        for _ in range(2):
            over.post_message(events.Key("escape", None))
        await settled(pilot)
        assert app.screen is dialog
        assert answers == []


async def test_focus_stays_inside_and_comes_back_to_the_row() -> None:
    clock = Clock()
    app = make()
    async with running(app, (80, 24)) as pilot:
        await pilot.press("j", "j")
        await settled(pilot)
        dialog = Dialog("Erase?", words("x"), BUTTONS, look=app.look, clock=clock)
        await opened(app, pilot, dialog, [])
        clock.pass_(1)
        for key in ("tab", "tab", "shift+tab", "right", "down", "G", "/", "tab"):
            await pilot.press(key)
            assert app.focused is dialog.row
        await pilot.press("escape")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SpacesScreen)
        assert screen.listing.has_focus
        assert screen.listing.cursor == "prj_globex"


async def test_a_dialog_that_enter_decides_takes_no_key_that_was_meant_for_something_else() -> None:
    clock, answers = Clock(), list[str | None]()
    app = make()
    async with running(app, (80, 24)) as pilot:
        dialog = Dialog("Save?", words("x"), BUTTONS, look=app.look, enter_acts=True, clock=clock)
        await opened(app, pilot, dialog, answers)
        await pilot.press("enter", "enter")
        assert answers == []
        clock.pass_(1)
        await pilot.press("enter")
        await settled(pilot)
    assert answers == ["erase"]


async def test_what_is_trusted_is_what_was_shown() -> None:
    rows = (replace(SPACES[0], manifest_changed=True), *SPACES[1:])
    source = FixedSource(rows=rows, difference=Difference(lines=("+a",), content_hash="shown"))
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("t")
        await settled(pilot)
        dialog = app.screen
        assert isinstance(dialog, Dialog)
        dialog.guard.release()
        await pilot.press("right", "enter")
        await settled(pilot)
        assert ("trust", SPACES[0].id, "shown") in source.calls
