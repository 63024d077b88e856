"""A stopwatch for one kind of call: wall time, and the CPU time of the calling thread.

Budgets hold for the wall clock. On a machine that is busy the CPU time moves far less, so it
stands beside it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.bench.rows import median, ms, p95


@dataclass(slots=True)
class Stopwatch:
    """Seconds of each call so far."""

    walls: list[float] = field(default_factory=list[float])
    cpus: list[float] = field(default_factory=list[float])

    def time(self, do: Callable[[], object]) -> None:
        cpu, wall = time.thread_time(), time.perf_counter()
        do()
        self.walls.append(time.perf_counter() - wall)
        self.cpus.append(time.thread_time() - cpu)

    def reset(self) -> None:
        """Forget what was only to warm up."""
        self.walls.clear()
        self.cpus.clear()

    def __len__(self) -> int:
        return len(self.walls)

    def __str__(self) -> str:
        return f"p50 {ms(self.p50)}, p95 {ms(self.p95)}"

    @property
    def p50(self) -> float:
        return median(self.walls)

    @property
    def p95(self) -> float:
        return p95(self.walls)

    @property
    def cpu(self) -> str:
        """The median, for a note."""
        return f"CPU p50 {ms(median(self.cpus))}"
