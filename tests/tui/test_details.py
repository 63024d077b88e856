"""Details of the look that no wireframe shows: what is lit, what is said once, what is cut."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.style import Style
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import RECORD, FixedSource

from lobes.domain.errors import LobesError
from lobes.tui.app import LobesApp


def style_of(app: LobesApp, word: str, *, row: int | None = None) -> Style:
    """The style of the first segment that holds `word`."""
    strips = app.screen._compositor.render_strips()
    for y, strip in enumerate(strips):
        for segment in strip:
            if word in segment.text and row in (None, y) and segment.style:
                return segment.style
    raise AssertionError(f"{word} is nowhere")


async def test_the_heading_above_the_cursor_is_the_one_that_is_lit() -> None:
    app = make(FixedSource(current="prj_initech"))
    async with running(app, (120, 40)) as pilot:
        await pilot.press("6")
        await settled(pilot)
        accent = style_of(app, "6 ").color
        assert style_of(app, "Who may draw on Initech").color == accent
        assert style_of(app, "What Initech draws on").color != accent
        await pilot.press("j", "j")
        await settled(pilot)
        assert style_of(app, "Who may draw on Initech").color != accent
        assert style_of(app, "What Initech draws on").color == accent


async def test_a_change_is_counted_where_it_is() -> None:
    app = make(FixedSource(current="prj_initech"))
    async with running(app, (120, 40)) as pilot:
        await pilot.press("6")
        await settled(pilot)
        await pilot.press("space")
        await settled(pilot)
        lines = {line.split(" ─")[0].strip(): line for line in frame(app)}
        assert "1 change not saved" in lines["Who may draw on Initech"]
        assert "not saved" not in lines["What Initech draws on"]


@pytest.mark.parametrize(("call", "key"), [("spaces", "1"), ("lobe", "6"), ("activity", "7")])
async def test_what_stands_in_place_of_the_rows_is_not_said_again(call: str, key: str) -> None:
    app = make(FixedSource(fail={call: LobesError("The store can't be read.", hint="Try.")}))
    async with running(app, (80, 24)) as pilot:
        await pilot.press(key)
        await settled(pilot)
        assert sum("can't be read" in line for line in frame(app)) == 1
        assert ("The store can't be read. Try.", "error") in app.problems


@pytest.mark.parametrize("key", ["1", "6", "7"])
async def test_keys_that_find_nothing_to_do_are_not_lit(key: str) -> None:
    wanted = {"1": "enter", "6": "+", "7": "y"}[key]
    error = LobesError("No.")
    app = make(FixedSource(fail={"spaces": error, "lobe": error, "activity": error}))
    async with running(app, (80, 24)) as pilot:
        await pilot.press(key)
        await settled(pilot)
        assert style_of(app, wanted, row=23).color != style_of(app, "?", row=23).color
    app = make()
    async with running(app, (80, 24)) as pilot:
        await pilot.press(key)
        await settled(pilot)
        assert style_of(app, wanted, row=23).color == style_of(app, "?", row=23).color


async def test_an_actor_that_is_too_long_is_cut_not_broken() -> None:
    long = replace(RECORD.rows[0], actor="ai:ada/" + "reader" * 9)
    app = make(FixedSource(record=replace(RECORD, rows=(long,))))
    async with running(app, (120, 40)) as pilot:
        await pilot.press("7")
        await settled(pilot)
        at = next(y for y, line in enumerate(frame(app)) if "Who          ai:ada/" in line)
        assert frame(app)[at].rstrip().endswith("…")
        assert "Act  " in frame(app)[at + 1]


async def test_without_answers_no_columns_are_named_and_the_hairline_meets_the_edge() -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        await pilot.press("2")
        await settled(pilot)
        assert not any("Score" in line for line in frame(app))
    app = make()
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2")
        await settled(pilot)
        line = next(line for line in frame(app) if line.startswith(" Answers"))
        assert line[:64].rstrip() == line[:63]


async def test_a_lobe_of_somebody_else_is_no_area() -> None:
    app = make()
    async with running(app, (80, 24)) as pilot:
        await pilot.press("ctrl+o")
        await until(pilot, lambda: "Open a Space" in "\n".join(frame(app)))
        line = next(line for line in frame(app) if "│ Postgres notes" in line)
        assert "shared with me" in line


@pytest.mark.parametrize("key", ["D", ":", "?"])
async def test_the_terminals_own_ground_stays_behind_what_lies_over_a_screen(key: str) -> None:
    app = make(theme="ansi")
    async with running(app, (80, 24)) as pilot:
        before = style_of(app, "Lessons")
        await pilot.press(key)
        await settled(pilot)
        assert style_of(app, "Lessons") == before
