"""What lies near: the neighbours of one claim, and near copies of many as one decision.

A group is what nearly repeats its representative, the first of them by id. It isn't what nearly
repeats a member: a chain of small changes would end far from where it began.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil

from lobes.domain.claims.claim import DUPLICATE, Claim, Group, Neighbour, Verdict
from lobes.domain.claims.compare import compare_read, same_subject
from lobes.domain.claims.reading import Reading, Skim, differ_in_weight, read, skim
from lobes.domain.claims.words import jaccard

NEAR = 0.2
"""Least Jaccard of a neighbour that is merely related."""
_CANDIDATES = 64
"""Representatives that one claim is measured against, those with the most rare words first."""
_ORDER: dict[Verdict, int] = {
    "contradicts": 0,
    "succeeds": 1,
    "repeat": 2,
    "near_duplicate": 3,
    "merge_candidate": 4,
    "related": 5,
}


def neighbours(claim: Claim, others: Iterable[Claim]) -> tuple[Neighbour, ...]:
    """Those of `others` that are worth a look beside `claim`, which is taken as the newer.

    Conflicts first, then copies, then what is related; of one verdict the most alike first, then by
    id. A claim is no neighbour of itself.
    """
    mine = read(claim)
    found: list[Neighbour] = []
    for other in others:
        if other.id == claim.id:
            continue
        theirs = skim(other)
        apart = mine.skim.content.isdisjoint(theirs.content)
        if apart and mine.skim.content and not same_subject(claim, other):
            continue
        relation = compare_read(mine, read(other, theirs))
        if relation.verdict == "unrelated":
            continue
        if relation.verdict != "related" or relation.score >= NEAR:
            found.append(Neighbour(other.id, relation))
    found.sort(key=lambda one: (_ORDER[one.relation.verdict], -one.relation.score, one.id))
    return tuple(found)


def group(claims: Iterable[Claim]) -> tuple[Group, ...]:
    """The near copies among `claims`, each in one group at most, by the id of the representative.

    What stands alone is in none. The order of `claims` changes nothing. Two that contradict each
    other, or of which one holds at another time, are never in one group.
    """
    ordered = sorted(claims, key=lambda one: one.id)
    skimmed = [skim(one) for one in ordered]
    gathering = _Gathering(skimmed)
    members: dict[int, list[int]] = {}
    hashes: dict[tuple[str, object, object], int] = {}
    for at, claim in enumerate(ordered):
        exact = (skimmed[at].hash, claim.valid_from, claim.valid_to)
        to = hashes.get(exact)
        if to is None:
            to = gathering.joins(at, ordered)
            hashes[exact] = at if to is None else to
        if to is None:
            members[at] = [at]
        else:
            members[to].append(at)
    return tuple(
        Group(ordered[first].id, tuple(ordered[n].id for n in found))
        for first, found in members.items()
        if len(found) > 1
    )


class _Gathering:
    """Representatives by their rare words.

    Two sets of a Jaccard of t share one of the first |A| - ⌈t·|A|⌉ + 1 words of each, in one order
    of all words (prefix filtering, Chaudhuri et al. 2006). With the rare words first that leaves
    few to measure.
    """

    def __init__(self, skimmed: Sequence[Skim]) -> None:
        self._skimmed = skimmed
        self._often = Counter(word for one in skimmed for word in one.content)
        self._with: dict[str, list[int]] = {}
        self._read: dict[int, Reading] = {}

    def joins(self, at: int, claims: Sequence[Claim]) -> int | None:
        """The representative that claim `at` nearly repeats; None makes it one itself."""
        mine = self._skimmed[at].content
        prefix = self._prefix(mine)
        for to in self._candidates(prefix):
            theirs = self._skimmed[to].content
            if jaccard(mine, theirs) >= DUPLICATE and self._is_copy(at, to, claims):
                return to
        for word in prefix:
            self._with.setdefault(word, []).append(at)
        return None

    def _prefix(self, mine: frozenset[str]) -> list[str]:
        ordered = sorted(mine, key=lambda word: (self._often[word], word))
        return ordered[: len(mine) - ceil(DUPLICATE * len(mine)) + 1]

    def _candidates(self, prefix: Sequence[str]) -> list[int]:
        seen: dict[int, None] = {}
        for word in prefix:
            for to in self._with.get(word, ())[:_CANDIDATES]:
                seen.setdefault(to)
                if len(seen) == _CANDIDATES:
                    return sorted(seen)
        return sorted(seen)

    def _is_copy(self, at: int, to: int, claims: Sequence[Claim]) -> bool:
        """As `compare` says, which is asked only where no word tells them apart."""
        if differ_in_weight(self._skimmed[at], self._skimmed[to]):
            return False
        relation = compare_read(self._reading(at, claims[at]), self._reading(to, claims[to]))
        return relation.verdict in ("repeat", "near_duplicate")

    def _reading(self, at: int, claim: Claim) -> Reading:
        if at not in self._read:
            self._read[at] = read(claim, self._skimmed[at])
        return self._read[at]
