"""The beginning of a text for a pane that follows the cursor: what never takes long to paint."""

from __future__ import annotations

CHARACTERS, BLOCKS = 2_048, 40
"""What a preview shows at most; a block ends at a blank line."""


def previewed(text: str, key: str) -> str:
    """The first 2 KB or 40 blocks, and by which key the rest is read where there is more."""
    taken = text[:CHARACTERS]
    end = -1
    for _ in range(BLOCKS):
        end = taken.find("\n\n", end + 1)
        if end < 0:
            break
    shown = taken if end < 0 else taken[:end]
    return shown if shown.strip() == text.strip() else f"{shown.rstrip()} … ({key} reads all of it)"
