"""The meaning leg: exact cosines over exactly the allowed lobes, with their mean and deviation.

Each lobe is multiplied by itself, so that a row's score depends on its own lobe alone; what is put
together afterwards holds nothing but the allowed lobes, in the order of their addresses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lobes.engine.lobe import Lobe
from lobes.engine.vectors import Matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class MeaningHit:
    """A passage by its cosine."""

    id: str
    content_hash: str
    lobe: str
    score: float


@dataclass(frozen=True, slots=True)
class Meaning:
    """The best hits, and the cosine's mean and deviation over all `count` passages searched."""

    hits: Sequence[MeaningHit] = ()
    mean: float = 0.0
    deviation: float = 0.0
    count: int = 0


def meaning_leg(lobes: Sequence[Lobe], query: Floats, depth: int) -> Meaning:
    """The `depth` nearest passages of `lobes` (sorted by address) to the unit vector `query`."""
    found: list[tuple[Lobe, Matrix]] = []
    for lobe in lobes:
        if not lobe.damaged and lobe.stats.count:
            matrix = lobe.matrix()
            if matrix.ids:
                found.append((lobe, matrix))
    if not found:
        return Meaning()
    cosines = np.concatenate([matrix.data @ query for _, matrix in found]).astype(np.float64)
    count = len(cosines)
    mean = float(cosines.sum() / count)
    deviation = float(np.sqrt(max(0.0, float((cosines * cosines).sum() / count) - mean * mean)))
    return Meaning(_best(found, cosines, depth), mean, deviation, count)


def _best(
    found: Sequence[tuple[Lobe, Matrix]], cosines: NDArray[np.float64], depth: int
) -> list[MeaningHit]:
    numbers = np.arange(len(cosines))
    if len(cosines) > depth:
        least = np.partition(cosines, len(cosines) - depth)[len(cosines) - depth]
        numbers = np.flatnonzero(cosines >= least)
    bases = np.cumsum([0] + [len(matrix.ids) for _, matrix in found])
    places = np.searchsorted(bases, numbers, side="right") - 1
    hits: list[MeaningHit] = []
    for place in np.unique(places).tolist():
        lobe, matrix = found[place]
        rows = numbers[places == place] - bases[place]
        ids = [matrix.ids[row] for row in rows.tolist()]
        known = lobe.hashes(ids)
        for id, row in zip(ids, rows.tolist(), strict=True):
            if id in known:
                score = float(cosines[bases[place] + row])
                hits.append(MeaningHit(id, known[id], lobe.address, score))
    hits.sort(key=lambda hit: (-hit.score, hit.id))
    return hits[:depth]
