"""Blocks laid out for a width: wrapped by cells with their colours kept, tables in columns.

A table that has no room for its columns is written as one line a cell, each with its column's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from lobes.tui import cells
from lobes.tui.markdown import QUOTE, Block
from lobes.tui.paint import BLANK, Line, Look, Span, width_of

GAP, LEAST = 2, 8
"""Cells between two columns of a table, and of a column that is worth having."""

_UNITS = re.compile(r"\n| +|[^ \n]+")


def laid(block: Block, width: int, look: Look) -> list[Line]:
    """The lines of a block, each at most `width` cells wide."""
    lead, rest = _drawn(block.lead, look), _drawn(block.rest, look)
    if width_of(lead) > width // 2:
        lead = rest = ()
    room = max(1, width - width_of(lead))
    return [
        (*(rest if place else lead), *line) for place, line in enumerate(_inside(block, room, look))
    ]


def before(block: Block, look: Look) -> list[Line]:
    """The blank line above a block: with the bars of the quotes that go on."""
    if block.close:
        return []
    return [_drawn(block.gap, look) if any(one.text == QUOTE for one in block.gap) else BLANK]


def _drawn(lead: Line, look: Look) -> Line:
    bar = f"{look.glyphs.ui('border')} "
    return tuple(replace(one, text=bar) if one.text == QUOTE else one for one in lead)


def _inside(block: Block, room: int, look: Look) -> list[Line]:
    match block.kind:
        case "text":
            return flow(block.spans, room) or [BLANK]
        case "heading":
            return _heading(block, room, look)
        case "code":
            return _code(block, room)
        case "raw":
            return [(Span(line),) for line in cells.wrap(block.text, room)]
        case "rule":
            return [(Span(look.glyphs.ui("rule") * room, "rule"),)]
        case "table":
            return table(block.rows, room, look)


def _heading(block: Block, room: int, look: Look) -> list[Line]:
    """The first level has a hairline, the lower ones are muted: all are bold."""
    colour = "foreground" if block.level < 3 else "muted"
    spans = [replace(one, bold=True, colour=colour) for one in block.spans]
    lines = flow(spans, room) or [BLANK]
    rule = [(Span(look.glyphs.ui("rule") * room, "rule"),)] if block.level == 1 else []
    return [*lines, *rule]


def _code(block: Block, room: int) -> list[Line]:
    lines = cells.wrap(block.text, max(1, room - 1))
    out: list[Line] = [(Span(cells.fit(f" {line}", room), ground="chip-bg"),) for line in lines]
    words = block.spans[0].text if block.spans else ""
    return [(Span(cells.cut(words, room), "muted"),), *out] if words else out


# -- text


Part = tuple[int, str]
"""Some text of the span with this number: spans are made once a line, not once a word."""


@dataclass(slots=True)
class _Row:
    """The line that is being filled."""

    parts: list[Part]
    used: int = 0

    def add(self, part: Part, size: int) -> None:
        if self.parts and self.parts[-1][0] == part[0]:
            self.parts[-1] = (part[0], self.parts[-1][1] + part[1])
        else:
            self.parts.append(part)
        self.used += size


def flow(spans: Sequence[Span], width: int) -> list[Line]:
    """Spans in lines of at most `width` cells, broken at blanks, a longer word by cells."""
    rows: list[_Row] = []
    row, blank = _Row([]), (0, "")
    for unit in _words(spans):
        text = unit[0][1]
        if text == "\n":
            rows.append(row)
            row, blank = _Row([]), (0, "")
        elif text[0] == " ":
            blank = unit[0]
        else:
            size = sum(_size(part) for _, part in unit)
            if row.used and row.used + len(blank[1]) + size > width:
                rows.append(row)
                row = _Row([])
            elif row.used and blank[1]:
                row.add(blank, len(blank[1]))
            blank = (0, "")
            row = _filled(row, unit, width, rows)
    return [_line(one, spans) for one in ([*rows, row] if row.parts else rows)]


def _line(row: _Row, spans: Sequence[Span]) -> Line:
    return tuple(
        Span(text, spans[place].colour, spans[place].bold, spans[place].ground)
        for place, text in row.parts
    )


def _filled(row: _Row, unit: Sequence[Part], width: int, rows: list[_Row]) -> _Row:
    """The word in the row; one that is wider than a line goes on in the next ones."""
    for place, text in unit:
        for part in _pieces(text, width - row.used, width):
            size = _size(part)
            if row.used and row.used + size > width:
                rows.append(row)
                row = _Row([])
            row.add((place, part), size)
    return row


def _pieces(text: str, left: int, width: int) -> Iterator[str]:
    if _size(text) <= left:
        yield text
        return
    part, used = "", 0
    for char in text:
        size = _size(char)
        if used + size > width and part:
            yield part
            part, used = "", 0
        part, used = part + char, used + size
    yield part


def _words(spans: Sequence[Span]) -> Iterator[list[Part]]:
    """Words, runs of blanks, and breaks; a word may be of several spans."""
    word: list[Part] = []
    for place, span in enumerate(spans):
        for text in _UNITS.findall(span.text):
            if text[0] not in " \n":
                word.append((place, text))
                continue
            if word:
                yield word
                word = []
            yield [(place, text)]
    if word:
        yield word


def _size(text: str) -> int:
    return len(text) if text.isascii() else cell_len(text)


# -- tables


def table(rows: Sequence[Sequence[Line]], width: int, look: Look) -> list[Line]:
    """Columns as wide as they want or as there is room for; the head is bold, over a hairline."""
    if not rows:
        return []
    count = max(len(row) for row in rows)
    at = columns(rows, count, width)
    if not at:
        return _records(rows, width)
    lines: list[Line] = []
    for place, row in enumerate(rows):
        bold = [tuple(replace(one, bold=True) for one in cell) for cell in row]
        lines += _columns(row if place else bold, at)
        if not place:
            lines.append((Span(look.glyphs.ui("rule") * (sum(at) + GAP * (count - 1)), "rule"),))
    return lines


def columns(rows: Sequence[Sequence[Line]], count: int, width: int) -> list[int]:
    """The width of each column; none where not all of them are worth having."""
    room = width - GAP * (count - 1)
    wanted = [
        max(1, *(width_of(row[place]) if place < len(row) else 0 for row in rows))
        for place in range(count)
    ]
    if sum(wanted) <= room:
        return wanted
    if sum(min(one, LEAST) for one in wanted) > room:
        return []
    low, high = LEAST, room
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (
            (middle, high) if sum(min(one, middle) for one in wanted) <= room else (low, middle - 1)
        )
    return [min(one, low) for one in wanted]


def _columns(row: Sequence[Line], at: Sequence[int]) -> list[Line]:
    wrapped = [flow(row[place] if place < len(row) else (), size) for place, size in enumerate(at)]
    out: list[Line] = []
    for number in range(max(1, *(len(one) for one in wrapped))):
        spans: list[Span] = []
        for place, size in enumerate(at):
            line = wrapped[place][number] if number < len(wrapped[place]) else BLANK
            pad = size - width_of(line) + (GAP if place < len(at) - 1 else 0)
            spans += [*line, Span(" " * max(0, pad))]
        out.append(tuple(spans))
    return out


def _records(rows: Sequence[Sequence[Line]], width: int) -> list[Line]:
    head, lines = rows[0], list[Line]()
    for row in rows[1:] or rows:
        for place, cell in enumerate(row):
            name = head[place] if place < len(head) and len(rows) > 1 else ()
            words = tuple(replace(one, colour="muted") for one in name)
            lines += flow((*words, Span("  "), *cell) if words else cell, width)
        lines.append(BLANK)
    return lines[:-1] if lines else lines
