"""A memory as anybody sees it: its secrets masked, in its subject too."""

from __future__ import annotations

from dataclasses import replace

from lobes.classify.masking import known_in, masked
from lobes.domain.memories import Memory


def statement_shown(memory: Memory) -> str:
    """What it says, with every secret masked."""
    return masked(memory.statement, kept=known_in(memory))


def as_shown(memory: Memory) -> Memory:
    """The memory with nothing clear in it that is a secret; everything else as it is stored."""
    return replace(memory, statement=statement_shown(memory), subject=masked(memory.subject))
