"""A measured figure beside its budget and beside a reference of the same run."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of `docs/benchmarks.md`. `met` is None where there is no budget to meet."""

    group: str
    what: str
    figure: str
    budget: str
    reference: str = ""
    met: bool | None = None
    note: str = ""


def median(values: Sequence[float]) -> float:
    return statistics.median(values)


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 don't exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(0.95 * len(ordered) + 0.5) - 1)]


def ms(seconds: float) -> str:
    return f"{seconds * 1000:,.1f} ms" if seconds < 0.1 else f"{seconds * 1000:,.0f} ms"
