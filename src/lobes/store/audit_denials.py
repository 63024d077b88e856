"""How many alike denials one process writes out; a flood becomes a count."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

LIMIT = 200
WINDOW = timedelta(minutes=1)


class Kind(NamedTuple):
    """What makes two denials alike; what was asked for may differ."""

    actor: str
    verb: str
    channel: str
    answer: str


@dataclass(slots=True)
class _Run:
    start: datetime
    count: int = 0

    def is_over(self, now: datetime) -> bool:
        """Also when the clock has jumped back before its start."""
        return not timedelta(0) <= now - self.start < WINDOW


class Denials:
    """The runs of alike denials that are going on."""

    def __init__(self) -> None:
        self._runs: dict[Kind, _Run] = {}

    def is_over(self, kind: Kind, now: datetime) -> bool:
        """Count one; whether it is beyond what gets a row of its own."""
        run = self._runs.setdefault(kind, _Run(now))
        run.count += 1
        return run.count > LIMIT

    def ended(self, now: datetime | None) -> list[tuple[Kind, int]]:
        """Take out the runs that are over (None: all); those with rows left out, and how many."""
        over = [k for k, run in self._runs.items() if now is None or run.is_over(now)]
        counts = [(kind, self._runs.pop(kind).count - LIMIT) for kind in over]
        return [(kind, count) for kind, count in counts if count > 0]
