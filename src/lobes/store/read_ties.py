"""What a decision on memories can reach: those tied to them, and what came into use meanwhile."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from datetime import datetime

from lobes.domain.lifecycle import Tie
from lobes.domain.memories import RETRIEVABLE, Memory
from lobes.store.read import rows
from lobes.store.read_memories import COLUMNS, links, memories, memory_of


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


def used_since(store: sqlite3.Connection, lobe: str, since: datetime) -> list[Memory]:
    """What of this lobe is in use and was written then or later."""
    marks = ",".join("?" * len(RETRIEVABLE))
    sql = f"""
        SELECT {COLUMNS} FROM memory
        WHERE lobe = ? AND status IN ({marks}) AND updated >= ? ORDER BY id
    """
    values = (lobe, *sorted(RETRIEVABLE), since.isoformat())
    return [memory_of(row) for row in rows(store, sql, values)]
