"""Search: answers with the reason beside each score, who was not asked, and the evidence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

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
    spread,
    title,
    trimmed,
    width_of,
)
from lobes.tui.previews import previewed
from lobes.tui.values import Answer, Found, LobeView, Withheld
from lobes.tui.views import marks
from lobes.tui.views.chrome import IndexState

TITLE_MIN = 16
_SCORE, _WHY, _LOBE = 6, 13, 14
_REASON_WORD = 14

DEGRADED: Mapping[str, str] = {
    "words_only": "by words only",
    "meaning_behind": "meaning is behind",
    "rebuilding": "the index is being rebuilt",
    "engine_down": "old: search is off",
}


@dataclass(frozen=True, slots=True)
class _Columns:
    title: int
    why: int
    lobe: int


def columns(width: int) -> _Columns:
    """One-line rows: the lobe goes first, then the reason word to its glyph."""
    if width - _SCORE - _WHY - _LOBE - 1 >= TITLE_MIN:
        return _Columns(width - _SCORE - _WHY - _LOBE, _WHY, _LOBE)
    if width - _SCORE - _WHY >= TITLE_MIN:
        return _Columns(width - _SCORE - _WHY, _WHY, 0)
    return _Columns(max(0, width - _SCORE - 2), 2, 0)


def head(
    found: Found | None,
    position: int,
    note: str,
    width: int,
    focused: bool,
    look: Look,
    *,
    two: bool,
) -> list[Line]:
    """Above the answers: the column names, or with two-line rows a pane heading.

    Without answers there are no columns to be named.
    """
    if two:
        fact = _fact(found, position, note)
        facts = [muted(fact)] if fact else []
        return [heading([title("Answers")], facts, width, look, focused=focused)]
    if found is None or not found.answers:
        return []
    at = columns(width)
    spans = [fitted(title("Score"), _SCORE, look), fitted(title("Answer"), at.title, look)]
    if at.why > 2:
        spans.append(fitted(title("Why"), at.why, look))
    if at.lobe:
        spans.append(fitted(title("Lobe"), at.lobe, look))
    if focused:
        spans = [replace(span, colour="accent") for span in spans]
    return [tuple(spans)]


def _fact(found: Found | None, position: int, note: str) -> str:
    if note:
        return note
    if found is None or not found.answers:
        return ""
    place = f"{position + 1} of {len(found.answers)}"
    words = [DEGRADED.get(code, code) for code in found.degraded]
    return " · ".join([*words, place])


def row(answer: Answer, width: int, lit: bool, look: Look, *, two: bool, old: bool) -> list[Line]:
    """An answer on one line or two; `old` mutes it while newer answers are on their way."""
    lines = _two_lines(answer, width, lit, look) if two else [_one_line(answer, width, lit, look)]
    if not old:
        return lines
    return [tuple(replace(span, colour="muted", bold=False) for span in line) for line in lines]


def _one_line(answer: Answer, width: int, lit: bool, look: Look) -> Line:
    at = columns(width)
    flags = _flags(answer, look, words=False)
    words = trimmed([ink(answer.title, bold=lit)], at.title - 1 - width_of(flags), look)
    gap = at.title - width_of(words) - width_of(flags)
    reason = marks.reason(answer.reason, look, None if at.why > 2 else "")
    spans = [
        _score(answer, lit),
        *words,
        *flags,
        Span(" " * max(0, gap)),
        fitted(reason, at.why, look),
    ]
    if at.lobe:
        spans.append(fitted(ink(answer.lobe), at.lobe, look))
    return tuple(spans)


def _two_lines(answer: Answer, width: int, lit: bool, look: Look) -> list[Line]:
    first = spread(
        [_score(answer, lit), ink(answer.title, bold=lit)],
        _flags(answer, look, words=True),
        width,
        look,
    )
    path = cells.middle(ink(answer.where).text, max(8, width - 38), mark=look.mark)
    second = trimmed(
        [
            Span(" " * _SCORE),
            fitted(marks.reason(answer.reason, look), _REASON_WORD, look),
            ink(answer.lobe),
            Span("  "),
            Span(path, "muted"),
        ],
        width,
        look,
    )
    return [first, second]


def _score(answer: Answer, lit: bool) -> Span:
    return Span(cells.score(answer.score).ljust(_SCORE), bold=lit)


def _flags(answer: Answer, look: Look, *, words: bool) -> list[Span]:
    spans: list[Span] = []
    if answer.contested:
        glyph = look.glyphs.of("memory", "disputed")
        spans.append(Span(f" {glyph} contested" if words else f" {glyph}", "warning"))
    if answer.stale:
        glyph = look.glyphs.of("warning", "stale")
        spans.append(Span(f" {glyph} stale" if words else f" {glyph}", "warning"))
    if answer.outside:
        glyph = look.glyphs.of("warning", "outside")
        spans.append(Span(f" {glyph} outside" if words else f" {glyph}", "muted"))
    return spans


def foot(found: Found | None, width: int, look: Look, *, two: bool) -> list[Line]:
    """Who did not answer, grouped by code: only lobes that this person may know of."""
    if found is None or not found.withheld:
        return []
    groups = _by_code(found.withheld)
    total = len(found.withheld)
    why_key = [Span(look.key("why"), "accent", True, "", "why"), muted(" why")]
    allow = [Span(look.key("allow_once"), "accent", True, "", "allow_once"), muted(" allow once")]
    if not two:
        why_key = allow if "ask" in groups else why_key
        room = width - width_of(why_key) - 1
        forms = (_withheld(total, groups, form, look) for form in ("names", "counts", "glyphs"))
        spans = next((one for one in forms if width_of(one) <= room), [title(f"Withheld {total}")])
        return [BLANK, spread(spans, why_key, width, look)]
    lines: list[Line] = [
        BLANK,
        heading([title("Withheld")], [muted(cells.plural(total, "lobe"))], width, look),
    ]
    for place, (code, names) in enumerate(groups.items(), 1):
        left = [fitted(marks.reason(code, look), 11, look), ink(", ".join(names))]
        right = why_key if place == len(groups) else []
        lines.append(spread(left, allow if code == "ask" else right, width, look))
    return lines


def _withheld(total: int, groups: Mapping[str, Sequence[str]], form: str, look: Look) -> list[Span]:
    """The lobes that did not answer on one line: by name, or where that doesn't fit counted."""
    spans: list[Span] = [title(f"Withheld {total}")]
    for code, names in groups.items():
        word = "" if form == "glyphs" else None
        shown = ", ".join(names) if form == "names" else str(len(names))
        gap = "   " if form == "names" and len(spans) > 1 else "  "
        spans += [Span(gap), marks.reason(code, look, word), Span(" "), ink(shown)]
    return spans


def _by_code(withheld: Sequence[Withheld]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for lobe in withheld:
        groups.setdefault(lobe.reason, []).append(lobe.name)
    return dict(sorted(groups.items(), key=lambda item: item[0] != "ask"))


def nothing(
    found: Found | None,
    name: str,
    lobe: LobeView | None,
    asking: str,
    width: int,
    *,
    index: IndexState,
) -> list[Line]:
    """The list without answers: before a question, and after one that found nothing."""
    if asking:
        return paragraph(asking, width, colour="muted")
    if found is None or not found.question:
        return _before_a_question(name, lobe, width)
    if not found.lobes:
        return paragraph(f"Nothing {name} may draw on has an answer.", width)
    text = f"Nothing found in {cells.plural(found.lobes, 'lobe')}."
    asks = sum(1 for one in found.withheld if one.reason == "ask")
    if asks:
        text += f" {asks} more {'asks' if asks == 1 else 'ask'} first."
    if "words_only" in found.degraded or "meaning_behind" in found.degraded:
        far = f" ({index.done:,} of {index.total:,})" if index.done < index.total else ""
        text += f" Words were searched, meaning wasn't yet{far}."
    return paragraph(text, width)


def _before_a_question(name: str, lobe: LobeView | None, width: int) -> list[Line]:
    """Who will be asked and who won't answer, each by name."""
    if lobe is None:
        return paragraph(f"Ask {name}.", width)
    text = f"Ask {name}. It draws on {cells.plural(len(lobe.sources), 'lobe')}"
    if lobe.refusals:
        text += f"; {len(lobe.refusals)} won't answer"
    asked = ", ".join(one.name for one in lobe.sources)
    silent = ", ".join(one.name for one in lobe.refusals)
    lines = [*paragraph(f"{text}.", width), *paragraph(f"Asked: {asked}.", width, colour="muted")]
    if silent:
        lines += paragraph(f"Not asked: {silent}.", width, colour="muted")
    return lines


def evidence(
    answer: Answer,
    found: Found,
    width: int,
    focused: bool,
    look: Look,
    *,
    full: bool,
    whole: bool = False,
    note: str = "",
) -> list[Line]:
    """The source's own text, then why it is there. `full` gives one line to each reason, `whole`
    all of a memory's text: it is in no file where the rest could be read."""
    lines = above_file(answer, width, focused, look)
    lines += paragraph(note, width, colour="muted") if note else []
    is_all = whole and answer.memory is not None
    shown = answer.text if is_all else previewed(answer.text, look.key("open"))
    text = paragraph(cells.reflow(shown), width)
    if full:
        return [*lines, *text, BLANK, *_why(answer, found, width, look)]
    return [*lines, *text, _why_line(answer, width, look)]


def above_file(answer: Answer, width: int, focused: bool, look: Look) -> list[Line]:
    """The pane's heading: the file, and the heading in it that the passage stands under."""
    name = [title(answer.where)]
    if answer.title and answer.title != answer.path:
        name = [title(answer.where), title(f" {look.glyphs.ui('path')} "), title(answer.title)]
    return [heading(name, _age(answer, look), width, look, focused=focused)]


def _age(answer: Answer, look: Look) -> list[Span]:
    return [muted(look.age(answer.changed))] if answer.changed else []


def _why_line(answer: Answer, width: int, look: Look) -> Line:
    spans = [
        marks.reason(answer.reason, look),
        Span("  "),
        muted(answer.sentence),
        Span("  "),
        marks.times(answer.weight, look),
    ]
    if answer.meaning:
        spans.append(muted(f"   meaning {cells.ordinal(answer.meaning)}"))
    if answer.words:
        spans.append(muted(f"   words {cells.ordinal(answer.words)}"))
    right = marks.sensitivity(answer.sensitivity, look) if answer.sensitivity else []
    return spread(spans, right, width, look)


def _why(answer: Answer, found: Found, width: int, look: Look) -> list[Line]:
    opens = [Span(look.key("why"), "muted", action="why"), muted(" opens it")]
    lines: list[Line] = [heading([title("Why this answer")], opens, width, look)]
    value = [marks.reason(answer.reason, look), Span("  "), muted(answer.sentence)]
    room = width - WHY_LABEL
    lines.append(
        labelled(
            "Reason",
            spread(value, [marks.times(answer.weight, look)], room, look),
            width,
            look,
            column=WHY_LABEL,
        )
    )
    for label, rank, of in (
        ("By meaning", answer.meaning, found.meaning_found),
        ("By words", answer.words, found.words_found),
    ):
        text = f"{cells.ordinal(rank)} of {of}" if rank else "not among the best"
        lines.append(labelled(label, [muted(text)], width, look, column=WHY_LABEL))
    for label, text in answer.memory or ():
        lines.append(labelled(label, [muted(text)], width, look, column=WHY_LABEL))
    if answer.sensitivity:
        shown = marks.sensitivity(answer.sensitivity, look)
        if answer.detectors:
            shown.append(muted(f"  {', '.join(answer.detectors)}"))
        lines.append(labelled("Sensitivity", shown, width, look, column=WHY_LABEL))
    return lines


def why(answer: Answer | None, found: Found | None, name: str, width: int) -> list[Line]:
    """The `w` dialog: the answer's own reason first, then each lobe that was not asked. The code
    stands beside its sentence, for those who script."""
    parts: list[tuple[str, str]] = []
    if answer is not None and found is not None:
        parts.append((answer.sentence, answer.reason))
        parts += [(text, "") for text in _ranks(answer, found)]
        parts.append((f"Answers from there count × {answer.weight:.2f}.", ""))
    for lobe in found.withheld if found else ():
        change = f" What would change it: {lobe.change}." if lobe.change else ""
        parts.append((f"{lobe.sentence}{change}", lobe.reason))
    if not parts:
        return paragraph(f"{name} has not been asked anything yet.", width)
    lines: list[Line] = []
    for text, code in parts:
        lines += [*([BLANK] if lines else []), *_with_code(text, code, width)]
    return lines


def _ranks(answer: Answer, found: Found) -> list[str]:
    ranks: list[str] = []
    if answer.meaning:
        ranks.append(f"by meaning it came {cells.ordinal(answer.meaning)} of {found.meaning_found}")
    if answer.words:
        ranks.append(f"by words it came {cells.ordinal(answer.words)} of {found.words_found}")
    text = " and ".join(ranks)
    return [f"{text[0].upper()}{text[1:]}."] if text else []


def _with_code(text: str, code: str, width: int) -> list[Line]:
    lines = paragraph(text, width)
    if not code:
        return lines
    beside = (*lines[-1], Span("  "), muted(code))
    if width_of(beside) <= width:
        return [*lines[:-1], beside]
    return [*lines, (muted(code),)]


def state_line(found: Found | None, look: Look) -> list[Span]:
    """The right end of the key line: `9 in 38 ms`."""
    if found is None or not found.question:
        return []
    words = [f"{DEGRADED.get(code, code)}  " for code in found.degraded]
    return [
        *[Span(word, "warning") for word in words],
        muted(f"{len(found.answers)} in {found.took_ms} ms"),
    ]
