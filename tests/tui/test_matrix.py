"""The matrix in the app: it scrolls in both directions, and says its cell in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.tui.frames import frame, make, running, settled
from tests.tui.sample import GRID, NOW, FixedSource

from lobes.domain.errors import LobesError
from lobes.tui.glyphs import Glyphs
from lobes.tui.paint import Look, width_of
from lobes.tui.screens.matrix import MatrixScreen
from lobes.tui.values import Cell, Grid
from lobes.tui.views.matrix import Place, moved, page, room

LOOK = Look(Glyphs(), NOW)


def wide(rows: int, columns: int) -> Grid:
    names = tuple((f"prj_{n:04}", f"Space {n}") for n in range(max(rows, columns)))
    codes = tuple(tuple("sibling" for _ in range(columns)) for _ in range(rows))
    return Grid(names[:rows], names[:columns], codes, _words, 1_200, 1_200)


def _words(row: int, column: int) -> Cell:
    return Cell("sibling", f"row {row} column {column}.", 0.6)


def text(app: object) -> str:
    return "\n".join(frame(app))  # type: ignore[arg-type]


places = st.builds(Place, *(st.integers(-5, 400) for _ in range(4)))


@given(places, st.integers(0, 320), st.integers(0, 320), st.integers(40, 200), st.integers(10, 60))
def test_the_cursor_is_always_among_what_is_shown(
    place: Place, rows: int, columns: int, width: int, height: int
) -> None:
    grid = wide(rows, columns)
    fits = room(grid, width, height)
    now = moved(place, grid, *fits)
    assert 0 <= now.row < max(1, rows)
    assert 0 <= now.column < max(1, columns)
    assert now.top <= now.row < now.top + fits[0]
    assert now.left <= now.column < now.left + fits[1]
    lines = page(grid, now, width, height, LOOK)
    assert len(lines) <= max(height, 9)
    assert all(width_of(line) <= width for line in lines)


def test_a_home_of_many_says_what_is_here() -> None:
    (head, *_) = page(wide(300, 300), Place(), 100, 30, LOOK)
    words = "".join(span.text for span in head)
    assert "row 1 of 1,200, column 1 of 1,200; the first 300 are here" in words


async def test_from_the_lobe_it_begins_on_its_space_and_says_each_cell() -> None:
    source = FixedSource(current="prj_initech")
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("6")
        await settled(pilot)
        await pilot.press("M")
        await settled(pilot)
        assert isinstance(app.screen, MatrixScreen)
        assert source.count("matrix") == 1
        shown = text(app)
        assert "Initech" in shown
        assert "Globex is private, so Initech may not draw on it." in shown
        assert "What would change it: turn Private off in Globex." in shown
        await pilot.press("l")
        assert "This is Initech's own lobe." in text(app)
        await pilot.press("down", "left")
        assert "Globex is private, so Notidian may not draw on it." in text(app)
        await pilot.press("?")
        assert "Keys in the matrix" in text(app)
        await pilot.press("escape", "q")
        assert not isinstance(app.screen, MatrixScreen)


async def test_a_wide_home_scrolls_both_ways() -> None:
    source = FixedSource()
    source.grid = wide(300, 300)
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("6")
        await settled(pilot)
        await pilot.press("M")
        await settled(pilot)
        await pilot.press("end", *["tab"] * 20)
        assert "row 299 column 299." in text(app)
        await pilot.press("home", *["shift+tab"] * 20)
        assert "row 0 column 0." in text(app)


@pytest.mark.parametrize("size", [(40, 10), (80, 24), (160, 50)])
async def test_what_can_not_be_read_says_why(size: tuple[int, int]) -> None:
    source = FixedSource(fail={"matrix": LobesError("The store can't be read.")})
    app = make(source)
    async with running(app, size) as pilot:
        await pilot.press("6")
        await settled(pilot)
        await pilot.press("M")
        await settled(pilot)
        assert "The store can't be read." in text(app)
        await pilot.press("escape")
        assert not isinstance(app.screen, MatrixScreen)


def test_the_sample_is_square() -> None:
    assert {len(row) for row in GRID.codes} == {len(GRID.rows)} == {len(GRID.columns)}
