"""What is said of the open Space once it was archived, trashed or taken away, and what to press."""

from __future__ import annotations

from lobes.domain.display import one_line
from lobes.tui.paint import Line, Look, Span, paragraph

IN_TRASH = "in_trash"
"""The reason of a `NotFound` whose Space the person can still take out of the trash."""


def archived(name: str, look: Look) -> str:
    """It can still be asked, but stands in no list and answers no other Space."""
    spaces, view, back = look.key("go_spaces"), look.key("view"), look.key("archive")
    return (
        f"{one_line(name)} is archived: no other Space draws on it."
        f" {spaces}, then {view}, shows it; {back} there restores it."
    )


def gone(name: str, reason: str, look: Look) -> str:
    """Nothing of it can be read. `name` is empty where this session never saw it."""
    spaces, view, back = look.key("go_spaces"), look.key("view"), look.key("archive")
    shown = one_line(name) or "This Space"
    if reason == IN_TRASH:
        return (
            f"{shown} is in the trash."
            f" {spaces}, then {view} twice, shows it; {back} there restores it."
        )
    other = f"{spaces} shows your Spaces, {look.key('open_space')} opens another one."
    return f"{shown} is not here any more: it was put away elsewhere. {other}"


def mark(look: Look) -> list[Span]:
    """Beside the Space's name on line 2."""
    return [Span("  "), Span(f"{look.glyphs.of('memory', 'archived')} archived", "warning")]


def notice(words: str, width: int) -> list[Line]:
    """Above a list; no words, no line."""
    return paragraph(words, width, colour="warning") if words else []
