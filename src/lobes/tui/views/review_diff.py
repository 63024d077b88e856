"""What Review shows whole: hidden characters as cells, values that wrap, a difference uncut."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lobes.domain.display import is_hidden
from lobes.tui.paint import WHY_LABEL, Line, Look, Span, padded, paragraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lobes.domain.line_diff import DiffLine


@dataclass(frozen=True, slots=True)
class LaidOut:
    """A difference as lines; `is_whole` is whether that is all of it, as it is to be shown now."""

    lines: Sequence[Line]
    is_whole: bool = True


def symbols(text: str, look: Look) -> str:
    """Each hidden character as one cell that is seen, so that a reader finds where it stands."""
    if text.isascii() and text.isprintable():
        return text
    mark = look.glyphs.of("warning", "hidden")
    return "".join(mark if char != "\n" and is_hidden(char) else char for char in text)


def wrapped(label: str, text: str, width: int) -> list[Line]:
    """A label and its value, which may take several lines."""
    rows = paragraph(text, max(1, width - WHY_LABEL))
    names = [label, *[""] * (len(rows) - 1)]
    return [
        (Span(name.ljust(WHY_LABEL), "muted"), *line)
        for name, line in zip(names, rows, strict=True)
    ]


def difference(
    lines: tuple[DiffLine, ...], width: int, look: Look, *, escaped: bool = False
) -> list[Line]:
    """What goes and what comes, never cut: it is agreed to. `escaped`: hidden characters show their
    code points."""
    signs = {"+": ("added", "diff-add"), "-": ("removed", "diff-del")}
    out: list[Line] = []
    for one in lines:
        word, colour = signs.get(one.sign, ("", "muted"))
        glyph = look.glyphs.of("change", word) if word else " "
        ground = f"{colour}-bg" if word else ""
        text = one.text if escaped else symbols(one.text, look)
        rows = paragraph(text, max(1, width - 2), colour=colour, limit=len(text) * 10 + 1)
        for place, line in enumerate(rows):
            spans = (Span(f"{glyph if not place else ' '} ", colour), *line)
            out.append(
                tuple(replace(span, ground=ground) for span in padded(spans, width, look))
                if ground
                else spans
            )
    return out
