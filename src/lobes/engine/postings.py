"""A lobe's words: packed postings in one SQLite file, without any number that other lobes move.

A row of `post` is a CRC-32 and then, for each passage with the term, its number inside the lobe,
the term's count and the passage's length. The document frequency is the row's length, so that BM25
over any set of lobes needs nothing but their rows. `vec` says which vectors Lance holds durably.
SQLite has no checksums of its own, so rows and counts bear one: a flipped bit is damage, no answer.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import zlib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lobes.engine.analyse import STOP_BYTES, Analysed

_IN_LIMIT = 500
_SMALL = 0xFFFF
_POSTING = struct.Struct("<IHH")
_CRC = struct.Struct("<I")
_COUNTS = struct.Struct("<QQQQ")
HEADER = _CRC.size
STEP = _POSTING.size
STOPS = struct.Struct(f"<IH{STOP_BYTES}s")

_SCHEMA = """
    CREATE TABLE passage (
        doc INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, document TEXT NOT NULL,
        hash TEXT NOT NULL, embed_key BLOB NOT NULL, length INTEGER NOT NULL,
        terms TEXT NOT NULL, stops BLOB NOT NULL, crc INTEGER NOT NULL
    );
    CREATE INDEX passage_document ON passage (document);
    CREATE TABLE post (term TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE source (document TEXT PRIMARY KEY, hash TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE vec (
        id TEXT PRIMARY KEY, embed_key BLOB NOT NULL, crc INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX vec_key ON vec (embed_key);
    CREATE TABLE st (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
"""

DAMAGE = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises; Python can't even decode what SQLite says of some."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A passage as the words index keeps it."""

    id: str
    document: str
    content_hash: str
    embed_key: bytes
    analysed: Analysed


@dataclass(frozen=True, slots=True)
class Stats:
    """Passages, the sum of their lengths, the next passage's number, and postings in all rows."""

    count: int = 0
    length: int = 0
    top: int = 0
    entries: int = 0


@dataclass(frozen=True, slots=True)
class Changed:
    """Ids whose passage is gone, and id → (document, key) of those that are new or reworded.

    `numbers` are free from now on: of what is gone or reworded.
    """

    removed: frozenset[str]
    written: Mapping[str, tuple[str, bytes]]
    numbers: frozenset[int]


def connect(path: Path, *, model: str) -> sqlite3.Connection:
    """Open or make the file; `sqlite3.DatabaseError` when it is damaged or of another model."""
    fresh = not path.exists()
    if fresh:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    words = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=5.0)
    try:
        words.execute("PRAGMA journal_mode = DELETE")
        words.execute("PRAGMA synchronous = FULL")
        words.execute("PRAGMA secure_delete = ON")
        words.execute("PRAGMA cache_spill = OFF")
        words.execute("PRAGMA trusted_schema = OFF")
        if words.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0] == 0:
            words.executescript(f"BEGIN IMMEDIATE; {_SCHEMA} COMMIT;")
            words.execute("INSERT INTO st VALUES ('model', ?)", (model,))
            _keep(words, Stats())
        if value(words, "model") != model:
            raise sqlite3.DatabaseError("made for another model")
    except BaseException:
        words.close()
        raise
    return words


@contextmanager
def transaction(words: sqlite3.Connection) -> Generator[None]:
    """All or nothing: the caller commits at the end of the block, anything else is undone."""
    words.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        if words.in_transaction:
            words.execute("ROLLBACK")


@contextmanager
def one_commit(words: sqlite3.Connection) -> Generator[None]:
    """All reads of the block see the same commit."""
    words.execute("BEGIN DEFERRED")
    try:
        yield
    finally:
        if words.in_transaction:
            words.execute("ROLLBACK")


def value(words: sqlite3.Connection, name: str) -> object:
    row = _fetch(words, "SELECT value FROM st WHERE name = ?", (name,))
    return row[0][0] if row else None


def stats(words: sqlite3.Connection) -> Stats:
    kept = value(words, "counts")
    if not isinstance(kept, bytes) or len(kept) != HEADER + _COUNTS.size:
        raise sqlite3.DatabaseError("the counts are missing")
    if _CRC.pack(zlib.crc32(kept[HEADER:])) != kept[:HEADER]:
        raise sqlite3.DatabaseError("the counts are damaged")
    return Stats(*_COUNTS.unpack(kept[HEADER:]))


def _keep(words: sqlite3.Connection, known: Stats) -> None:
    counts = _COUNTS.pack(known.count, known.length, known.top, known.entries)
    row = ("counts", _CRC.pack(zlib.crc32(counts)) + counts)
    words.execute("INSERT OR REPLACE INTO st VALUES (?, ?)", row)


@dataclass(frozen=True, slots=True)
class Whole:
    """All that a file says: rows of postings sorted by term, and passages."""

    stats: Stats
    rows: Sequence[tuple[str, bytes]]
    passages: Sequence[_Row]


def whole(words: sqlite3.Connection) -> Whole:
    """Everything, of one commit; `sqlite3.DatabaseError` when a row is damaged or lacks."""
    with one_commit(words):
        known = stats(words)
        rows = list(_bodies(_fetch(words, "SELECT term, data FROM post ORDER BY term")))
        passages = list(_checked(_fetch(words, _COLUMNS)))
    found = (len(passages), sum(row[5] for row in passages), sum(len(body) for _, body in rows))
    if found != (known.count, known.length, known.entries * STEP):
        raise sqlite3.DatabaseError("rows are missing")
    return Whole(known, rows, passages)


def is_sound(words: sqlite3.Connection) -> bool:
    """Whether SQLite finds the file whole and every row is what was written."""
    if _fetch(words, "PRAGMA quick_check(1)") != [("ok",)]:
        return False
    whole(words)
    return True


def replace(
    words: sqlite3.Connection, documents: Mapping[str, str], entries: Sequence[Entry]
) -> Changed:
    """Make `entries` exactly the passages of `documents` (id → content hash, empty: gone).

    Runs inside the caller's `transaction`. Equal passages are left as they are.
    """
    old = {row[1]: row for row in _checked(_rows_in(words, _BY_DOCUMENT, documents))}
    wanted = {entry.id: entry for entry in entries}
    others = [id for id in wanted if id not in old]
    old |= {row[1]: row for row in _checked(_rows_in(words, _BY_ID, others))}
    gone = [r for id, r in old.items() if id not in wanted or wanted[id].content_hash != r[3]]
    gone_ids = {row[1] for row in gone}
    new = [e for id, e in wanted.items() if id not in old or id in gone_ids]
    moved = [
        (*old[id][:2], e.document, old[id][3], e.embed_key, *old[id][5:])
        for id, e in wanted.items()
        if id in old
        and id not in gone_ids
        and (e.document, e.embed_key) != (old[id][2], old[id][4])
    ]
    _write(words, gone, new)
    words.executemany(
        "UPDATE passage SET document = ?, embed_key = ?, crc = ? WHERE id = ?",
        [(row[2], row[4], _sum(row), row[1]) for row in moved],
    )
    _remember(words, documents, {entry.document for entry in entries})
    written = {e.id: (e.document, e.embed_key) for e in new}
    written |= {row[1]: (row[2], row[4]) for row in moved}
    return Changed(frozenset(gone_ids - set(wanted)), written, frozenset(row[0] for row in gone))


_COLUMNS = "SELECT doc, id, document, hash, embed_key, length, terms, stops, crc FROM passage"
_BY_DOCUMENT = f"{_COLUMNS} WHERE document IN"
_BY_ID = f"{_COLUMNS} WHERE id IN"
_Row = tuple[int, str, str, str, bytes, int, str, bytes]


def _sum(row: _Row) -> int:
    return zlib.crc32(repr(row).encode())


def _checked(rows: Iterable[tuple[Any, ...]]) -> Iterator[_Row]:
    for *row, crc in rows:
        passage: _Row = (row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7])
        if _sum(passage) != crc:
            raise sqlite3.DatabaseError("a passage is damaged")
        yield passage


def _write(words: sqlite3.Connection, gone: Sequence[_Row], new: Sequence[Entry]) -> None:
    dropped: dict[str, set[int]] = defaultdict(set)
    for row in gone:
        for term in row[6].split():
            dropped[term].add(row[0])
    known = stats(words)
    number = known.top
    added: dict[str, bytearray] = defaultdict(bytearray)
    passages: list[tuple[object, ...]] = []
    for entry in new:
        found = entry.analysed
        length = min(found.length, _SMALL)
        for term, times in found.counts.items():
            added[term] += _POSTING.pack(number, min(times, _SMALL), length)
        stops = found.stops.to_bytes(STOP_BYTES, "little")
        terms = " ".join(found.counts)
        row: _Row = (
            number, entry.id, entry.document, entry.content_hash, entry.embed_key, length, terms,
            stops,
        )  # fmt: skip
        passages.append((*row, _sum(row)))
        number += 1
    words.executemany("DELETE FROM passage WHERE doc = ?", [(row[0],) for row in gone])
    words.executemany("INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", passages)
    more = _rewrite_rows(words, dropped, added)
    length = known.length - sum(row[5] for row in gone)
    length += sum(min(entry.analysed.length, _SMALL) for entry in new)
    count = known.count - len(gone) + len(new)
    _keep(words, Stats(count, length, number, known.entries + more))


def _rewrite_rows(
    words: sqlite3.Connection, dropped: Mapping[str, set[int]], added: Mapping[str, bytearray]
) -> int:
    """How many postings there are more than before."""
    terms = sorted({*dropped, *added})
    before = read(words, terms)
    kept: list[tuple[str, bytes]] = []
    empty: list[tuple[str]] = []
    for term in terms:
        data = before.get(term, b"")
        if numbers := dropped.get(term):
            steps = range(0, len(data), STEP)
            data = b"".join(
                data[at : at + STEP]
                for at in steps
                if _POSTING.unpack_from(data, at)[0] not in numbers
            )
        data = bytes(data) + bytes(added.get(term, b""))
        if data:
            kept.append((term, _crc(term, data) + data))
        else:
            empty.append((term,))
    words.executemany("INSERT OR REPLACE INTO post VALUES (?, ?)", kept)
    words.executemany("DELETE FROM post WHERE term = ?", empty)
    after = sum(len(data) - HEADER for _, data in kept)
    return (after - sum(len(data) for data in before.values())) // STEP


def _remember(
    words: sqlite3.Connection, documents: Mapping[str, str], present: Iterable[str]
) -> None:
    there = set(present)
    words.executemany(
        "INSERT OR REPLACE INTO source VALUES (?, ?)",
        [(id, hash) for id, hash in documents.items() if hash or id in there],
    )
    words.executemany(
        "DELETE FROM source WHERE document = ?",
        [(id,) for id, hash in documents.items() if not hash and id not in there],
    )


def read(words: sqlite3.Connection, terms: Sequence[str]) -> dict[str, bytes]:
    """Term → packed postings, for the terms that are there; a damaged row raises."""
    return dict(_bodies(_rows_in(words, "SELECT term, data FROM post WHERE term IN", terms)))


def _bodies(rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[str, bytes]]:
    for term, data in rows:
        body = data[HEADER:]
        if len(body) % STEP or _crc(term, body) != data[:HEADER]:
            raise sqlite3.DatabaseError("a row of postings is damaged")
        yield term, body


def _crc(term: str, body: bytes) -> bytes:
    return _CRC.pack(zlib.crc32(body, zlib.crc32(term.encode())))


def terms_from(words: sqlite3.Connection, prefix: str) -> dict[str, int]:
    """Every term that begins with `prefix`, with the number of passages that hold it."""
    sql = "SELECT term, (length(data) - ?) / ? FROM post WHERE term >= ? AND term < ?"
    return dict(_fetch(words, sql, (HEADER, STEP, prefix, prefix + "\U0010ffff")))


def stop_words(words: sqlite3.Connection, *, start: int = 0) -> bytes:
    """Number, length and stop words as bits (`STOPS`) of every passage from `start` on."""
    return packed_stops(
        _checked(_fetch(words, f"{_COLUMNS} WHERE doc >= ? ORDER BY doc", (start,)))
    )


def changed_stops(stops: bytes, *, gone: Iterable[int], new: bytes) -> bytes:
    """`stops` without the passages of these numbers, and with `new` ones, which come last."""
    places = range(0, len(stops), STOPS.size)
    kept: list[bytes] = []
    start = 0
    for number in sorted(gone):
        at = bisect_left(places, number, key=lambda place: STOPS.unpack_from(stops, place)[0])
        end = at * STOPS.size
        kept.append(stops[start:end])
        start = end + STOPS.size
    return b"".join([*kept, stops[start:], new])


def packed_stops(passages: Iterable[_Row]) -> bytes:
    return b"".join([STOPS.pack(row[0], row[5], row[7]) for row in passages])


def named(words: sqlite3.Connection, docs: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Number → (id, content hash)."""
    rows = _checked(_rows_in(words, f"{_COLUMNS} WHERE doc IN", docs))
    return {row[0]: (row[1], row[3]) for row in rows}


def least(
    words: sqlite3.Connection, marks: bytes, most: int, upto: str | None
) -> list[tuple[str, str]]:
    """(id, content hash) of the `most` least ids, up to `upto`, of the passages that are marked.

    `marks` holds a byte for each number, 1 or 0. Many marked passages are met soon on a walk by
    id, few are quicker asked for: about √(`most` · passages) rows are read and checked, not all.
    """
    count = marks.count(1)
    if count * count <= most * len(marks):
        found = sorted(named(words, _places(marks)).values())
        return [one for one in found if upto is None or one[0] <= upto][:most]
    found, last = list[tuple[str, str]](), ""
    with closing(words.execute(f"{_COLUMNS} ORDER BY id")) as cursor:
        for number, id, _, content_hash, *_ in _checked(cursor):
            if id <= last:
                raise sqlite3.DatabaseError("the passages are out of order")
            last = id
            if len(found) == most or (upto is not None and id > upto):
                break
            if number < len(marks) and marks[number]:
                found.append((id, content_hash))
    return found


def passages_of(words: sqlite3.Connection, documents: Collection[str]) -> list[_Row]:
    """The passages of these documents; a damaged one raises."""
    return list(_checked(_rows_in(words, _BY_DOCUMENT, documents)))


def _places(marks: bytes) -> Iterator[int]:
    at = marks.find(1)
    while at >= 0:
        yield at
        at = marks.find(1, at + 1)


def hashes(words: sqlite3.Connection, ids: Iterable[str]) -> dict[str, str]:
    """Passage id → content hash."""
    return {row[1]: row[3] for row in _checked(_rows_in(words, _BY_ID, ids))}


def sources(words: sqlite3.Connection) -> dict[str, str]:
    """Document id → content hash as it was applied."""
    return dict(_fetch(words, "SELECT document, hash FROM source"))


def pending(words: sqlite3.Connection) -> dict[str, tuple[str, bytes]]:
    """Id → (document, key) of the passages whose vector Lance doesn't hold, in reading order."""
    sql = """
        SELECT p.id, p.document, p.embed_key FROM passage p LEFT JOIN vec v ON v.id = p.id
        WHERE v.embed_key IS NOT p.embed_key ORDER BY p.doc
    """
    return {id: (document, key) for id, document, key in _fetch(words, sql)}


def embedded(words: sqlite3.Connection) -> dict[str, tuple[bytes, int]]:
    """Id → (key, CRC-32) of the vectors that Lance holds."""
    return {id: (key, crc) for id, key, crc in _fetch(words, "SELECT id, embed_key, crc FROM vec")}


def keys(words: sqlite3.Connection) -> dict[str, bytes]:
    """Passage id → embed key."""
    return dict(_fetch(words, "SELECT id, embed_key FROM passage"))


def waiting_for(words: sqlite3.Connection, ids: Iterable[str]) -> dict[str, tuple[str, bytes]]:
    """Id → (document, key) of these passages."""
    sql = "SELECT id, document, embed_key FROM passage WHERE id IN"
    return {id: (document, key) for id, document, key in _rows_in(words, sql, ids)}


def holders(words: sqlite3.Connection, wanted: Iterable[bytes]) -> dict[bytes, str]:
    """Embed key → the id of a vector that Lance holds for it."""
    return dict(_rows_in(words, "SELECT embed_key, id FROM vec WHERE embed_key IN", wanted))


def embedded_keys(words: sqlite3.Connection, ids: Iterable[str]) -> dict[str, bytes]:
    """Passage id → the key of the vector that Lance holds for it."""
    return dict(_rows_in(words, "SELECT id, embed_key FROM vec WHERE id IN", ids))


def stale(words: sqlite3.Connection) -> list[str]:
    """Ids of vectors whose passage is gone."""
    sql = "SELECT id FROM vec WHERE id NOT IN (SELECT id FROM passage)"
    return [id for (id,) in _fetch(words, sql)]


def mark_embedded(words: sqlite3.Connection, rows: Iterable[tuple[str, bytes, int]]) -> None:
    words.executemany("INSERT OR REPLACE INTO vec VALUES (?, ?, ?)", rows)


def unmark_embedded(words: sqlite3.Connection, ids: Iterable[str]) -> None:
    words.executemany("DELETE FROM vec WHERE id = ?", ((id,) for id in ids))


def _fetch(
    words: sqlite3.Connection, sql: str, values: tuple[object, ...] = ()
) -> list[tuple[Any, ...]]:
    with closing(words.execute(sql, values)) as cursor:
        return cursor.fetchall()


def _rows_in(
    words: sqlite3.Connection, sql: str, values: Iterable[object]
) -> Iterator[tuple[Any, ...]]:
    listed = list(values)
    for start in range(0, len(listed), _IN_LIMIT):
        batch = listed[start : start + _IN_LIMIT]
        yield from _fetch(words, f"{sql} ({','.join('?' * len(batch))})", tuple(batch))
