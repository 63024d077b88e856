"""A masked secret in the evidence, shown for ten seconds to its owner, never in a list.

That it was shown is in the record. It goes with the cursor, the page and the answer it stands in,
and is never copied: what is copied is the answer, which is masked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from lobes.tui.values import Answer

if TYPE_CHECKING:
    from textual.timer import Timer

    from lobes.tui.screens.page import PageScreen

SECONDS = 10


class Revealing:
    """`changed` is called when `shown` gives something else for the answer under the cursor."""

    def __init__(self, screen: PageScreen, changed: Callable[[], None]) -> None:
        self._screen = screen
        self._changed = changed
        self._masked: Answer | None = None
        self._clear: Answer | None = None
        self._timer: Timer | None = None

    def begin(self, answer: Answer) -> None:
        """Ask for the secrets of its document; a refusal says whose it is to see them."""
        work = partial(self._screen.source.clear_lines, answer.document)
        self._screen.jobs.start("reveal", work, partial(self._read, answer))

    def shown(self, answer: Answer) -> Answer:
        """The answer, for a while with its secrets."""
        return self._clear if self._clear is not None and answer == self._masked else answer

    def note(self, answer: Answer) -> str:
        """What stands under the heading of an answer with a masked secret."""
        if self.shown(answer) is not answer:
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

    def _read(self, answer: Answer, lines: Mapping[int, str]) -> None:
        self.end()
        self._masked, self._clear = answer, replace(answer, text=_with(answer, lines))
        self._timer = self._screen.set_timer(SECONDS, self.end)
        self._changed()


def _with(answer: Answer, lines: Mapping[int, str]) -> str:
    """The text with these lines of its file; masking left each line in its place."""
    own = enumerate(answer.text.split("\n"), start=answer.first_line)
    return "\n".join(lines.get(number, line) for number, line in own)
