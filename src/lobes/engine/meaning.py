"""The meaning leg: exact cosines over exactly the allowed lobes, with their mean and deviation.

Each lobe is multiplied by itself, so that a row's score depends on its own lobe alone; what is put
together afterwards holds nothing but the allowed lobes, in the order of their addresses. A large
lobe is scanned for what may be among the best, and that is scored: the same hits.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from lobes.engine.coded import Large
from lobes.engine.leaving_out import Without
from lobes.engine.lobe import Lobe
from lobes.engine.vectors import Matrix

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]


_DIGITS = 10
_WHOLE: Without = {}


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


def meaning_leg(
    lobes: Sequence[Lobe], query: Floats, depth: int, without: Without = _WHOLE
) -> Meaning:
    """The `depth` passages of `lobes` (sorted by address) `without` some that are nearest to the
    unit vector `query`."""
    found: list[tuple[Lobe, Matrix]] = []
    large: list[tuple[Lobe, Large]] = []
    sound = [lobe for lobe in lobes if not lobe.damaged and lobe.stats.count]
    _read_large(sound)
    for lobe in sound:
        documents = without.get(lobe.address)
        held = lobe.matrix_without(documents) if documents else lobe.matrix()
        if isinstance(held, Large):
            large.append((lobe, held))
        elif held.ids:
            found.append((lobe, held))
    if not found and not large:
        return Meaning()
    count, total, squares = 0, 0.0, 0.0
    hits: list[MeaningHit] = []
    if found:
        cosines = np.concatenate([held.data @ query for _, held in found]).astype(np.float64)
        count = len(cosines)
        total, squares = float(cosines.sum()), float((cosines * cosines).sum())
        hits = _best(found, cosines, depth)
    if large:
        hits = _with_large(large, query, hits, depth)
        for _, held in large:
            own_total, own_squares = held.sums.of(query)
            count, total, squares = count + held.count, total + own_total, squares + own_squares
    mean = total / count
    deviation = math.sqrt(max(0.0, squares / count - mean * mean))
    if large:
        # Their sums were added in the order of arrival; a rebuild differs in the last bits.
        mean, deviation = round(mean, _DIGITS), round(deviation, _DIGITS)
    return Meaning(hits, mean, deviation, count)


def _read_large(lobes: Sequence[Lobe]) -> None:
    """Large lobes that aren't in memory, on all cores: reading one takes two seconds."""
    unread = [lobe for lobe in lobes if lobe.is_large and not lobe.is_read]
    if len(unread) > 1:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(Lobe.matrix, unread))


def _with_large(
    large: Sequence[tuple[Lobe, Large]], query: Floats, hits: Sequence[MeaningHit], depth: int
) -> list[MeaningHit]:
    """The best of `hits` and of the large lobes: what can't be among them is never scored."""
    looks = [(lobe, held.look(query)) for lobe, held in large]
    sure = np.concatenate([look.least(depth) for _, look in looks])
    sure = np.sort(np.append(sure, [hit.score for hit in hits]))[-depth:]
    bar = float(sure[0]) if len(sure) == depth else -1.0
    near = [(lobe, look.reaching(bar)) for lobe, look in looks]
    scores = sorted([hit.score for hit in hits] + [score for _, one in near for _, score in one])
    bar = scores[-depth] if len(scores) > depth else -1.0
    made = list(hits)
    for lobe, one in near:
        best = {id: score for id, score in one if score >= bar}
        known = lobe.hashes(list(best))
        made += [
            MeaningHit(id, known[id], lobe.address, score)
            for id, score in best.items()
            if id in known
        ]
    made.sort(key=lambda hit: (-hit.score, hit.id))
    return made[:depth]


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
