"""Lobe: one row a setting, every source with its reason, and what saving would do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len

from lobes.domain.lobes import LobeConfig, Subscription
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
    width_of,
)
from lobes.tui.values import Change, Effect, LobeView, Refusal, SourceRow
from lobes.tui.views import marks
from lobes.tui.views.saving import sentences

LABEL = 14
PRIVATE = ("Off", "On")
SETTINGS = ("Open", "Ask", "Closed")
_STORED = {"open": "Open", "ask": "Ask", "deny": "Closed"}


@dataclass(frozen=True, slots=True)
class FormRow:
    """A row of the form; without an id it is a heading, a column line or a blank.

    Ids: `private`, `never`, `spaces`, `tags`, `inherits`, `source:<address>`,
    `add:<subscription>`, `refusal:<address>`.
    """

    id: str
    kind: str
    source: SourceRow | None = None
    refusal: Refusal | None = None
    added: Subscription | None = None


@dataclass(frozen=True, slots=True)
class Explained:
    """Why one Space does or doesn't draw on a lobe, with both names."""

    asking: str
    asked: str
    item: Refusal | SourceRow


@dataclass(frozen=True, slots=True)
class Draft:
    """The stored lobe, the edited one, and what saving would do (None: not computed yet)."""

    view: LobeView
    config: LobeConfig
    effect: Effect | None = None

    @property
    def serving(self) -> int:
        """How many of them say who may draw on it."""
        old, new = self.view.config, self.config
        apart = set(old.excluded_from) ^ set(new.excluded_from)
        return (old.is_private != new.is_private) + len(apart)

    @property
    def changes(self) -> int:
        """How many settings differ from what is stored."""
        old, new = self.view.config, self.config
        single = (old.is_private != new.is_private) + (old.cross_space != new.cross_space)
        many = sum(
            len(set(one) ^ set(other))
            for one, other in (
                (old.tags, new.tags),
                (old.excluded_from, new.excluded_from),
                (old.muted, new.muted),
                (old.subscriptions, new.subscriptions),
            )
        )
        return single + many


_NEVER, _INHERITS, _BLANK = FormRow("never", "never"), FormRow("", "inherits"), FormRow("", "blank")


def rows(draft: Draft, *, narrow: bool = False) -> list[FormRow]:
    """All rows of the form, from top to bottom; `narrow` moves the rarer ones to the end."""
    top = [FormRow("", "serve"), FormRow("private", "private")]
    draw = [FormRow("", "draw"), FormRow("spaces", "spaces"), FormRow("tags", "tags")]
    if not narrow:
        top.append(_NEVER)
        draw.append(_INHERITS)
    view = draft.view
    sources = [FormRow(f"source:{one.key}", "source", source=one) for one in view.sources]
    stored = set(view.config.subscriptions)
    sources += [
        FormRow(f"add:{one.type}:{one.id}", "added", added=one)
        for one in draft.config.subscriptions
        if one not in stored
    ]
    out = [*top, _BLANK, *draw, _BLANK, FormRow("", "sources"), *sources]
    if view.refusals:
        out += [_BLANK, FormRow("", "refusals")]
        out += [FormRow(f"refusal:{one.key}", "refusal", refusal=one) for one in view.refusals]
    return [*out, _BLANK, _INHERITS, _NEVER] if narrow else out


def row(
    entry: FormRow, width: int, lit: bool, focused: bool, draft: Draft, look: Look
) -> list[Line]:
    """One line of the form."""
    name = draft.view.name
    match entry.kind:
        case "serve":
            facts = _unsaved(draft.serving)
            words = [title(f"Who may draw on {name}")]
            line = heading(words, facts, width, look, focused=focused)
        case "draw":
            facts = _unsaved(draft.changes - draft.serving)
            words = [title(f"What {name} draws on")]
            line = heading(words, facts, width, look, focused=focused)
        case "refusals":
            count = [muted(str(len(draft.view.refusals)))]
            line = heading([title("Not drawn on")], count, width, look, focused=focused)
        case "sources":
            line = _source_heads(width, look)
        case "source" if entry.source:
            line = _source(entry.source, width, lit, draft, look)
        case "added" if entry.added:
            line = _added(entry.added, width, lit, draft, look)
        case "refusal" if entry.refusal:
            line = _refusal(entry.refusal, width, lit, look)
        case "blank":
            line = BLANK
        case _:
            line = _setting(entry.kind, width, lit, draft, look)
    return [line]


def section(cursor: str) -> str:
    """The kind of the heading that a row stands under: the one that is lit with the focus."""
    if cursor in ("private", "never"):
        return "serve"
    return "refusals" if cursor.startswith("refusal:") else "draw"


def _unsaved(changes: int) -> list[Span]:
    if not changes:
        return []
    return [Span(cells.plural(changes, "change"), "warning"), muted(" not saved")]


def _if_room(spans: list[Span], more: Sequence[Span], width: int) -> list[Span]:
    """A hint stands there whole or not at all."""
    return [*spans, *more] if width_of([*spans, *more]) <= width else spans


def _label(text: str, lit: bool) -> Span:
    return Span(text.ljust(LABEL), "foreground" if lit else "muted", bold=lit)


def _setting(kind: str, width: int, lit: bool, draft: Draft, look: Look) -> Line:
    config, stored = draft.config, draft.view.config
    match kind:
        case "private":
            spans = [_label("Private", lit), *marks.choices(PRIVATE, PRIVATE[config.is_private])]
            spans += _was(PRIVATE[stored.is_private], PRIVATE[config.is_private])
            if config.is_private and config.is_private == stored.is_private:
                glyph = Span(look.glyphs.of("lobe", "private"), "lobe-private")
                says = (muted(" no Space reads it, shares stop"), muted(" no Space reads it"))
                for one in says:
                    longer = _if_room(spans, [Span("    "), glyph, one], width)
                    if len(longer) > len(spans):
                        spans = longer
                        break
        case "spaces":
            now, was = _STORED[config.cross_space], _STORED[stored.cross_space]
            spans = [_label("My Spaces", lit), *marks.choices(SETTINGS, now), *_was(was, now)]
            says = draft.view.manifest_says
            if says and SETTINGS.index(marks.SETTING_WORDS[says]) > SETTINGS.index(now):
                spans.append(muted(f"   space.yaml asks for {marks.SETTING_WORDS[says]}"))
        case "tags":
            spans = [_label("Tags", lit)]
            for tag in config.tags:
                spans += [ink(f" #{tag} ", ground="chip-bg"), Span(" ")]
            spans += [] if config.tags else [muted("none")]
            spans = _if_room(spans, [muted(" t edits" if config.tags else "   t edits")], width)
        case "never":
            names = [draft.view.names.get(one, one) for one in config.excluded_from]
            shown = ", ".join(names)
            glyph = look.glyphs.of("reason", "excluded")
            value = [ink(f"{glyph} {shown}")] if names else [muted("none")]
            spans = [_label("Never with", lit), *value]
            spans = _if_room(spans, [muted("  both ways")] if names else [], width - 7)
            return spread(spans, [muted("X adds")], width, look)
        case _:
            categories = config.inherit_categories
            shown = "all but the sensitive ones" if categories is None else ", ".join(categories)
            spans = [_label("Inherits", lit), ink(shown or "nothing")]
    return trimmed(spans, width, look)


def _was(was: str, now: str) -> list[Span]:
    return [Span(f"   was {was}", "warning")] if was != now else []


@dataclass(frozen=True, slots=True)
class _Columns:
    name: int
    why: int
    weight: int
    after: int


def columns(width: int) -> _Columns:
    """Name, Why, Weight, After saving; the name takes what the others leave."""
    why, weight = 15, 7
    after = 19 if width >= 60 else 0
    return _Columns(max(8, width - why - weight - after), why, weight, after)


def _source_heads(width: int, look: Look) -> Line:
    at = columns(width)
    spans = [
        fitted(title("SOURCES"), at.name, look),
        fitted(title("Why"), at.why, look),
        fitted(title("Weight"), at.weight - 1, look, align="right"),
        Span(" "),
    ]
    return (*spans, *([title("After saving")] if at.after else []))


def _source(source: SourceRow, width: int, lit: bool, draft: Draft, look: Look) -> Line:
    at = columns(width)
    spans = [
        fitted(ink(source.name, bold=lit), at.name, look),
        fitted(marks.reason(source.reason, look), at.why, look),
        Span(cells.right(cells.score(source.weight), at.weight - 1) + " "),
    ]
    return trimmed([*spans, *(_after(source, draft, look) if at.after else [])], width, look)


def _after(source: SourceRow, draft: Draft, look: Look) -> list[Span]:
    if source.reason == "own":
        return [muted("always")]
    if not draft.changes:
        return []
    if draft.effect is None:
        return [muted("…" if not look.glyphs.ascii else "..")]
    after = draft.effect.sources.get(source.key)
    if after is None or (after.weight == source.weight and after.reason == source.reason):
        return [muted("the same")]
    shown = "–" if after.weight is None else cells.score(after.weight)
    word = "asks first" if after.reason == "ask" else after.reason.replace("_", " ")
    glyph = look.glyphs.of("reason", after.reason)
    return [ink(f"{shown:<4}  {glyph} {word}", "warning")]


def _added(source: Subscription, width: int, lit: bool, draft: Draft, look: Look) -> Line:
    at = columns(width)
    name = draft.view.names.get(source.id, source.id)
    shown = f"#{source.id}" if source.type == "tag" else name
    return trimmed(
        [
            Span("+ ", "warning"),
            fitted(ink(shown, bold=lit), at.name - 2, look),
            fitted(marks.reason("subscribed", look), at.why, look),
            Span(cells.right("0.40", at.weight - 1) + " "),
            Span("new", "warning"),
        ],
        width,
        look,
    )


def _refusal(refusal: Refusal, width: int, lit: bool, look: Look) -> Line:
    return trimmed(
        [
            fitted(ink(refusal.name, bold=lit), LABEL, look),
            fitted(marks.reason(refusal.reason, look), 13, look),
            muted(_short(refusal, width - LABEL - 13)),
        ],
        width,
        look,
    )


_SHORT = {"private": "{name} is private.", "excluded": "Kept apart by you, both ways."}
_SHORT_UNTIL = {"closed": ": it neither", "ask": " before your"}


def _short(refusal: Refusal, room: int) -> str:
    """The sentence, or where it doesn't fit one that says the same of this row alone."""
    if cell_len(refusal.sentence) <= room:
        return refusal.sentence
    if refusal.reason in _SHORT:
        return _SHORT[refusal.reason].format(name=refusal.name)
    until = _SHORT_UNTIL.get(refusal.reason, "")
    start = refusal.sentence.rpartition(until)[0] if until else ""
    return f"{start}." if start else refusal.sentence


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
    lines += [_change(one, width, look) for one in _ordered(result)]
    if result.changes:
        lines.append(BLANK)
    readers = ", ".join(result.readers) or "no one"
    if result.readers == draft.view.readers:
        readers = f"no change: {readers}"
    gains = gaining(draft)
    size = max(20, min(26, width - 20))
    for label, value, strong in (
        (f"Who may draw on {name}", readers, False),
        ("Who gains anything", ", ".join(gains) or "no one", bool(gains)),
    ):
        shown = ink(value, "foreground" if strong else "muted", bold=strong)
        lines.append(trimmed([fitted(ink(label), size, look), shown], width, look))
    return lines


def gaining(draft: Draft) -> list[str]:
    """Names of the Spaces that gain access to anything, the other ones first."""
    result = draft.effect
    if result is None:
        return []
    return [*result.gaining, *([draft.view.name] if result.gained else [])]


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
    return f"{' '.join(parts)} Save?"


_SIGNS = {"gain": "added", "loss": "removed", "weaker": "weaker", "stronger": "added"}


def _sign(kind: str, look: Look) -> tuple[str, str, str]:
    """The glyph of a change, its colour and its ground."""
    colour, ground = {
        "gain": ("diff-add", "diff-add-bg"),
        "loss": ("diff-del", "diff-del-bg"),
    }.get(kind, ("warning", ""))
    return look.glyphs.of("change", _SIGNS.get(kind, "weaker")), colour, ground


def _change(change: Change, width: int, look: Look) -> Line:
    sign, colour, ground = _sign(change.kind, look)
    bold = change.kind == "gain"
    text = change.text.replace("→", look.glyphs.ui("arrow"))
    return trimmed(
        [
            Span(f" {sign} ", colour, ground=ground),
            Span(" "),
            fitted(ink(change.name, bold=bold), 11, look),
            ink(text, "foreground" if bold else "muted", bold=bold),
        ],
        width,
        look,
    )


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
        lines.append((muted("  No one gains anything."),))
    return lines


def _why(explained: Explained, width: int, look: Look, *, back: bool) -> list[Line]:
    asking, asked, item = explained.asking, explained.asked, explained.item
    refused = isinstance(item, Refusal)
    verb = "can't read" if refused else "draws on"
    words, facts = f"Why {asking} {verb} {asked}", [Span("w", "muted", action="why")]
    if back:
        words, arrow = "And the other way", look.glyphs.ui("arrow")
        facts = [muted(f"{asking} {arrow} {asked}")]
    lines = [heading([title(words)], facts, width, look), *paragraph(item.sentence, width)]
    if isinstance(item, Refusal) and item.change and not back:
        sentence = f"What would change it: {item.change}."
        lines += [BLANK, *paragraph(sentence, width, colour="muted")]
    return lines
