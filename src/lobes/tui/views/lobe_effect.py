"""Beside the form of Lobe: what saving would do, for Spaces, persons and agents; then why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lobes.domain.reasons import nobody
from lobes.tui import cells
from lobes.tui.paint import (
    BLANK,
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
    trimmed,
)
from lobes.tui.values import Change, Effect, Refusal
from lobes.tui.views.lobe_draft import Draft, Explained
from lobes.tui.views.saving import sentences


def effect(
    draft: Draft,
    why: Sequence[Explained],
    width: int,
    focused: bool,
    look: Look,
    *,
    full: bool,
    zoomed: bool = False,
) -> list[Line]:
    """The pane beside the form: what saving would do, then why for the row under the cursor.

    Without `full` what is alike is told in one sentence, for the stacked layout.
    """
    keys = _keys(look, gap=3 if full else 2, zoomed=zoomed)
    beside = [muted("before anything changes")] if full else [] if zoomed else keys
    fact = beside if draft.changes else []
    lines: list[Line] = [heading([title("If you save")], fact, width, look, focused=focused)]
    if not draft.changes or draft.effect is None:
        text = "working it out" if draft.changes else "Nothing has changed yet."
        lines += paragraph(text, width, colour="muted")
    elif full:
        lines += [BLANK, *_saving(draft, draft.effect, width, look), BLANK]
        lines.append(spread(keys, [muted(f"{look.key('undo')} undoes a save")], width, look))
    else:
        lines += _told(draft, draft.effect, width, look)
    for place, item in enumerate(why if full or not draft.changes else ()):
        lines += [BLANK, *_why(item, width, look, back=place > 0)]
    return lines


def _keys(look: Look, *, gap: int, zoomed: bool) -> list[Span]:
    """What leaves a zoomed pane discards nothing yet."""
    save = Span(look.key("save"), "accent", bold=True, action="save")
    if zoomed:
        return [save, muted(" save")]
    return [
        save,
        muted(" save" + " " * gap),
        Span(look.key("leave"), "accent", bold=True, action="leave"),
        muted(" discard"),
    ]


def _ordered(result: Effect) -> list[Change]:
    """Gains first."""
    return sorted(result.changes, key=lambda one: one.kind != "gain")


def _saving(draft: Draft, result: Effect, width: int, look: Look) -> list[Line]:
    name = draft.view.name
    lines: list[Line] = []
    if result.before != result.after:
        count = Span(cells.plural(result.after, "lobe"), bold=True)
        lines.append((ink(f"{name} draws on "), count, muted(f" instead of {result.before}")))
        lines.append(BLANK)
    lines += [line for one in _ordered(result) for line in _change(one, width, look)]
    if result.changes:
        lines.append(BLANK)
    readers = ", ".join(result.readers) or "no one"
    if result.readers == draft.view.readers:
        readers = f"no change: {readers}"
    gains = gaining(draft)
    size = max(20, min(26, width - 20))
    for label, value, strong in (
        (f"Who may draw on {name}", readers, False),
        ("Who gains anything", ", ".join(gains) or nobody(is_whole=result.is_whole), bool(gains)),
    ):
        shown = ink(value, "foreground" if strong else "muted", bold=strong)
        lines.append(trimmed([fitted(ink(label), size, look), shown], width, look))
    for note in result.notes:
        lines += [BLANK, *paragraph(note, width, colour="muted")]
    return lines


def gaining(draft: Draft) -> list[str]:
    """Names of whoever gains access to anything: other Spaces first, then this one, then persons
    and agents."""
    result = draft.effect
    if result is None:
        return []
    spaces = [*result.gaining, *([draft.view.name] if result.gained else [])]
    return [*spaces, *dict.fromkeys(one.name for one in _others(result))]


def _others(result: Effect) -> list[Change]:
    """The persons and the agents who gain."""
    return [one for one in result.changes if one.kind == "gain" and one.who != "space"]


def question(draft: Draft) -> str:
    """What a save that lets anyone gain asks first; empty when no one gains."""
    result, name = draft.effect, draft.view.name
    if result is None or not gaining(draft):
        return ""
    parts: list[str] = []
    if result.gaining:
        count = cells.plural(len(result.gaining), "Space")
        verb = "gains" if len(result.gaining) == 1 else "gain"
        parts.append(f"{count} {verb} access to {name}: {', '.join(result.gaining)}.")
    if result.gained:
        parts.append(f"{name} gains access to {', '.join(result.gained)}.")
    parts += [f"{sentence}." for _, sentence in sentences(_others(result), name)]
    return f"{' '.join(parts)} Save?"


_SIGNS = {"gain": "added", "loss": "removed", "weaker": "weaker", "stronger": "added"}


def _sign(kind: str, look: Look) -> tuple[str, str, str]:
    """The glyph of a change, its colour and its ground."""
    colour, ground = {
        "gain": ("diff-add", "diff-add-bg"),
        "loss": ("diff-del", "diff-del-bg"),
    }.get(kind, ("warning", ""))
    return look.glyphs.of("change", _SIGNS.get(kind, "weaker")), colour, ground


def _change(change: Change, width: int, look: Look) -> list[Line]:
    """A line for a Space; for persons and agents all that they gain or lose, on as many as it
    takes."""
    sign, colour, ground = _sign(change.kind, look)
    bold = change.kind == "gain"
    text = change.text.replace("→", look.glyphs.ui("arrow"))
    first: Line = (Span(f" {sign} ", colour, ground=ground), Span(" "))
    if change.who != "space":
        told = paragraph(f"{change.name} {text}", max(1, width - 4))
        starts = (first, *[(Span("    "),)] * len(told))
        return [
            (*start, replace(span, bold=bold)) for start, (span,) in zip(starts, told, strict=False)
        ]
    shown = ink(text, "foreground" if bold else "muted", bold=bold)
    return [trimmed([*first, fitted(ink(change.name, bold=bold), 11, look), shown], width, look)]


def _told(draft: Draft, result: Effect, width: int, look: Look) -> list[Line]:
    """The changes as sentences, and that no one gains when no one does."""
    lines: list[Line] = []
    for kind, sentence in sentences(_ordered(result), draft.view.name):
        sign, colour, ground = _sign(kind, look)
        bold = kind == "gain"
        text = sentence.replace("→", look.glyphs.ui("arrow"))
        for place, (span,) in enumerate(paragraph(text, width - 2)):
            first = Span(sign, colour, ground=ground) if not place else Span(" ")
            lines.append((first, Span(" "), replace(span, bold=bold)))
    if not gaining(draft):
        none = nobody(is_whole=result.is_whole).capitalize()
        lines.append((muted(f"  {none} gains anything."),))
    for note in result.notes:
        lines += [(Span("  "), span) for (span,) in paragraph(note, width - 2, colour="muted")]
    return lines


def _why(explained: Explained, width: int, look: Look, *, back: bool) -> list[Line]:
    asking, asked, item = explained.asking, explained.asked, explained.item
    refused = isinstance(item, Refusal)
    verb = "can't read" if refused else "draws on"
    words, facts = f"Why {asking} {verb} {asked}", [Span(look.key("why"), "muted", action="why")]
    if back:
        words, arrow = "And the other way", look.glyphs.ui("arrow")
        facts = [muted(f"{asking} {arrow} {asked}")]
    lines = [heading([title(words)], facts, width, look), *paragraph(item.sentence, width)]
    if isinstance(item, Refusal) and item.change and not back:
        sentence = f"What would change it: {item.change}."
        lines += [BLANK, *paragraph(sentence, width, colour="muted")]
    return lines
