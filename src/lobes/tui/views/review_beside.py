"""What stands beside a proposal: neighbours, who could read it, what the agent saw, the queue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lobes.tui import cells
from lobes.tui.paint import (
    BLANK,
    WHY_LABEL,
    Line,
    Look,
    Span,
    fitted,
    heading,
    ink,
    muted,
    paragraph,
    spread,
    title,
)
from lobes.tui.screens.triage import Evidence
from lobes.tui.views import marks, review_words

if TYPE_CHECKING:
    from lobes.services.memory_readers import Readers, SpaceReads
    from lobes.services.review_queue import Counters
    from lobes.tui.reviewing import Opened, Waiting
    from lobes.tui.reviewing_edits import OpenedEdit, WaitingEdit

STATUS = 13
"""Cells of a neighbour's status."""
SHORT = 28
"""Cells of a neighbour's words where several stand in one line."""


def third(
    item: Waiting,
    opened: Opened | None,
    width: int,
    focused: bool,
    look: Look,
    *,
    counters: Counters | None,
) -> Evidence:
    if opened is None:
        return Evidence([])
    blocks = [
        *neighbours(opened, width, look, first=True, focused=focused),
        BLANK,
        *readers(opened.evidence.readers, item.where, width, look),
        *_seen(opened, width, look),
        *(queue(counters, width, look) if counters else []),
    ]
    return Evidence(blocks)


def neighbours(
    opened: Opened, width: int, look: Look, *, first: bool = False, focused: bool = False
) -> list[Line]:
    found = opened.evidence.neighbours
    subject = opened.evidence.memory.subject
    fact = [muted(f"same subject: {subject}")] if subject and found else []
    head = heading([title("Neighbours")], fact, width, look, focused=focused)
    lines: list[Line] = [head] if first else [BLANK, head]
    if not found:
        return [*lines, (muted("Nothing like it is known."),)]
    for one in found:
        name = [
            Span(f"{one.likeness:.2f} ", "muted"),
            fitted(ink(one.memory.statement), max(8, width - STATUS - 5), look),
        ]
        end = [fitted(review_words.status(one.memory, look), STATUS - 1, look)]
        lines.append(spread(name, end, width, look))
    return lines


def neighbours_in_short(opened: Opened) -> list[Span]:
    """`0.52 Retry jitter is 20 %  0.47 Failed syncs stay visible`."""
    out: list[Span] = []
    for one in opened.evidence.neighbours[:2]:
        words = cells.cut(ink(one.memory.statement).text, SHORT)
        out += [muted(f"{one.likeness:.2f} "), Span(words), Span("  ")]
    return out[:-1]


def third_of_edit(
    item: WaitingEdit,
    opened: OpenedEdit | None,
    width: int,
    focused: bool,
    look: Look,
    *,
    counters: Counters | None,
) -> Evidence:
    """Beside an edit of a file; one that takes the file away is read by nobody after that."""
    known = opened.evidence.readers if opened is not None else None
    lines = readers(known, item.where, width, look, focused=focused) if known is not None else []
    counted = queue(counters, width, look) if counters else []
    return Evidence([*lines, *counted] if lines else counted[1:])


def readers(
    known: Readers, where: str, width: int, look: Look, *, focused: bool = False
) -> list[Line]:
    head = heading([title("Who will be able to read it")], [], width, look, focused=focused)
    lines: list[Line] = [head]
    agents = "none" if known.agents is None else f"those bound to {where}, as {known.agents}s"
    rows = [("You", "yes" if known.you else "no"), ("Agents", agents)]
    rows.append(("Spaces", ", ".join(one.name for one in known.spaces) or "no other"))
    if known.not_spaces:
        rows.append(("Not", _not(known.not_spaces)))
    rows.append(("People", review_words.people(known) or f"no one: {where} isn't shared"))
    for label, text in rows:
        for place, line in enumerate(paragraph(text, max(1, width - WHY_LABEL))):
            name = label if not place else ""
            lines.append((Span(name.ljust(WHY_LABEL), "muted"), *line))
    return lines


def _not(spaces: Sequence[SpaceReads]) -> str:
    """`Health (it is closed)`; those with the same reason together."""
    alike: dict[str, list[str]] = {}
    for one in spaces:
        alike.setdefault(one.reason.replace("_", " "), []).append(one.name)
    return "; ".join(f"{', '.join(names)} ({reason})" for reason, names in alike.items())


def _seen(opened: Opened, width: int, look: Look) -> list[Line]:
    """Nothing where no context was recorded: then nobody can say what the agent went by."""
    saw = opened.evidence.saw
    if not saw:
        return []
    lines: list[Line] = [BLANK, heading([title("What the agent saw")], [], width, look)]
    for one in saw:
        end = [marks.reason(one.reason, look), muted(cells.right(cells.count(one.tokens), 8))]
        lines.append(spread([ink(one.title)], end, width, look))
    return lines


def queue(known: Counters, width: int, look: Look) -> list[Line]:
    lines: list[Line] = [BLANK, heading([title("Queue")], [muted("since yesterday")], width, look)]
    for label, number in (
        ("Proposed", known.proposed),
        ("Active at once, by you", known.at_once),
        ("Repeats, folded in", known.repeats),
        ("Suppressed (rejected before)", known.suppressed),
        ("Decided", known.accepted + known.rejected + known.merged),
        ("Waiting", known.waiting),
    ):
        lines.append(spread([muted(label)], [Span(f"{number:,}")], width, look))
    return lines
