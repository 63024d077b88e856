"""Documents that a question may not look into count as if they had never been there.

A document may be closer than its lobe. Then its passages are taken out of every list, count, sum
and matrix before anything is scored: what is left gives the answers of a lobe without them, to the
last bit. It is worked out once for each set of documents and kept until the lobe is written.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from lobes.engine import postings
from lobes.engine.coded import Large, fewer
from lobes.engine.postings import Stats
from lobes.engine.vectors import Matrix

SETS_MOST = 4
"""Sets of documents that a lobe remembers: so many persons ask at about the same time."""

Without = Mapping[str, Collection[str]]
"""Lobe → the documents in it that don't count."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The passages of some documents: their numbers, ids and lengths, and term → how many hold
    it. Of one commit of the words file."""

    numbers: tuple[int, ...] = ()
    ids: frozenset[str] = frozenset()
    length: int = 0
    terms: Mapping[str, int] = field(default_factory=dict[str, int])

    def of(self, stats: Stats) -> Stats:
        """The lobe's counts without them. Numbers stay where they are."""
        return Stats(
            stats.count - len(self.numbers),
            stats.length - self.length,
            stats.top,
            stats.entries - sum(self.terms.values()),
        )


NOTHING = LeftOut()


def left_out(words: sqlite3.Connection, documents: Collection[str]) -> LeftOut:
    """What the words file says of these documents' passages."""
    found = postings.passages_of(words, documents)
    terms: Counter[str] = Counter()
    for row in found:
        terms.update(row[6].split())
    return LeftOut(
        tuple(sorted(row[0] for row in found)),
        frozenset(row[1] for row in found),
        sum(row[5] for row in found),
        terms,
    )


class Remembered:
    """What was worked out for the sets asked for last; the owner guards it and clears it."""

    def __init__(self) -> None:
        self._left: dict[frozenset[str], LeftOut] = {}
        self._thinned: dict[frozenset[str], tuple[Matrix | Large, Matrix | Large]] = {}

    @property
    def size(self) -> int:
        """Bytes in memory, about."""
        return sum(thin.size for _, thin in self._thinned.values())

    def clear(self) -> None:
        self._left.clear()
        self._thinned.clear()

    def left(self, documents: frozenset[str]) -> LeftOut | None:
        return self._left.get(documents)

    def keep(self, documents: frozenset[str], left: LeftOut) -> None:
        while len(self._left) >= SETS_MOST:
            oldest = next(iter(self._left))
            del self._left[oldest]
            self._thinned.pop(oldest, None)
        self._left[documents] = left

    def thinned(
        self, documents: frozenset[str], whole: Matrix | Large, out: LeftOut, *, dim: int
    ) -> Matrix | Large:
        """`whole` without the passages of these documents."""
        known = self._thinned.get(documents)
        if known is None or known[0] is not whole:
            known = self._thinned[documents] = (whole, fewer(whole, out.ids, dim=dim))
        return known[1]
