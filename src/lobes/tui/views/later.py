"""Screens of which nothing is built yet say so, and where the same thing can be done today."""

from __future__ import annotations

from collections.abc import Mapping

from lobes.keys.actions import Page
from lobes.tui.paint import Line, Look, Span, flow, muted, paragraph

ABOUT: Mapping[Page, str] = {
    "review": "what agents want to remember",
    "lessons": "which may travel, and how far",
    "shares": "what others offer, what I offer",
}
"""Beside the name, on line 2."""

WORDS: Mapping[Page, tuple[str, str]] = {
    "review": (
        "What agents want Lobes to remember will wait here for you.",
        "This version takes no proposals yet, so nothing can be waiting.",
    ),
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
    return [
        *paragraph(what, width),
        *paragraph(why, width, colour="muted"),
        *flow(
            [
                Span(look.key("go_spaces"), "accent", bold=True, action="go_spaces"),
                muted(" shows your Spaces, "),
                Span(look.key("go_search"), "accent", bold=True, action="go_search"),
                muted(" asks one of them."),
            ],
            width,
        ),
    ]
