"""The form of Lobe: one row a setting, every source with its reason and what becomes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.cells import cell_len

from lobes.access.resolve import WEIGHTS, Code
from lobes.domain.lobes import CROSS_SPACE_WORDS, LobeConfig, Subscription
from lobes.domain.memories import WritePolicy
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
    spread,
    title,
    trimmed,
)
from lobes.tui.values import Refusal, SourceRow
from lobes.tui.views import lobe_people, marks
from lobes.tui.views.lobe_draft import Draft, FormRow
from lobes.tui.views.setting_row import LABEL, chosen, if_room, label_of, stored_as

PRIVATE = ("Off", "On")
SETTINGS = tuple(CROSS_SPACE_WORDS.values())
PROPOSALS: Mapping[WritePolicy, str] = {
    "all": "All",
    "risky": "Risky",
    "none": "What must",
}
OUTSIDE = ("Read at once", "Wait")


def row(
    entry: FormRow, width: int, lit: bool, focused: bool, draft: Draft, look: Look
) -> list[Line]:
    """One line of the form."""
    name = draft.view.name
    match entry.kind:
        case "serve":
            facts, words = _unsaved(draft.serving), [title(f"Who may draw on {name}")]
            line = heading(words, facts, width, look, focused=focused)
        case "draw":
            facts, words = _unsaved(draft.drawing), [title(f"What {name} draws on")]
            line = heading(words, facts, width, look, focused=focused)
        case "refusals":
            count = [muted(str(len(draft.view.refusals)))]
            line = heading([title("Not drawn on")], count, width, look, focused=focused)
        case "people":
            facts = _unsaved(draft.concerning) or people_keys(draft, look)
            line = heading([title("People")], facts, width, look, focused=focused)
        case "waits":
            facts = _unsaved(draft.remembering)
            words = [title("What waits for you first")]
            line = heading(words, facts, width, look, focused=focused)
        case kind if kind in _OF_PEOPLE:
            line = lobe_people.row(entry, width, lit, draft, look)
        case "sources":
            line = _source_heads(width, look)
        case "source" if entry.source:
            line = _source(entry.source, width, lit, draft, look)
        case "added" if entry.added:
            line = _added(entry.added, width, lit, draft, look)
        case "refusal" if entry.refusal:
            line = _refusal(entry.refusal, width, lit, look)
        case "alone":
            text = f"{name} answers from its own lobe only. {look.key('add_source')} adds a source."
            line = trimmed([muted(text)], width, look)
        case "blank":
            line = BLANK
        case _:
            line = _setting(entry.kind, width, lit, draft, look)
    return [line]


_OF_PEOPLE = frozenset(
    {"seen", "group", "no_one", "first_named", "named", "agents_may", "agents_see", "shut"}
)


def people_keys(draft: Draft, look: Look) -> list[Span]:
    """The key that names somebody, where the person may."""
    if draft.view.access is None:
        return []
    return [Span(look.key("people_here"), "muted", action="people_here"), muted(" edits")]


def _unsaved(changes: int) -> list[Span]:
    if not changes:
        return []
    return [Span(cells.plural(changes, "change"), "warning"), muted(" not saved")]


def _setting(kind: str, width: int, lit: bool, draft: Draft, look: Look) -> Line:
    config, stored = draft.config, draft.view.config
    match kind:
        case "private":
            spans = _private(config, stored, width, lit, look)
        case "spaces":
            spans = _spaces(draft, lit)
        case "proposals":
            now, was = PROPOSALS[config.write_policy], PROPOSALS[stored.write_policy]
            options = tuple(PROPOSALS.values())
            spans = chosen("Proposals", options, now, was, lit, width)
        case "outside":
            now, was = OUTSIDE[config.hold_external_changes], OUTSIDE[stored.hold_external_changes]
            spans = chosen("Outside edits", OUTSIDE, now, was, lit, width)
        case "tags":
            spans = [label_of("Tags", lit)]
            for tag in config.tags:
                spans += [ink(f" #{tag} ", ground="chip-bg"), Span(" ")]
            spans += [] if config.tags else [muted("none")]
            edits = f"{'' if config.tags else '  '} {look.key('tags')} edits"
            spans = if_room(spans, [muted(edits)], width)
        case "never":
            return _never(draft, width, lit, look)
        case _:
            now, was = inherited(config), inherited(stored)
            spans = [label_of("Inherits", lit), ink(now), *stored_as(was, now)]
            edits = [muted(f"   {look.key('open')} edits")] if lit else []
            spans = if_room(spans, edits, width)
    return trimmed(spans, width, look)


def _private(
    config: LobeConfig, stored: LobeConfig, width: int, lit: bool, look: Look
) -> list[Span]:
    now, was = PRIVATE[config.is_private], PRIVATE[stored.is_private]
    spans = [label_of("Private", lit), *marks.choices(PRIVATE, now), *stored_as(was, now)]
    if config.is_private and stored.is_private:
        glyph = Span(look.glyphs.of("lobe", "private"), "lobe-private")
        for words in (" no Space reads it, shares stop", " no Space reads it"):
            longer = if_room(spans, [Span("    "), glyph, muted(words)], width)
            if longer != spans:
                return longer
    return spans


def _spaces(draft: Draft, lit: bool) -> list[Span]:
    now = CROSS_SPACE_WORDS[draft.config.cross_space]
    was = CROSS_SPACE_WORDS[draft.view.config.cross_space]
    spans = [label_of("My Spaces", lit), *marks.choices(SETTINGS, now), *stored_as(was, now)]
    says = draft.view.manifest_says
    if says and SETTINGS.index(marks.SETTING_WORDS[says]) > SETTINGS.index(now):
        spans.append(muted(f"   space.yaml asks for {marks.SETTING_WORDS[says]}"))
    return spans


def _never(draft: Draft, width: int, lit: bool, look: Look) -> Line:
    config = draft.config
    shown = ", ".join(draft.view.names.get(one, one) for one in config.excluded_from)
    glyph = look.glyphs.of("reason", "excluded")
    spans = [label_of("Never with", lit), ink(f"{glyph} {shown}") if shown else muted("none")]
    for more in ("  both ways", _since(config, look)) if shown else ():
        spans = if_room(spans, [muted(more)], width - 7)
    return spread(spans, [muted(f"{look.key('never_with')} adds")], width, look)


def _since(config: LobeConfig, look: Look) -> str:
    """Of several the latest: since then all of it holds; nothing while one of them is unknown."""
    times = [config.apart_since(one) for one in config.excluded_from]
    known = [one for one in times if one is not None]
    if not known or len(known) < len(times):
        return ""
    return f", since {cells.day(max(known), look.now)}"


def inherited(config: LobeConfig) -> str:
    """The categories of the personal lobe that the Space draws on, in words."""
    categories = config.inherit_categories
    return "all but the sensitive ones" if categories is None else ", ".join(categories) or "none"


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
    categories = draft.config.inherit_categories
    if source.reason == "personal" and categories is not None:
        return [muted(f"{len(categories)} categor{'y' if len(categories) == 1 else 'ies'}")]
    if not draft.changes:
        return []
    if draft.effect is None:
        return [muted(look.mark)]
    after = draft.effect.sources.get(source.key)
    if after is None or (after.weight == source.weight and after.reason == source.reason):
        return [muted("the same")]
    shown = "–" if after.weight is None else cells.score(after.weight)
    word = "asks first" if after.reason == "ask" else after.reason.replace("_", " ")
    glyph = look.glyphs.of("reason", after.reason)
    return [ink(f"{shown:<4}  {glyph} {word}", "warning")]


def _added(source: Subscription, width: int, lit: bool, draft: Draft, look: Look) -> Line:
    """A source that brings lobes, or one that isn't saved."""
    at = columns(width)
    through: Code = "shared" if source.type == "user" else "subscribed"
    spans = [
        fitted(ink(source_name(source, draft), bold=lit), at.name - 2, look),
        fitted(marks.reason(through, look), at.why, look),
        Span(cells.right(cells.score(WEIGHTS[through]), at.weight - 1) + " "),
    ]
    is_new = source not in draft.view.config.subscriptions
    sign = Span("+ ", "warning") if is_new else muted("+ ")
    return trimmed([sign, *spans, *_brings(source, draft)], width, look)


def source_name(source: Subscription, draft: Draft) -> str:
    """A tag with its sign, anything else by the name that it has now."""
    if source.type == "tag":
        return f"#{source.id}"
    if source.type == "space":
        return draft.view.names.get(source.id, source.id)
    subject = f"user:{source.id}" if source.type == "user" else f"group:{source.id}"
    known = draft.view.access.known if draft.view.access else ()
    now = next((one.name for one in known if one.subject == subject), "")
    return now or source.label or source.id


def _brings(source: Subscription, draft: Draft) -> list[Span]:
    """Which Spaces come through it alone."""
    if source not in draft.config.subscriptions:
        return [Span("goes", "warning")]
    by = f"#{source.id}" if source.type == "tag" else f"{source.type}/{source.id}"
    names = {one.key: one.name for one in (*draft.view.sources, *draft.view.refusals)}
    if draft.effect is not None:
        after = draft.effect.sources
        keys = [key for key in after if after[key].by == by and after[key].weight is not None]
    else:
        keys = [one.key for one in draft.view.sources if one.by == by]
    brought = ", ".join(names.get(key, key) for key in keys)
    is_new = source not in draft.view.config.subscriptions
    if brought:
        return [ink(f"brings {brought}", "warning" if is_new else "muted")]
    return [Span("new", "warning")] if is_new else [muted("adds nothing now")]


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
