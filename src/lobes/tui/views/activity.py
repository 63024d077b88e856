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
from lobes.tui.values import ActivityRow, ActivityView, Chain
from lobes.tui.views import marks
from lobes.tui.views.filtered import unmatched

VIEWS: tuple[ActivityView, ...] = ("all", "refused", "reads", "changes")
WHAT_MIN = 12


@dataclass(frozen=True, slots=True)
class DayRow:
    """A row of the list: an act, or (without an id) the day above the acts of that day."""

    id: str
    day: str = ""
    row: ActivityRow | None = None


def shown(rows: Sequence[ActivityRow], view: ActivityView, words: str) -> list[ActivityRow]:
    """The rows of a view that hold every word of the filter."""
    wanted = words.casefold().split()
    return [one for one in rows if _in_view(one, view) and _matches(one, wanted)]


def _in_view(row: ActivityRow, view: ActivityView) -> bool:
    reads = row.verb.startswith("read")
    match view:
        case "refused":
            return row.refused
        case "reads":
            return reads and not row.refused
        case "changes":
            return not reads and not row.refused
        case _:
            return True


def _matches(row: ActivityRow, wanted: Sequence[str]) -> bool:
    answer = f"{row.answer} {'refused' if row.refused else 'allowed'}"
    fields = {"who": row.who, "verb": row.verb, "what": row.what, "answer": answer, "by": row.by}
    everything = f"{' '.join(fields.values())} {row.event}".casefold()
    for word in wanted:
        name, colon, value = word.partition(":")
        if colon and name in fields:
            if value not in fields[name].casefold():
                return False
        elif word not in everything:
            return False
    return True


def by_day(rows: Sequence[ActivityRow], look: Look) -> list[DayRow]:
    """The rows under their days, newest first; the first day stands in the head."""
    out: list[DayRow] = []
    last = day_of(rows[0].at, look) if rows else ""
    for one in rows:
        day = day_of(one.at, look)
        if day != last:
            out += [DayRow(""), DayRow("", day=day)]
            last = day
        out.append(DayRow(one.id, row=one))
    return out


def day_of(at: datetime, look: Look) -> str:
    """`Today`, `Yesterday`, `27 Nov`, `27 Nov 2025`, in the time of this machine."""
    local, now = at.astimezone(), look.now.astimezone()
    days = (now.date() - local.date()).days
    if days in (0, 1):
        return "Yesterday" if days else "Today"
    return _date(local.date(), now.date())


def _date(day: date, today: date) -> str:
    short = f"{day.day} {day:%b}"
    return short if day.year == today.year else f"{short} {day.year}"


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
    total: int,
    view: ActivityView,
    width: int,
    focused: bool,
    look: Look,
) -> list[Line]:
    """The newest day with how many of how many, then the names of the columns."""
    day = day_of(rows[0].at, look) if rows else "Nothing"
    fact = [muted(f"{len(rows):,} of {total:,}")]
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
    return [heading(name, fact, width, look, focused=focused), tuple(names)]


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
    """`✓ owner`, or in red `× private`."""
    glyph = look.glyphs.of("memory", "rejected" if one.refused else "active")
    return ink(f"{glyph} {one.answer}", "error" if one.refused else "success")


def evidence(
    one: ActivityRow, chain: Chain | None, width: int, focused: bool, look: Look, *, full: bool
) -> list[Line]:
    """One row in sentences: what was asked, by which rule it was answered, and each lobe."""
    name = f"{one.what}, {one.times:,} times" if one.times > 1 else one.what
    word = "refused" if one.refused else "allowed"
    verdict = [replace(answer(replace(one, answer=word), look), bold=False)]
    lines: list[Line] = [heading([title(name)], verdict, width, look, focused=focused)]
    local = one.at.astimezone()
    for label, text in (
        ("In words", one.sentence),
        ("Rule", one.answer),
        ("Who", cells.cut(display_text(one.actor), max(1, width - WHY_LABEL), mark=look.mark)),
        ("Act", f"{one.event}, {one.verb}"),
        ("When", f"{_date(local.date(), look.now.astimezone().date())}, {local:%H:%M:%S}"),
        ("Request", one.request),
        ("Counts", ", ".join(f"{name} {count:,}" for name, count in one.counts)),
    ):
        lines += _told(label, text, width, look)
    if one.decisions:
        lines += _lobes(one, width, look)
    if full and chain is not None:
        lines += [BLANK, *_chain(chain, width, look)]
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


CHAIN_WORDS = {
    "ok": "whole",
    "unsealed": "whole",
    "edited": "edited at row {row}",
    "reordered": "row {row} is not in its place",
    "rewritten": "rewritten",
    "truncated": "cut after row {before}",
    "head_missing": "head missing",
    "empty": "emptied",
}


def chain_words(chain: Chain) -> str:
    """`whole`, or what is wrong and from which row on."""
    words = CHAIN_WORDS.get(chain.state, chain.state)
    return words.format(row=f"{chain.at:,}", before=f"{max(0, chain.at - 1):,}")


def chain_mark(chain: Chain, look: Look) -> list[Span]:
    """The right end of line 2: `✓ whole 18,402 rows`."""
    glyph = look.glyphs.of("memory", "active" if chain.is_whole else "rejected")
    colour = "success" if chain.is_whole else "error"
    return [
        ink(f"{glyph} {chain_words(chain)}", colour),
        muted(f" {cells.plural(chain.rows, 'row')}"),
    ]


def _chain(chain: Chain, width: int, look: Look) -> list[Line]:
    lines: list[Line] = [heading([title("Chain")], chain_mark(chain, look)[:1], width, look)]
    lines.append(labelled("Rows", [ink(f"{chain.rows:,}")], width, look, column=WHY_LABEL))
    if not chain.is_whole:
        text = "Somebody or something changed the file. Keep a copy of it before you go on."
        lines += paragraph(text, width, colour="warning")
    lines.append((Span("V", "accent", bold=True, action="check_chain"), muted(" checks it again")))
    return lines


def nothing(total: int, words: str, width: int, look: Look) -> list[Line]:
    """The empty list: nothing happened, or the filter or the view hides it."""
    if not total:
        return paragraph("Nothing has been read or decided yet. All of it will stand here.", width)
    if words.strip():
        return unmatched(words, total, width, look)
    text = f"No row is in this view. {total:,} are hidden. {look.key('view_record')} shows another."
    return paragraph(text, width)
