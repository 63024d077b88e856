"""Glyph and word together: a setting, a reason, a kind. One place, so that they read the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lobes.tui.paint import Look, Span, ink, muted

KIND_WORDS: Mapping[str, str] = {"project": "Project", "area": "Area", "guest": "shared with me"}
"""What the kind of a Space is called beside its name."""
SETTING_WORDS = {"open": "Open", "ask": "Ask", "closed": "Closed"}
_OWN_COLOURS = frozenset({"own", "personal", "member", "sibling", "subscribed", "shared", "once"})
_LOBE_COLOURS = {"private": "lobe-private", "ask": "lobe-ask", "closed": "lobe-closed"}


def reason_colour(code: str) -> str:
    """The colour variable of a reason code."""
    if code in _OWN_COLOURS:
        return f"reason-{code}"
    return _LOBE_COLOURS.get(code, "reason-denied")


def reason(code: str, look: Look, word: str | None = None) -> Span:
    """`⌂ own`; with `word`, that text in place of the code's name."""
    shown = code.replace("_", " ") if word is None else word
    glyph = look.glyphs.of("reason", code)
    return ink(f"{glyph} {shown}" if shown else glyph, reason_colour(code))


def setting(value: str | None, look: Look) -> Span:
    """`◐ Ask`."""
    if value is None:
        return Span("read-only", "muted")
    word = SETTING_WORDS[value]
    return Span(f"{look.glyphs.of('lobe', value)} {word}", f"lobe-{value}")


def private(look: Look, *, word: bool = True) -> Span:
    glyph = look.glyphs.of("lobe", "private")
    return Span(f"{glyph} Private" if word else glyph, "lobe-private")


def kind(value: str, look: Look, *, colour: str = "muted") -> Span:
    return Span(look.glyphs.of("kind", value), colour)


def sensitivity(value: str, look: Look) -> list[Span]:
    """The glyph in its colour, the word muted."""
    glyph = look.glyphs.of("sensitivity", value)
    return [Span(glyph, f"sens-{value}"), muted(f" {value}")]


def times(weight: float, look: Look) -> Span:
    return Span(f"{look.glyphs.ui('times')} {weight:.2f}")


def choices(options: Sequence[str], chosen: str) -> list[Span]:
    """`Off  [On]`: the chosen option in brackets on the chip ground."""
    spans: list[Span] = []
    for place, option in enumerate(options):
        if place:
            spans.append(Span("  "))
        if option == chosen:
            spans.append(Span(f"[{option}]", "accent", bold=True, ground="chip-bg"))
        else:
            spans.append(Span(option, "muted"))
    return spans
