"""How alike two statements are by their words, and which of many are alike to one.

Jaccard index of the two sets of words: 0 for none in common, 1 for the same words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from heapq import nsmallest

from lobes.domain.claims import MERGE
from lobes.domain.claims.canonical import canonical
from lobes.domain.claims.words import content_of

CANDIDATE = MERGE
"""From here on it is shown beside it: perhaps both are one."""


def words_of(statement: str) -> frozenset[str]:
    """The words that say something, as the detector of claims reads them: 15 µs a statement."""
    return content_of(canonical(statement).text)


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


_RARE = 16
"""Statements up to which a word's places are a set: a number of 10,000 bits takes 1.3 kB."""


class Alike:
    """Many statements by id, kept by their words, so that those alike to one are found without
    looking at each.

    Each has a place, and a word that many have is a number with a bit for each of them. So the
    words that each has in common with another statement are counted for all at once, in numbers
    whose bits stand for one binary digit of each count.
    """

    def __init__(self) -> None:
        self._words: dict[str, frozenset[str]] = {}
        self._places: dict[str, int] = {}
        self._ids: list[str] = []
        self._free: list[int] = []
        self._of_size: dict[int, int] = {}
        self._few: dict[str, set[int]] = {}
        self._many: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._words)

    def put(self, id: str, statement: str) -> None:
        words = words_of(statement)
        if self._words.get(id) == words:
            return
        self.drop(id)
        self._words[id] = words
        place = self._places[id] = self._free.pop() if self._free else len(self._ids)
        self._ids[place : place + 1] = [id]
        self._of_size[len(words)] = self._of_size.get(len(words), 0) | 1 << place
        for word in words:
            if word in self._many:
                self._many[word] |= 1 << place
                continue
            few = self._few.setdefault(word, set())
            few.add(place)
            if len(few) > _RARE:
                self._many[word] = _bits(self._few.pop(word))

    def drop(self, id: str) -> None:
        if id not in self._words:
            return
        place = self._places.pop(id)
        self._free.append(place)
        words = self._words.pop(id)
        self._of_size[len(words)] &= ~(1 << place)
        for word in words:
            if word in self._many:
                self._many[word] &= ~(1 << place)
                if not self._many[word]:
                    del self._many[word]
                continue
            self._few[word].discard(place)
            if not self._few[word]:
                del self._few[word]

    def near(
        self, statement: str, *, most: int, least: float = CANDIDATE
    ) -> list[tuple[str, float]]:
        """Id and likeness of at most `most` statements from `least` on, the most alike first."""
        words = words_of(statement)
        found: list[tuple[float, str]] = []
        bar = least
        for common, there in _counted([self._having(word) for word in words]):
            # Who has that many words in common has an index of so much at most.
            if common / len(words) < bar:
                break
            for size in sorted(self._of_size):
                if size < common:
                    continue
                alike = common / (len(words) + size - common)
                if alike < bar:
                    break
                found += [(-alike, self._ids[at]) for at in _ones(there & self._of_size[size])]
                if len(found) >= most:
                    found = nsmallest(most, found)
                    bar = max(least, -found[-1][0])
        return [(id, -less) for less, id in sorted(found)]

    def _having(self, word: str) -> int:
        return self._many.get(word, 0) or _bits(self._few.get(word, ()))


def _bits(places: Iterable[int]) -> int:
    found = 0
    for place in places:
        found |= 1 << place
    return found


def _ones(bits: int) -> Iterator[int]:
    digits = bin(bits)[:1:-1] if bits else ""
    at = digits.find("1")
    while at >= 0:
        yield at
        at = digits.find("1", at + 1)


def _counted(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """How many of the numbers have a bit, and the bits that so many have; the most first, none of
    them never."""
    digits: list[int] = []
    for carry in numbers:
        for at, digit in enumerate(digits):
            digits[at], carry = digit ^ carry, digit & carry
        if carry:
            digits.append(carry)
    there = 0
    for digit in digits:
        there |= digit
    yield from _split(digits, there, 0)


def _split(digits: Sequence[int], there: int, more: int) -> Iterator[tuple[int, int]]:
    """Of these bits, whose counts have the higher digits `more`, those of each count."""
    if not there:
        return
    if not digits:
        yield more, there
        return
    *lower, highest = digits
    yield from _split(lower, there & highest, 2 * more + 1)
    yield from _split(lower, there & ~highest, 2 * more)
