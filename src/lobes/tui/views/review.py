"""The evidence of Review. Its order never changes: the statement, why it waits, from whom, what it
would replace, neighbours, sensitivity, who could read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lobes.domain.reasons import sentence
from lobes.tui.cells import day
from lobes.tui.paint import (
    BLANK,
    WHY_LABEL,
    Line,
    Look,
    Span,
    heading,
    ink,
    labelled,
    muted,
    paragraph,
    title,
    trimmed,
    width_of,
)
from lobes.tui.screens.triage import Evidence
from lobes.tui.views import marks, review_words
from lobes.tui.views.review_beside import neighbours, neighbours_in_short, readers
from lobes.tui.views.review_diff import difference, symbols, wrapped
from lobes.tui.views.review_row import flags

if TYPE_CHECKING:
    from lobes.tui.reviewing import Opened, Waiting

SPACED = 100
"""From this width of the screen on, the evidence stands beside the list, in blocks."""
HINTS = (
    ("supersede", "supersede: the old one is kept, out of use"),
    ("dispute", "dispute: keep both, always shown together"),
    ("reject", "reject: not proposed again for 180 days"),
)


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown and how: `screen` is the width of the screen, `third` whether what stands
    beside it has a pane of its own, `escaped` whether hidden characters show their code points,
    `note` what is to be said of its masked secret."""

    item: Waiting
    opened: Opened | None
    screen: int
    third: bool = False
    escaped: bool = False
    variants: int = 0
    note: str = ""


def evidence(shown: Shown, width: int, focused: bool, look: Look) -> Evidence:
    """The pane for one item; its text is what is decided upon."""
    if shown.screen < SPACED:
        return _short(shown, width, focused, look)
    lines = _statement(shown, width, focused, look)
    text, opened = len(lines), shown.opened
    if opened is None:
        return Evidence(lines, text)
    lines += [BLANK, *_facts(shown, opened, width, look), *_would_replace(opened, width, look)]
    if shown.third:
        lines += _history(opened, width, look)
    else:
        lines += [*neighbours(opened, width, look)]
        lines += [BLANK, *readers(opened.evidence.readers, shown.item.where, width, look)]
    return Evidence(lines, text)


def _words(shown: Shown, width: int, look: Look) -> list[Line]:
    """All of the statement: it is never cut where it is decided upon."""
    opened, item = shown.opened, shown.item.item
    text = item.statement if opened is None else opened.evidence.memory.statement
    text = text if shown.escaped else symbols(text, look)
    return paragraph(text, width, limit=len(text) * 10 + 1)


def _noted(shown: Shown, width: int) -> list[Line]:
    return paragraph(shown.note, width, colour="muted") if shown.note else []


def _warned(opened: Opened | None, width: int) -> list[Line]:
    """What came in the way since it was proposed."""
    found = None if opened is None else opened.evidence
    if found is None or found.stale is None:
        return []
    lines = paragraph(sentence(found.stale), width, colour="warning")
    replaced = found.replaced.id if found.replaced is not None else ""
    if found.stale_by is not None and found.stale_by.id != replaced:
        lines += paragraph(f"“{found.stale_by.statement}”", width, colour="muted")
    return lines


def _statement(shown: Shown, width: int, focused: bool, look: Look) -> list[Line]:
    name = "Proposal" if shown.item.waits else "Memory"
    fact = flags(shown.item, look, variants=shown.variants)
    head = heading([title(name)], fact, width, look, focused=focused)
    return [head, *_words(shown, width, look), *_noted(shown, width), *_warned(shown.opened, width)]


def _facts(shown: Shown, opened: Opened, width: int, look: Look) -> list[Line]:
    memory = opened.evidence.memory

    def row(label: str, *value: Span) -> Line:
        return labelled(label, value, width, look, column=WHY_LABEL)

    lines = [row("Kind", *review_words.kind(memory))]
    if shown.item.waits and (why := review_words.waits(memory)):
        lines += wrapped("Waits for", why, width)
    lines += wrapped("From", review_words.origin(memory), width)
    if hint := _session(shown, look):
        lines.append(row("", *hint))
    if memory.provenance.evidence:
        lines += wrapped("Evidence", "  ".join(memory.provenance.evidence), width)
    found = list(dict.fromkeys(one.detector for one in memory.findings))
    tail = [muted(f"  {', '.join(found)}")] if found else []
    if memory.setting is not None:
        tail.append(muted(f"  set by {review_words.who(memory.setting.by)}"))
    return [*lines, row("Sensitivity", *marks.sensitivity(memory.level, look), *tail)]


def _session(shown: Shown, look: Look) -> list[Span]:
    """`8 from the same session   t marks them`."""
    number = shown.item.item.in_session
    if number < 2 or not shown.item.waits:
        return []
    key = Span(look.key("mark_session"), "accent", bold=True)
    return [muted(f"{number:,} wait from the same session   "), key, muted(" marks them")]


def _would_replace(opened: Opened, width: int, look: Look) -> list[Line]:
    found = opened.evidence
    if found.replaced is None:
        return []
    word = "Would replace" if found.memory.status == "proposed" else "Beside"
    fact = [muted(review_words.standing(found.replaced, look.now))]
    lines: list[Line] = [BLANK, heading([title(word)], fact, width, look)]
    lines += difference(found.diff, width, look)
    for one in found.also_retire:
        text = f"{look.glyphs.of('memory', 'near')} also: {one.statement}"
        lines += paragraph(text, width, colour="muted")
    hints = [
        trimmed([Span(look.key(action), "accent", bold=True), muted(f" {words}")], width, look)
        for action, words in HINTS
    ]
    return [*lines, BLANK, *hints]


def _history(opened: Opened, width: int, look: Look) -> list[Line]:
    about = "of the memory it would replace" if opened.evidence.replaced is not None else ""
    lines: list[Line] = [BLANK, heading([title("History")], [muted(about)], width, look)]
    return [*lines, *history(opened, width, look)]


def history(opened: Opened, width: int, look: Look) -> list[Line]:
    """`12 Sep  accepted by ada`; of what it would replace, where there is such a one."""
    lines: list[Line] = []
    for one in opened.evidence.history:
        lines += wrapped(day(one.at, look.now), review_words.happened(one), width)
    return lines


def _short(shown: Shown, width: int, focused: bool, look: Look) -> Evidence:
    """Below the list: a line each. A statement that fits is the heading."""
    fact = flags(shown.item, look, variants=shown.variants)
    words = _words(shown, width, look)
    is_whole = len(words) == 1 and width_of(words[0]) <= width - width_of(fact) - 5
    name = (
        Span(words[0][0].text.removesuffix("."), "muted", True) if is_whole else title("Proposal")
    )
    head = heading([name], fact, width, look, focused=focused)
    text: list[Line] = [head, *([] if is_whole else words), *_noted(shown, width)]
    text += _warned(shown.opened, width)
    opened = shown.opened
    if opened is None:
        return Evidence(text, len(text))
    found = opened.evidence

    def row(label: str, *value: Span) -> Line:
        return labelled(label, value, width, look, column=WHY_LABEL)

    lines = list(text)
    if found.replaced is not None:
        lines.append(row("Replaces", muted(review_words.standing(found.replaced, look.now))))
        lines += difference(found.diff, width, look)
    if shown.item.waits and (why := review_words.waits(found.memory)):
        lines += wrapped("Waits for", why, width)
    known = ", ".join(found.memory.provenance.evidence)
    proof = [muted("  evidence: "), ink(known)] if known else []
    lines.append(row("From", ink(review_words.origin(found.memory)), *proof))
    if hint := _session(shown, look):
        lines.append(row("", *hint))
    if found.neighbours:
        lines.append(row("Near", *neighbours_in_short(opened)))
    lines.append(row("Sensitivity", *marks.sensitivity(found.memory.level, look)))
    who = review_words.readers_in_short(found.readers, shown.item.where)
    lines.append(row("Readers", ink(who)))
    return Evidence(lines, len(text))
