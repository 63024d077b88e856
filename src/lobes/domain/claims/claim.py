"""What is compared and what comes out: values alone. An answer proposes, it never does anything.

Which verdict a pair gets: an exact repeat, else a contradiction or a succession, else the band of
its token-set Jaccard. What can't be told is the weakest of them, `related`: a person is asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple, get_args

DUPLICATE = 0.70
MERGE = 0.45
"""The lower ends of the bands of Jaccard, from the rules of memory."""

Verdict = Literal[
    "repeat",
    "contradicts",
    "succeeds",
    "near_duplicate",
    "merge_candidate",
    "related",
    "unrelated",
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)

Cause = Literal[
    "same_text",
    "opposed",
    "other_number",
    "other_version",
    "other_date",
    "other_time",
    "other_name",
    "other_choice",
    "change_told",
    "later_period",
    "other_period",
    "same_words",
    "many_words",
    "some_words",
    "no_words",
]
"""What decided, in fixed words: the code of a sentence in `SENTENCES`."""

SENTENCES: dict[Cause, str] = {
    "same_text": "The same text.",
    "opposed": "One says the opposite of the other.",
    "other_number": "The same thing with another number.",
    "other_version": "The same thing with another version.",
    "other_date": "The same thing with another date.",
    "other_time": "The same thing at another time.",
    "other_name": "The same thing with another name.",
    "other_choice": "The same thing with another choice.",
    "change_told": "The new one says that something has changed.",
    "later_period": "The new one is valid for a later period.",
    "other_period": "They are valid for different periods.",
    "same_words": "Nearly the same words.",
    "many_words": "Many words in common.",
    "some_words": "Some words in common.",
    "no_words": "No words in common.",
}


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement as the detector sees it. `subject` is the proposer's key, "" for none; the
    period is half-open, and None leaves its end open."""

    id: str
    statement: str
    kind: str = "context"
    subject: str = ""
    valid_from: datetime | None = None
    valid_to: datetime | None = None


class Span(NamedTuple):
    """Characters `start` up to `end` of the statement as it was written."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Relation:
    """How a new claim stands to an old one.

    `score` is the token-set Jaccard, 0 to 1. `new` and `old` are the places that decided, in
    order; they may be empty, as where a word is missing on one side.
    """

    verdict: Verdict
    score: float
    cause: Cause
    new: tuple[Span, ...] = ()
    old: tuple[Span, ...] = ()

    @property
    def is_conflict(self) -> bool:
        """Whether a person must decide between the two before both can stand."""
        return self.verdict in ("contradicts", "succeeds")

    @property
    def sentence(self) -> str:
        return SENTENCES[self.cause]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An old claim beside the new one, with how they stand."""

    id: str
    relation: Relation


@dataclass(frozen=True, slots=True)
class Group:
    """Claims that one decision may settle: each of `members` nearly repeats `representative`,
    which is the first of them."""

    representative: str
    members: tuple[str, ...]
