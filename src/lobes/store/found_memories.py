"""Memories as a search needs them: by id, from the caller's snapshot, those alone that may be
retrieved; and those among them that have to be asked about one by one."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Literal

from lobes.domain.memories import Author, Epistemic, Kind, MemoryClass
from lobes.domain.passages import memory_passage_hash
from lobes.domain.sensitivity import Kept, Level, parse_level
from lobes.store.read import IN_USE, RETRIEVABLE, batches, rows
from lobes.store.read_sensitivity import BROKEN, parse_findings


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """What a search shows and weighs of a memory; `evidence` is how many things speak for it."""

    id: str
    lobe: str
    statement: str
    subject: str
    kind: Kind
    memory_class: MemoryClass
    epistemic: Epistemic
    status: Literal["active", "disputed"]
    author: Author
    level: Level
    findings: tuple[Kept, ...]
    classifier: int
    is_external: bool
    confidence: float | None
    evidence: int
    created: datetime
    verified: datetime | None
    valid_to: datetime | None
    version: int

    @property
    def passage_hash(self) -> str:
        """The hash under which the index knows it."""
        return memory_passage_hash(self.subject, self.statement)

    @property
    def confirmed(self) -> datetime:
        """When somebody last said that it holds."""
        return max(self.created, self.verified or self.created)


_COLUMNS = (
    "id, lobe, statement, subject, kind, class, epistemic, status, author, level, findings,"
    " classifier, is_external, confidence, evidence, created, verified, valid_to, version"
)
_FIELDS = tuple(one.name for one in fields(FoundMemory))


def found_memories(store: sqlite3.Connection, ids: Iterable[str]) -> dict[str, FoundMemory]:
    """The memories among `ids` that may be retrieved now, whatever the index still knows."""
    found: dict[str, FoundMemory] = {}
    for batch in batches(ids):
        marks = ",".join("?" * len(batch))
        sql = f"SELECT {_COLUMNS} FROM memory WHERE id IN ({marks}) AND {RETRIEVABLE}"
        for row in rows(store, sql, batch):
            one = dict(zip(_FIELDS, row, strict=True))
            one["level"] = parse_level(one["level"]) or BROKEN
            one["findings"] = parse_findings(one["findings"]) if one["findings"] != "[]" else ()
            one["is_external"] = bool(one["is_external"])
            one["evidence"] = _count(one["evidence"])
            for name in ("created", "verified", "valid_to"):
                one[name] = _moment(one[name])
            found[one["id"]] = FoundMemory(**one)
    return found


def _count(stored: str) -> int:
    try:
        return len(json.loads(stored))
    except (ValueError, TypeError):
        return 0


def _moment(stored: str | None) -> datetime | None:
    return None if stored is None else datetime.fromisoformat(stored)


def other_sides(store: sqlite3.Connection, ids: Iterable[str]) -> dict[str, set[str]]:
    """Memory → what it is in dispute with, for those of `ids` that are in one."""
    found: dict[str, set[str]] = {}
    for batch in batches(ids):
        marks = ",".join("?" * len(batch))
        for one, other in rows(
            store,
            f"""
            SELECT memory, other FROM memory_link WHERE kind = 'disputes' AND memory IN ({marks})
            UNION
            SELECT other, memory FROM memory_link WHERE kind = 'disputes' AND other IN ({marks})
            """,
            (*batch, *batch),
        ):
            found.setdefault(one, set()).add(other)
    return found


@dataclass(frozen=True, slots=True)
class CloserMemory:
    """A memory that not everybody gets whom its lobe lets in, or not at any time, or not alone."""

    id: str
    lobe: str
    person: str
    status: str
    permission: str | None
    level: str
    category: str
    valid_from: str | None
    valid_to: str | None

    def holds_at(self, now: datetime) -> bool:
        """Whether its validity covers this moment; a moment that can't be read covers none."""
        try:
            begun = self.valid_from is None or datetime.fromisoformat(self.valid_from) <= now
            return begun and (self.valid_to is None or now < datetime.fromisoformat(self.valid_to))
        except (ValueError, TypeError):
            return False


def closer_memories(store: sqlite3.Connection, lobes: Iterable[str]) -> list[CloserMemory]:
    """Those of these lobes; by an index of them alone, whose condition stands here to the letter,
    so that a store without any pays nothing."""
    found: list[CloserMemory] = []
    for batch in batches(lobes):
        sql = f"""
            SELECT id, lobe, person, status, permission, level, category, valid_from, valid_to
            FROM memory INDEXED BY memory_closer
            WHERE lobe IN ({",".join("?" * len(batch))}) AND {RETRIEVABLE}
            AND (status = 'disputed' OR valid_from IS NOT NULL
                OR valid_to IS NOT NULL OR permission IS NOT NULL
                OR level NOT IN ('public', 'internal'))
        """
        found += [CloserMemory(*row) for row in rows(store, sql, batch)]
    return found


def memory_counts(store: sqlite3.Connection) -> dict[str, int]:
    """Lobe address → how many of its memories may be retrieved; a lobe without any has none."""
    sql = f"""
        SELECT lobe, count(*) FROM memory INDEXED BY memory_used WHERE {IN_USE} GROUP BY lobe
    """
    return dict(rows(store, sql))


def categories_of(store: sqlite3.Connection, lobe: str) -> list[str]:
    """The categories that its retrievable memories have."""
    sql = f"SELECT DISTINCT category FROM memory WHERE lobe = ? AND {IN_USE}"
    return [row[0] for row in rows(store, sql, (lobe,))]


def ids_in(store: sqlite3.Connection, lobe: str, categories: Collection[str]) -> list[str]:
    """The retrievable memories of the lobe in one of these categories."""
    found: list[str] = []
    for batch in batches(sorted(categories)):
        sql = f"""
            SELECT id FROM memory
            WHERE lobe = ? AND {RETRIEVABLE} AND category IN ({",".join("?" * len(batch))})
        """
        found += [row[0] for row in rows(store, sql, (lobe, *batch))]
    return found
