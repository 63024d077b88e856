"""What a list says in place of rows that could not be read, and the key that tries again."""

from __future__ import annotations

from lobes.tui.paint import Line, Look, Span, muted, paragraph


def unread(words: str, width: int, look: Look) -> list[Line]:
    """`words` say what is wrong and what to do about it; none: nothing is wrong."""
    if not words:
        return []
    again = Span(look.key("look_again"), "accent", bold=True, action="look_again")
    return [*paragraph(words, width), (again, muted(" looks again."))]
