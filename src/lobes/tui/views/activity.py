"""Activity: who asked for what, and what the answer was; refusals are marked, by glyph and word."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime

from lobes.domain.display import display_text
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
    labelled,
    muted,
    paragraph,
    title,
)
from lobes.tui.values import ActivityRow, ActivityView, Chain, Readers
from lobes.tui.views import marks
from lobes.tui.views.chain import chain_pane
from lobes.tui.views.filtered import unmatched
from lobes.tui.views.readers import all_readers

VIEWS: tuple[ActivityView, ...] = ("all", "refused", "reads", "changes", "notices")
WHAT_MIN = 12


@dataclass(frozen=True, slots=True)
class DayRow:
    """A row of the list: an act, or (without an id) the day above the acts of that day."""

    id: str
    day: str = ""
    row: ActivityRow | None = None


class Days:
    """The rows under their days, newest first; the first day stands in the head. Older rows are
    added behind, so that a long record costs what a page of it costs."""

    def __init__(self) -> None:
        self.entries: list[DayRow] = []
        self._last = ""
        self._known: dict[tuple[date, int, int], str] = {}

    def add(self, rows: Sequence[ActivityRow], look: Look) -> None:
        for one in rows:
            day = self._day(one.at, look)
            if self.entries and day != self._last:
                self.entries += [DayRow(""), DayRow("", day=day)]
            self._last = day
            self.entries.append(DayRow(one.id, row=one))

    def _day(self, at: datetime, look: Look) -> str:
        # No zone changes its day within a quarter of an hour; working it out for each row would be
        # felt at twenty thousand of them.
        quarter = (at.date(), at.hour, at.minute // 15)
        if quarter not in self._known:
            self._known[quarter] = day_of(at, look)
        return self._known[quarter]


def day_of(at: datetime, look: Look) -> str:
    """`Today`, `Yesterday`, `27 Nov`, `27 Nov 2025`, in the time of this machine."""
    local, now = at.astimezone(), look.now.astimezone()
    days = (now.date() - local.date()).days
    if days in (0, 1):
        return "Yesterday" if days else "Today"
    return cells.day(local, now)


@dataclass(frozen=True, slots=True)
class _Columns:
    who: int
    verb: int
    what: int
    answer: int
    by: int
    times: int


def columns(width: int) -> _Columns:
    """`By` and `×` go first, then the verb; what was asked for goes last."""
    time, who, verb, answer = 6, 13, 19, 14
    for by, times in ((7, 4), (0, 4), (0, 0)):
        what = width - time - who - verb - answer - by - times
        if what >= WHAT_MIN:
            return _Columns(who, verb, what, answer, by, times)
    return _Columns(10, 0, max(8, width - time - 10 - answer), answer, 0, 0)


def head(
    rows: Sequence[ActivityRow],
    fact: str,
    view: ActivityView,
    width: int,
    focused: bool,
    look: Look,
) -> list[Line]:
    """The newest day with how many of how many, then the names of the columns."""
    day = day_of(rows[0].at, look) if rows else "Nothing"
    name = [title(day)] if view == "all" else [title(day), muted(f"  {view}")]
    at = columns(width)
    names = [Span("Time  ", "muted", bold=True), fitted(title("Who"), at.who, look)]
    if at.verb:
        names.append(fitted(title("Verb"), at.verb, look))
    names += [fitted(title("What"), at.what, look), fitted(title("Answer"), at.answer, look)]
    if at.by:
        names.append(fitted(title("By"), at.by, look))
    if at.times:
        names.append(Span(cells.right(look.glyphs.ui("times"), at.times), "muted", bold=True))
    return [heading(name, [muted(fact)], width, look, focused=focused), tuple(names)]


def row(entry: DayRow, width: int, lit: bool, look: Look) -> list[Line]:
    if entry.row is None:
        return [heading([title(entry.day)], [], width, look) if entry.day else BLANK]
    one, at = entry.row, columns(width)
    spans = [
        Span(f"{one.at.astimezone():%H:%M} ", "muted"),
        *_fit(ink(one.who, bold=lit), at.who, look),
    ]
    if at.verb:
        spans += _fit(muted(one.verb), at.verb, look)
    spans += _fit(ink(one.what), at.what, look)
    spans += _fit(answer(one, look), at.answer, look)
    if at.by:
        spans += _fit(muted(one.by), at.by, look)
    if at.times:
        count = f"{one.times:,}" if one.times > 1 else ""
        spans.append(Span(cells.right(count, at.times), "muted"))
    return [tuple(spans)]


def _fit(span: Span, width: int, look: Look) -> list[Span]:
    """The span and one blank after it, in exactly `width` cells."""
    return [fitted(span, width - 1, look), Span(" ")]


def answer(one: ActivityRow, look: Look) -> Span:
    """`✓ owner`, or in red `× private`; of a notice whether it is new."""
    if one.notice:
        return ink(one.answer, "accent") if one.answer == "new" else muted(one.answer)
    glyph = look.glyphs.of("memory", "rejected" if one.refused else "active")
    return ink(f"{glyph} {one.answer}", "error" if one.refused else "success")


def evidence(
    one: ActivityRow,
    width: int,
    focused: bool,
    look: Look,
    *,
    chain: Chain | None = None,
    readers: Readers | None = None,
) -> list[Line]:
    """One row in sentences: what was asked, by which rule it was answered, and each lobe; below
    it, where there is room for them, the chain and who read what."""
    name = f"{one.what}, {one.times:,} times" if one.times > 1 else one.what
    word = one.answer if one.notice else "refused" if one.refused else "allowed"
    verdict = [replace(answer(replace(one, answer=word), look), bold=False)]
    lines: list[Line] = [heading([title(name)], verdict, width, look, focused=focused)]
    local = one.at.astimezone()
    for label, text in (
        ("In words", one.sentence),
        ("Rule", "" if one.notice else one.answer),
        ("Who", cells.cut(display_text(one.actor), max(1, width - WHY_LABEL), mark=look.mark)),
        ("Act", one.event if one.notice else f"{one.event}, {one.verb}"),
        ("When", f"{cells.day(local, look.now)}, {local:%H:%M:%S}"),
        ("Request", one.request),
        ("Counts", ", ".join(f"{name} {count:,}" for name, count in one.counts)),
    ):
        lines += _told(label, text, width, look)
    if one.decisions:
        lines += _lobes(one, width, look)
    if chain is not None:
        lines += [BLANK, *chain_pane(chain, width, look)]
    if readers is not None:
        lines += [BLANK, *all_readers(readers, width, look)]
    return lines


def _told(label: str, text: str, width: int, look: Look) -> list[Line]:
    if not text:
        return []
    return [
        labelled("" if place else label, line, width, look, column=WHY_LABEL)
        for place, line in enumerate(paragraph(text, max(1, width - WHY_LABEL)))
    ]


def _lobes(one: ActivityRow, width: int, look: Look) -> list[Line]:
    asked = sum(1 for each in one.decisions if each.allowed)
    fact = [muted(f"{asked} of {len(one.decisions)} drawn on")]
    lines: list[Line] = [BLANK, heading([title("Lobes")], fact, width, look)]
    size = max(8, min(24, width - 16))
    for each in one.decisions:
        lines.append((fitted(ink(each.name), size, look), marks.reason(each.reason, look)))
    return lines


def nothing(total: int, words: str, view: ActivityView, width: int, look: Look) -> list[Line]:
    """The empty list: nothing happened, or the filter or the view hides it."""
    if view == "notices" and not total:
        return paragraph(
            "No notices. What others change about what is yours will stand here.", width
        )
    if not total:
        return paragraph("Nothing has been read or decided yet. All of it will stand here.", width)
    if words.strip():
        return unmatched(words, total, width, look)
    text = f"No row is in this view. {total:,} are hidden. {look.key('view_record')} shows another."
    return paragraph(text, width)


def more(shown: int, matched: int, width: int, look: Look) -> list[Line]:
    """The foot, where there are more rows than are ever shown at once."""
    text = f"{shown:,} of {matched:,} stand here. {look.key('filter')} finds older ones."
    return paragraph(text, width, colour="muted")
