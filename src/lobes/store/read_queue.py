"""The review queue as it is stored: 10,000 rows in a tenth of a second.

A row here is what a list shows and what an approval is bound to, not a whole memory.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from lobes.domain.ids import LobeAddress, parse_address
from lobes.domain.memories import Author, Kind, MemoryClass, Status, Wait
from lobes.domain.sensitivity import Kept, Level, parse_level
from lobes.store.read import batches, rows
from lobes.store.read_memories import reasons
from lobes.store.read_sensitivity import BROKEN, parse_findings


class QueueRow(NamedTuple):
    """One memory in the queue, in short; `permission` as it is stored."""

    id: str
    version: int
    lobe: LobeAddress
    statement: str
    kind: Kind
    memory_class: MemoryClass
    level: Level
    replaces: str
    valid_from: datetime | None
    valid_to: datetime | None
    category: str
    subject: str
    status: Status
    author: Author
    person: str
    source: str
    session: str
    client: str
    is_external: bool
    findings: tuple[Kept, ...]
    waits_for: tuple[Wait, ...]
    permission: str | None
    content_hash: str
    created: datetime
    updated: datetime
    act: str
    """The decision; "" while it waits. `by` is the actor as the audit writes it."""
    reason: str
    by: str
    classifier: int = 0
    """The version of the classifier that gave the findings."""


_COLUMNS = (
    "m.written_status, m.id, m.version, m.lobe, m.statement, m.kind, m.class, m.level, m.replaces,"
    " m.valid_from, m.valid_to, m.category, m.subject, m.status, m.author, m.person, m.source,"
    " m.session, m.client, m.is_external, m.findings, m.waits_for, m.permission, m.content_hash,"
    " m.created, m.updated"
)


def waiting_rows(store: sqlite3.Connection, lobe: str = "") -> list[QueueRow]:
    """All that wait, the newest first; with `lobe` of that one alone."""
    these = "AND lobe = ?" if lobe else ""
    sql = f"""
        SELECT {_COLUMNS}, '', '', '', m.classifier FROM memory m WHERE status = 'proposed' {these}
        ORDER BY created DESC, id DESC
    """
    return [_row(row) for row in rows(store, sql, (lobe,) if lobe else ())]


def decided_rows(
    store: sqlite3.Connection, acts: Collection[str], lobe: str = "", *, limit: int = 1000
) -> list[QueueRow]:
    """At most `limit` whose last version came by one of these acts, the last decided first."""
    these = "AND m.lobe = ?" if lobe else ""
    sql = f"""
        SELECT {_COLUMNS}, v.act, v.reason, v.actor, m.classifier FROM memory m
        JOIN memory_version v ON v.memory = m.id AND v.version = m.version
        WHERE m.status NOT IN ('proposed', 'deleted') {these}
            AND v.act IN ({",".join("?" * len(acts))})
        ORDER BY v.at DESC, m.id DESC LIMIT ?
    """
    values = (*((lobe,) if lobe else ()), *acts, limit)
    return [_row(row) for row in rows(store, sql, values)]


def rows_in(
    store: sqlite3.Connection, statuses: Collection[Status], lobe: str = "", *, limit: int = 1000
) -> list[QueueRow]:
    """At most `limit` in these statuses, what changed last first, with what made each so."""
    these = "AND m.lobe = ?" if lobe else ""
    sql = f"""
        SELECT {_COLUMNS}, v.act, v.reason, v.actor, m.classifier FROM memory m
        JOIN memory_version v ON v.memory = m.id AND v.version = m.version
        WHERE m.status IN ({",".join("?" * len(statuses))}) {these}
        ORDER BY m.updated DESC, m.id DESC LIMIT ?
    """
    return [_row(row) for row in rows(store, sql, (*statuses, *((lobe,) if lobe else ()), limit))]


def waiting_alike(store: sqlite3.Connection) -> list[tuple[str, str, int]]:
    """What waits, counted by all that the rules go by: the id of one of them, its lobe as it is
    stored, and how many are like it."""
    sql = """
        SELECT min(id), lobe, count(*) FROM memory WHERE status = 'proposed'
        GROUP BY lobe, category, level, permission,
            CASE WHEN permission IS NULL THEN '' ELSE person END
    """
    return rows(store, sql)


def authors_of(store: sqlite3.Connection, ids: Iterable[str]) -> dict[str, Author]:
    """Who wrote each of these memories."""
    found: dict[str, Author] = {}
    for batch in batches(ids):
        marks = ",".join("?" * len(batch))
        found |= dict(rows(store, f"SELECT id, author FROM memory WHERE id IN ({marks})", batch))
    return found


def counted_lobes(store: sqlite3.Connection, *, since: str) -> list[LobeAddress]:
    """The lobes in which anything came or was decided since that day."""
    sql = "SELECT DISTINCT lobe FROM proposal_count WHERE day >= ? ORDER BY lobe"
    return [parse_address(row[0]) for row in rows(store, sql, (since,))]


def _row(row: tuple[Any, ...]) -> QueueRow:
    written, *values = row
    values[2] = _lobe(values[2])
    values[6] = parse_level(values[6]) or BROKEN
    values[8:10] = _moment(values[8]), _moment(values[9])
    values[18] = bool(values[18])
    values[19] = () if values[19] == "[]" else parse_findings(values[19])
    values[20] = _waits(values[20], values[12], written)
    values[23:25] = datetime.fromisoformat(values[23]), datetime.fromisoformat(values[24])
    return QueueRow._make(values)


_lobe = lru_cache(maxsize=1000)(parse_address)
_waits = lru_cache(maxsize=1000)(reasons)


def _moment(stored: str | None) -> datetime | None:
    return None if stored is None else datetime.fromisoformat(stored)


def scoped(
    store: sqlite3.Connection, lobe: str, *, author: str = "", session: str = "", source: str = ""
) -> list[tuple[str, Status]]:
    """Id and status of everything of one lobe that isn't deleted, by these authors and sources."""
    named = (("author", author), ("session", session), ("source", source))
    asked = [(name, value) for name, value in named if value]
    these = "".join(f" AND {name} = ?" for name, _ in asked)
    sql = f"SELECT id, status FROM memory WHERE lobe = ? AND status <> 'deleted' {these}"
    return rows(store, f"{sql} ORDER BY id", (lobe, *(value for _, value in asked)))
