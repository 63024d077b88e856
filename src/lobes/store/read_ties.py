"""What a decision on memories can reach: those tied to them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from lobes.domain.lifecycle import Tie
from lobes.domain.memories import Memory
from lobes.store.read_memories import links, memories


def around(store: sqlite3.Connection, ids: Iterable[str]) -> tuple[dict[str, Memory], set[Tie]]:
    """These memories and all that links lead to from them, with every link between them."""
    found: dict[str, Memory] = {}
    ties: set[Tie] = set()
    new = set(ids)
    while new:
        found |= memories(store, sorted(new))
        ties.update(Tie(one.kind, one.memory, one.other) for one in links(store, sorted(new)))
        new = {id for tie in ties for id in tie[1:]} - found.keys()
    return found, ties
