"""The one thread that indexes: words first, then meaning in small batches, then housekeeping.

Words are never kept waiting by vectors: between two batches the outbox is looked at again. Who
waits for words or vectors is woken by each step; nobody polls the index.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from lobes.domain.errors import LobesError
from lobes.engine.commits import Commits
from lobes.engine.log import name_of
from lobes.engine.protocol import EngineState, EngineStatus, SearchReply, SearchRequest
from lobes.engine.rate import Rate
from lobes.priority import give_way

BATCH = 64
"""Passages a batch: a query waits for at most one, and a stop, too."""

POLL_SECONDS = 1.0
"""How often a commit is looked for that nobody told us of; the look costs 60 to 90 µs."""

_LOAD_WAIT = 10.0
_MAINTAIN_AFTER = 5.0
_SETTLE_SECONDS = 0.05
_PROGRESS_SECONDS = 0.1

Stop = Callable[[], bool]
Progressed = Callable[[], None]

_log = logging.getLogger(__name__)


class Indexing(Protocol):
    """What the worker drives: `engine.index.Index`."""

    def load(self) -> None: ...
    def search(self, request: SearchRequest) -> SearchReply: ...
    def apply_outbox(self, *, stop: Stop = ..., progressed: Progressed = ...) -> int: ...
    def embed_pending(self, *, limit: int, stop: Stop = ...) -> int: ...
    def reconcile(self) -> int: ...
    def rebuild(self, lobes: Sequence[str] = ()) -> None: ...
    def status(self) -> EngineStatus: ...
    def warm(self, *, stop: Stop = ...) -> None: ...
    def maintain(self) -> None: ...
    def close(self) -> None: ...


class Worker:
    """Owns the index for as long as it runs; every public method may be called by any thread."""

    def __init__(self, index: Indexing, store: Path) -> None:
        self._index = index
        self._store = store
        self._progressed: Progressed = lambda: None
        self._published = 0.0
        self._turn = threading.Condition()
        self._stopping = False
        self._paused = False
        self._asked = 1
        self._answered = 0
        self._rebuilds: deque[tuple[str, ...]] = deque()
        self._busy = True
        self._status = EngineStatus("loading")
        self._troubles: dict[str, str] = {}
        self._loaded = threading.Event()
        self._rate = Rate()
        self._loader = threading.Thread(target=self._load, name="engine-load", daemon=True)
        self._indexer = threading.Thread(target=self._run, name="engine-index", daemon=True)

    def start(self, *, progressed: Progressed | None = None) -> None:
        """Begin; `progressed` is called by our threads after each step."""
        if progressed is not None:
            self._progressed = progressed
        self._indexer.start()
        self._loader.start()

    def stop(self, *, seconds: float, ending: bool = False) -> bool:
        """End after the batch under way and close the index; whether that came in time.

        `ending`: the process ends right after it, so imports under way are not waited for; an
        index that isn't loaded has nothing buffered.
        """
        with self._turn:
            self._stopping = True
            self._turn.notify_all()
        until = time.monotonic() + seconds
        self._indexer.join(seconds)
        if ending and not self._loaded.is_set():
            return not self._indexer.is_alive()
        self._loader.join(max(0.0, until - time.monotonic()))
        if self._indexer.is_alive() or self._loader.is_alive():
            return False
        self._index.close()
        return True

    # Questions ----------------------------------------------------------------------------

    def search(self, request: SearchRequest) -> SearchReply:
        """Waits for the first load, so that a cold engine gives the same answer as a warm one.

        A search that meets damage has it mended, without waiting for the next commit.
        """
        self._loaded.wait(_LOAD_WAIT)
        reply = self._index.search(request)
        if "rebuilding" in reply.degraded:
            self.look()
        return reply

    def status(self) -> EngineStatus:
        """The state after the last step, from memory."""
        with self._turn:
            return self._with_state(self._status)

    @property
    def busy(self) -> bool:
        """Whether a job is under way or due; an idle engine may leave."""
        with self._turn:
            return self._busy or self._is_due() or not self._loaded.is_set()

    def words_there(self, seq: int) -> bool | None:
        """Whether outbox row `seq` is searchable; None: it won't be, for now."""
        with self._turn:
            if self._status.seq >= seq:
                return True
            return None if self._stopping else False

    def vectors_there(self, ticket: int) -> bool | None:
        """Whether a look at the outbox after `ticket` left nothing to embed; None: it won't."""
        with self._turn:
            is_done = self._status.vectors_done >= self._status.vectors_total
            if self._paused and not is_done:
                return None
            if self._answered < ticket:
                return None if self._stopping else False
            has_no_model = self._loaded.is_set() and not self._status.model
            return is_done or (None if self._stopping or has_no_model else False)

    def wait(self, there: Callable[[], bool | None], *, seconds: float) -> bool:
        """Wait in this thread until `there` says True (or None: it never will)."""
        until = time.monotonic() + seconds
        with self._turn:
            while True:
                answer = there()
                left = until - time.monotonic()
                if answer is not False or left <= 0:
                    return bool(answer)
                self._turn.wait(left)

    # Orders -------------------------------------------------------------------------------

    def look(self) -> int:
        """Look at the outbox now; the ticket of that look."""
        with self._turn:
            self._asked += 1
            self._turn.notify_all()
            return self._asked

    def notify(self) -> None:
        """The outbox grew: look at it, and embed again if that was paused."""
        with self._turn:
            self._paused = False
        self.look()

    def pause(self) -> None:
        """No embedding after the current batch, until the next notify."""
        with self._turn:
            self._paused = True
            self._turn.notify_all()
        self._progressed()

    def rebuild(self, lobes: Sequence[str]) -> None:
        with self._turn:
            self._paused = False
            self._rebuilds.append(tuple(lobes))
        self.look()

    # The threads --------------------------------------------------------------------------

    def _load(self) -> None:
        self._guard("load", self._index.load)
        self._publish()
        self._loaded.set()
        self.look()

    def _run(self) -> None:
        give_way()
        commits = Commits(self._store)
        quiet_since, maintained = time.monotonic(), False
        while not self._stopping:
            followed = self._apply(commits)
            if followed:
                self._let_the_next_commit_come()
            if followed or self._embed() > 0:
                quiet_since, maintained = time.monotonic(), False
                continue
            self._guard("warm", lambda: self._index.warm(stop=self._must_yield))
            if not maintained and time.monotonic() - quiet_since >= _MAINTAIN_AFTER:
                self._guard("maintain", self._index.maintain)
                maintained = True
            self._rest()
        commits.close()

    def _apply(self, commits: Commits) -> bool:
        """What was ordered, then words up to the head; whether there was anything to do."""
        with self._turn:
            ticket, self._busy = self._asked, True
            rebuild = self._rebuilds.popleft() if self._rebuilds else None
        if rebuild is not None:
            self._guard("rebuild", lambda: self._index.rebuild(rebuild))
        if not commits.moved() and ticket == self._answered:
            self._publish()
            return False
        done = self._guard(
            "apply",
            lambda: self._index.apply_outbox(
                stop=self._must_stop, progressed=self._publish_now_and_then
            ),
        )
        self._publish(answered=ticket if done else 0)
        return done

    def _embed(self) -> int:
        """One batch; how many passages got their vector."""
        if self._paused or not self._loaded.is_set():
            return 0
        started = time.monotonic()
        done: list[int] = []

        def batch() -> None:
            done.append(self._index.embed_pending(limit=BATCH, stop=self._must_yield))

        self._guard("embed", batch)
        count = sum(done)
        if count:
            with self._turn:
                self._rate.add(count, begun=started, ended=time.monotonic())
            self._publish()
        return count

    def _let_the_next_commit_come(self) -> None:
        """Words go first: where commits follow each other, no batch of vectors comes in between."""
        with self._turn:
            if not self._stopping and not self._is_due():
                self._turn.wait(_SETTLE_SECONDS)

    def _rest(self) -> None:
        """Wait for an order or the next look; the engine counts as idle meanwhile."""
        with self._turn:
            self._busy = False
            if self._stopping or self._is_due():
                return
            self._turn.wait(POLL_SECONDS)

    def _is_due(self) -> bool:
        """Whether a look was asked for; after a failure the next one comes with the next look."""
        return self._asked > self._answered and "apply" not in self._troubles

    def _guard(self, name: str, job: Callable[[], object]) -> bool:
        """Run a job of the index; a failure is said in the status and tried again later."""
        trouble = ""
        try:
            job()
        except LobesError as error:
            trouble = f"{error.message} {error.hint}".strip()
        except Exception as error:
            trouble = f"The index failed ({name_of(error)})."
        with self._turn:
            if trouble and self._troubles.get(name) != trouble:
                _log.warning("%s: %s", name, trouble)
            self._troubles.pop(name, None)
            if trouble:
                self._troubles[name] = trouble
        return not trouble

    def _publish_now_and_then(self) -> None:
        """After each commit of words: a thousand small ones must not count all lobes each time."""
        if time.monotonic() - self._published >= _PROGRESS_SECONDS:
            self._publish()

    def _publish(self, *, answered: int = 0) -> None:
        """Take the index's counts and wake everybody who waits for them.

        The look that was answered is noted with the counts that it led to, in one step.
        """
        found: list[EngineStatus] = []
        self._guard("status", lambda: found.append(self._index.status()))
        with self._turn:
            if found:
                self._status = found[0]
            self._answered = max(self._answered, answered)
            self._published = time.monotonic()
            self._turn.notify_all()
        self._progressed()

    def _with_state(self, status: EngineStatus) -> EngineStatus:
        state: EngineState = status.state
        if self._stopping:
            state = "draining"
        elif state == "ready" and not self._loaded.is_set():
            state = "loading"
        elif state == "indexing" and self._paused and status.words_done >= status.words_total:
            state = "ready"
        is_embedding = status.vectors_done < status.vectors_total and not self._paused
        return replace(
            status,
            state=state,
            rate=self._rate.at(time.monotonic()) if is_embedding else 0.0,
            problems=tuple(dict.fromkeys((*status.problems, *self._troubles.values()))),
        )

    def _must_stop(self) -> bool:
        return self._stopping

    def _must_yield(self) -> bool:
        return self._stopping or self._paused or self._asked > self._answered
