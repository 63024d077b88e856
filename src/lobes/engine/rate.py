"""How fast something goes just now: over a few seconds, so that one slow step is no halt."""

from __future__ import annotations

from collections import deque

WINDOW_SECONDS = 5.0


class Rate:
    """Counts a second over the last `WINDOW_SECONDS`; times are seconds of one steady clock."""

    def __init__(self) -> None:
        self._steps: deque[tuple[float, float, int]] = deque()

    def add(self, count: int, *, begun: float, ended: float) -> None:
        self._steps.append((begun, ended, count))
        self._forget(ended)

    def at(self, now: float) -> float:
        """From the beginning of the first step to the end of the last; 0 when all are long ago."""
        self._forget(now)
        if not self._steps:
            return 0.0
        spent = self._steps[-1][1] - self._steps[0][0]
        return sum(count for _, _, count in self._steps) / max(spent, 1e-6)

    def _forget(self, now: float) -> None:
        while self._steps and self._steps[0][1] < now - WINDOW_SECONDS:
            self._steps.popleft()
