"""Widths are cells, never characters; numbers, ages and paths have one written form each.

Text must have passed the display gate before it comes here: a control character has no width.
"""

from __future__ import annotations

from datetime import datetime

from rich.cells import cell_len, set_cell_size

_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_WEEK, _MONTH, _YEAR = 7 * _DAY, 30 * _DAY, 365 * _DAY


def cut(text: str, width: int, *, mark: str = "…") -> str:
    """`text` in at most `width` cells, its end replaced by `mark` when it doesn't fit."""
    if width <= 0:
        return ""
    if cell_len(text) <= width:
        return text
    room = width - cell_len(mark)
    return set_cell_size(text, room).rstrip() + mark if room > 0 else set_cell_size(text, width)


def fit(text: str, width: int, *, mark: str = "…") -> str:
    """`text` in exactly `width` cells, at the left."""
    return set_cell_size(cut(text, width, mark=mark), max(0, width))


def right(text: str, width: int, *, mark: str = "…") -> str:
    """`text` in exactly `width` cells, at the right."""
    shown = cut(text, width, mark=mark)
    return " " * max(0, width - cell_len(shown)) + shown


def middle(path: str, width: int, *, mark: str = "…") -> str:
    """A path in at most `width` cells: its first folder and its file name are kept longest."""
    if cell_len(path) <= width:
        return path
    head, _, rest = path.partition("/")
    tail = rest.rpartition("/")[2]
    short = f"{head}/{mark}/{tail}"
    if rest and "/" in rest and cell_len(short) <= width:
        return short
    return cut(path, width, mark=mark)


def wrap(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells, broken at blanks, a longer word by cells.

    Newlines start a new line; leading blanks of a line are kept (lists and code in evidence).
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines.extend(_wrapped(paragraph.rstrip(), max(1, width)))
    return lines


def _wrapped(paragraph: str, width: int) -> list[str]:
    lines: list[str] = []
    line, used = "", 0
    for word in _pieces(paragraph, width):
        size = cell_len(word)
        if used and used + size > width:
            lines.append(line.rstrip())
            line, used = "", 0
            word = word.lstrip()
            size = cell_len(word)
        line, used = line + word, used + size
    lines.append(line.rstrip())
    return lines


def _pieces(paragraph: str, width: int) -> list[str]:
    """Words with the blanks before them; a word wider than a line comes in line-wide pieces."""
    pieces: list[str] = []
    start = 0
    while start < len(paragraph):
        end = start
        while end < len(paragraph) and paragraph[end] == " ":
            end += 1
        while end < len(paragraph) and paragraph[end] != " ":
            end += 1
        pieces.extend(_split(paragraph[start:end], width))
        start = end
    return pieces


def _split(word: str, width: int) -> list[str]:
    if cell_len(word) <= width:
        return [word]
    parts: list[str] = []
    part, used = "", 0
    for char in word:
        size = cell_len(char)
        if used + size > width and part:
            parts.append(part)
            part, used = "", 0
        part, used = part + char, used + size
    return [*parts, part]


_OWN_LINE = ("#", "-", "*", "+", ">", "|", "`", "~", " ", "\t")


def reflow(text: str) -> str:
    """Markdown whose hard-wrapped prose is one line a paragraph, so that it wraps to any width.

    Headings, lists, tables, quotes and fenced code keep their lines.
    """
    out: list[str] = []
    fenced = joins = False
    for line in text.split("\n"):
        fence = line.startswith(("```", "~~~"))
        plain = bool(line.strip()) and not (fenced or fence)
        # Under a list item, an indented line goes on with the item.
        prose = plain and not _stands_alone(line.strip() if joins and line[0] == " " else line)
        if prose and joins:
            out[-1] = f"{out[-1].rstrip()} {line.strip()}"
        else:
            out.append(line)
        fenced ^= fence
        item = line.startswith(("- ", "* ", "+ ", "> "))
        joins = prose or (item and not fenced)
    return "\n".join(out)


def _stands_alone(line: str) -> bool:
    return line.startswith(_OWN_LINE) or (line[:1].isdigit() and ". " in line[:4])


def count(number: int) -> str:
    """A count with thousands commas; none is a dash."""
    return f"{number:,}" if number else "–"


def score(value: float) -> str:
    """A score or weight in two decimals."""
    return f"{value:.2f}"


def ordinal(rank: int) -> str:
    """`1st`, `2nd`, `3rd`, `11th`."""
    if rank % 100 in (11, 12, 13):
        return f"{rank}th"
    return f"{rank}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(rank % 10, 'th') }"


def age(then: datetime | None, now: datetime) -> str:
    """How long since `then`, in one unit; a future time and one under a minute are `now`."""
    if then is None:
        return "–"
    seconds = (now - then).total_seconds()
    if seconds < _MINUTE:
        return "now"
    for limit, unit, name in (
        (_HOUR, _MINUTE, "min"),
        (_DAY, _HOUR, "h"),
        (6 * _WEEK, _DAY, "d"),
        (3 * _MONTH, _WEEK, "wk"),
        (_YEAR, _MONTH, "mo"),
    ):
        if seconds < limit:
            return f"{int(seconds // unit)} {name}"
    return f"{int(seconds // _YEAR)} y"


def day(at: datetime, now: datetime) -> str:
    """`27 Nov`, `27 Nov 2025` where it isn't this year, in the time of this machine."""
    local = at.astimezone()
    short = f"{local.day} {local:%b}"
    return short if local.year == now.astimezone().year else f"{short} {local.year}"


def plural(number: int, one: str, many: str = "") -> str:
    """`1 lobe`, `5 lobes`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"
