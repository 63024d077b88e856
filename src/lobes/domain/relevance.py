"""How much a memory counts beside how well it fits: how fresh it is, and how well founded.

Pure, and the same for everybody on one day: a date stands for now, four places are kept, and how
often something was used counts nothing. Files of a pack don't age. Nothing here changes a status.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from lobes.domain.memories import Author, Kind

HALF_LIFE: Mapping[Kind, int] = {
    "decision": 180,
    "pattern": 180,
    "preference": 180,
    "code_pattern": 90,
    "error_fix": 90,
    "command": 60,
    "observation": 60,
    "context": 30,
    "summary": 30,
    "question": 14,
}
"""Days after which half of it is to be asked about again."""

AGED_KEEPS = 0.5
"""What is left of the score of the oldest memory: a person let it be, so it is never lost."""

AUTHORITY: Mapping[Author, float] = {"user": 1.0, "import": 0.9, "agent": 0.9, "share": 0.8}
OUTSIDE_AUTHORITY = 0.8
"""Of what derives from a text that neither the person nor this installation wrote."""

_A_CORROBORATION, _CORROBORATIONS, _A_CONTRADICTION = 0.1, 10, 0.5


def staleness(kind: Kind, *, since: date, as_of: date) -> float:
    """0 for what was confirmed today, 0.5 after its half-life, towards 1:
    1 − 2^(−age/half-life). What lies in the future is fresh."""
    age = max(0, (as_of - since).days)
    return round(1 - 2 ** (-age / HALF_LIFE[kind]), 4)


def freshness(kind: Kind, *, since: date, as_of: date) -> float:
    """The factor on the score, from 1 down to `AGED_KEEPS`."""
    return round(1 - (1 - AGED_KEEPS) * staleness(kind, since=since, as_of=as_of), 4)


def is_stale(kind: Kind, *, since: date, as_of: date) -> bool:
    """Whether its half-life is over, so that it asks to be looked at again."""
    return (as_of - since).days >= HALF_LIFE[kind]


def evidence(
    author: Author,
    *,
    is_external: bool,
    confidence: float | None,
    corroborations: int,
    contradictions: int,
) -> float:
    """The factor on the score, up to 1:
    base·(1 + 0.1·min(corroborations, 10))·authority/(1 + 0.5·contradictions).

    `base` is the confidence, 1 where nobody gave one. `contradictions` are those that the one who
    asks may know of.
    """
    base = 1.0 if confidence is None else min(1.0, max(0.0, confidence))
    founded = 1 + _A_CORROBORATION * min(corroborations, _CORROBORATIONS)
    authority = min(AUTHORITY[author], OUTSIDE_AUTHORITY if is_external else 1.0)
    return round(min(1.0, base * founded * authority / (1 + _A_CONTRADICTION * contradictions)), 4)
