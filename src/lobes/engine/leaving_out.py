"""Documents that a question may not look into count as if they had never been there.

A document may be closer than its lobe. Then its passages are taken out of every list, count, sum
and matrix before anything is scored: what is left gives the answers of a lobe without them, to the
last bit. It is worked out once for each set of documents and kept until the lobe is written.
"""

from __future__ import annotations

import sqlite3
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from lobes.engine import postings
from lobes.engine.coded import Large, fewer
from lobes.engine.postings import Stats
from lobes.engine.vectors import Matrix

SETS_MOST = 4
"""Sets of documents that a lobe remembers: so many persons ask at about the same time."""

Without = Mapping[str, Collection[str]]
"""Lobe → the documents in it that don't count."""


_ID_BYTES = 80
_TERM_BYTES = 120


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The passages of some documents: their ids and lengths, and term → how many hold it. Of one
    commit of the words file."""

    ids: frozenset[str] = frozenset()
    marks: bytes = b"\0"
    """A byte for each number, 1 where its passage is one of them; a 0 ends it."""
    length: int = 0
    terms: Mapping[str, int] = field(default_factory=dict[str, int])
    sorted_terms: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Bytes in memory, about."""
        return len(self.marks) + _ID_BYTES * len(self.ids) + _TERM_BYTES * len(self.terms)

    def of(self, stats: Stats) -> Stats:
        """The lobe's counts without them. Numbers stay where they are."""
        return Stats(
            stats.count - len(self.ids),
            stats.length - self.length,
            stats.top,
            stats.entries - sum(self.terms.values()),
        )

    def terms_from(self, prefix: str) -> dict[str, int]:
        """Every term that begins with `prefix`, with the number of these passages that hold it."""
        return {term: self.terms[term] for term in self._from(prefix)}

    def _from(self, prefix: str) -> Iterator[str]:
        for at in range(bisect_left(self.sorted_terms, prefix), len(self.sorted_terms)):
            if not self.sorted_terms[at].startswith(prefix):
                break
            yield self.sorted_terms[at]


NOTHING = LeftOut()


def left_out(words: sqlite3.Connection, documents: Collection[str]) -> LeftOut:
    """What the words file says of these documents' passages."""
    found = postings.passages_of(words, documents)
    terms: Counter[str] = Counter()
    marks = bytearray(max((row[0] for row in found), default=-1) + 2)
    for row in found:
        terms.update(row[6].split())
        marks[row[0]] = 1
    return LeftOut(
        frozenset(row[1] for row in found),
        bytes(marks),
        sum(row[5] for row in found),
        terms,
        tuple(sorted(terms)),
    )


class Remembered:
    """What was worked out for the sets asked for last; the owner guards it and clears it."""

    def __init__(self) -> None:
        self._left: dict[frozenset[str], LeftOut] = {}
        self._thinned: dict[frozenset[str], tuple[Matrix | Large, Matrix | Large]] = {}

    @property
    def size(self) -> int:
        """Bytes in memory, about."""
        thinned = sum(thin.size for _, thin in self._thinned.values())
        return thinned + sum(left.size for left in self._left.values())

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

    def thinned(self, documents: frozenset[str], whole: Matrix | Large) -> Matrix | Large | None:
        """`whole` without the passages of these documents, where it was worked out."""
        known = self._thinned.get(documents)
        return known[1] if known is not None and known[0] is whole else None

    def thin(
        self, documents: frozenset[str], whole: Matrix | Large, out: LeftOut, *, dim: int
    ) -> Matrix | Large:
        """Work it out and keep it."""
        made = fewer(whole, out.ids, dim=dim)
        self._thinned[documents] = (whole, made)
        return made
