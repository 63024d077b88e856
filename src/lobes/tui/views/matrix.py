"""The matrix as lines: rows ask, columns are asked, one sign a cell, the cell under the cursor in
words below. Columns carry the number of their Space, rows its number and name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lobes.tui.paint import (
    BLANK,
    Line,
    Look,
    Span,
    fitted,
    heading,
    ink,
    muted,
    paragraph,
    title,
    trimmed,
)
from lobes.tui.values import Grid
from lobes.tui.views import marks

NAME = 18
WORDS = 5
"""Lines below the cells: a blank one, who draws on whom, two of the sentence, one of what would
change it."""


@dataclass(frozen=True, slots=True)
class Place:
    """The cursor's cell, and the first row and column that are shown."""

    row: int = 0
    column: int = 0
    top: int = 0
    left: int = 0


def moved(place: Place, grid: Grid, rows: int, columns: int) -> Place:
    """The place inside the grid, scrolled no further than its cursor needs."""
    row = min(max(place.row, 0), max(0, len(grid.rows) - 1))
    column = min(max(place.column, 0), max(0, len(grid.columns) - 1))
    top = min(max(place.top, row - rows + 1), row)
    left = min(max(place.left, column - columns + 1), column)
    return Place(row, column, max(0, top), max(0, left))


def room(grid: Grid, width: int, height: int) -> tuple[int, int]:
    """How many rows and columns fit."""
    digits = _digits(grid)
    return max(1, height - 2 - digits - WORDS), max(1, (width - digits - NAME - 2) // 2)


def page(grid: Grid, place: Place, width: int, height: int, look: Look) -> list[Line]:
    """All lines of the overlay."""
    rows, columns = room(grid, width, height)
    shown = range(place.left, min(place.left + columns, len(grid.columns)))
    lines: list[Line] = [trimmed(_heading(grid, place, width, look), width, look), BLANK]
    if not grid.rows or not grid.columns:
        return [*lines, (muted("There is no Space here."),)]
    lines += _numbers(grid, place, shown)
    for row in range(place.top, min(place.top + rows, len(grid.rows))):
        lines.append(_row(grid, row, place, shown, look))
    lines += [BLANK, *_words(grid, place, width, look)]
    return [trimmed(line, width, look) for line in lines]


def _heading(grid: Grid, place: Place, width: int, look: Look) -> Line:
    words = "May the row draw on the column?"
    row, column = place.row + 1, place.column + 1
    fact = f"row {row:,} of {grid.all_rows:,}, column {column:,} of {grid.all_columns:,}"
    if len(grid.rows) < grid.all_rows or len(grid.columns) < grid.all_columns:
        fact += f"; the first {len(grid.columns):,} are here"
    return heading([title(words)], [muted(fact)], width, look, focused=True)


def _digits(grid: Grid) -> int:
    return len(str(max(1, len(grid.columns))))


def _numbers(grid: Grid, place: Place, shown: range) -> list[Line]:
    """The numbers of the columns, digit below digit."""
    digits = _digits(grid)
    lines: list[Line] = []
    for place_of in range(digits):
        line = [Span(" " * (digits + NAME + 2))]
        for column in shown:
            lit = column == place.column
            digit = f"{column + 1:>{digits}}"[place_of]
            line.append(Span(f"{digit} ", "accent" if lit else "muted", lit))
        lines.append(tuple(line))
    return lines


def _row(grid: Grid, row: int, place: Place, shown: range, look: Look) -> Line:
    lit = row == place.row
    number = grid.columns.index(grid.rows[row]) + 1 if grid.rows[row] in grid.columns else row + 1
    colour = "accent" if lit else "muted"
    line = [
        Span(f"{number:>{_digits(grid)}} ", colour, lit),
        fitted(ink(grid.rows[row][1], bold=lit), NAME, look),
        Span(" "),
    ]
    for column in shown:
        code = grid.codes[row][column]
        here = lit and column == place.column
        ground = "cursor-bg" if here else ("cursor-blur-bg" if lit else "")
        sign = Span(look.glyphs.of("reason", code), marks.reason_colour(code), here, ground)
        line += [sign, Span(" ", ground=ground if lit and not here else "")]
    return tuple(line)


def _words(grid: Grid, place: Place, width: int, look: Look) -> Sequence[Line]:
    """The cell under the cursor, in the same sentence as everywhere."""
    told = grid.told(place.row, place.column)
    arrow = look.glyphs.ui("arrow")
    first: list[Span] = [
        ink(grid.rows[place.row][1], bold=True),
        muted(f" {arrow} "),
        ink(grid.columns[place.column][1], bold=True),
        Span("  "),
        marks.reason(told.reason, look),
    ]
    if told.weight:
        first += [Span("  "), marks.times(told.weight, look)]
    lines = [tuple(first), *paragraph(told.sentence, width, lines=2)]
    if told.change:
        change = f"What would change it: {told.change}."
        lines += paragraph(change, width, colour="muted", lines=1)
    return lines


def end_line(look: Look) -> list[Span]:
    """The keys of the overlay."""
    keys = "arrows" if look.glyphs.ascii else "←↓↑→"
    return [
        Span(keys, "accent", True),
        muted(" move  "),
        Span("esc", "accent", True),
        muted(" close  "),
        Span("?", "accent", True),
        muted(" keys"),
    ]
