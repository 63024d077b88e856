"""The pane beside the list of Spaces, read in parts while the keys rest.

A thread that reads takes the interpreter from the keys, also when nobody wants its answer any
more. So nothing is read before the keys have rested, the dear part later than the cheap one, one
at a time, and what has been read is kept until somebody writes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from textual.timer import Timer

    from lobes.tui.screens.page import PageScreen
    from lobes.tui.values import SpaceEvidence, SpaceRow, Ties

T = TypeVar("T")
REST, LONGEST = 0.15, 1.0
"""Seconds of rest before the pack is read: longer where that took longer, so that moving through
ten thousand Spaces reads none on the way. What the list knows is shown meanwhile."""

QUICK = 0.05
"""Seconds that a read may take without being put off: then the pane changes once, not twice."""

LOOK = 0.3
"""Seconds of rest before its lobe is worked out as well."""

KEPT = 200
"""Spaces of which what was read is kept."""


class Peek:
    """`show(evidence, keep)` paints; `chosen` says which Space the cursor is on, `glimpse` what
    the list knows of it: where that is all there is (`is_tied`), nothing is read."""

    def __init__(
        self,
        screen: PageScreen,
        chosen: Callable[[], SpaceRow | None],
        glimpse: Callable[[SpaceRow], SpaceEvidence],
        show: Callable[[SpaceEvidence | None, bool], None],
    ) -> None:
        self._screen = screen
        self._chosen = chosen
        self._glimpse = glimpse
        self._show = show
        self._known: dict[str, SpaceEvidence] = {}
        self._shown = ""
        self._timer: Timer | None = None
        self._moved = 0.0
        self._rest = REST
        self._began = 0.0

    def moved(self) -> None:
        """The cursor is on another Space: under keys, whatever waits for a rest begins to wait
        again; at a start or after a click no further key is expected, so nothing waits."""
        now = monotonic()
        if now - self._screen.lobes.last_key < REST:
            self._moved = now
            self._wait(REST, self._glance)
        else:
            self._glance()

    def again(self) -> None:
        """Somebody wrote: what is known or being read is old; read what is shown at once."""
        self._known.clear()
        self._screen.jobs.forget("evidence")
        self._read(self._chosen())

    def _wait(self, seconds: float, then: Callable[[], None]) -> None:
        if self._timer:
            self._timer.stop()
        self._timer = self._screen.set_timer(seconds, then)

    @property
    def _is_reading(self) -> bool:
        """One at a time; what the person gave up is over."""
        return self._screen.jobs.is_awaited_of("evidence")

    def _rested(self) -> float:
        return monotonic() - self._moved

    def _glance(self) -> None:
        space = self._chosen()
        if space is None:
            self._put(None)
            return
        known = self._known.get(space.id) or self._glimpse(space)
        if known.is_read or known.is_tied or self._rest > REST:
            self._put(known)
        self._go_on()

    def _go_on(self) -> None:
        """The next part that is missing, once the keys have rested long enough for it."""
        space = self._chosen()
        if space is None:
            return
        known = self._known.get(space.id) or self._glimpse(space)
        if known.is_tied:
            return
        wanted = max(LOOK, self._rest) if known.is_read else self._rest
        if self._is_reading or self._rested() < wanted:
            self._wait(max(0.05, wanted - self._rested()), self._go_on)
        elif not known.is_read:
            self._read(space)
        else:
            self._start(partial(self._screen.source.ties, space.id), partial(self._tied, space.id))

    def _read(self, space: SpaceRow | None) -> None:
        if space is None:
            self._put(None)
        elif (glimpse := self._glimpse(space)).is_tied:
            self._put(glimpse)
        elif self._is_reading:
            self._wait(self._rest, self._go_on)
        else:
            whole = monotonic() - self._screen.lobes.last_key >= LOOK
            self._start(partial(self._look, space.id, whole=whole), self._evidence)

    def _look(self, space: str, *, whole: bool) -> SpaceEvidence:
        """`whole`: with its lobe, where no key is waited for: then the pane changes once."""
        source = self._screen.source
        found = source.evidence(space)
        return with_ties(found, source.ties(space)) if whole else found

    def _start(self, work: Callable[[], T], done: Callable[[T], None]) -> None:
        self._began = monotonic()

        def ended(value: T) -> None:
            self._over()
            done(value)

        self._screen.jobs.start("evidence", work, ended, failed=self._failed)

    def _failed(self, error: Exception) -> None:
        self._over()
        self._screen.report(error)

    def _over(self) -> None:
        took = monotonic() - self._began
        self._rest = REST if took < QUICK else min(LONGEST, max(2 * REST, 2 * took))

    def _evidence(self, found: SpaceEvidence) -> None:
        while len(self._known) >= KEPT:
            self._known.pop(next(iter(self._known)))
        self._known[found.id] = found
        self._shows(found)

    def _tied(self, space: str, ties: Ties) -> None:
        known = self._known.get(space)
        if known is not None:
            self._known[space] = found = with_ties(known, ties)
            self._shows(found)

    def _shows(self, found: SpaceEvidence) -> None:
        space = self._chosen()
        if space is not None and space.id == found.id:
            self._put(found)
        if space is not None and (space.id != found.id or not found.is_tied):
            self._wait(0.01, self._go_on)

    def _put(self, found: SpaceEvidence | None) -> None:
        same = found is not None and found.id == self._shown
        self._shown = found.id if found else ""
        self._show(found, same)


def with_ties(found: SpaceEvidence, ties: Ties) -> SpaceEvidence:
    """All that the pane shows of a Space."""
    return replace(
        found,
        draws_on=ties.draws_on,
        answers_to=ties.answers_to,
        not_answering=ties.not_answering,
        is_tied=True,
    )
