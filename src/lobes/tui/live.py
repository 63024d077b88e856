"""What others write shows up: two workers that watch until the app stops, and only post messages.

One follows the roots through the engine and has changed files indexed; one asks the store once a
second whether anybody wrote, and the engine how far it has come. Neither ends for a fault: it is
shown, and tried again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING

from textual.message import Message

from lobes.priority import give_way
from lobes.tui.errors import sentence
from lobes.tui.views.chrome import IndexState

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp
    from lobes.tui.ports import Source

EVERY = 1.0
"""Seconds between two looks at the store and the engine."""

AGAIN = 8.0
"""Seconds before a watch that failed is tried again."""

SETTLE = 1.0
"""Seconds before the first look at the packs: what a write needs (half a second of imports) comes
after the first screen has settled."""

ASKED_SOON = (
    "lobes.tui.screens.search",
    "lobes.tui.screens.review",
    "lobes.services.review_queue",
)
"""Loaded once the first screen has settled, for the key that most likely comes next: Review alone
takes 45 ms to load."""

QUIET = 0.25
"""Seconds without a key after which work in the background goes on."""

GRACE = 3.0
"""Seconds after a new try in which a fault that comes back still counts as the same one."""


class StoreMoved(Message):
    """`store`: something was written. `index`, `trouble`: the new values, None for no change."""

    def __init__(
        self, *, store: bool = False, index: IndexState | None = None, trouble: str | None = None
    ) -> None:
        super().__init__()
        self.store = store
        self.index = index
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class _Fault:
    """What stopped the watch, and when it is tried again (seconds that only grow)."""

    text: str
    again: float

    def words(self, now: float) -> str:
        """The line for line 2; empty once the new try has held."""
        left = self.again - now
        if left < -GRACE:
            return ""
        return f"{self.text} Trying again {f'in {left:.0f} s' if left >= 0.5 else 'now'}"


class Yielding:
    """`app.stopping` for long work: asked between two pieces of it, it waits while keys come.

    Python runs one thread at a time, so a catch-up of ten thousand folders would be felt in each
    key. One wait is at most `QUIET` long: the work goes on, slowly, under a key held down.
    """

    def __init__(self, app: LobesApp) -> None:
        self._app = app

    def is_set(self) -> bool:
        left = QUIET - (time.monotonic() - self._app.last_key)
        if left > 0:
            self._app.stopping.wait(left)
        return self._app.stopping.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        return self._app.stopping.wait(timeout)


class Pace:
    """How fast an index that is being rebuilt comes along: the engine tells no rate of words."""

    def __init__(self) -> None:
        self._since: tuple[float, int] | None = None

    def of(self, state: IndexState, now: float) -> IndexState:
        """The state with the rate since the rebuild was first seen."""
        if state.state != "rebuilding":
            self._since = None
            return state
        if self._since is None or state.done < self._since[1]:
            self._since = now, state.done
        then, done = self._since
        return replace(state, rate=(state.done - done) / (now - then) if now > then else 0.0)


class Live:
    """The two workers. They end within a second of `app.stopping`."""

    def __init__(self, app: LobesApp, source: Source) -> None:
        self._app = app
        self._source = source
        self._fault: _Fault | None = None
        self.started = False
        self._pace = Pace()

    def start(self) -> None:
        """Called once the first list stands: the engine's start must not compete with it."""
        self.started = True
        for name, work in (("watch", self._watch), ("poll", self._poll), ("warm", self._warm)):
            self._app.run_worker(
                work, name=name, group=name, exclusive=True, exit_on_error=False, thread=True
            )

    def _warm(self) -> None:
        give_way()
        try:
            self._source.prewarm()
        except Exception as error:
            self._failed(error)
        stop = Yielding(self._app)
        stop.wait(SETTLE)
        for name in ASKED_SOON:
            if not stop.is_set():
                import_module(name)

    def _watch(self) -> None:
        give_way()
        stop = Yielding(self._app)
        self._app.stopping.wait(SETTLE)
        while not stop.is_set():
            try:
                self._source.follow(stop, self._moved, self._waited)
            except Exception as error:
                self._waited(error)

    def _moved(self) -> None:
        """Something was taken over, so whatever stood in the way does no more."""
        self._fault = None
        self._app.post_message(StoreMoved(store=True))

    def _failed(self, error: Exception) -> None:
        self._fault = _Fault(_in_words(error), time.monotonic() + AGAIN)

    def _waited(self, error: Exception) -> None:
        """A fault, and the pause before the next try: without one it would be tried at once."""
        self._failed(error)
        self._app.stopping.wait(AGAIN)

    def _poll(self) -> None:
        stop, known, trouble, index = self._app.stopping, -1, "", IndexState()
        while not stop.wait(EVERY if known >= 0 else 0):
            version, state, words = self._look()
            moved = version is not None and version != known and known >= 0
            if moved or words != trouble or state != index:
                self._app.post_message(StoreMoved(store=moved, index=state, trouble=words))
            known = max(known, 0) if version is None else version
            trouble, index = words, state

    def _look(self) -> tuple[int | None, IndexState, str]:
        """The store's version (None: it doesn't say), the engine's state, and what is wrong."""
        fault = self._fault
        words = fault.words(time.monotonic()) if fault else ""
        try:
            version = self._source.version()
        except Exception as error:
            version, words = None, _in_words(error)
        try:
            state = self._pace.of(self._source.index_state(), time.monotonic())
        except Exception as error:
            state, words = IndexState("off"), words or _in_words(error)
        return version, state, words


def _in_words(error: Exception) -> str:
    """One sentence: an engine that ended is named by what it means, the rest by itself."""
    reason = getattr(error, "reason", "")
    if reason.startswith("engine_") and reason != "engine_newer":
        return "search is off: the index engine stopped."
    return sentence(error)[0]
