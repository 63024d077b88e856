"""Sensitivity: the four levels, what a text was found to hold, and how both become one level.

Upgrade-only: a look at a text may raise its level, never lower it. A person lowers it, with a
reason; that stands until a detector finds something that was not there when it was lowered.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, NamedTuple, get_args

Level = Literal["public", "internal", "restricted", "confidential"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""From the one that may go anywhere to the one that is its owner's."""

MISSING: Level = "internal"
"""What counts where nobody said anything."""

STAYS: frozenset[Level] = frozenset({"restricted", "confidential"})
"""What never leaves by share, bundle or promotion."""

Category = Literal["credentials", "finance", "health", "identity"]


@dataclass(frozen=True, slots=True)
class Detector:
    """What one detector's hit means. `name` is what a person reads; a secret is masked."""

    name: str
    level: Level
    category: Category

    @property
    def is_secret(self) -> bool:
        return self.category == "credentials"


@dataclass(frozen=True, slots=True)
class Finding:
    """One hit in one text: characters `start` to `end` of it, on lines counted from 1.

    `mark` tells this content from another without holding it: a few digits of its SHA-256.
    """

    detector: Detector
    start: int
    end: int
    first_line: int
    last_line: int
    mark: str

    @property
    def kept(self) -> Kept:
        """What is stored of it."""
        return Kept(
            self.detector.name,
            self.detector.is_secret,
            self.first_line,
            self.last_line,
            self.mark,
        )

    @property
    def known_as(self) -> KnownAs:
        return self.detector.name, self.mark


KnownAs = tuple[str, str]
"""A finding as it is remembered: detector and mark."""


class Kept(NamedTuple):
    """A finding without its text: the detector, whether it is a secret, its lines, its mark."""

    detector: str
    is_secret: bool
    first_line: int
    last_line: int
    mark: str


@dataclass(frozen=True, slots=True)
class Setting:
    """What a person set by hand, and what they knew: the level the text gave itself and the
    findings at that moment. The reason is the person's own text."""

    level: Level
    by: str
    reason: str
    at: str
    given: Level | None = None
    accepted: frozenset[KnownAs] = frozenset()


def parse_level(text: object) -> Level | None:
    """The level that is named to the letter; None for anything else."""
    for known in LEVELS:
        if known == text:
            return known
    return None


def strictest(*levels: Level | None) -> Level:
    """The strictest of those that are given; `internal` where none is."""
    given = [LEVELS.index(one) for one in levels if one is not None]
    return LEVELS[max(given)] if given else MISSING


def is_stricter(one: Level, other: Level) -> bool:
    return LEVELS.index(one) > LEVELS.index(other)


def proposed(findings: Iterable[Finding]) -> Level | None:
    """What the findings ask for; None where there is none, which asks for nothing."""
    levels: list[Level] = [one.detector.level for one in findings]
    return strictest(*levels) if levels else None


def effective(
    before: Level | None,
    *,
    given: Level | None,
    findings: Iterable[Finding],
    setting: Setting | None = None,
) -> Level:
    """The level of a text that comes in: the strictest of what it had, what it says of itself
    and what is found in it. What a person knew when they set a level by hand counts no more."""
    if setting is None:
        return strictest(before, given or MISSING if before is None else given, proposed(findings))
    fresh = [one for one in findings if one.known_as not in setting.accepted]
    said = given if given != setting.given else None
    return strictest(before or setting.level, said, proposed(fresh))
