"""Where else the words of memories are: what an erasure of these doesn't take along."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection

from lobes.domain.ids import LobeAddress
from lobes.store.read import batches, rows


def echoes(store: sqlite3.Connection, ids: Collection[str]) -> frozenset[str]:
    """The other memories, of any lobe and status, that say or said what one of these says or said,
    name one as their evidence, as what was promoted does, or are tied to one."""
    found: set[str] = set()
    for batch in batches(_hashes(store, ids)):
        marks = _marks(batch)
        found |= _ids(store, f"SELECT id FROM memory WHERE content_hash IN ({marks})", batch)
        past = f"SELECT memory FROM memory_version WHERE content_hash IN ({marks})"
        found |= _ids(store, past, batch)
    for batch in batches(ids):
        marks = _marks(batch)
        for one, other in (("memory", "other"), ("other", "memory")):
            tied = f"SELECT {other} FROM memory_link WHERE {one} IN ({marks})"
            found |= _ids(store, tied, batch)
    for batch in batches([name for id in ids for name in (id, f"memory/{id}")]):
        whole = "CASE WHEN json_valid(evidence) THEN evidence ELSE '[]' END"
        named = (
            f"SELECT m.id FROM memory m, json_each({whole}) e WHERE e.value IN ({_marks(batch)})"
        )
        found |= _ids(store, named, batch)
    return frozenset(found - set(ids))


def memories_in(store: sqlite3.Connection, lobe: LobeAddress) -> list[str]:
    """The ids of all memories of the lobe, whatever their status."""
    return [one[0] for one in rows(store, "SELECT id FROM memory WHERE lobe = ?", (str(lobe),))]


def _hashes(store: sqlite3.Connection, ids: Collection[str]) -> set[str]:
    found: set[str] = set()
    for batch in batches(ids):
        marks = _marks(batch)
        found |= _ids(store, f"SELECT content_hash FROM memory WHERE id IN ({marks})", batch)
        past = f"SELECT content_hash FROM memory_version WHERE memory IN ({marks})"
        found |= _ids(store, past, batch)
    return found


def _ids(store: sqlite3.Connection, sql: str, values: Collection[str]) -> set[str]:
    return {str(row[0]) for row in rows(store, sql, tuple(values))}


def _marks(values: Collection[str]) -> str:
    return ",".join("?" * len(values))
