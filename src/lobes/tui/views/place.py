"""Search's third pane: the answer among the lines of its file, and which lobes were asked."""

from __future__ import annotations

from collections import Counter
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
)
from lobes.tui.values import Found, Place, SourceRow
from lobes.tui.views import marks

INDENT = 2


def pane(
    place: Place | None,
    found: Found,
    sources: Sequence[SourceRow],
    width: int,
    focused: bool,
    look: Look,
) -> list[Line]:
    """Both blocks from top to bottom; `place` is None until it has been read."""
    lines = _in_its_place(place, width, focused, look)
    if sources:
        lines += [BLANK, *_asked(found, sources, width, look)]
    return lines


def _in_its_place(place: Place | None, width: int, focused: bool, look: Look) -> list[Line]:
    if place is None:
        return [heading([title("In its place")], [], width, look, focused=focused)]
    first, last = place.inside
    span = f"lines {first:,} to {last:,}" if last > first else f"line {first:,}"
    path = cells.middle(ink(place.path).text, max(8, width - len(span) - 20), mark=look.mark)
    fact = [Span(path, "muted"), muted(f", {span}" if first else "")]
    lines: list[Line] = [heading([title("In its place")], fact, width, look, focused=focused)]
    if place.note:
        lines += paragraph(place.note, width, colour="warning")
    for number, text in enumerate(place.lines, place.first):
        lines += _line(text, first <= number <= last, number == first, width, look)
    return lines


def _line(text: str, inside: bool, marked: bool, width: int, look: Look) -> list[Line]:
    """One line of the file, wrapped; the passage is in full colour, its first line marked."""
    bar = Span(f"{look.glyphs.ui('path')} " if marked else " " * INDENT, "accent")
    shown = paragraph(text or " ", width - INDENT, colour="foreground" if inside else "muted")
    return [(bar if not place else Span(" " * INDENT), *line) for place, line in enumerate(shown)]


def _asked(found: Found, sources: Sequence[SourceRow], width: int, look: Look) -> list[Line]:
    """Each lobe that was asked, with its weight and how many of the answers are its own."""
    fact = [muted(cells.plural(len(sources), "lobe"))]
    lines: list[Line] = [heading([title("Who was asked")], fact, width, look)]
    given = Counter(one.lobe for one in found.answers)
    name = max(8, width - 15 - 8 - 8)
    for one in sources:
        count = given[one.name]
        lines.append(
            (
                fitted(ink(one.name), name - 1, look),
                Span(" "),
                fitted(marks.reason(one.reason, look), 15, look),
                fitted(marks.times(one.weight, look), 8, look, align="right"),
                fitted(muted(cells.count(count)), 8, look, align="right"),
            )
        )
    return lines
