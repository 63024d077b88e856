"""One lobe of the index: its words, its vectors, and what still waits for a vector.

Words are the record: a vector counts only while the words file names the same passage and the same
embedded text. `lock` covers reading and the moment of commit, never the work before it, so that a
search waits for neither indexing nor embedding.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from threading import RLock
from typing import TypeVar

from lobes.domain.errors import Unavailable
from lobes.engine import postings
from lobes.engine.coded import Large, fit, is_large
from lobes.engine.folder import remove_tree
from lobes.engine.leaving_out import NOTHING, LeftOut, Remembered, left_out
from lobes.engine.postings import Entry, Stats
from lobes.engine.snapshot import PASSAGES_MOST, Snapshot, snapshot
from lobes.engine.vectors import (
    ERRORS,
    FRAGMENTS_MOST,
    Matrix,
    Row,
    Stored,
    VectorTable,
    changed,
    checksum,
    matrix,
)

Answer = TypeVar("Answer")

_PASSING = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_IOERR,
    }
)
"""SQLite's primary codes for what passes; everything else means the file is damaged."""

Step = Callable[[str], None]
"""Called with the name of a step before it; a test raises there to be killed at that point."""


class Lobe:
    """Owns one lobe folder. Reading is thread-safe; one thread at a time may write."""

    def __init__(self, address: str, folder: Path, *, model: str, dim: int, step: Step) -> None:
        self.address = address
        self.lock = RLock()
        self.stats = Stats()
        self.waiting: dict[str, tuple[str, bytes]] = {}
        self.buffered: dict[str, Row] = {}
        self.damaged = False
        self.has_grown = False
        self.fragments = 0
        self.snapshot: Snapshot | None = None
        self._folder = folder
        self._model = model
        self._dim = dim
        self._step = step
        self._words: sqlite3.Connection | None = None
        self._matrix: Matrix | Large | None = None
        self._stops: bytes | None = None
        self._remembered = Remembered()
        self._has_stale = False
        self._is_table_bad = False
        self._writing = RLock()  # taken before `lock`, by whoever writes the words file
        self._table = VectorTable(folder, model=model, dim=dim)

    def open(self) -> None:
        """Read the counts; a damaged file marks the lobe and raises nothing."""
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            with self.lock:
                words = self.words()
                self.stats = postings.stats(words)
                self.waiting = postings.pending(words)
                self._has_stale = True
            self.fragments = self._table.fragments()
        except postings.DAMAGE as error:
            self.failed(error)

    def ask(self, question: Callable[[sqlite3.Connection], Answer], otherwise: Answer) -> Answer:
        """Read the words file; a damaged one marks the lobe and gives `otherwise`.

        Raises `Unavailable` when it can't be read only now.
        """
        with self.lock:
            if self.damaged:
                return otherwise
            try:
                return question(self.words())
            except postings.DAMAGE as error:
                self.failed(error)
                return otherwise

    def failed(self, error: sqlite3.DatabaseError | UnicodeDecodeError) -> None:
        """Tell damage, which is repaired, from a full disk or a limit, which are not ours."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code in _PASSING:
            raise Unavailable(
                "The index can't be read or written now.",
                hint="Check free space and open files, then try again.",
                reason="index",
            ) from error
        self.mark_damaged()

    def words(self) -> sqlite3.Connection:
        """The reading connection; call it with `lock` held."""
        if self._words is None:
            self.has_grown = True
            self._words = postings.connect(self._path, model=self._model)
        return self._words

    @property
    def _path(self) -> Path:
        return self._folder / "lex.db"

    @property
    def is_open(self) -> bool:
        return self._words is not None

    def mark_damaged(self) -> None:
        """Leave the lobe out of every search until it is made again."""
        with self.lock:
            self.damaged = True
            self.stats = Stats()
            self.waiting = {}
            self.buffered = {}
            self.forget()
            self.release()

    def release(self) -> None:
        """Close the words file; the next read opens it again."""
        with self.lock:
            if self._words is not None:
                self._words.close()
                self._words = None

    def erase(self) -> None:
        """Remove the folder; this object answers nothing from then on."""
        with self.lock:
            self.mark_damaged()
            remove_tree(self._folder)

    def warm(self) -> bool:
        """Take a small lobe's words into memory and close the file; whether it did."""
        with self.lock:
            if self.snapshot is not None or not 0 < self.stats.count <= PASSAGES_MOST:
                return False
            self.snapshot = self.ask(snapshot, None)
            if self.snapshot is not None:
                self.has_grown, self._stops = True, None
                self.release()
            return self.snapshot is not None

    def named(self, docs: Sequence[int]) -> dict[int, tuple[str, str]]:
        """Number → (id, content hash)."""
        held = self.snapshot
        return held.named(docs) if held else self.ask(lambda w: postings.named(w, docs), {})

    def least(self, marks: bytes, most: int, upto: str | None) -> list[tuple[str, str]]:
        """(id, content hash) of the `most` least ids, up to `upto`, of passages with a mark."""
        if held := self.snapshot:
            return held.least(marks, most, upto)
        return self.ask(lambda words: postings.least(words, marks, most, upto), [])

    def hashes(self, ids: Sequence[str]) -> dict[str, str]:
        """Passage id → content hash."""
        held = self.snapshot
        return held.hashes(ids) if held else self.ask(lambda w: postings.hashes(w, ids), {})

    def terms_from(self, prefix: str) -> dict[str, int]:
        """Every term that begins with `prefix`, with the number of passages that hold it."""
        if held := self.snapshot:
            return held.terms_from(prefix)
        return self.ask(lambda words: postings.terms_from(words, prefix), {})

    def stop_words(self) -> bytes:
        """Number, length and stop words as bits (`postings.STOPS`) of every passage."""
        if held := self.snapshot:
            return held.stops
        with self.lock:
            if self._stops is None:
                self.has_grown = True
                self._stops = self.ask(postings.stop_words, b"")
            return self._stops

    def is_sound(self) -> bool:
        return self.ask(postings.is_sound, otherwise=False)

    def sources(self) -> dict[str, str]:
        return self.ask(postings.sources, {})

    # Words ------------------------------------------------------------------------------------

    def replace(self, documents: Mapping[str, str], entries: Sequence[Entry]) -> None:
        """Make `entries` exactly the passages of `documents`; durable when this returns.

        A damaged file marks the lobe instead: who follows the store makes it again.
        """
        try:
            self._replace(documents, entries)
        except postings.DAMAGE as error:
            self.failed(error)

    def _replace(self, documents: Mapping[str, str], entries: Sequence[Entry]) -> None:
        with (
            self._writing,
            closing(postings.connect(self._path, model=self._model)) as writer,
            postings.transaction(writer),
        ):
            done = postings.replace(writer, documents, entries)
            stats = postings.stats(writer)
            held = postings.embedded_keys(writer, done.written)
            stops = self._stops
            if stops is not None:
                new = postings.stop_words(writer, start=self.stats.top)
                stops = postings.changed_stops(stops, gone=done.numbers, new=new)
            self._step("words.commit")
            with self.lock:
                writer.execute("COMMIT")
                self.snapshot = None
                self._remembered.clear()
                self._stops = stops if self._stops is not None else None
                self.stats = stats
                self._follow(done.removed, done.written, held)

    def _follow(
        self,
        removed: Iterable[str],
        written: Mapping[str, tuple[str, bytes]],
        held: Mapping[str, bytes],
    ) -> None:
        """Take vectors out of the search whose passage is gone or says something else now."""
        removed = set(removed)
        self._has_stale = self._has_stale or bool(removed)
        for id in removed:
            self.waiting.pop(id, None)
            self.buffered.pop(id, None)
        lacking: dict[str, tuple[str, bytes]] = {}
        for id, (document, key) in written.items():
            row = self.buffered.get(id)
            if row is not None and row.embed_key != key:
                del self.buffered[id]
                row = None
            if row is None and held.get(id) != key:
                lacking[id] = (document, key)
            else:
                self.waiting.pop(id, None)
        self.waiting |= lacking
        self._change(drop=removed | set(lacking), add={})
        kept = set(written) - set(lacking)
        if isinstance(self._matrix, Large):
            is_whole = self._matrix.holds(kept)
        else:
            is_whole = self._matrix is None or kept <= set(self._matrix.ids)
        if not is_whole:
            self._matrix = None

    # Vectors ----------------------------------------------------------------------------------

    @property
    def size(self) -> int:
        """Bytes in memory."""
        held, vectors = self.snapshot, self._matrix
        words = held.size if held else len(self._stops or b"")
        return words + (vectors.size if vectors else 0) + self._remembered.size

    def forget(self) -> None:
        """Let go of what is in memory; the next search reads it again."""
        with self.lock:
            self.snapshot = self._stops = None
            self._remembered.clear()
            self._matrix = None

    @property
    def is_read(self) -> bool:
        """Whether its vectors are in memory."""
        return self._matrix is not None

    @property
    def is_large(self) -> bool:
        """Whether its vectors are coded, once every passage has one."""
        return is_large(self.stats.count, dim=self._dim)

    def forget_matrix(self) -> None:
        with self.lock:
            self._remembered.clear()
            self._matrix = None

    def _change(self, *, drop: Iterable[str], add: Mapping[str, bytes]) -> None:
        """Follow in memory; a lobe that grows or shrinks past a form's limit is read again."""
        self._remembered.clear()
        held = self._matrix
        if isinstance(held, Large):
            self._matrix = held.changed(drop=drop, add=add)
        elif held is not None:
            held = changed(held, drop=drop, add=add, dim=self._dim)
            self._matrix = None if is_large(len(held.ids), dim=self._dim) else held

    def matrix(self) -> Matrix | Large:
        """The vectors of exactly the passages that are there now, loaded on demand."""
        with self.lock:
            if self._matrix is None:
                self.has_grown = True
                self._matrix = self.ask(self._load, None)
            return matrix({}, dim=self._dim) if self._matrix is None else self._matrix

    def left_out(self, documents: Collection[str]) -> LeftOut:
        """The passages of these documents; call it with `lock` held, for one commit."""
        wanted = frozenset(documents)
        found = self._remembered.left(wanted)
        if found is None:
            self.has_grown = True
            found = self.ask(lambda words: left_out(words, wanted), NOTHING)
            self._remembered.keep(wanted, found)
        return found

    def matrix_without(self, documents: Collection[str]) -> Matrix | Large:
        """`matrix` as it would be if these documents had never been there."""
        with self.lock:
            held, out = self.matrix(), self.left_out(documents)
            if self.damaged:
                return matrix({}, dim=self._dim)
            if not out.ids:
                return held
            wanted = frozenset(documents)
            if (thin := self._remembered.thinned(wanted, held)) is not None:
                return thin
            self.has_grown = True
            return self._remembered.thin(wanted, held, out, dim=self._dim)

    def _load(self, words: sqlite3.Connection) -> Matrix | Large:
        keys = postings.keys(words)
        held = {id: one for id, one in postings.embedded(words).items() if keys.get(id) == one[0]}
        try:
            stored = self._table.read() if held else {}
        except ERRORS:
            # Damaged or half there: the vectors are made again, the words go on.
            self._is_table_bad = True
            stored = {}
        good: dict[str, Stored] = {
            id: vector
            for id, (key, vector) in stored.items()
            if held.get(id) == (key, checksum(vector))
        }
        good |= {id: row.vector for id, row in self.buffered.items()}
        if lost := [id for id in held if id not in good]:
            self.waiting |= postings.waiting_for(words, lost)
        return fit(good, dim=self._dim, folder=self._folder)

    def known_vectors(self, wanted: Iterable[bytes]) -> dict[bytes, bytes]:
        """Embed key → stored vector, for keys that some passage here had before."""
        wanted = set(wanted)
        found = {
            row.embed_key: row.vector for row in self.buffered.values() if row.embed_key in wanted
        }
        lacking = wanted - set(found)
        holders = self.ask(lambda words: postings.holders(words, lacking), {})
        sums = self.ask(postings.embedded, {}) if holders else {}
        try:
            stored = self._table.read(sorted(set(holders.values())))
        except ERRORS:
            return found
        for id, (key, vector) in stored.items():
            if key in wanted and sums.get(id) == (key, checksum(vector)):
                found[key] = bytes(vector)
        return found

    def take(self, limit: int) -> dict[str, tuple[str, bytes]]:
        """Id → (document, key) of passages that wait, the oldest first."""
        with self.lock:
            return dict(list(self.waiting.items())[:limit])

    def give_up(self, ids: Iterable[str]) -> None:
        """These changed in the store meanwhile: the outbox brings them again."""
        with self.lock:
            for id in ids:
                self.waiting.pop(id, None)

    def add(self, rows: Iterable[Row]) -> None:
        """Make vectors searchable; `flush` makes them last."""
        with self.lock:
            fresh = {
                row.id: row
                for row in rows
                if self.waiting.get(row.id, ("", b""))[1] == row.embed_key
            }
            self.buffered |= fresh
            self.has_grown = True
            for id in fresh:
                del self.waiting[id]
            self._change(drop=(), add={id: row.vector for id, row in fresh.items()})

    def flush(self) -> None:
        """Write what is buffered, then take out the vectors whose passage is gone."""
        with self.lock:
            rows = list(self.buffered.values())
        if rows:
            self._step("vectors.write")
            self._upsert(rows)
            self._step("vectors.mark")
            self._mark(rows)
        if self._has_stale:
            self._prune()
        self.fragments = self._table.fragments()
        if self.fragments >= FRAGMENTS_MOST:
            self.compact()

    def _upsert(self, rows: Sequence[Row]) -> None:
        try:
            if self._is_table_bad:
                self._table.drop()
            self._table.upsert(rows)
        except ERRORS:
            # A table that can't be written is made again; reading it tells what is missing then.
            self._table.drop()
            self._table.upsert(rows)
            self.forget_matrix()
        self._is_table_bad = False

    def _mark(self, rows: Sequence[Row]) -> None:
        sums = [(row.id, row.embed_key, row.crc) for row in rows]
        with self._writing, self.lock:
            if not self._written(lambda words: postings.mark_embedded(words, sums)):
                return
            for row in rows:
                if self.buffered.get(row.id) is row:
                    del self.buffered[row.id]

    def _prune(self) -> None:
        stale = self.ask(postings.stale, [])
        if stale:
            try:
                self._table.delete(stale)
            except ERRORS:
                self.forget_matrix()
                return
            self._step("vectors.prune")
            with self._writing, self.lock:
                self._written(lambda words: postings.unmark_embedded(words, stale))
        self._has_stale = False

    def _written(self, change: Callable[[sqlite3.Connection], None]) -> bool:
        """Commit a change to the words file; False when it turns out to be damaged."""
        try:
            words = self.words()
            with postings.transaction(words):
                change(words)
                words.execute("COMMIT")
        except postings.DAMAGE as error:
            self.failed(error)
            return False
        return True

    def compact(self) -> None:
        """Fold the table's fragments; a table that can't be folded is read again with care."""
        try:
            self._table.compact()
        except ERRORS:
            self.forget_matrix()
        self.fragments = self._table.fragments()
