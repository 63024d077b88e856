"""All I/O runs in named thread workers that only post their result; the newest of a group wins.

A result carries the generation it was asked in, so that a slow answer never replaces a newer one,
whatever the worker's cancellation did. What writes is never overtaken: the next of its group
begins once it has ended, and each is heard. An error becomes a message as well, never the end of
the session. A job that a person waits for says how long it has taken, and can be given up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from textual.app import App
from textual.message import Message
from textual.screen import Screen

from lobes.domain.errors import LobesError
from lobes.tui.breakage import Survival, broke

if TYPE_CHECKING:
    from textual.timer import Timer

T = TypeVar("T")

SLOW, STOPPABLE, TICK = 0.4, 2.0, 0.2
"""Seconds after which a job says how long it has taken, then how to stop it; how often it does."""

READS = frozenset({"list", "evidence", "lobe", "record", "chain", "look", "place", "zoom", "index"})
WRITES = frozenset({"act", "add", "decide", "edited", "save", "undo"})
"""The groups whose jobs a person waits for."""

IN_TURN = WRITES | {"preferences", "remember", "use"}
"""The groups that write: their jobs run one after the other."""


class Settled(Message):
    """A job has ended. The node that started it calls `settle`, in the event loop."""

    def __init__(self, settle: Callable[[], None]) -> None:
        super().__init__()
        self.settle = settle


class Failed(Protocol):
    def __call__(self, error: Exception, /) -> None: ...


class Jobs:
    """The jobs of one screen or of the app, by group.

    `waited` is called five times a second while a job of `said` is slow, and when it no more is.
    `is_held` says whether what writes waits for another process that writes; it must not block.
    """

    def __init__(
        self,
        node: Screen[Any] | App[Any],
        failed: Failed,
        *,
        said: frozenset[str] = READS | WRITES,
        waited: Callable[[], None] | None = None,
        is_held: Callable[[], bool] = bool,
    ) -> None:
        self._node = node
        self._failed = failed
        self._generations: dict[str, int] = {}
        self._behind: dict[str, deque[Callable[[], None]]] = {}
        """For each group that writes now, what waits until it has."""
        self._said = said
        self._waited = waited
        self._is_held = is_held
        self._since: dict[str, float] = {}
        self._ticking: Timer | None = None

    def start(
        self,
        group: str,
        work: Callable[[], T],
        done: Callable[[T], None] = lambda _: None,
        *,
        failed: Failed | None = None,
    ) -> None:
        """Run `work` in a thread and hand its value to `done`, unless a newer job began; without
        `done` there is nothing to show of it."""
        begin = partial(self._begin, group, work, done, failed or self._failed)
        if group in self._behind:
            self._behind[group].append(begin)
            return
        if group in IN_TURN:
            self._behind[group] = deque()
        begin()

    def _begin(
        self, group: str, work: Callable[[], T], done: Callable[[T], None], report: Failed
    ) -> None:
        generation = self._generations[group] = self._generations.get(group, 0) + 1
        if self._waited and group in self._said:
            self._since[group] = monotonic()
            self._ticking = self._ticking or self._node.set_interval(TICK, self._tick)

        def run() -> None:
            try:
                value = work()
            except Exception as error:
                caught = error
                self._post(group, generation, lambda: self._fail(report, caught))
                return
            self._post(group, generation, lambda: done(value))

        self._node.run_worker(
            run, name=group, group=group, exclusive=True, exit_on_error=False, thread=True
        )

    @property
    def is_awaited(self) -> bool:
        """Whether a job that a person waits for has not settled: what it found isn't shown yet."""
        return bool(self._since)

    def is_awaited_of(self, group: str) -> bool:
        """Whether a job of this group that a person waits for has neither settled nor been given
        up."""
        return group in self._since

    def is_writing(self, group: str) -> bool:
        """Whether a job of this group, one of `IN_TURN`, has not ended."""
        return group in self._behind

    def _next(self, group: str) -> None:
        if behind := self._behind.get(group):
            behind.popleft()()
        else:
            self._behind.pop(group, None)

    def forget(self, group: str) -> None:
        """Whatever this group is doing, its result is not wanted any more."""
        self._generations[group] = self._generations.get(group, 0) + 1
        self._ended(group)

    def waiting(self, mark: str = "…", *, stop: str = "esc") -> str:
        """What is said of the job that has taken longest, or "": `looking… 2.4 s   esc stops`.

        What writes can't be given up. Where it waits for the store, that is said.
        """
        group, took = self._longest()
        if took < SLOW:
            return ""
        if group in WRITES:
            who = "another Lobes is writing; " if self._is_held() else ""
            return f"{who}waiting {took:.1f} s"
        return f"looking{mark} {took:.1f} s" + (f"   {stop} stops" if took >= STOPPABLE else "")

    def stoppable(self) -> str:
        """The group of a job that says that `esc` stops it, or ""."""
        group, took = self._longest()
        return group if took >= STOPPABLE and group not in WRITES else ""

    def stop(self) -> bool:
        """Give up the job that says that it can be; whether there was one."""
        group = self.stoppable()
        if group:
            self.forget(group)
        return bool(group)

    def _longest(self) -> tuple[str, float]:
        if not self._since:
            return "", 0.0
        group = min(self._since, key=self._since.__getitem__)
        return group, monotonic() - self._since[group]

    def _tick(self) -> None:
        if self._waited and self._longest()[1] >= SLOW:
            self._waited()

    def _ended(self, group: str) -> None:
        if self._since.pop(group, None) is None or self._since:
            return
        if self._ticking:
            self._ticking.stop()
            self._ticking = None
        if self._waited:
            self._waited()

    def _fail(self, report: Failed, error: Exception) -> None:
        report(error)
        app = self._node.app
        if not isinstance(error, LobesError) and isinstance(app, Survival) and app.survives:
            broke(app, error)

    def _post(self, group: str, generation: int, settle: Callable[[], None]) -> None:
        def checked() -> None:
            if self._generations.get(group) == generation:
                self._ended(group)
                try:
                    if self._node.is_running:
                        settle()
                finally:
                    self._next(group)

        self._node.post_message(Settled(checked))
