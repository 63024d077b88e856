"""Sessions: conversations of a person or an agent in one Space, turn by turn.

A session is its author's, private unless they say otherwise, and only ever closer than its Space.
What can't be a turn is refused here with a fixed code; nothing is cut to fit.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from lobes.domain.display import is_hidden
from lobes.domain.errors import Invalid
from lobes.domain.ids import is_ulid
from lobes.domain.permissions import Permission
from lobes.domain.proposals import MOST_EVIDENCE
from lobes.domain.recalled import was_given
from lobes.domain.regions import without_private
from lobes.domain.sensitivity import Kept, Level
from lobes.domain.texts import require_text

LONGEST_SUMMARY = 4_000
LONGEST_DECISION = 500
MOST_DECISIONS = 20
MOST_TURNS = 1_000
"""Turns of one session."""
PER_HOUR = 600
"""Turns that are taken of all agents of a person."""

NEW = Permission("private")
"""What a session has from its first turn on."""


@dataclass(frozen=True, slots=True)
class Said:
    """What somebody wants recorded of one turn; `evidence` are ids of what it rests on."""

    summary: str
    decisions: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation. `actor` is who began it, as the audit writes them, `person` whose it is;
    `client` is how their program called itself."""

    id: str
    space: str
    person: str
    actor: str
    client: str
    permission: Permission
    started: datetime


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn, counted from 1. `is_external`: it derives from a text that came from outside.

    `level` and `findings` are of all its texts; the lines of a finding are those of its own text.
    """

    place: int
    at: datetime
    actor: str
    summary: str
    decisions: tuple[str, ...]
    evidence: tuple[str, ...]
    is_external: bool
    level: Level
    findings: tuple[Kept, ...]
    classifier: int


def checked(said: Said) -> Said:
    """The turn as it is kept, without its private regions, or `Invalid` with what is wrong with
    it."""
    summary = _text(said.summary)
    decisions = tuple(dict.fromkeys(filter(None, map(_text, said.decisions))))
    if not summary:
        raise Invalid(
            "There is nothing to record.",
            hint="Say in a sentence what was done.",
            reason="no_summary",
        )
    if (
        len(summary) > LONGEST_SUMMARY
        or len(decisions) > MOST_DECISIONS
        or any(len(one) > LONGEST_DECISION for one in decisions)
    ):
        raise Invalid(
            "That is too long for one turn.",
            hint=f"A summary has {LONGEST_SUMMARY:,} characters at most; of decisions there are "
            f"{MOST_DECISIONS}, each of {LONGEST_DECISION}.",
            reason="turn_too_long",
        )
    return Said(summary, decisions, _evidence(said.evidence))


def _text(text: str) -> str:
    """The text without what was said in private, before any check can look at it or tell of it;
    "" where nothing of it can be seen."""
    spoken = without_private(text)[0]
    found = "\n".join(line.rstrip() for line in spoken.splitlines()).strip()
    require_text(found)
    if was_given(found):
        raise Invalid(
            "That is context which an agent was given, not something new.",
            hint="Say what was done, in words of its own.",
            reason="not_a_summary",
        )
    return "" if all(one.isspace() or is_hidden(one) for one in found) else found


def _evidence(ids: tuple[str, ...]) -> tuple[str, ...]:
    found = tuple(dict.fromkeys(ids))
    if len(found) > MOST_EVIDENCE or not all(map(is_ulid, found)):
        raise Invalid(
            "That evidence can't be taken.",
            hint=f"Name at most {MOST_EVIDENCE} ids of files or memories.",
            reason="bad_evidence",
        )
    return found
