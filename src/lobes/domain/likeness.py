"""How alike two statements are by their words, and which of many are alike to one.

Jaccard index of the two sets of words: 0 for none in common, 1 for the same words.
"""

from __future__ import annotations

from collections import Counter
from heapq import nsmallest

from lobes.domain.claims import DUPLICATE, MERGE, Claim
from lobes.domain.claims.reading import skim

NEAR_COPY = DUPLICATE
"""From here on it is taken for a near copy, which a person looks at."""

CANDIDATE = MERGE
"""From here on it is shown beside it: perhaps both are one."""


def words_of(statement: str) -> frozenset[str]:
    """The words that say something, as the detector of claims reads them: 26 µs a statement."""
    return skim(Claim("", statement)).content


def likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """The Jaccard index; 0 where neither has a word."""
    common = len(one & other)
    return common / (len(one) + len(other) - common) if common else 0.0


_AT_THE_ENDS = ".,;:!?\"'()[]*_`…“”‘’"


def loosely(statement: str) -> tuple[str, ...]:
    """The words in their order without the punctuation around them; the first one's first letter
    may be large or small, case counts everywhere else."""
    words = [word.strip(_AT_THE_ENDS) for word in statement.split()]
    words = [word for word in words if word]
    return (words[0][:1].casefold() + words[0][1:], *words[1:]) if words else ()


class Alike:
    """Many statements by id, kept by their words, so that those alike to one are found without
    looking at each."""

    def __init__(self) -> None:
        self._words: dict[str, frozenset[str]] = {}
        self._sizes: dict[str, int] = {}
        self._having: dict[str, set[str]] = {}

    def __len__(self) -> int:
        return len(self._words)

    def put(self, id: str, statement: str) -> None:
        self.drop(id)
        words = words_of(statement)
        self._words[id] = words
        self._sizes[id] = len(words)
        for word in words:
            self._having.setdefault(word, set()).add(id)

    def drop(self, id: str) -> None:
        self._sizes.pop(id, None)
        for word in self._words.pop(id, ()):
            having = self._having[word]
            having.discard(id)
            if not having:
                del self._having[word]

    def near(
        self, statement: str, *, most: int, least: float = CANDIDATE
    ) -> list[tuple[str, float]]:
        """Id and likeness of at most `most` statements from `least` on, the most alike first."""
        words = words_of(statement)
        shared: Counter[str] = Counter()
        for word in words:
            shared.update(self._having.get(word, ()))
        # Of n words at least `least` times n are shared where the index reaches `least`.
        count, fewest, sizes = len(words), least * len(words), self._sizes
        alike = [
            (-few / (count + sizes[id] - few), id) for id, few in shared.items() if few >= fewest
        ]
        return [(id, -less) for less, id in nsmallest(most, alike) if -less >= least]
