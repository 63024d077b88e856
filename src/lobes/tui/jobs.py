"""All I/O runs in named thread workers that only post their result; the newest of a group wins.

A result carries the generation it was asked in, so that a slow answer never replaces a newer one,
whatever the worker's cancellation did. An error becomes a message as well, never the end of the
session.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from textual.app import App
from textual.message import Message
from textual.screen import Screen

T = TypeVar("T")


class Settled(Message):
    """A job has ended. The node that started it calls `settle`, in the event loop."""

    def __init__(self, settle: Callable[[], None]) -> None:
        super().__init__()
        self.settle = settle


class Failed(Protocol):
    def __call__(self, error: Exception, /) -> None: ...


class Jobs:
    """The jobs of one screen or of the app, by group."""

    def __init__(self, node: Screen[Any] | App[Any], failed: Failed) -> None:
        self._node = node
        self._failed = failed
        self._generations: dict[str, int] = {}

    def start(
        self,
        group: str,
        work: Callable[[], T],
        done: Callable[[T], None],
        *,
        failed: Failed | None = None,
    ) -> None:
        """Run `work` in a thread and hand its value to `done`, unless a newer job began."""
        generation = self._generations[group] = self._generations.get(group, 0) + 1
        report = failed or self._failed

        def run() -> None:
            try:
                value = work()
            except Exception as error:
                caught = error
                self._post(group, generation, lambda: report(caught))
                return
            self._post(group, generation, lambda: done(value))

        self._node.run_worker(
            run, name=group, group=group, exclusive=True, exit_on_error=False, thread=True
        )

    def forget(self, group: str) -> None:
        """Whatever this group is doing, its result is not wanted any more."""
        self._generations[group] = self._generations.get(group, 0) + 1

    def _post(self, group: str, generation: int, settle: Callable[[], None]) -> None:
        def checked() -> None:
            if self._generations.get(group) == generation and self._node.is_running:
                settle()

        self._node.post_message(Settled(checked))
