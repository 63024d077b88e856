"""A statement as words: one form for what is spelled, counted or contracted differently.

A run of Chinese, Japanese or Korean letters has no blanks, so its pairs of letters stand for words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from lobes.domain.claims.lexicon import (
    FILLERS,
    MONTHS,
    NEGATORS,
    NEGATORS_CJK,
    NUMBERS,
    ORDINALS,
    SAME,
    UNITS,
)

NOT = "\u00ac"
"""Stands for every negator among the words of a statement."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
_LETTER = rf"[^\W{_CJK}]"
_TOKEN = re.compile(
    rf"[{_CJK}]+|[%€$£]|(?:(?<!\w)--?)?{_LETTER}[\u0300-\u036f]*(?:{_LETTER}|[\u0300-\u036f])*"
    rf"(?:(?:[-./'+]|(?<=\d)[,:](?=\d)){_LETTER}(?:{_LETTER}|[\u0300-\u036f])*)*"
)
_CJK_RUN = re.compile(rf"[{_CJK}]")
_CJK_NOT = re.compile("|".join(NEGATORS_CJK))
_CJK_FILLERS = "的了"
_ISO_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_GERMAN_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
_MEASURE = re.compile(r"(\d+(?:[.,]\d+)*)([a-z]+)")
_VERSION = re.compile(r"v(\d+(?:\.\d+)*)")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_THOUSANDS = re.compile(r"\d{1,3}(?:[,.]\d{3})+")
_ELIDED = re.compile(r"[cdjlmnst]'(?=\w)|qu'(?=\w)")


_SUFFIXES = {1: "st", 2: "nd", 3: "rd"}


class Word(NamedTuple):
    """`norm` is how it is spelled in lower case, `stem` what counts as the same word; `start` and
    `end` are places in the canonical text."""

    norm: str
    stem: str
    start: int
    end: int
    is_number: bool = False
    is_name: bool = False
    is_capital: bool = False

    @property
    def is_filler(self) -> bool:
        return self.norm in FILLERS and not self.is_name

    @property
    def is_negator(self) -> bool:
        return self.stem == NOT


def words(text: str) -> list[Word]:
    """The words of a canonical text in order, fillers included."""
    found: list[Word] = []
    for match in _TOKEN.finditer(text):
        token, start = match[0], match.start()
        if _CJK_RUN.match(token):
            found += _bigrams(token, start)
        elif token[0].isdigit():
            found += _counted(token.casefold(), start)
        else:
            found += _spelled(token, start, is_first=_begins(text, start))
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


def named(spoken: list[Word]) -> frozenset[str]:
    """Those that are names, of persons, things or code, or may be one at the beginning."""
    return frozenset([one.stem for one in spoken if one.is_name or one.is_capital])


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """|A ∩ B| / |A ∪ B|, in percents of one; 0 where both are empty."""
    common = len(one & other)
    union = len(one) + len(other) - common
    return round(common / union, 4) if union else 0.0


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """What counts as the same word: English endings off, in the spirit of Porter's first step."""
    word = SAME.get(word, word)
    if not (word.isascii() and word.isalpha()) or len(word) <= 3:
        return word
    for endings in (_PLURAL, _PAST):
        for ending, least, put in endings:
            if word.endswith(ending) and len(word) - len(ending) >= least:
                word = word[: -len(ending)] + put
                word = SAME.get(word, word)
                break
    return _bare(word)


_PLURAL = (
    ("sses", 1, "ss"), ("ies", 2, "y"), ("ches", 2, "ch"), ("shes", 2, "sh"), ("xes", 2, "x"),
    ("ss", 1, "ss"), ("us", 1, "us"), ("is", 1, "is"), ("s", 3, ""),
)  # fmt: skip
_PAST = (("ied", 2, "y"), ("ing", 3, ""), ("eed", 1, "eed"), ("ed", 3, ""))


def _bare(word: str) -> str:
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        return word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


def _begins(text: str, start: int) -> bool:
    before = (
        text[:start].rstrip(" \"'(*-`") if start < 40 else text[start - 40 : start].rstrip(' "')
    )
    return not before or before[-1] in ".!?;:"


def _spelled(token: str, start: int, *, is_first: bool) -> Iterator[Word]:
    norm, end = token.casefold(), start + len(token)
    if norm.endswith("n't") or norm == "cannot":
        yield Word("can", "can", start, start)
        yield Word("not", NOT, start, end)
        return
    norm = _ELIDED.sub("", norm).removesuffix("'s").removesuffix("'") or norm
    if version := _VERSION.fullmatch(norm):
        yield Word("v", "v", start, start + 1)
        yield Word(version[1], version[1], start + 1, end, is_number=True)
    elif norm in NEGATORS:
        yield Word(norm, NOT, start, end)
    elif norm in NUMBERS and norm != "one":
        yield Word(norm, str(NUMBERS[norm]), start, end, is_number=True)
    elif norm in ORDINALS:
        yield Word(norm, _ordinal(ORDINALS[norm]), start, end)
    elif token[0].isupper() and norm in MONTHS:
        yield Word(norm, f"month {MONTHS[norm]}", start, end)
    else:
        is_name = _is_name(token, is_first=is_first)
        # The abbreviation US is no pronoun.
        root = norm if is_name and token.isupper() else stem(norm)
        yield Word(norm, root, start, end, is_name=is_name, is_capital=token[0].isupper())


def _is_name(token: str, *, is_first: bool) -> bool:
    if any(char.isupper() for char in token[1:]) or not token.isalpha():
        return not token.casefold().endswith(("'s", "'m", "'ve", "'re", "'ll"))
    return token[0].isupper() and not is_first and token != "I"


def _counted(token: str, start: int) -> Iterator[Word]:
    end = start + len(token)
    if date := _ISO_DATE.fullmatch(token):
        yield from _date(int(date[1]), int(date[2]), int(date[3]), start, end)
    elif date := _GERMAN_DATE.fullmatch(token):
        yield from _date(int(date[3]), int(date[2]), int(date[1]), start, end)
    elif _NUMBER.fullmatch(token):
        yield Word(token, number(token), start, end, is_number=True)
    elif ordinal := _ORDINAL.fullmatch(token):
        yield Word(token, _ordinal(int(ordinal[1][:6])), start, end)
    elif (measure := _MEASURE.fullmatch(token)) and measure[2] in UNITS:
        cut = start + len(measure[1])
        yield Word(measure[1], number(measure[1]), start, cut, is_number=True)
        yield Word(measure[2], stem(measure[2]), cut, end)
    elif measure and measure[2] == "k":
        yield Word(token, f"{number(measure[1])}000", start, end, is_number=True)
    else:
        yield Word(token, token, start, end, is_name=True)


def _date(year: int, month: int, day: int, start: int, end: int) -> Iterator[Word]:
    yield Word(str(day), str(day), start, end, is_number=True)
    yield Word("", f"month {month}", start, end)
    yield Word(str(year), str(year), start, end, is_number=True)


def number(token: str) -> str:
    """One spelling: no thousands separators, no zero in front of an hour or behind a point."""
    if _THOUSANDS.fullmatch(token):
        return token.replace(",", "").replace(".", "")
    plain = token.replace(",", ".")
    return plain.lstrip("0") or "0" if plain[0] == "0" and not plain.startswith("0.") else plain


def _ordinal(value: int) -> str:
    return f"{value}{_SUFFIXES.get(value, 'th')}"


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
