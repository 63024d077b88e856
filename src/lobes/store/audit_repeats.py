"""How many alike rows one process writes out; a flood becomes a count.

Denials: what was asked for may differ, so that guessing ids can't fill the disk. Reads of one
Space: a screen looks again at each refresh, and once a minute says as much.
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
    count: int = 0

    def is_over(self, now: datetime) -> bool:
        """Also when the clock has jumped back before its start."""
        return not timedelta(0) <= now - self.start < WINDOW


class Repeats:
    """The runs of alike rows that are going on."""

    def __init__(self) -> None:
        self._runs: dict[Kind, _Run] = {}

    def is_over(self, kind: Kind, now: datetime) -> bool:
        """Count one; whether it is beyond what gets a row of its own."""
        run = self._runs.setdefault(kind, _Run(now))
        run.count += 1
        return run.count > LIMITS[kind.event]

    def ended(self, now: datetime | None) -> list[tuple[Kind, int]]:
        """Take out the runs that are over (None: all); those with rows left out, and how many."""
        over = [k for k, run in self._runs.items() if now is None or run.is_over(now)]
        counts = [(kind, self._runs.pop(kind).count - LIMITS[kind.event]) for kind in over]
        return [(kind, count) for kind, count in counts if count > 0]
