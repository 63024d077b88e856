"""Lines of cells: what a view hands to a widget. The display gate is in `ink`, and only there.

A span carries the *name* of a colour; it is resolved when the line is painted, so that a change of
theme is a repaint. Views build lines of exactly the width they are given.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from rich.cells import cell_len

from lobes.domain.display import display_text
from lobes.keys.keymap import SHIPPED, Keymap
from lobes.tui import cells
from lobes.tui.glyphs import Glyphs

LIMIT = 4_000
"""Characters of one span: more never fits a screen, and a name may be a megabyte long."""

LABEL = 11
"""Cells of a label and its gap in the evidence of Spaces."""

WHY_LABEL = 13
"""Cells of a label and its gap in every other evidence pane."""


@dataclass(frozen=True, slots=True)
class Span:
    """Some cells in one colour; `ground` empty means the ground of the row.

    `action` is what a click does. `ink` takes none, so no text of a file can carry one.
    """

    text: str
    colour: str = "foreground"
    bold: bool = False
    ground: str = ""
    action: str = ""


Line = tuple[Span, ...]
BLANK: Line = ()


@dataclass(frozen=True, slots=True)
class Look:
    """What painting needs to know besides the value: the glyphs, the time and the keys."""

    glyphs: Glyphs
    now: datetime
    keymap: Keymap = SHIPPED

    @property
    def mark(self) -> str:
        """What stands for text that was cut: two cells in ASCII."""
        return ".." if self.glyphs.ascii else "…"

    def key(self, action: str, wanted: str = "") -> str:
        """The first key of an action, or `wanted` where that is one; "" when it has none."""
        return self.keymap.text(action, ascii=self.glyphs.ascii, wanted=wanted)

    def age(self, then: datetime | None) -> str:
        return cells.age(then, self.now)


def ink(text: str, colour: str = "foreground", *, bold: bool = False, ground: str = "") -> Span:
    """A span of any text, ours or not: hidden characters are spelled out, newlines too."""
    return Span(display_text(text, limit=LIMIT), colour, bold, ground)


def muted(text: str) -> Span:
    return ink(text, "muted")


def width_of(line: Iterable[Span]) -> int:
    return sum(cell_len(span.text) for span in line)


def fitted(span: Span, width: int, look: Look, *, align: str = "left") -> Span:
    """The span in exactly `width` cells."""
    place = cells.right if align == "right" else cells.fit
    return replace(span, text=place(span.text, width, mark=look.mark))


def trimmed(line: Sequence[Span], width: int, look: Look) -> Line:
    """The line in at most `width` cells: the span that crosses the edge is cut there."""
    out: list[Span] = []
    left = width
    for span in line:
        size = cell_len(span.text)
        if size <= left:
            out.append(span)
            left -= size
            continue
        if left > 0:
            out.append(replace(span, text=cells.cut(span.text, left, mark=look.mark)))
        break
    return tuple(out)


def padded(line: Sequence[Span], width: int, look: Look) -> Line:
    """The line in exactly `width` cells."""
    short = trimmed(line, width, look)
    gap = width - width_of(short)
    return (*short, Span(" " * gap)) if gap > 0 else short


def spread(left: Sequence[Span], right: Sequence[Span], width: int, look: Look) -> Line:
    """`left` and `right` at the two ends; `left` gives way when both don't fit."""
    end = trimmed(right, width, look)
    room = width - width_of(end)
    start = trimmed(left, max(0, room - 1) if end else room, look)
    gap = width - width_of(start) - width_of(end)
    return (*start, Span(" " * gap), *end)


def margin(line: Sequence[Span], width: int, look: Look) -> Line:
    """The line with one blank cell at each side: the first one is where the cursor bar goes."""
    return (Span(" "), *padded(line, max(0, width - 2), look), Span(" "))


def heading(
    title: Sequence[Span], facts: Sequence[Span], width: int, look: Look, *, focused: bool = False
) -> Line:
    """A pane's heading: bold title, a hairline to the right edge, then one muted fact."""
    head = trimmed(title, max(0, width - width_of(facts) - 4), look)
    colour = "accent" if focused else "muted"
    head = tuple(replace(s, colour=colour if s.colour == "muted" else s.colour) for s in head)
    tail: Line = (Span(" "), *facts) if facts else ()
    run = width - width_of(head) - 1 - width_of(tail)
    rule = look.glyphs.ui("rule") * max(0, run)
    return (*head, Span(" "), Span(rule, "rule-focus" if focused else "rule"), *tail)


def title(text: str) -> Span:
    """The words of a heading."""
    return ink(text, "muted", bold=True)


def labelled(
    label: str, value: Sequence[Span], width: int, look: Look, *, column: int = LABEL
) -> Line:
    """A muted label of one or two words, then its value."""
    name = Span(cells.fit(label, column - 1) + " ", "muted")
    return (name, *trimmed(value, max(0, width - column), look))


def flowed(items: Sequence[Sequence[Span]], width: int, *, gap: int = 2) -> list[list[Span]]:
    """Items side by side, broken into lines between items, never inside one."""
    lines: list[list[Span]] = [[]]
    used = 0
    for item in items:
        size = width_of(item)
        if used and used + gap + size > width:
            lines.append([])
            used = 0
        if used:
            lines[-1].append(Span(" " * gap))
            used += gap
        lines[-1].extend(item)
        used += size
    return lines


def paragraph(
    text: str, width: int, *, colour: str = "foreground", lines: int = 0, limit: int = LIMIT
) -> list[Line]:
    """A text of several lines, wrapped; with `lines`, no more than that many."""
    shown = display_text(text, lines=True, limit=limit)
    out: list[Line] = [(Span(line, colour),) for line in cells.wrap(shown, width)]
    return out[:lines] if lines else out


def whole(
    text: str, width: int, *, colour: str = "foreground", ground: str = "", indent: int = 0
) -> list[Line]:
    """One line of data with nothing left out: wrapped, newlines spelled out, the rest indented.

    For what a person agrees to: a text that was cut would be agreed to unseen.
    """
    lines = cells.wrap(display_text(text), max(1, width - indent))
    return [
        (Span(cells.fit(f"{' ' * indent if place else ''}{line}", width), colour, ground=ground),)
        for place, line in enumerate(lines)
    ]
