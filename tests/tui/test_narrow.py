"""Below 80 cells one pane is shown: nothing that is needed to act is cut, and the way to the other
pane is said."""

from __future__ import annotations

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource
from tests.tui.test_frames import QUESTION, same

from lobes.tui.app import LobesApp
from lobes.tui.widgets.dialog import Dialog

SIZES = ((60, 20), (40, 12))
SMALLEST = (40, 10)
THEMES = ("lobes-night", "lobes-paper")
Size = tuple[int, int]


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


def keys(app: LobesApp) -> str:
    return frame(app)[-1].rstrip()


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("size", SIZES)
async def test_spaces(size: Size, theme: str) -> None:
    app = make(theme=theme)
    async with running(app, size):
        same(frame(app), f"spaces-{size[0]}")


@pytest.mark.parametrize("size", SIZES)
async def test_search_with_answers(size: Size) -> None:
    app = make()
    async with running(app, size) as pilot:
        await pilot.press("2", *QUESTION)
        await until(pilot, lambda: "9 in 38 ms" in keys(app))
        same(frame(app), f"search-{size[0]}")


@pytest.mark.parametrize("size", SIZES)
async def test_lobe_with_a_change_that_is_not_saved(size: Size) -> None:
    app = make(FixedSource(current="prj_initech"))
    async with running(app, size) as pilot:
        await pilot.press("6")
        await settled(pilot)
        await pilot.press("space")
        await until(pilot, lambda: "ctrl+s save" in keys(app))
        same(frame(app), f"lobe-{size[0]}")
        await pilot.press("tab")
        await settled(pilot)
        same(frame(app), f"lobe-effect-{size[0]}")
        await pilot.press("escape")
        await settled(pilot)
        same(frame(app), f"lobe-{size[0]}")


@pytest.mark.parametrize("size", SIZES)
async def test_lobe_with_somebody_who_is_named(size: Size) -> None:
    app = make(FixedSource(current="prj_initech"))
    async with running(app, size) as pilot:
        await pilot.press("6", "p")
        await settled(pilot)
        await pilot.press("down", "enter")
        await settled(pilot)
        same(frame(app), f"lobe-name-{size[0]}")
        dialog = app.screen
        assert isinstance(dialog, Dialog)
        dialog.guard.release()
        await pilot.press("escape")
        await settled(pilot)
        await pilot.press("G", *["k"] * 6, "space")
        await until(pilot, lambda: "ctrl+s save" in keys(app))
        same(frame(app), f"lobe-people-{size[0]}")


@pytest.mark.parametrize("size", SIZES)
async def test_first_run(size: Size) -> None:
    app = make(FixedSource(current="", fresh=True))
    async with running(app, size):
        same(frame(app), f"first-run-{size[0]}")


@pytest.mark.parametrize("size", SIZES)
async def test_first_run_with_a_folder(size: Size) -> None:
    app = make(FixedSource(current="", fresh=True))
    async with running(app, size) as pilot:
        await pilot.press("2")
        await settled(pilot)
        await pilot.press(*"clients/initech")
        await until(pilot, lambda: "agent_instructions" in text(app))
        same(frame(app), f"first-run-folder-{size[0]}")


@pytest.mark.parametrize("choice", ["1", "2", "3"])
async def test_the_second_page_shows_its_keys_on_the_smallest_screen(choice: str) -> None:
    app = make(FixedSource(current="", fresh=True))
    async with running(app, SMALLEST) as pilot:
        assert "enter choose   ? keys   q quit" in text(app)
        await pilot.press(choice)
        await settled(pilot)
        for words in ("Name       ada", "[Open]  Ask   Closed", "esc back"):
            assert words in text(app)


@pytest.mark.parametrize("size", [*SIZES, SMALLEST])
@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        ("D", ("trash?", "[ Keep it ]", "  Move to the trash  ")),
        ("n", ("Start a new Space", "[ Not now ]", "  Project  ", "  Area  ")),
        ("+", ("A folder of mine", "Not now", "[ Look at it ]")),
        ("!", ("Problems", "[ Close ]", "  Look again  ")),
        ("?", ("Keys in Spaces", "/ search keys  esc close")),
        (":", ("Commands", "enter run  esc close")),
        ("ctrl+o", ("Open a Space", "enter open  esc close")),
    ],
)
async def test_what_lies_over_a_screen_cuts_neither_title_nor_button(
    size: Size, key: str, wanted: tuple[str, ...]
) -> None:
    app = make()
    async with running(app, size) as pilot:
        await pilot.press(key)
        await settled(pilot)
        for words in wanted:
            assert words in text(app)


async def test_a_button_on_a_line_of_its_own_is_clicked_where_it_stands() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (40, 12)) as pilot:
        await pilot.press("D")
        await settled(pilot)
        app.screen.guard.release()  # pyright: ignore[reportAttributeAccessIssue]
        row = next(y for y, line in enumerate(frame(app)) if "  Move to the trash  " in line)
        await pilot.click(offset=(8, row))
        await until(pilot, lambda: source.count("trash") > 0)
        done = [call for call in source.calls if call[0] in ("trash", "erase")]
        assert done == [("trash", "prj_notidian")]


@pytest.mark.parametrize("size", SIZES)
async def test_the_other_pane_is_reached_and_left_by_the_keys_that_are_said(size: Size) -> None:
    app = make()
    async with running(app, size) as pilot:
        assert "tab evidence" in keys(app)
        await pilot.press("tab")
        await settled(pilot)
        assert "PROJECTS" not in text(app)
        assert keys(app).startswith(" esc back")
        await pilot.press("escape")
        await settled(pilot)
        assert "PROJECTS" in text(app)
        await pilot.press("l")
        await settled(pilot)
        assert "PROJECTS" not in text(app)
        await pilot.press("h")
        await settled(pilot)
        assert "PROJECTS" in text(app)


async def test_search_says_how_to_read_on_from_question_and_from_answer() -> None:
    app = make()
    async with running(app, (40, 12)) as pilot:
        await pilot.press("2", *QUESTION)
        await until(pilot, lambda: "9 in 38 ms" in keys(app))
        assert keys(app).startswith(" ↓ answers")
        await pilot.press("down")
        await settled(pilot)
        assert keys(app).startswith(" enter read")
        await pilot.press("enter")
        await settled(pilot)
        assert keys(app).startswith(" esc back")


async def test_line_2_leaves_out_whole_words_instead_of_cutting_them() -> None:
    app = make()
    async with running(app, (40, 12)) as pilot:
        assert frame(app)[1].split() == ["Spaces", "7", "Spaces"]
        await pilot.press("7")
        await settled(pilot)
        assert frame(app)[1].split() == ["Activity", "✓", "whole", "18,402", "rows"]


@pytest.mark.parametrize("page", ["1", "2", "3", "4", "5", "6", "7"])
async def test_one_cell_too_narrow_says_so_on_every_screen(page: str) -> None:
    app = make()
    async with running(app, (39, 10)) as pilot:
        assert "Lobes needs 40 × 10; this is 39 × 10." in text(app)
        await pilot.press(page)
        await pilot.resize_terminal(40, 10)
        await settled(pilot)
        assert "Lobes needs" not in text(app)
