"""Keys that did something else than was meant: where the focus goes, redo, an impossible act."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import LOBE, FixedSource

from lobes.domain.errors import Unavailable
from lobes.tui.app import LobesApp
from lobes.tui.screens.lobe import LobeScreen
from lobes.tui.screens.search import SearchScreen
from lobes.tui.screens.spaces import SpacesScreen
from lobes.tui.values import Chain, Found
from lobes.tui.widgets.dialog import Button, Dialog, words


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


@pytest.mark.parametrize("key", ["question_mark", "w", "ctrl+o", "colon"])
async def test_a_closed_dialog_gives_the_focus_back_and_types_nothing(key: str) -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2", *"sync")
        await until(pilot, lambda: source.count("search") > 0)
        screen = app.screen
        assert isinstance(screen, SearchScreen)
        assert screen.question.has_focus, "a mode opens on its question"
        await pilot.press("down", "j")
        await pilot.press(key)
        await until(pilot, lambda: app.screen is not screen)
        if (guard := getattr(app.screen, "guard", None)) is not None:
            guard.release()
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is screen)
        assert screen.listing.has_focus
        await pilot.press("k")
        assert screen.question.value == "sync"
        await pilot.press("1", "2")
        await settled(pilot)
        assert screen.question.has_focus


@pytest.mark.parametrize("row", ["space/prj_initech", "personal/me"])
async def test_muting_ones_own_lobe_is_refused_before_there_is_a_draft(row: str) -> None:
    source = FixedSource(current="prj_initech", view=replace(LOBE))
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("6")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, LobeScreen)
        assert screen.listing.select(f"source:{row}")
        await settled(pilot)
        await pilot.press("m")
        await settled(pilot)
        assert "own lobe" in text(app).split("▌")[-1]
        assert "not saved" not in text(app)
        assert source.count("preview") == 0


async def test_what_was_undone_is_redone_once_and_undone_again() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("Z")
        await settled(pilot)
        assert "There is nothing to redo." in text(app)
        await pilot.press("A")
        await settled(pilot)
        await pilot.press("z")
        await settled(pilot)
        assert "Restored Notidian   Z redoes" in text(app)
        await pilot.press("Z")
        await settled(pilot)
        assert source.count("archive") == 2
        assert "Archived Notidian   z undoes" in text(app)
        await pilot.press("Z")
        await settled(pilot)
        assert source.count("archive") == 2
        await pilot.press("z")
        await settled(pilot)
        assert source.count("restore") == 2


async def test_a_new_act_leaves_nothing_to_redo() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        for key in ("A", "z", "A", "Z"):
            await pilot.press(key)
            await settled(pilot)
        assert "There is nothing to redo." in text(app)


@pytest.mark.parametrize(("key", "mode"), [("2", "search"), ("6", "lobe")])
async def test_a_digit_takes_the_space_under_the_cursor_along(key: str, mode: str) -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("j", "j", key)
        await settled(pilot)
        assert app.current_mode == mode
        assert app.space_id == "prj_globex"
        assert ("lobe", "prj_globex") in source.calls


async def test_the_cursor_goes_to_a_space_that_was_opened_elsewhere() -> None:
    app = make()
    async with running(app, (120, 40)) as pilot:
        await pilot.press("j", "ctrl+o")
        await settled(pilot)
        await pilot.press(*"health", "enter")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SpacesScreen)
        assert screen.listing.cursor == "area_health"
        await pilot.press("6")
        await settled(pilot)
        assert app.space_id == "area_health"


@pytest.mark.parametrize("size", [(120, 40), (60, 20)])
async def test_nothing_found_opens_no_blank_page(size: tuple[int, int]) -> None:
    app = make(FixedSource(found=Found("", ())))
    async with running(app, size) as pilot:
        await pilot.press("2", *"sync")
        await settled(pilot)
        await pilot.press("escape", "enter")
        await settled(pilot)
        assert not app.screen.has_class("-zoom")
        assert "There is nothing to open here." in text(app)


async def test_enter_zooms_the_effect_of_a_lobe_and_brings_it_back() -> None:
    app = make()
    async with running(app, (120, 40)) as pilot:
        await pilot.press("6")
        await settled(pilot)
        await pilot.press("tab", "enter")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, LobeScreen)
        assert screen.has_class("-zoom")
        assert screen.draft is not None
        assert screen.draft.changes == 0, "enter changes a choice in the form alone"
        assert screen.detail.size.width > 100
        await pilot.press("enter")
        await settled(pilot)
        assert not screen.has_class("-zoom")
        assert screen.listing.has_focus


async def test_nothing_moves_and_nothing_opens_where_there_are_no_rows() -> None:
    app = make()
    async with running(app, (120, 40)) as pilot:
        await pilot.press("4", "enter")
        await settled(pilot)
        assert "There is nothing to open here." in text(app)
        await pilot.press("escape", "question_mark")
        await settled(pilot)
        assert "Keys in Lessons" in text(app)
        assert "MOVE" not in text(app)


async def test_a_dialog_offers_the_keys_that_do_something_in_it() -> None:
    app = make()
    async with running(app, (120, 40)) as pilot:
        for lines, buttons, offered in (
            (1, ["Close"], set()),
            (80, ["No", "Yes"], {"buttons", "scroll"}),
        ):
            text_of = words(*["A line"] * lines)
            dialog = Dialog("x", text_of, [Button(one, one) for one in buttons], look=app.look)
            app.push_screen(dialog)
            await settled(pilot)
            dialog.guard.release()
            await pilot.press("question_mark")
            await settled(pilot)
            assert {one for one in ("buttons", "scroll") if f" {one} " in text(app)} == offered
            await pilot.press("escape", "escape")
            await settled(pilot)


async def test_a_key_that_finds_nothing_to_do_is_no_problem() -> None:
    app = make()
    async with running(app, (120, 40)) as pilot:
        for key in ("z", "Z", "6", "slash", "u", "|", "3", "w", "y", "ctrl+c"):
            await pilot.press(key)
            await settled(pilot)
        assert app.problems == []


async def test_checking_a_whole_record_again_says_so() -> None:
    """What it found stood there already, so the key seemed to be dead."""
    app = make(FixedSource(chain=Chain("ok", 3, 3, True)))
    async with running(app, (120, 40)) as pilot:
        await pilot.press("7")
        await settled(pilot)
        assert "Checked: " not in text(app)
        await pilot.press("V")
        await settled(pilot)
        assert "Checked: whole, 3 rows" in text(app)


async def test_a_home_that_can_not_be_written_says_so_before_anything_is_decided() -> None:
    source = FixedSource(fail={"can_write": Unavailable("Full.", reason="disk_full")})
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        kept = "can't write to the home: disk full. Nothing you decide now would be kept."
        await until(pilot, lambda: kept in text(app))
        await pilot.press("ctrl+r")
        await settled(pilot)
        assert kept in text(app), "ctrl+r tries, and it still can't"
        source.fail.clear()
        await pilot.press("ctrl+r")
        await settled(pilot)
        assert kept not in text(app)
