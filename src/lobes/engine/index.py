"""The index: one folder a lobe, words and meaning, following the store by its outbox.

The store is the truth and is only read. Whatever is missing, old or damaged here is made again from
it; a search meanwhile answers with what is sound and says what is missing.
"""

from __future__ import annotations

import importlib
import os
import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from threading import RLock

from lobes.domain.errors import Unavailable
from lobes.engine import indexer
from lobes.engine.embed import Embedder
from lobes.engine.folder import prepare, read_cursor, write_cursor
from lobes.engine.lance import lancedb
from lobes.engine.lobe import Step
from lobes.engine.minilm import MiniLm
from lobes.engine.protocol import EngineState, EngineStatus, SearchReply, SearchRequest
from lobes.engine.shelf import Shelf
from lobes.engine.vectors import FRAGMENTS_MAINTAIN
from lobes.store import read

ROWS_A_ROUND = 1000
_LONG = 50
"""Outbox rows from which on the passages of the store are counted, to say how far it has come."""


def never() -> bool:
    """The stop signal of a caller that waits for the end."""
    return False


def unheard() -> None:
    """Nobody asks for progress."""


def unwatched(step: str) -> None:
    """No test watches the steps."""


class Index:
    """Owns one index folder. `search` and `status` may run beside every other method."""

    def __init__(
        self,
        folder: Path,
        store: Path,
        *,
        embedder: Embedder | None = None,
        threads: int = 1,
        step: Step = unwatched,
    ) -> None:
        self._folder = folder
        self._store = store
        self._embedder = embedder if embedder is not None else MiniLm(threads=threads)
        self._step = step
        self._following = RLock()
        self._embedding = RLock()
        self._is_loaded = False
        self._state: EngineState = "loading"
        self._problem = ""
        self._expected = 0
        # The words are opened at the first use, so that a new process can bind its socket first.
        self._shelf: Shelf | None = None
        self._seq: int | None = None

    def load(self) -> None:
        """Import what is heavy, verify the model, warm up; until then search answers by words.

        Raises nothing for a damaged model: it becomes a problem in `status`.
        """
        _one_blas_thread()
        importlib.import_module("lobes.engine.search")

        self._lobes()
        try:
            self._embedder.load()
        except Unavailable as error:
            self._problem = error.message
        else:
            lancedb()
            self._is_loaded = True
        self._state = "ready"

    def _lobes(self) -> Shelf:
        with self._following:
            if self._shelf is None:
                is_fresh = prepare(self._folder)
                shelf = Shelf(
                    self._folder, model=self._embedder.id, dim=self._embedder.dim, step=self._step
                )
                shelf.open_all()
                self._seq = None if is_fresh else read_cursor(self._folder)
                self._shelf = shelf
            return self._shelf

    def search(self, request: SearchRequest) -> SearchReply:
        """The best candidates of exactly the given lobes."""
        shelf = self._shelf or self._lobes()
        _one_blas_thread()
        from lobes.engine.search import search

        found = [shelf.get(address) for address in sorted(set(request.lobes))]
        lobes = [lobe for lobe in found if lobe is not None]
        embedder = self._embedder if self._is_loaded else None
        without = {address: frozenset(gone) for address, gone in request.without.items()}
        reply = search(lobes, request.query, request.depth, embedder=embedder, without=without)
        shelf.used(lobes)
        return reply

    def apply_outbox(
        self, *, stop: Callable[[], bool] = never, progressed: Callable[[], None] = unheard
    ) -> int:
        """Follow the outbox to its head (words); the last sequence number applied.

        Starts with a `reconcile` when the cursor is unknown, ahead of the store, or rows are gone.
        `progressed` is called after each commit.
        """
        with self._following, self._reading() as store, self._ahead(store):
            shelf = self._lobes()
            if self._seq is None or self._missed(store, self._seq):
                self._reconcile(store, stop, progressed)
            self._mend(store, progressed)
            while rows := read.outbox_after(store, self._seq or 0, limit=ROWS_A_ROUND):
                indexer.apply_rows(
                    shelf, store, rows, model=self._embedder.id, progressed=progressed
                )
                self._mend(store, progressed)
                self._advance(rows[-1].seq)
                if stop():
                    break
            shelf.trim()
            return self._seq or 0

    @contextmanager
    def _ahead(self, store: sqlite3.Connection) -> Generator[None]:
        """Know how many passages there will be, while there is much to follow."""
        self._lobes()
        if self._seq is None or read.outbox_head(store) - self._seq >= _LONG:
            self._expected = sum(read.lobes_with_passages(store).values())
        try:
            yield
        finally:
            self._expected = 0

    def _missed(self, store: sqlite3.Connection, seq: int) -> bool:
        first, head = read.outbox_first(store), read.outbox_head(store)
        return head < seq or (head > seq and (first is None or first > seq + 1))

    def _advance(self, seq: int) -> None:
        self._step("cursor.write")
        write_cursor(self._folder, seq)
        self._seq = seq

    def embed_pending(self, *, limit: int, stop: Callable[[], bool] = never) -> int:
        """Embed one small batch; how many passages got their vector, 0 when none waits."""
        if not self._is_loaded or stop():
            return 0
        shelf = self._lobes()
        with self._embedding, self._reading() as store:
            done, _ = indexer.embed_batch(shelf, store, self._embedder, limit)
            indexer.flush(shelf, everything=done == 0)
            return done

    def reconcile(self) -> int:
        """Compare every lobe with the store and repair; how many documents differed."""
        with self._following, self._reading() as store:
            self._lobes()
            return self._reconcile(store, never, unheard)

    def _reconcile(
        self, store: sqlite3.Connection, stop: Callable[[], bool], progressed: Callable[[], None]
    ) -> int:
        head = read.outbox_head(store)
        shelf = self._lobes()
        differed = indexer.repair_all(
            shelf, store, model=self._embedder.id, stop=stop, progressed=progressed
        )
        if not stop():
            self._advance(head)
        return differed

    def _mend(self, store: sqlite3.Connection, progressed: Callable[[], None]) -> None:
        """Make damaged lobes again: the cursor never passes a row that one of them missed."""
        shelf = self._lobes()
        if damaged := [lobe.address for lobe in shelf if lobe.damaged]:
            counts = read.lobes_with_passages(store)
            for address in damaged:
                shelf.drop(address)
                if counts.get(address):
                    indexer.repair(
                        shelf, store, address, counts[address],
                        model=self._embedder.id, progressed=progressed,
                    )  # fmt: skip

    def rebuild(self, lobes: Sequence[str] = ()) -> None:
        """Throw the index of these lobes (none given: all) away and make its words again.

        Their vectors follow by `embed_pending`.
        """
        with self._following, self._embedding, self._reading() as store:
            shelf = self._lobes()
            before = self._state
            self._state = "rebuilding"
            try:
                known = read.lobes_with_passages(store)
                for address in lobes or sorted({*known, *(lobe.address for lobe in shelf)}):
                    shelf.drop(address)
                    if known.get(address):
                        indexer.repair(
                            shelf, store, address, known[address],
                            model=self._embedder.id, progressed=unheard,
                        )  # fmt: skip
            finally:
                self._state = before

    def status(self) -> EngineStatus:
        """Counts from memory; `pid`, `build`, `rate` and `watching` are the caller's to fill."""
        lobes = list(self._shelf) if self._shelf is not None else []
        words = sum(lobe.stats.count for lobe in lobes)
        waiting = sum(len(lobe.waiting) for lobe in lobes)
        damaged = sum(lobe.damaged for lobe in lobes)
        state = self._state
        total = max(words, self._expected)
        if state == "ready" and ((waiting and self._is_loaded) or words < total):
            state = "indexing"
        problems = [self._problem] if self._problem else []
        if damaged:
            problems.append(f"{damaged} of the lobes are being made again.")
        return EngineStatus(
            state=state,
            seq=self._seq or 0,
            words_done=words,
            words_total=total,
            vectors_done=words - waiting,
            vectors_total=words,
            fragments=max((lobe.fragments for lobe in lobes), default=0),
            lobes=len(lobes),
            model=self._embedder.id if self._is_loaded else "",
            problems=tuple(problems),
        )

    def warm(self, *, stop: Callable[[], bool] = never) -> None:
        """Take what was searched into memory, so that the next search asks no file.

        Reading all of it meets damage that a single search doesn't see: it is mended at once.
        """
        if self._shelf is None:
            return
        self._shelf.warm(stop=stop)
        if any(lobe.damaged for lobe in self._shelf):
            with self._following, self._reading() as store:
                self._mend(store, unheard)

    def maintain(self) -> None:
        """Compact tables of many fragments and close idle handles."""
        shelf = self._lobes()
        with self._embedding:
            indexer.flush(shelf, everything=True)
            for lobe in shelf:
                if lobe.fragments >= FRAGMENTS_MAINTAIN:
                    lobe.compact()
        shelf.trim(all_files=True)

    def close(self) -> None:
        """Write what is buffered and let go of every file."""
        if self._shelf is None:
            return
        with self._following, self._embedding:
            if self._is_loaded:
                indexer.flush(self._shelf, everything=True)
            for lobe in self._shelf:
                lobe.release()

    @contextmanager
    def _reading(self) -> Generator[sqlite3.Connection]:
        """The store for one piece of work; `Unavailable` when it can't be read now."""
        try:
            with closing(read.connect(self._store)) as store:
                yield store
        except sqlite3.OperationalError as error:
            raise Unavailable(
                "The store can't be read now.",
                hint="Try again, or run lobes doctor.",
                reason="store",
            ) from error


def _one_blas_thread() -> None:
    """Before numpy is imported: two BLAS threads beside Lance's pool took 70 ms instead of 11."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
