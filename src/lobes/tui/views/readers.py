"""Who read what: one line for each reader, the busiest first; refusals are counted apart."""

from __future__ import annotations

from collections.abc import Sequence

from lobes.tui import cells
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
from lobes.tui.values import ReaderRow, Readers

_WHO, _COUNT = 14, 8


def readers_pane(found: Readers | None, width: int, look: Look, *, focused: bool) -> list[Line]:
    """Of the Space that was asked for, where there is one; then of everything."""
    if found is None:
        return [heading([title("Who read what")], [], width, look, focused=focused)]
    lines: list[Line] = []
    if found.space:
        name = title(f"Who read {found.space}")
        lines.append(heading([name], [muted("all that is kept")], width, look, focused=focused))
        lines += _rows(found.of_space, width, look, spaces=False)
        lines.append(BLANK)
    return [*lines, *all_readers(found, width, look, focused=focused and not found.space)]


def all_readers(found: Readers, width: int, look: Look, *, focused: bool = False) -> list[Line]:
    days = [muted(cells.plural(found.days, "day"))]
    lines: list[Line] = [heading([title("Who read what")], days, width, look, focused=focused)]
    return [*lines, *_rows(found.rows, width, look, spaces=True)]


def _rows(rows: Sequence[ReaderRow], width: int, look: Look, *, spaces: bool) -> list[Line]:
    if not rows:
        return paragraph("Nobody.", width)
    return [_row(one, width, look, spaces=spaces) for one in rows]


def _row(one: ReaderRow, width: int, look: Look, *, spaces: bool) -> Line:
    count = Span(cells.right(f"{one.reads:,}", _COUNT), "foreground")
    told: list[Span] = []
    if one.refused:
        told.append(ink(f"  {look.glyphs.of('memory', 'rejected')} {one.refused:,}", "error"))
    if spaces and one.spaces:
        told.append(muted("  " + _spaces(one.spaces)))
    room = max(0, width - _WHO - _COUNT)
    line = (fitted(ink(one.who), _WHO, look), count)
    return (*line, *trimmed(told, room, look))


def _spaces(names: Sequence[str]) -> str:
    return ", ".join(names) if len(names) <= 2 else cells.plural(len(names), "Space")
