"""The audit file on disk: one table, what it follows, and beside it a copy of the chain's head.

Several processes append: each takes the write lock and goes on from the last row that is there.
The head is noted after the commit, under the lock again, so that it never runs ahead of the rows
and never goes back; rows behind it only mean that a process died in between.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from lobes.domain.errors import Corrupt
from lobes.domain.secrets import Secret
from lobes.store.audit_chain import START, Anchor, Head, Link, Verdict, judge, link_hash, walk
from lobes.store.audit_flood import folded
from lobes.store.audit_head import read_head, write_head
from lobes.store.audit_query import Reader, Wanted, conditions
from lobes.store.audit_readers import added_up
from lobes.store.audit_repeats import DENIED
from lobes.store.audit_retention import take_old
from lobes.store.audit_seal import UNASKED, Key, Seal, is_ours, made, sealed
from lobes.store.faults import in_our_words
from lobes.store.pragmas import apply_pragmas, make_private_file
from lobes.store.read import connect

SCHEMA = 2

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
_ANCHOR = "CREATE TABLE anchor (seq INTEGER NOT NULL, hash TEXT NOT NULL, rows INTEGER NOT NULL)"
_INSERT = f"INSERT INTO audit VALUES ({', '.join('?' * (len(_COLUMNS) + 2))})"
_SELECT = f"SELECT seq, {', '.join(_COLUMNS)}, hash FROM audit"
_LAST = "SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1"
_LAST_GIVEN = "SELECT seq FROM sqlite_sequence WHERE name = 'audit'"
_READS = f"""
    SELECT actor, at, resources, decisions, counts, event = '{DENIED}' FROM audit
    WHERE {{where}} ORDER BY seq
"""


class AuditFile:
    """The file and its head. Appending is for one thread at a time; reads open their own."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._head_path = path.with_suffix(".head")
        self._store: sqlite3.Connection | None = None
        self._opened_as: tuple[int, int] | None = None
        self._key: Secret | None = None
        self._sealed: Seal | None = None

    def append(self, rows: Sequence[tuple[str, ...]], *, cut: str = "") -> None:
        """Add the rows to the chain, all or none, and take those older than `cut` from its
        beginning. Raises `Unavailable` or `Corrupt`."""
        with in_our_words():
            store = self._opened()
            try:
                self._add(store, rows, cut)
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_READONLY:
                    # What was opened while the disk took nothing stays so when it takes again.
                    self.close()
                raise
        # The rows are safe; a head that couldn't be noted shows as `unsealed` until the next time.
        with suppress(sqlite3.Error, OSError):
            self._note_head(store, at=rows[-1][0])

    def _add(self, store: sqlite3.Connection, rows: Sequence[tuple[str, ...]], cut: str) -> None:
        store.execute("BEGIN IMMEDIATE")
        try:
            self._extend(store, rows)
            if cut:
                take_old(store, cut)
            store.execute("COMMIT")
        finally:
            if store.in_transaction:
                store.execute("ROLLBACK")

    def rows(self, limit: int, wanted: Wanted) -> list[Link]:
        where, values = conditions(wanted)
        sql = f"{_SELECT} WHERE {where} ORDER BY seq DESC LIMIT :limit"
        return [_link(row) for row in self._read(sql, {**values, "limit": limit})]

    def count(self, wanted: Wanted) -> int:
        where, values = conditions(wanted.without_page())
        rows = self._read(f"SELECT count(*) FROM audit WHERE {where}", values)
        return rows[0][0] if rows else 0

    def readers(self, wanted: Wanted) -> tuple[Reader, ...]:
        where, values = conditions(replace(wanted, reads=True))
        of = wanted.resource or (f"space/{wanted.space}" if wanted.space else None)
        return added_up(self._read(_READS.format(where=where), values), of=of)

    def verify(self, key: Key = UNASKED, *, cut: str = "") -> Verdict:
        """Everything followed from its beginning, in one snapshot, a row in memory at a time."""
        # Before the snapshot: a head that moves on meanwhile would run ahead of the rows.
        noted = read_head(self._head_path)
        if not self._path.exists():
            return _judged((), noted, Anchor(), last_given=0, key=key, cut=cut)
        with in_our_words(), closing(connect(self._path)) as store:
            store.execute("BEGIN")
            if not _schema(store):
                return _judged((), noted, Anchor(), last_given=0, key=key, cut=cut)
            given = store.execute(_LAST_GIVEN).fetchall()
            return _judged(
                (_link(row) for row in store.execute(f"{_SELECT} ORDER BY seq")),
                noted,
                anchor_of(store),
                last_given=given[0][0] if given else 0,
                key=key,
                cut=cut,
            )

    def seal_with(self, key: Secret, *, is_new: bool, at: str, cut: str) -> bool:
        """Keep the key, seal what is there, and from now on each group; False where the rows
        aren't whole, or lost the seal of a key that isn't new: what is damaged is never sealed."""
        with in_our_words():
            store = self._opened()
            store.execute("BEGIN IMMEDIATE")
            try:
                if not self._may_seal(key, is_new=is_new, cut=cut):
                    return False
                self._key, self._sealed = key, _seal_of(store, key, at)
                last = store.execute(_LAST).fetchall()[0]
                write_head(self._head_path, Head(*last), self._sealed)
            finally:
                store.execute("ROLLBACK")
        return True

    def _may_seal(self, key: Secret, *, is_new: bool, cut: str) -> bool:
        """The lock is held, so nothing comes between this and the seal."""
        verdict = self.verify(Key(None if is_new else key, asked=True), cut=cut)
        return verdict.is_whole and verdict.rows > 0

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def move_to(self, folder: Path) -> None:
        """Put the file and its head into this folder; the next row begins a new chain."""
        with in_our_words():
            store = self._opened()
            store.execute("BEGIN IMMEDIATE")
            try:
                folder.mkdir(mode=0o700)
                for path in (self._path, self._head_path):
                    with suppress(FileNotFoundError):
                        path.rename(folder / path.name)
            finally:
                store.execute("ROLLBACK")
                self.close()
        self._sealed = self._key = None

    def _opened(self) -> sqlite3.Connection:
        """The connection for writing; another one where the file was moved away or replaced: what
        is written into a file that nobody finds is lost."""
        if self._store is not None and _identity(self._path) != self._opened_as:
            self.close()
        if self._store is None:
            with suppress(FileExistsError):
                make_private_file(self._path)
            store = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
            apply_pragmas(store)
            self._store, self._opened_as = store, _identity(self._path)
        return self._store

    def _extend(self, store: sqlite3.Connection, rows: Sequence[tuple[str, ...]]) -> None:
        _bring_up(store)
        anchor = anchor_of(store)
        last = store.execute(_LAST).fetchall()
        seq, previous = last[0] if last else (anchor.seq, anchor.hash)
        given = store.execute(_LAST_GIVEN).fetchall()
        head, _ = read_head(self._head_path)
        # Numbers never come back, so that a tail cut off before stays visible as a gap.
        seq = max(seq, given[0][0] if given else 0, head.seq if head else 0)
        chained: list[tuple[object, ...]] = []
        for columns in folded(store, rows):
            seq += 1
            previous = link_hash(previous, seq, columns)
            chained.append((seq, *columns, previous))
        store.executemany(_INSERT, chained)

    def _note_head(self, store: sqlite3.Connection, *, at: str) -> None:
        store.execute("BEGIN IMMEDIATE")
        try:
            _, seal = read_head(self._head_path)
            if self._key is not None and self._follows_from_the_seal(store, self._key):
                seal = self._sealed = _seal_of(store, self._key, at)
            last = store.execute(_LAST).fetchall()[0]
            write_head(self._head_path, Head(*last), seal)
        finally:
            store.execute("ROLLBACK")

    def _follows_from_the_seal(self, store: sqlite3.Connection, key: Secret) -> bool:
        """Whether all rows behind our last seal, also those of others, follow from it: else
        sealing would make somebody's rewriting good. The old seal then stays and tells."""
        base, (_, noted) = self._sealed, read_head(self._head_path)
        if noted is not None and is_ours(noted, key) and base and noted.seq > base.seq:
            base = noted
        anchor = anchor_of(store)
        if base is None or base.seq < anchor.seq:
            return False
        start = store.execute("SELECT hash FROM audit WHERE seq = ?", (base.seq,)).fetchall()
        if (start[0][0] if start else anchor.hash) != base.hash:
            return False
        later = store.execute(f"{_SELECT} WHERE seq > ? ORDER BY seq", (base.seq,))
        found = walk(map(_link, later), anchor=Anchor(base.seq, base.hash), watched=())
        return found.broken is None

    def _read(self, sql: str, values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        if not self._path.exists():
            return []
        with in_our_words(), closing(connect(self._path)) as store:
            return store.execute(sql, values).fetchall() if _schema(store) else []


def anchor_of(store: sqlite3.Connection) -> Anchor:
    """What the first row follows; its beginning where retention has taken none."""
    if _schema(store) < 2:
        return Anchor()
    found = store.execute("SELECT seq, hash, rows FROM anchor").fetchall()
    return Anchor(*found[0]) if found else Anchor(0, START, 0)


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _schema(store: sqlite3.Connection) -> int:
    return store.execute("PRAGMA user_version").fetchall()[0][0]


def _bring_up(store: sqlite3.Connection) -> None:
    schema = _schema(store)
    if schema > SCHEMA:
        raise Corrupt(
            "The audit file was made by a newer Lobes.",
            hint="Upgrade this Lobes.",
            reason="newer_schema",
        )
    if schema == 0:
        store.execute(_CREATE)
    if schema < SCHEMA:
        store.execute(_ANCHOR)
        store.execute(f"PRAGMA user_version = {SCHEMA}")


def _seal_of(store: sqlite3.Connection, key: Secret, at: str) -> Seal:
    seq, digest = store.execute(_LAST).fetchall()[0]
    anchor = anchor_of(store)
    rows = anchor.rows + seq - anchor.seq
    plain = Seal(seq, digest, rows, anchor.seq, anchor.hash, at, key.fingerprint())
    return made(plain, key)


def _judged(
    links: Iterable[Link],
    noted: tuple[Head | None, Seal | None],
    anchor: Anchor,
    *,
    last_given: int,
    key: Key,
    cut: str,
) -> Verdict:
    head, seal = noted
    watched = {one.seq for one in noted if one is not None}
    walked = walk(links, anchor=anchor, watched=watched)
    verdict = judge(walked, head, anchor=anchor, last_given=last_given)
    found = sealed(verdict, walked, seal, key, anchor=anchor, cut=cut)
    return replace(found, pruned=anchor.rows, since=walked.since)


def _link(row: tuple[Any, ...]) -> Link:
    return Link(row[0], tuple(row[1:-1]), row[-1])
