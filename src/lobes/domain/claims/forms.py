"""The form in which a word counts: spelled, counted or contracted otherwise it is the same word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from lobes.domain.claims.lexicon import FILLERS, MONTHS, NEGATORS, NUMBERS, ORDINALS, SAME, UNITS

NOT = "\u00ac"
"""Stands for every negator among the words of a statement."""

KEPT = 40
"""Letters of a word whose forms are remembered: nobody's text may fill the memory."""

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


def forms(token: str, start: int, *, is_first: bool) -> tuple[Word, ...]:
    """The words that a token stands for, one but for contractions, measures and dates. `is_first`:
    it begins a sentence, so that a capital letter makes no name."""
    made = _remembered if len(token) <= KEPT else _forms
    if not start:
        return made(token, is_first)
    return tuple(
        [
            Word(a, b, first + start, last + start, *c)
            for a, b, first, last, *c in made(token, is_first)
        ]
    )


def _forms(token: str, is_first: bool) -> tuple[Word, ...]:
    if token[0].isdigit():
        return tuple(_counted(token.casefold()))
    return tuple(_spelled(token, is_first=is_first))


_remembered = lru_cache(maxsize=65_536)(_forms)


def stems(token: str, *, is_first: bool) -> tuple[str, ...] | None:
    """The stems of the words that a token stands for, without fillers; None where it depends on
    what follows."""
    made = _stems_remembered if len(token) <= KEPT else _stems
    return made(token, is_first)


def _stems(token: str, is_first: bool) -> tuple[str, ...] | None:
    made = forms(token, 0, is_first=is_first)
    if any(one.norm == "one" for one in made):
        return None
    return tuple(one.stem for one in made if not one.is_filler)


_stems_remembered = lru_cache(maxsize=65_536)(_stems)


def _spelled(token: str, *, is_first: bool) -> Iterator[Word]:
    norm, end, start = token.casefold(), len(token), 0
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


def _counted(token: str) -> Iterator[Word]:
    start, end = 0, len(token)
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
