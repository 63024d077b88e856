"""How many tokens a text costs an agent, without a vocabulary at hand."""

from __future__ import annotations


def estimate_tokens(text: str) -> int:
    """UTF-8 bytes / 4, rounded up: about what word-piece vocabularies need for prose and code."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
    return (size + 3) // 4
