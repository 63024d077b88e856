"""A masked secret in the evidence, shown for ten seconds to its owner, never in a list.

That it was shown is in the record. It goes with the cursor, the page and what it stands in, and is
never copied: what is copied is masked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Generic, TypeVar

from lobes.domain.resources import Resource

if TYPE_CHECKING:
    from textual.timer import Timer

    from lobes.domain.memories import Memory
    from lobes.tui.ports import Source
    from lobes.tui.screens.page import PageScreen
    from lobes.tui.values import Answer

SECONDS = 10
T = TypeVar("T")


class Revealing(Generic[T]):
    """`changed` is called when `shown` gives something else for what is under the cursor."""

    def __init__(self, screen: PageScreen, changed: Callable[[], None]) -> None:
        self._screen = screen
        self._changed = changed
        self._masked: T | None = None
        self._clear: T | None = None
        self._timer: Timer | None = None

    def begin(self, masked: T, read: Callable[[], T]) -> None:
        """Ask for the same with its secrets; a refusal says whose it is to see them."""
        self._screen.jobs.start("reveal", read, partial(self._read, masked))

    def shown(self, masked: T) -> T:
        """The same, for a while with its secrets."""
        return self._clear if self._clear is not None and masked == self._masked else masked

    def is_shown(self, masked: T) -> bool:
        return self.shown(masked) is not masked

    def note(self, masked: T) -> str:
        """What stands beside a text with a masked secret."""
        if self.is_shown(masked):
            return f"The secret is shown for {SECONDS} s; the record says so."
        key = self._screen.look.key("uncover")
        return f"{key} shows the secret for {SECONDS} s; the record will say so."

    def end(self) -> None:
        self._screen.jobs.forget("reveal")
        if self._timer is not None:
            self._timer.stop()
        was, self._masked, self._clear, self._timer = self._clear, None, None, None
        if was is not None:
            self._changed()

    def _read(self, masked: T, clear: T) -> None:
        self.end()
        self._masked, self._clear = masked, clear
        self._timer = self._screen.set_timer(SECONDS, self.end)
        self._changed()


def clear_answer(source: Source, answer: Answer) -> Answer:
    if answer.memory is not None:
        lines = source.clear_lines(Resource("memory", answer.document))
        return replace(answer, text=_with(answer.text, 1, lines))
    lines = source.clear_lines(Resource("document", answer.document))
    return replace(answer, text=_with(answer.text, answer.first_line, lines))


def clear_memory(source: Source, memory: Memory) -> Memory:
    lines = source.clear_lines(Resource("memory", memory.id))
    return replace(memory, statement=_with(memory.statement, 1, lines))


def _with(text: str, first: int, lines: Mapping[int, str]) -> str:
    """The text with these lines of its file; masking left each line in its place."""
    own = enumerate(text.split("\n"), start=first)
    return "\n".join(lines.get(number, line) for number, line in own)
