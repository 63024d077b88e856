"""What no act of Lobes leaves behind in the memories of a store: by its own indexes, cheaply."""

from __future__ import annotations

import sqlite3
from typing import Literal, get_args

from lobes.store.read import RETRIEVABLE, rows

Fault = Literal["with_successor", "alone_in_dispute", "other_words", "buried"]
FAULTS: tuple[Fault, ...] = get_args(Fault)

_SQL: dict[Fault, str] = {
    "with_successor": """
        SELECT DISTINCT old.id FROM memory_link l
        JOIN memory old ON old.id = l.other JOIN memory new ON new.id = l.memory
        WHERE l.kind = 'supersedes' AND old.status IN ('active', 'disputed')
            AND new.status IN ('active', 'disputed')
    """,
    "alone_in_dispute": """
        SELECT id FROM memory m WHERE status = 'disputed' AND NOT EXISTS (
            SELECT 1 FROM memory_link l
            WHERE l.kind = 'disputes' AND (l.memory = m.id OR l.other = m.id)
        )
    """,
    "other_words": """
        SELECT m.id FROM memory m JOIN memory_version v
            ON v.memory = m.id AND v.version = m.version
        WHERE v.content_hash <> m.content_hash OR v.statement <> m.statement
    """,
    "buried": f"""
        SELECT m.id FROM memory_tombstone t JOIN memory m ON m.id = t.id
        WHERE m.status = 'proposed' OR m.{RETRIEVABLE}
    """,
}


def faulty(store: sqlite3.Connection, fault: Fault) -> list[str]:
    """The ids of the memories with this fault, sorted."""
    return sorted(row[0] for row in rows(store, _SQL[fault]))
