"""What one session may ask for at most: a process that lives as long as its client does.

A limit that is reached is said clearly, so that an agent stops instead of trying again.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from lobes.domain.errors import LobesError

PROPOSALS = 50
"""Proposals of a session."""
TURNS = 200
"""Turns that are recorded in a session."""
CHARACTERS = 1_000_000
"""Characters of text that a session may be given, about 250,000 tokens."""
PAGE = 16_000
"""Characters of one answer, about 4,000 tokens."""


class LimitReached(LobesError):
    """A limit of this session."""

    code = "limit"


@dataclass(slots=True)
class Limits:
    """The counters of one session; may be used from several threads."""

    proposals: int = PROPOSALS
    characters: int = CHARACTERS
    turns: int = TURNS
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def may_read(self) -> None:
        """`LimitReached` where this session has read all that it may."""
        if self.characters <= 0:
            raise LimitReached("read", reason="limit_characters")

    def has_read(self, characters: int) -> None:
        with self._lock:
            self.characters -= characters

    def propose(self) -> None:
        """Take one proposal, or `LimitReached`; tried counts, whatever becomes of it."""
        with self._lock:
            if self.proposals <= 0:
                raise LimitReached("propose", reason="limit_proposals")
            self.proposals -= 1

    def record(self) -> None:
        """Take one turn, or `LimitReached`; tried counts, whatever becomes of it."""
        with self._lock:
            if self.turns <= 0:
                raise LimitReached("record", reason="limit_turns")
            self.turns -= 1
