"""The bounds of one import. What goes beyond is named, never taken silently."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

MIB = 1024 * 1024

STATEMENT = 1_000
"""Characters of a statement: what is longer is a note."""
PARAGRAPH = 600
"""Characters of a paragraph that still counts as one statement."""
SUBJECT = 120
LISTED = 20
"""Alike things left aside in one file that are listed each; the others are counted."""

Stop = Callable[[], bool]
Progress = Callable[[int, int], None]
"""Bytes read, and bytes in all as far as they are known."""


@dataclass(frozen=True, slots=True)
class Limits:
    candidates: int = 20_000
    files: int = 5_000
    """Notes of one folder."""
    source_bytes: int = 2_048 * MIB
    """An archive or an export file on disk."""
    document_bytes: int = 64 * MIB
    """JSON that can't be read piece by piece."""
    record_characters: int = 32 * MIB
    """One conversation, or one line of JSONL."""
    unpacked_bytes: int = 2_048 * MIB
    """All that is read out of one archive."""
    directory_bytes: int = 2 * MIB
    """The list of names at the end of an archive."""
    members: int = 20_000
    ratio: int = 100
    """Unpacked by packed, once more than a MiB came out."""
    depth: int = 64


def never() -> bool:
    return False


def unseen(done: int, total: int) -> None:
    """Progress that nobody looks at."""
