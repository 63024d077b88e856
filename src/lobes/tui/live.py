"""What others write shows up: two workers that watch until the app stops, and only post messages.

One follows the roots through the engine and has changed files indexed; one asks the store once a
second whether anybody wrote, and the engine how far it has come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

from lobes.domain.errors import LobesError
from lobes.tui.views.chrome import IndexState

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp
    from lobes.tui.ports import Source

EVERY = 1.0
"""Seconds between two looks at the store and the engine."""

AGAIN = 8.0
"""Seconds before a watch that failed is tried again."""


class StoreMoved(Message):
    """`store`: something was written. `index`, `trouble`: the new values, None for no change."""

    def __init__(
        self, *, store: bool = False, index: IndexState | None = None, trouble: str | None = None
    ) -> None:
        super().__init__()
        self.store = store
        self.index = index
        self.trouble = trouble


class Live:
    """The two workers. They end within a second of `app.stopping`."""

    def __init__(self, app: LobesApp, source: Source) -> None:
        self._app = app
        self._source = source
        self.started = False

    def start(self) -> None:
        """Called once the first list stands: the engine's start must not compete with it."""
        self.started = True
        for name, work in (("watch", self._watch), ("poll", self._poll), ("warm", self._warm)):
            self._app.run_worker(
                work, name=name, group=name, exclusive=True, exit_on_error=False, thread=True
            )

    def _warm(self) -> None:
        self._source.prewarm()

    def _watch(self) -> None:
        stop = self._app.stopping
        while not stop.is_set():
            try:
                self._source.follow(stop, self._moved, self._failed)
            except LobesError as error:
                self._failed(error.message)
            stop.wait(AGAIN)

    def _moved(self) -> None:
        self._app.post_message(StoreMoved(store=True))

    def _failed(self, sentence: str) -> None:
        self._app.post_message(StoreMoved(trouble=sentence))

    def _poll(self) -> None:
        stop, version, index = self._app.stopping, -1, IndexState()
        while not stop.wait(EVERY if version >= 0 else 0):
            try:
                now, state = self._source.version(), self._source.index_state()
            except LobesError:
                now, state = version, IndexState("off")
            if now != version or state != index:
                moved = now != version and version >= 0
                self._app.post_message(StoreMoved(store=moved, index=state))
            version, index = max(now, 0), state
