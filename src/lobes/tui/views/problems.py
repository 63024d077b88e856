"""Problems: what went wrong since the start, how the index is, what a look through found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lobes.domain.display import one_line
from lobes.tui import cells
from lobes.tui.paint import BLANK, Line, Look, Span, heading, muted, title, whole
from lobes.tui.views.chrome import IndexState, index_state

if TYPE_CHECKING:
    from lobes.tui.values import Finding, Looked, NotRead
    from lobes.tui.widgets.toast import Kind


def page(
    said: Sequence[tuple[str, Kind]],
    state: IndexState,
    trouble: str,
    looked: Looked | None,
    width: int,
    look: Look,
) -> list[Line]:
    """Newest first; what is still looked for says so."""
    return [
        *_since(said, width, look),
        BLANK,
        *_index(state, trouble, width, look),
        BLANK,
        *_found(looked, width, look),
        *_not_read(looked.not_read if looked else (), width, look),
    ]


def _since(said: Sequence[tuple[str, Kind]], width: int, look: Look) -> list[Line]:
    lines: list[Line] = [heading([title("Since the start")], [], width, look)]
    for text, kind in reversed(said):
        lines += whole(text, width, colour=kind, indent=2)
    return lines if said else [*lines, (muted("Nothing went wrong."),)]


def _index(state: IndexState, trouble: str, width: int, look: Look) -> list[Line]:
    words: Line = tuple(index_state(state, 120, look)) or (muted("The engine rests."),)
    lines: list[Line] = [heading([title("Index")], [], width, look), words]
    if trouble:
        lines += whole(trouble, width, colour="warning", indent=2)
    return lines


def _found(looked: Looked | None, width: int, look: Look) -> list[Line]:
    fact = [] if looked else [muted(f"looking{look.mark}")]
    lines: list[Line] = [heading([title("Looked through")], fact, width, look)]
    if looked is None:
        return lines
    for one in looked.findings:
        lines += _finding(one, width)
    if all(one.note for one in looked.findings):
        lines.insert(1, (muted("Nothing is wrong."),))
    return lines


def _finding(one: Finding, width: int) -> list[Line]:
    colour = "muted" if one.note else "error"
    hint = [(Span("  "), *line) for line in whole(one.hint, width - 2)] if one.hint else []
    return [*whole(one.text, width, colour=colour, indent=2), *hint]


def _not_read(groups: Sequence[NotRead], width: int, look: Look) -> list[Line]:
    if not groups:
        return []
    total = sum(one.count for one in groups)
    lines: list[Line] = [
        BLANK,
        heading([title("Files that are not read")], [muted(f"{total:,}")], width, look),
    ]
    for one in groups:
        lines += whole(f"{one.count:,}  {one.why}", width, indent=2)
        for path in one.examples:
            lines.append((muted(f"  {cells.middle(one_line(path), width - 2, mark=look.mark)}"),))
    return lines
