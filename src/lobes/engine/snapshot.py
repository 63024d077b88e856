"""A small lobe's words in memory: a search over a thousand lobes must not ask a thousand files.

It answers what `engine.postings` answers from the file, of one commit, and is never changed: a
write drops it. Asking 1,000 files took 46 ms of one core a query, this 12.
"""

from __future__ import annotations

import sqlite3
import sys
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from operator import itemgetter

from lobes.engine import postings
from lobes.engine.postings import STEP, Stats

PASSAGES_MOST = 2000
"""Beyond it the one file costs little beside the postings that are read from it."""

_PASSAGE_BYTES = 350
_TERM_BYTES = 16


@dataclass(frozen=True, slots=True)
class Snapshot:
    """`terms` are sorted; the postings of the term at `n` are `data[starts[n] : starts[n + 1]]`."""

    stats: Stats
    terms: tuple[str, ...]
    starts: array[int]
    data: bytes
    numbers: Mapping[int, tuple[str, str]]
    """In the order of the ids."""
    contents: Mapping[str, str]
    stops: bytes

    @property
    def size(self) -> int:
        """Bytes in memory, about: terms are shared with the other lobes."""
        return len(self.data) + _TERM_BYTES * len(self.terms) + _PASSAGE_BYTES * len(self.contents)

    def read(self, terms: Sequence[str]) -> dict[str, bytes]:
        """Term → packed postings, for the terms that are there."""
        known, starts, data = self.terms, self.starts, self.data
        found: dict[str, bytes] = {}
        for term in terms:
            at = bisect_left(known, term)
            if at < len(known) and known[at] == term:
                found[term] = data[starts[at] : starts[at + 1]]
        return found

    def terms_from(self, prefix: str) -> dict[str, int]:
        """Every term that begins with `prefix`, with the number of passages that hold it."""
        found: dict[str, int] = {}
        for at in range(bisect_left(self.terms, prefix), len(self.terms)):
            if not self.terms[at].startswith(prefix):
                break
            found[self.terms[at]] = (self.starts[at + 1] - self.starts[at]) // STEP
        return found

    def named(self, docs: Iterable[int]) -> dict[int, tuple[str, str]]:
        """Number → (id, content hash)."""
        return {doc: self.numbers[doc] for doc in docs if doc in self.numbers}

    def least(self, marks: bytes, most: int, upto: str | None) -> list[tuple[str, str]]:
        """(id, content hash) of the `most` least ids, up to `upto`, of passages with a mark."""
        found: list[tuple[str, str]] = []
        for number, one in self.numbers.items():
            if len(found) == most or (upto is not None and one[0] > upto):
                break
            if number < len(marks) and marks[number]:
                found.append(one)
        return found

    def hashes(self, ids: Iterable[str]) -> dict[str, str]:
        """Passage id → content hash."""
        return {id: self.contents[id] for id in ids if id in self.contents}


def snapshot(words: sqlite3.Connection) -> Snapshot:
    """All that the file says now; `sqlite3.DatabaseError` when it is damaged."""
    found = postings.whole(words)
    return Snapshot(
        stats=found.stats,
        terms=tuple(sys.intern(term) for term, _ in found.rows),
        starts=array("I", accumulate((len(body) for _, body in found.rows), initial=0)),
        data=b"".join(body for _, body in found.rows),
        numbers={row[0]: (row[1], row[3]) for row in sorted(found.passages, key=itemgetter(1))},
        contents={row[1]: row[3] for row in found.passages},
        stops=postings.packed_stops(found.passages),
    )
