"""Two clauses side by side: what each is about, and whether that is one thing.

Where each has a word that the other lacks, they speak of two things: `staging` and `production`
don't contradict each other. Where one only says more than the other, they may.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lobes.domain.claims.claim import Cause
from lobes.domain.claims.clauses import Clause
from lobes.domain.claims.lexicon import PERSONS, wordset

LEAST = 2
"""Words of content in common, unless all are."""
SHARE = 0.3
"""Least part of the longer clause that is in common."""
_UNLIKE = 3
"""Most words that may be other forms of the other's."""
_PREFIX = 4
"""Least letters in common of two forms of one word, where the stems differ."""
_ENDINGS = wordset(
    "ion ation ment al ally ly y ing ed er or able ance ence ant ent ive ic ical"
) | {""}


class Conflict(NamedTuple):
    """What decided, and the places among the words of the new and the old clause."""

    cause: Cause
    new: tuple[int, ...]
    old: tuple[int, ...]


class Pair(NamedTuple):
    """The clauses and the words of what they are about, `ranks` the ordinals among them. `is_told`:
    a change is."""

    new: Clause
    old: Clause
    mine: frozenset[str]
    theirs: frozenset[str]
    ranks: frozenset[str]
    is_told: bool


def about(clause: Clause, other: Clause) -> frozenset[str]:
    """What it is about. A pole is a word like others, unless the two clauses name its two ends."""
    if not clause.poles:
        return clause.about
    if clause.poles.keys().isdisjoint(other.poles):
        return clause.traits.said
    poles = {
        clause.words[place].stem
        for name, (end, place) in clause.poles.items()
        if name not in other.poles or other.poles[name][0] == end
    }
    return clause.about | poles


def fits(mine: frozenset[str], theirs: frozenset[str], *, least: int = LEAST) -> bool:
    """Whether one says at most more than the other, of the same thing."""
    common = mine & theirs
    a, b = mine - common, theirs - common
    if min(len(a), len(b)) > _UNLIKE:
        return False
    if a and b:
        alike = _alike(a, b)
        a, b = a - alike, b - alike
        common |= alike & mine
    if a and b:
        return False
    longest = max(len(mine), len(theirs))
    said = len(common - PERSONS) if a or b else len(common)
    if said < least and len(common) < longest:
        return False
    return said > 0 and len(common) >= SHARE * longest


def _alike(a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    """The words of both that differ in an ending alone."""
    found: set[str] = set()
    for one in a:
        for other in b:
            if one[:_PREFIX] == other[:_PREFIX] and _differ_in_ending(one, other):
                found.update((one, other))
    return frozenset(found)


def _differ_in_ending(one: str, other: str) -> bool:
    ends = (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    common = next(ends, min(len(one), len(other)))
    return common >= _PREFIX and one[common:] in _ENDINGS and other[common:] in _ENDINGS


def replaced(pair: Pair, mine: Iterable[str], theirs: Iterable[str], cause: Cause) -> Conflict:
    """The conflict of words that stand in each other's place."""
    return Conflict(
        cause,
        tuple(sorted(pair.new.place(one) for one in mine)),
        tuple(sorted(pair.old.place(one) for one in theirs)),
    )
