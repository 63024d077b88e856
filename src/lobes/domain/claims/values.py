"""The numbers, versions, dates and times of a clause, each with the key that says of what it is.

Two values may only differ where they have one key: minutes and hours are both time, a port is no
timeout. A number behind a name or before a word of content is one of it; what has neither is keyed
"", and is compared with what is measured.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from lobes.domain.claims.forms import Word
from lobes.domain.claims.lexicon import LABELS, UNITS, wordset

Form = Literal["number", "version", "date", "time"]
_YEAR = re.compile(r"(?:19|20)\d\d")
_IN = wordset("in since until from of by before after year for im seit bis en desde depuis")
_ONE = wordset("a an")
_AN_AMOUNT = wordset("minute hour day week month year percent dollar euro pound kilo")
"""Units of which `a` is one; `a second` is a place in a row."""
_AMOUNTS_BEFORE = wordset("after within for in about around takes take took lasts of only")
CURRENCIES = frozenset("€$£")


@dataclass(frozen=True, slots=True)
class Value:
    """`key` says what is measured or named, `value` how much or which. `first` and `last` are the
    places among the words, of all that belongs to it."""

    form: Form
    key: str
    value: str
    first: int
    last: int

    @property
    def names(self) -> bool:
        """Whether it tells which thing, rather than how much of it."""
        return self.form in ("version", "date", "time")


def values(spoken: Sequence[Word]) -> list[Value]:
    """All values in order; words of units belong to them."""
    found: list[Value] = []
    at = 0
    while at < len(spoken):
        value = _value(spoken, at) if _may_begin(spoken[at]) else None
        if value:
            found.append(value)
        at = value.last + 1 if value else at + 1
    return found


def _may_begin(word: Word) -> bool:
    return (
        word.is_number
        or word.norm in _ONE
        or word.stem.startswith("month ")
        or word.norm in CURRENCIES
    )


def _value(spoken: Sequence[Word], at: int) -> Value | None:
    if date := _date(spoken, at):
        return date
    word = spoken[at]
    if word.norm in CURRENCIES:
        follows = spoken[at + 1] if at + 1 < len(spoken) else None
        if follows and follows.is_number:
            return Value("number", UNITS[word.norm][0], _amount(follows.stem), at, at + 1)
        return None
    if word.norm in _ONE:
        return _one(spoken, at)
    if not word.is_number:
        return None
    if ":" in word.norm:
        return Value("time", "clock", word.stem, at, at)
    if _YEAR.fullmatch(word.norm) and at and spoken[at - 1].norm in _IN:
        return Value("date", "year", word.stem, at, at)
    return _measured(spoken, at) or _labelled(spoken, at) or _counted(spoken, at)


def _one(spoken: Sequence[Word], at: int) -> Value | None:
    """`an hour` behind a preposition, where it is how much; `twice an hour` is none."""
    follows = spoken[at + 1].norm if at + 1 < len(spoken) else ""
    if follows not in _AN_AMOUNT or not at or spoken[at - 1].norm not in _AMOUNTS_BEFORE:
        return None
    dimension, factor = UNITS[follows]
    return Value("number", dimension, _amount("1", factor), at, at + 1)


def _date(spoken: Sequence[Word], at: int) -> Value | None:
    """Day and month in either order, with or without the year; or a month alone."""
    parts = spoken[at : at + 4]
    stems = [one.stem for one in parts]
    months = [n for n, one in enumerate(stems[:3]) if one.startswith("month ")]
    if not months:
        return None
    month = months[0]
    # "3 of May" and "3rd May"; what stands between is a filler.
    days = [n for n in range(min(len(parts), 3)) if n != month and _is_day(parts[n])]
    if month and not (days and days[0] == 0):
        return None
    day = days[0] if days and abs(days[0] - month) <= 2 else None
    if day is not None and abs(day - month) == 2 and parts[1].norm not in ("of", "de", "the"):
        day = None
    if month and day is None:
        return None
    last = max(month, day or 0)
    year = parts[last + 1] if last + 1 < len(parts) else None
    has_year = year is not None and year.is_number and len(year.stem) == 4 and year.stem.isdigit()
    text = f"{stems[month][6:]}/{_digits(stems[day]) if day is not None else ''}"
    key = "date" if day is not None else "month"
    return Value("date", key, text + (f"/{year.stem}" if has_year and year else ""), at,
                 at + last + has_year)  # fmt: skip


def _is_day(word: Word) -> bool:
    digits = _digits(word.stem)
    return digits.isdigit() and 1 <= int(digits) <= 31 and len(word.stem) <= 4


def _digits(text: str) -> str:
    return text.removesuffix("st").removesuffix("nd").removesuffix("rd").removesuffix("th")


def _measured(spoken: Sequence[Word], at: int) -> Value | None:
    """A number with a unit that is known: in its base, so that 60 seconds are 1 minute."""
    if at + 1 == len(spoken) or spoken[at + 1].norm not in UNITS:
        return None
    dimension, factor = UNITS[spoken[at + 1].norm]
    return Value("number", dimension, _amount(spoken[at].stem, factor), at, at + 1)


def _labelled(spoken: Sequence[Word], at: int) -> Value | None:
    """A number behind what it is the number of."""
    if at == 0:
        return None
    before, word = spoken[at - 1], spoken[at]
    is_version = "." in word.norm and not before.is_filler
    if before.norm in LABELS or before.is_name or is_version:
        form: Form = (
            "version" if is_version or before.is_name or before.norm != "port" else "number"
        )
        return Value(form, f"of {before.stem}", word.stem, at, at)
    return None


def _counted(spoken: Sequence[Word], at: int) -> Value:
    """A number of what follows; else of what stands before it; else of nothing that is known."""
    after = spoken[at + 1] if at + 1 < len(spoken) else None
    before = spoken[at - 1] if at else None
    value = _amount(spoken[at].stem)
    if after and not after.is_filler and not after.is_number and not after.is_negator:
        return Value("number", after.stem, value, at, at)
    if before and not before.is_filler and not before.is_number and not before.is_negator:
        return Value("number", f"of {before.stem}", value, at, at)
    return Value("number", "", value, at, at)


def _amount(text: str, factor: float = 1.0) -> str:
    try:
        return f"{float(text) * factor:.12g}"
    except ValueError:
        return text
