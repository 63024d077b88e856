"""A long difference is laid out in a thread, so that no key waits for it, and kept the way it was
shown last. What is shown before is what was laid out of it last, and doesn't count as all of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from textual.worker import get_current_worker

from lobes.tui.views.review_diff import LaidOut, difference

if TYPE_CHECKING:
    from lobes.domain.line_diff import DiffLine
    from lobes.tui.paint import Line, Look
    from lobes.tui.screens.page import PageScreen

Diff = tuple["DiffLine", ...]

AT_ONCE = 20_000
"""Characters that are laid out where keys are handled: some milliseconds."""
LINE = 50
"""Characters that one line takes as long as, whatever it says."""
PAUSE = 0.002
"""Seconds that the thread lets the keys have after each piece of `AT_ONCE`."""


@dataclass(frozen=True, slots=True)
class _Way:
    """A difference as it is to be shown. The same one is the same object: to compare two by what
    they say would be felt as well."""

    diff: Diff
    width: int
    ascii: bool
    escaped: bool

    def is_of(self, other: _Way) -> bool:
        same = (self.width, self.ascii, self.escaped) == (other.width, other.ascii, other.escaped)
        return same and self.diff is other.diff


class Laying:
    """For one pane; `changed` is called once more of what it shows is laid out."""

    def __init__(self, screen: PageScreen, changed: Callable[[], None]) -> None:
        self._screen = screen
        self._changed = changed
        self._asked: _Way | None = None
        self._laid: tuple[_Way, Sequence[Line]] | None = None

    def lines(self, diff: Diff, width: int, look: Look, *, escaped: bool) -> LaidOut:
        """What stands in the pane now, never cut."""
        way = _Way(diff, width, look.glyphs.ascii, escaped)
        if self._laid is not None and self._laid[0].is_of(way):
            return LaidOut(self._laid[1])
        if not is_long(diff):
            return LaidOut(difference(diff, width, look, escaped=escaped))
        if self._asked is None or not self._asked.is_of(way):
            self._asked = way
            work = partial(_lay, way, look)
            self._screen.jobs.start("lay", work, partial(self._done, way), failed=self._failed)
        known = self._laid is not None and self._laid[0].diff is diff
        return LaidOut(self._laid[1] if self._laid and known else (), is_whole=False)

    def _done(self, way: _Way, lines: Sequence[Line]) -> None:
        self._laid, self._asked = (way, lines), None
        self._changed()

    def _failed(self, error: Exception) -> None:
        """It is tried again when it is shown next."""
        self._asked = None
        self._screen.report(error)


def _lay(way: _Way, look: Look) -> Sequence[Line]:
    worker = get_current_worker()
    lines: list[Line] = []
    for piece in pieces(way.diff):
        if worker.is_cancelled:
            break
        lines += difference(piece, way.width, look, escaped=way.escaped)
        time.sleep(PAUSE)
    return lines


def is_long(diff: Diff) -> bool:
    """Whether laying it out would be felt in a key."""
    return any(weight > AT_ONCE for weight in accumulate(LINE + len(one.text) for one in diff))


def pieces(diff: Diff) -> Iterator[Diff]:
    """The difference in pieces that take a moment each; no line is broken."""
    begun, weight = 0, 0
    for at, one in enumerate(diff):
        weight += LINE + len(one.text)
        if weight > AT_ONCE and at > begun:
            yield diff[begun:at]
            begun, weight = at, LINE + len(one.text)
    yield diff[begun:]
