"""Hot reads by plain `sqlite3`: no SQLModel import (470 ms) on the way to a search or a first list.

Every function fetches its rows whole and keeps no cursor open: in rollback-journal mode an open
read, even a half-fetched cursor, blocks every commit of the other processes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from lobes.domain.documents import StoredDocument
from lobes.domain.errors import Corrupt, Unavailable
from lobes.domain.passages import OutboxRow, StoredPassage, memory_passage_hash

BUSY_SECONDS = 5.0
_IN_LIMIT = 500


def connect(path: Path) -> sqlite3.Connection:
    """A connection that can only read; `Unavailable` when the store is missing or unreadable."""
    try:
        store = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro",
            uri=True,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
        )
        store.execute("PRAGMA query_only = ON")
        store.execute("PRAGMA trusted_schema = OFF")
    except sqlite3.Error as error:
        raise Unavailable(
            "The store can't be opened.", hint="Run lobes init, or lobes doctor.", reason="store"
        ) from error
    return store


@contextmanager
def snapshot(store: sqlite3.Connection) -> Generator[sqlite3.Connection]:
    """One read snapshot: all reads inside see the same commit."""
    store.execute("BEGIN DEFERRED")
    try:
        yield store
    finally:
        if store.in_transaction:
            store.execute("ROLLBACK")


def rows(
    store: sqlite3.Connection, sql: str, values: tuple[object, ...] = ()
) -> list[tuple[Any, ...]]:
    """All rows of a constant statement; nothing of a caller's ever stands in `sql` itself."""
    try:
        return _all(store, sql, values)
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_READONLY_ROLLBACK:
            raise
    _roll_back(store)
    return _all(store, sql, values)


def _all(store: sqlite3.Connection, sql: str, values: tuple[object, ...]) -> list[tuple[Any, ...]]:
    with closing(store.execute(sql, values)) as cursor:
        return cursor.fetchall()


def _roll_back(store: sqlite3.Connection) -> None:
    """Undo what a process that was killed while it wrote has left in its journal.

    SQLite does that at the next read, but only for a connection that may write: without this every
    reader would refuse the store until somebody writes.
    """
    path = _all(store, "PRAGMA database_list", ())[0][2]
    with closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as writer:
        _all(writer, "PRAGMA user_version", ())


def batches(ids: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """The ids in groups that fit into one `IN (?, …)`."""
    batch: list[str] = []
    for one in ids:
        batch.append(one)
        if len(batch) == _IN_LIMIT:
            yield tuple(batch)
            batch = []
    if batch:
        yield tuple(batch)


def home_row(store: sqlite3.Connection) -> tuple[str, str, str]:
    """Owner, presence and the default of `cross_space` for new Spaces."""
    found = rows(store, "SELECT owner, presence, default_cross_space FROM home")
    if not found:
        raise Corrupt("The store names no owner.", hint="Run lobes doctor.", reason="damaged")
    owner, presence, default = found[0]
    return owner, presence, default


def home_made(store: sqlite3.Connection) -> str:
    """When the installation was made, as it was written then: no other one has the same."""
    return rows(store, "SELECT created FROM home")[0][0]


_STORED = """
    SELECT id, space, path, role, title, content_hash, size, mtime_ns, tokens FROM document
    WHERE space = ?
"""


def stored_documents(
    store: sqlite3.Connection, space: str, *, paths: Iterable[str] | None = None
) -> dict[str, StoredDocument]:
    """Path → document of the Space, for these paths or for all."""
    if paths is None:
        found = rows(store, _STORED, (space,))
    else:
        found = [
            row
            for batch in batches(paths)
            for row in rows(
                store, f"{_STORED} AND path IN ({','.join('?' * len(batch))})", (space, *batch)
            )
        ]
    documents = (StoredDocument(*row) for row in found)
    return {one.path: one for one in documents}


# What the engine reads -------------------------------------------------------------------------


def schema_version(store: sqlite3.Connection) -> int:
    return int(rows(store, "PRAGMA user_version")[0][0])


def data_version(store: sqlite3.Connection) -> int:
    """Changes whenever another connection commits; 60 to 90 µs when free."""
    return int(rows(store, "PRAGMA data_version")[0][0])


def outbox_head(store: sqlite3.Connection) -> int:
    """The last sequence number ever given, also when its row is trimmed; 0 at the start."""
    found = rows(store, "SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")
    return int(found[0][0]) if found else 0


def outbox_first(store: sqlite3.Connection) -> int | None:
    """The oldest row that is still there: a cursor below it means rows were missed."""
    return rows(store, "SELECT min(seq) FROM outbox")[0][0]


def outbox_after(store: sqlite3.Connection, seq: int, *, limit: int = 1000) -> list[OutboxRow]:
    sql = """
        SELECT seq, op, kind, id, lobe, content_hash FROM outbox
        WHERE seq > ? ORDER BY seq LIMIT ?
    """
    return [OutboxRow(*row) for row in rows(store, sql, (seq, limit))]


_PASSAGE = """
    SELECT p.id, p.document, 'space/' || d.space, p.ordinal, d.title, p.heading, p.text,
           p.content_hash
    FROM passage p JOIN document d ON d.id = p.document JOIN space s ON s.id = d.space
"""


def passages_of(store: sqlite3.Connection, documents: Iterable[str]) -> list[StoredPassage]:
    """The passages of these documents in reading order; a gone document has none. A memory that
    may be retrieved is a document of one passage."""
    found: list[StoredPassage] = []
    for batch in batches(documents):
        marks = ",".join("?" * len(batch))
        sql = f"{_PASSAGE} WHERE d.id IN ({marks}) ORDER BY d.id, p.ordinal"
        passages = [StoredPassage(*row) for row in rows(store, sql, batch)]
        found += passages
        # Files come by the thousand: no memory is looked for where each id was one of theirs.
        if others := set(batch) - {one.document_id for one in passages}:
            found += _memories(store, sorted(others))
    return found


RETRIEVABLE = "status IN ('active', 'disputed')"
"""The condition of `domain.memories.RETRIEVABLE`."""
IN_USE = "written_status IN ('active', 'disputed') AND seal <> ''"
"""The same for what counts: the index `memory_used` answers it alone."""


def _memories(store: sqlite3.Connection, ids: Sequence[str]) -> list[StoredPassage]:
    sql = f"""
        SELECT id, lobe, subject, statement FROM memory
        WHERE id IN ({",".join("?" * len(ids))}) AND {RETRIEVABLE} ORDER BY id
    """
    return [
        StoredPassage(id, id, lobe, 0, subject, "", text, memory_passage_hash(subject, text))
        for id, lobe, subject, text in rows(store, sql, tuple(ids))
    ]


def lobes_with_passages(store: sqlite3.Connection) -> dict[str, int]:
    """Lobe address → number of passages, for every Space (0 included) and for every other lobe
    that holds a memory."""
    sql = """
        SELECT 'space/' || s.id, count(p.id) FROM space s
        LEFT JOIN document d ON d.space = s.id LEFT JOIN passage p ON p.document = d.id
        GROUP BY s.id
    """
    found: dict[str, int] = dict(rows(store, sql))
    sql = f"""
        SELECT lobe, count(*) FROM memory INDEXED BY memory_used WHERE {IN_USE} GROUP BY lobe
    """
    for lobe, count in rows(store, sql):
        found[lobe] = found.get(lobe, 0) + count
    return found


def documents_of(store: sqlite3.Connection, lobe: str) -> dict[str, str]:
    """Document id → content hash for one lobe address, its memories among them."""
    kind, _, name = lobe.partition("/")
    sql = f"SELECT id, content_hash FROM memory WHERE lobe = ? AND {RETRIEVABLE}"
    found: dict[str, str] = dict(rows(store, sql, (lobe,)))
    if kind == "space":
        sql = "SELECT id, content_hash FROM document WHERE space = ?"
        found |= dict(rows(store, sql, (name,)))
    return found
