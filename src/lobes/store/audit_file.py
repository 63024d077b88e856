"""The audit file on disk: one table, and beside it a copy of the chain's head.

Several processes append: each takes the write lock and goes on from the last row that is there.
The head is noted after the commit, under the lock again, so that it never runs ahead of the rows
and never goes back; rows behind it only mean that a process died in between.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from lobes.domain.errors import Corrupt
from lobes.store.audit_chain import START, Head, Link, Verdict, judge, link_hash
from lobes.store.faults import in_our_words
from lobes.store.pragmas import apply_pragmas, make_private_file
from lobes.store.read import connect

SCHEMA = 1
_MOST_ROWS = 2**53

_COLUMNS = (
    "at",
    "event",
    "actor",
    "verb",
    "resources",
    "decisions",
    "channel",
    "correlation",
    "answer",
    "counts",
)
_CREATE = f"""
    CREATE TABLE audit (
        seq INTEGER PRIMARY KEY AUTOINCREMENT,
        {", ".join(f"{name} TEXT NOT NULL" for name in _COLUMNS)},
        hash TEXT NOT NULL
    )
"""
_INSERT = f"INSERT INTO audit VALUES ({', '.join('?' * (len(_COLUMNS) + 2))})"
_SELECT = f"SELECT seq, {', '.join(_COLUMNS)}, hash FROM audit"
_LAST = "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1"
_LAST_GIVEN = "SELECT seq FROM sqlite_sequence WHERE name = 'audit'"
_NAMES_SPACE = """
    (EXISTS (SELECT 1 FROM json_each(resources) WHERE value = :space)
     OR EXISTS (SELECT 1 FROM json_each(decisions) WHERE json_extract(value, '$[0]') = :space))
"""


class AuditFile:
    """The file and its head. Appending is for one thread at a time; reads open their own."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._head_path = path.with_suffix(".head")
        self._store: sqlite3.Connection | None = None

    def append(self, rows: Sequence[tuple[str, ...]]) -> None:
        """Add the rows to the chain, all or none. Raises `Unavailable` or `Corrupt`."""
        with in_our_words():
            store = self._opened()
            store.execute("BEGIN IMMEDIATE")
            try:
                self._extend(store, rows)
                store.execute("COMMIT")
            finally:
                if store.in_transaction:
                    store.execute("ROLLBACK")
        # The rows are safe; a head that couldn't be noted shows as `unsealed` until the next time.
        with suppress(sqlite3.Error, OSError):
            self._note_head(store)

    def rows(
        self, limit: int, *, before: int | None, event: str | None, space: str | None
    ) -> list[Link]:
        wanted = ["1"]
        if before is not None:
            wanted.append("seq < :before")
        if event is not None:
            wanted.append("event = :event")
        if space is not None:
            wanted.append(_NAMES_SPACE)
        sql = f"{_SELECT} WHERE {' AND '.join(wanted)} ORDER BY seq DESC LIMIT :limit"
        values = {
            "before": before,
            "event": event,
            "space": None if space is None else f"space/{space}",
            "limit": limit,
        }
        return [_link(row) for row in self._read(sql, values)]

    def count(self) -> int:
        rows = self._read("SELECT count(*) FROM audit")
        return rows[0][0] if rows else 0

    def verify(self) -> Verdict:
        head = self._head()
        links = [_link(row) for row in self._read(f"{_SELECT} ORDER BY seq")]
        given = self._read(_LAST_GIVEN)
        last_given = given[0][0] if given else 0
        return judge(links, head, last_given=last_given)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def _opened(self) -> sqlite3.Connection:
        if self._store is None:
            with suppress(FileExistsError):
                make_private_file(self._path)
            store = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
            apply_pragmas(store)
            self._store = store
        return self._store

    def _extend(self, store: sqlite3.Connection, rows: Sequence[tuple[str, ...]]) -> None:
        schema: int = store.execute("PRAGMA user_version").fetchall()[0][0]
        if schema > SCHEMA:
            raise Corrupt(
                "The audit file was made by a newer Lobes.",
                hint="Upgrade this Lobes.",
                reason="newer_schema",
            )
        if schema == 0:
            store.execute(_CREATE)
            store.execute(f"PRAGMA user_version = {SCHEMA}")
        last = store.execute(_LAST).fetchall()
        seq, previous = last[0] if last else (0, START)
        given = store.execute(_LAST_GIVEN).fetchall()
        head = self._head()
        # Numbers never come back, so that a tail cut off before stays visible as a gap.
        seq = max(seq, given[0][0] if given else 0, head.seq if head else 0)
        chained: list[tuple[object, ...]] = []
        for columns in rows:
            seq += 1
            previous = link_hash(previous, seq, columns)
            chained.append((seq, *columns, previous))
        store.executemany(_INSERT, chained)

    def _note_head(self, store: sqlite3.Connection) -> None:
        store.execute("BEGIN IMMEDIATE")
        try:
            seq, digest = store.execute(_LAST).fetchall()[0]
            draft = self._head_path.with_suffix(".head-new")
            draft.unlink(missing_ok=True)
            make_private_file(draft)
            with open(draft, "w", encoding="ascii") as file:
                json.dump({"seq": seq, "hash": digest}, file)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, self._head_path)
        finally:
            store.execute("ROLLBACK")

    def _head(self) -> Head | None:
        """The head as it was noted; None where there is none that can be read."""
        try:
            data = json.loads(self._head_path.read_bytes())
            seq, digest = int(data["seq"]), str(data["hash"])
        except (OSError, ValueError, KeyError, TypeError):
            return None
        return Head(seq, digest) if 0 < seq < _MOST_ROWS else None

    def _read(self, sql: str, values: dict[str, Any] | None = None) -> list[tuple[Any, ...]]:
        if not self._path.exists():
            return []
        with in_our_words(), closing(connect(self._path)) as store:
            if not store.execute("PRAGMA user_version").fetchall()[0][0]:
                return []
            return store.execute(sql, values or {}).fetchall()


def _link(row: tuple[Any, ...]) -> Link:
    return Link(row[0], tuple(row[1:-1]), row[-1])
