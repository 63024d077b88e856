"""How many alike rows one process writes out; a flood becomes a count.

Denials: what was asked for may differ, so that guessing ids can't fill the disk. Reads of one
Space: a screen looks again at each refresh, and once a minute says as much. A flood that goes on
gets no new rows of its own each minute, only its count, until it was quiet for one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

DENIED = "access.denied"
READ = "space.read"
LIMITS: Mapping[str, int] = {DENIED: 200, READ: 1}
"""Event → how many alike rows a minute are written; the events that aren't here all are."""
WINDOW = timedelta(minutes=1)


class Kind(NamedTuple):
    """What makes two rows alike; `resources` is `[]` where they may differ."""

    event: str
    actor: str
    verb: str
    resources: str
    channel: str
    answer: str


@dataclass(slots=True)
class _Run:
    start: datetime
    allowed: int
    count: int = 0

    def is_over(self, now: datetime) -> bool:
        """Also when the clock has jumped back before its start."""
        return not timedelta(0) <= now - self.start < WINDOW


class Repeats:
    """The runs of alike rows that are going on."""

    def __init__(self) -> None:
        self._runs: dict[Kind, _Run] = {}
        self._floods: dict[Kind, datetime] = {}

    def is_over(self, kind: Kind, now: datetime) -> bool:
        """Count one; whether it is beyond what gets a row of its own."""
        run = self._runs.get(kind)
        if run is None:
            run = self._runs[kind] = _Run(now, allowed=self._allowed(kind, now))
        run.count += 1
        return run.count > run.allowed

    def ended(self, now: datetime | None) -> list[tuple[Kind, int]]:
        """Take out the runs that are over (None: all); those with rows left out, and how many."""
        counts: list[tuple[Kind, int]] = []
        for kind in [k for k, run in self._runs.items() if now is None or run.is_over(now)]:
            run = self._runs.pop(kind)
            if run.count > LIMITS[kind.event]:
                self._floods[kind] = run.start + WINDOW
            if run.count > run.allowed:
                counts.append((kind, run.count - run.allowed))
        return counts

    def _allowed(self, kind: Kind, now: datetime) -> int:
        """All, or one where a flood of it ended less than a minute ago."""
        over = self._floods.pop(kind, None)
        is_on = over is not None and timedelta(0) <= now - over < WINDOW
        return 1 if is_on else LIMITS[kind.event]
