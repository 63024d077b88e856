"""A statement as words, and how alike two sets of words are.

A run of Chinese, Japanese or Korean letters has no blanks, so its pairs of letters stand for words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from lobes.domain.claims.forms import NOT, Word, forms, stems
from lobes.domain.claims.lexicon import NEGATORS_CJK

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_LETTER = rf"[^\W{_CJK}]"
_TOKEN = re.compile(
    rf"[{_CJK}]+|[%€$£]|(?:(?<!\w)--?)?{_LETTER}[\u0300-\u036f]*(?:{_LETTER}|[\u0300-\u036f])*"
    rf"(?:(?:[-./'+]|(?<=\d)[,:](?=\d)){_LETTER}(?:{_LETTER}|[\u0300-\u036f])*)*"
)
_CJK_RUN = re.compile(rf"[{_CJK}]")
_CJK_NOT = re.compile("|".join(NEGATORS_CJK))
_CJK_FILLERS = "的了"


def words(text: str) -> list[Word]:
    """The words of a canonical text in order, fillers included."""
    found: list[Word] = []
    for match in _TOKEN.finditer(text):
        token, start = match[0], match.start()
        if _CJK_RUN.match(token):
            found += _bigrams(token, start)
        else:
            is_first = token[0].isupper() and _begins(text, start)
            found += forms(token, start, is_first=is_first)
    return [_one(word, found, at) if word.norm == "one" else word for at, word in enumerate(found)]


def _one(word: Word, found: list[Word], at: int) -> Word:
    """ "One approval" counts, "one by one" and "the old one" don't."""
    follows = found[at + 1] if at + 1 < len(found) else None
    if follows is None or follows.is_filler or follows.start - word.end != 1:
        return word
    return word._replace(norm="1", stem="1", is_number=True)


def content(spoken: list[Word]) -> frozenset[str]:
    """The set of words that Jaccard is measured on; negators count, fillers don't."""
    return frozenset([one.stem for one in spoken if not one.is_filler])


def content_of(text: str) -> frozenset[str]:
    """`content` of the words of a canonical text, in a third of the time: where they stand is what
    takes most of it."""
    found: set[str] = set()
    for match in _TOKEN.finditer(text):
        token = match[0]
        is_first = token[0].isupper() and _begins(text, match.start())
        said = None if _CJK_RUN.match(token) else stems(token, is_first=is_first)
        if said is None:
            return content(words(text))
        found.update(said)
    return frozenset(found)


def named(spoken: list[Word]) -> frozenset[str]:
    """Those that are names, of persons, things or code, or may be one at the beginning."""
    return frozenset([one.stem for one in spoken if one.is_name or one.is_capital])


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """|A ∩ B| / |A ∪ B|, in percents of one; 0 where both are empty."""
    common = len(one & other)
    union = len(one) + len(other) - common
    return round(common / union, 4) if union else 0.0


def _begins(text: str, start: int) -> bool:
    before = (
        text[:start].rstrip(" \"'(*-`") if start < 40 else text[start - 40 : start].rstrip(' "')
    )
    return not before or before[-1] in ".!?;:"


def _bigrams(run: str, start: int) -> Iterator[Word]:
    turned: set[int] = set()
    for match in _CJK_NOT.finditer(run):
        turned.update(range(match.start(), match.end()))
        yield Word(match[0], NOT, start + match.start(), start + match.end())
    plain = [
        (char, start + at)
        for at, char in enumerate(run)
        if char not in _CJK_FILLERS and at not in turned
    ]
    if len(plain) == 1:
        yield Word(plain[0][0], plain[0][0], plain[0][1], plain[0][1] + 1)
    for (one, at), (other, last) in pairwise(plain):
        yield Word(one + other, one + other, at, last + 1)
