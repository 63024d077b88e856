"""What every list says when its filter leaves no row: what it hides, and the key that clears it."""

from __future__ import annotations

from lobes.tui.paint import Line, Look, paragraph


def unmatched(words: str, hidden: int, width: int, look: Look) -> list[Line]:
    """`hidden`: how many rows there are without the filter."""
    told = f"{hidden:,} {'is' if hidden == 1 else 'are'} hidden by the filter."
    text = f"No row matches {words.strip()}. {told} {look.key('leave')} clears it."
    return paragraph(text, width)
