"""The same index inside the caller, for tests and scripts: the port without a process.

The index is loaded at the first call that needs it, the watcher is the engine's own, and `stop`
ends the threads of this object. Two inline engines, or one beside an engine process, on the same
home are refused by the engine's lock.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import TracebackType

from lobes import __version__
from lobes.domain.errors import LobesError, Unavailable
from lobes.engine.compose import index_of
from lobes.engine.endpoint import EnginePlace
from lobes.engine.hints import Hints
from lobes.engine.locking import FileLock
from lobes.engine.protocol import (
    EngineStatus,
    SearchReply,
    SearchRequest,
    Waited,
    WatchEvent,
    WatchRoot,
)
from lobes.engine.watch import Watcher
from lobes.engine.worker import Indexing, Worker

_STOP_SECONDS = 30.0


class Inline:
    """`protocol.Engine` in this process; `index` makes another index than the home's own."""

    def __init__(
        self, place: EnginePlace, *, index: Callable[[EnginePlace], Indexing] = index_of
    ) -> None:
        self._place = place
        self._make = index
        self._lock = threading.Lock()
        self._running: tuple[Worker, FileLock] | None = None
        self._hints = Hints()
        self._watcher = Watcher(self._hints, hint_seconds=place.settings.hint_seconds)
        self._roots = 0

    def __enter__(self) -> Inline:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def search(self, request: SearchRequest) -> SearchReply:
        return self._worker().search(request)

    def notify(self) -> None:
        if self._running is not None:
            self._running[0].notify()

    def status(self) -> EngineStatus:
        if self._running is None:
            return EngineStatus("off")
        status = self._running[0].status()
        problems = tuple(dict.fromkeys((*status.problems, *self._watcher.problems)))
        return replace(
            status,
            pid=os.getpid(),
            build=__version__,
            watching=self._roots,
            problems=problems,
        )

    def wait_words(self, seq: int, *, seconds: float) -> Waited:
        worker = self._worker()
        worker.look()
        reached = worker.wait(lambda: worker.words_there(seq), seconds=seconds)
        return Waited(reached, self.status())

    def wait_vectors(self, *, seconds: float) -> Waited:
        worker = self._worker()
        ticket = worker.look()
        reached = worker.wait(lambda: worker.vectors_there(ticket), seconds=seconds)
        return Waited(reached, self.status())

    def cancel(self) -> None:
        if self._running is not None:
            self._running[0].pause()

    def rebuild(self, lobes: Sequence[str] = ()) -> None:
        self._worker().rebuild(lobes)

    def watch(self, roots: Sequence[WatchRoot]) -> None:
        self._roots = len(roots)
        self._watcher.watch(roots)

    def next_event(self, *, seconds: float) -> WatchEvent | None:
        return self._hints.wait(seconds=seconds)

    def prewarm(self) -> None:
        try:
            self._worker()
        except LobesError:  # the call that needs the engine will say it
            return

    def stop(self) -> bool:
        with self._lock:
            running, self._running = self._running, None
        if running is None:
            return False
        worker, lock = running
        ended = worker.stop(seconds=_STOP_SECONDS)
        lock.close()
        if not ended:
            raise Unavailable("The index didn't stop in time.", reason="engine_hung")
        return True

    def close(self) -> None:
        self._watcher.stop()
        self.stop()

    def _worker(self) -> Worker:
        with self._lock:
            if self._running is None:
                lock = _lock(self._place)
                worker = Worker(self._make(self._place), self._place.store)
                worker.start()
                self._running = (worker, lock)
            return self._running[0]


def _lock(place: EnginePlace) -> FileLock:
    if not place.store.is_file():
        raise Unavailable(
            "There is no store to index.", hint="Run lobes init, or lobes doctor.", reason="store"
        )
    try:
        place.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(place.lock)
    except OSError as error:
        raise Unavailable(
            "The index folder can't be written.", hint="Run lobes doctor.", reason="index_read_only"
        ) from error
    if not lock.take():
        lock.close()
        raise Unavailable(
            "Another index engine runs for this home.",
            hint="Run lobes engine stop.",
            reason="engine_runs",
        )
    return lock
