"""Screens of which nothing is built yet say so, and where the same thing can be done today."""

from __future__ import annotations

from collections.abc import Mapping

from lobes.keys.actions import Page
from lobes.tui.paint import Line, Look, Span, flowed, muted, paragraph

ABOUT: Mapping[Page, str] = {
    "lessons": "which may travel, and how far",
    "shares": "what others offer, what I offer",
}
"""Beside the name, on line 2."""

WORDS: Mapping[Page, tuple[str, str]] = {
    "lessons": (
        "What was learned will wait here until you say how far it may travel.",
        "This version collects no lessons yet.",
    ),
    "shares": (
        "Lobes that other people offer you, and what you offer them, will stand here.",
        "This version shares nothing: no text leaves this machine.",
    ),
}


def nothing(page: Page, width: int, look: Look) -> list[Line]:
    """Three lines: what this is, why it is empty, the next key."""
    what, why = WORDS[page]
    asks = _act("go_search", " asks one of them.", look)
    return [
        *paragraph(what, width),
        *paragraph(why, width, colour="muted"),
        *map(tuple, flowed([_act("go_spaces", " shows your Spaces, ", look), asks], width, gap=0)),
    ]


def _act(action: str, words: str, look: Look) -> list[Span]:
    return [Span(look.key(action), "accent", bold=True, action=action), muted(words)]
