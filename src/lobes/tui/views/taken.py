"""The difference that an edit made, or that two texts have: signs, colours, and how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lobes.tui import cells
from lobes.tui.paint import Line, Look, Span, heading, ink, muted, title

if TYPE_CHECKING:
    from lobes.domain.line_diff import DiffLine, LineDiff

MOST_LINES = 2_000
"""Lines of a difference that are painted; the file itself can be read in whole."""

COLOURS = {"+": ("diff-add", "diff-add-bg"), "-": ("diff-del", "diff-del-bg")}
"""Of a line by its sign: the colour of its text and its ground."""

_GLYPHS = {"+": "added", "-": "removed"}


def pane(diff: LineDiff, path: str, width: int, focused: bool, look: Look) -> list[Line]:
    """What was taken over, under the name of the file."""
    facts = [muted(f"taken over  {counts(diff, look)}")]
    return [heading([title(path)], facts, width, look, focused=focused), *lines(diff, width, look)]


def counts(diff: LineDiff, look: Look) -> str:
    """`+3 −1`."""
    glyphs = look.glyphs
    return (
        f"{glyphs.of('change', 'added')}{diff.added} {glyphs.of('change', 'removed')}{diff.removed}"
    )


def lines(diff: LineDiff, width: int, look: Look) -> list[Line]:
    """Each line whole: wrapped, with its sign before the first part."""
    out: list[Line] = []
    for one in diff.lines[:MOST_LINES]:
        out += _line(one, width, look)
    left = len(diff.lines) - MOST_LINES
    return [*out, (muted(f"and {cells.plural(left, 'line')} more"),)] if left > 0 else out


def _line(one: DiffLine, width: int, look: Look) -> Sequence[Line]:
    if not one.sign:
        return [(muted(look.mark),)]
    colour, ground = COLOURS.get(one.sign, ("muted", ""))
    sign = look.glyphs.of("change", _GLYPHS[one.sign]) if one.sign in _GLYPHS else " "
    parts = cells.wrap(ink(one.text).text, max(1, width - 2))
    return [
        (Span(cells.fit(f"{' ' if place else sign} {part}", width), colour, ground=ground),)
        for place, part in enumerate(parts)
    ]
