"""What is proposed: its checks, and which of it waits for a person.

What can't be a memory is refused here with a fixed code; nothing is cut to fit.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Literal

from lobes.domain.display import is_hidden
from lobes.domain.errors import Invalid
from lobes.domain.ids import LobeAddress, parse_slug
from lobes.domain.memories import (
    CLASSES,
    EPISTEMICS,
    HIGH_CATEGORIES,
    KINDS,
    LONGEST,
    Author,
    Epistemic,
    Given,
    Kind,
    MemoryClass,
    Provenance,
    Status,
    Wait,
    WritePolicy,
)
from lobes.domain.recalled import was_given
from lobes.domain.regions import without_private
from lobes.domain.sensitivity import LEVELS, STAYS, Level
from lobes.domain.texts import is_utf8, require_text

MOST_EVIDENCE = 20
LONGEST_WORD = 300
"""Characters of a subject or of one piece of evidence."""

PER_SESSION = 200
PER_HOUR = 300
"""How many proposals of agents are taken, repeats not counted: more no person reviews."""

Outcome = Literal["pending", "active", "repeat", "suppressed"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """What somebody wants remembered. `lobe` is None for the Space that it is proposed in;
    `given` the sensitivity they gave it; `replaces` a memory that it would supersede."""

    statement: str
    kind: Kind = "observation"
    memory_class: MemoryClass = "project"
    epistemic: Epistemic | None = None
    subject: str = ""
    category: str = ""
    lobe: LobeAddress | None = None
    given: Level | None = None
    confidence: float | None = None
    evidence: tuple[str, ...] = ()
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    replaces: str = ""


@dataclass(frozen=True, slots=True)
class Origin:
    """Who it is from and how it came; set by the face, never by a text or an argument. `given` is
    what they had been given last, the newest last."""

    author: Author
    came: Provenance = field(default_factory=Provenance)
    given: tuple[Given, ...] = ()


def checked(proposal: Proposal) -> Proposal:
    """The proposal as it is kept, without its private regions, or `Invalid` with what is wrong
    with it."""
    proposal = _spoken(proposal)
    statement = "\n".join(line.rstrip() for line in proposal.statement.splitlines()).strip()
    _check_statement(statement, proposal.kind)
    _one_of(proposal.kind, KINDS, "kind")
    _one_of(proposal.memory_class, CLASSES, "class")
    if proposal.epistemic is not None:
        _one_of(proposal.epistemic, EPISTEMICS, "epistemic")
    if proposal.given is not None:
        _one_of(proposal.given, LEVELS, "level")
    if proposal.category:
        parse_slug(proposal.category, what="category")
    if proposal.confidence is not None and not 0 <= proposal.confidence <= 1:
        raise Invalid(
            "A confidence is between 0 and 1.",
            hint="Leave it out where nobody can say.",
            reason="bad_confidence",
        )
    if len(proposal.evidence) > MOST_EVIDENCE:
        raise Invalid(
            "That is too much evidence.",
            hint=f"Name the {MOST_EVIDENCE} pieces that matter most.",
            reason="too_much_evidence",
        )
    _check_validity(proposal.valid_from, proposal.valid_to)
    evidence = tuple(dict.fromkeys(_word(one, "evidence") for one in proposal.evidence))
    return replace(
        proposal,
        statement=statement,
        subject=_word(proposal.subject, "subject"),
        evidence=tuple(one for one in evidence if one),
    )


def _check_validity(begin: datetime | None, end: datetime | None) -> None:
    if not all(one is None or _is_moment(one) for one in (begin, end)):
        raise Invalid(
            "A date needs its time zone, and a year that can be counted in UTC.",
            hint="Such as 2026-11-30T12:00Z.",
            reason="bad_validity",
        )
    if begin is not None and end is not None and end <= begin:
        raise Invalid(
            "It would end before it begins.",
            hint="The end is the first moment at which it no longer holds.",
            reason="bad_validity",
        )


def _is_moment(one: datetime) -> bool:
    try:
        one.astimezone(UTC)
    except OverflowError:
        return False
    return one.tzinfo is not None


def _spoken(proposal: Proposal) -> Proposal:
    """Without what was said in private, before any check can look at it or tell of it."""
    statement, private = without_private(proposal.statement)
    if private and not statement.strip():
        raise Invalid(
            "All of it is private, so there is nothing to remember.",
            hint="What may be remembered stands outside the private tags.",
            reason="not_a_statement",
        )
    return replace(
        proposal,
        statement=statement,
        subject=without_private(proposal.subject)[0],
        category=without_private(proposal.category)[0],
        evidence=tuple(without_private(one)[0] for one in proposal.evidence),
    )


_ONE_QUESTION = re.compile(r"[^.!?。！？]*[?？؟]+[\s\"')\]]*", re.DOTALL)


def _check_statement(statement: str, kind: str) -> None:
    if all(one.isspace() or is_hidden(one) for one in statement):
        raise Invalid(
            "There is nothing to remember.", hint="Say it in full sentences.", reason="no_statement"
        )
    if len(statement) > LONGEST:
        raise Invalid(
            "That is too long for one memory.",
            hint=f"Say it in {LONGEST} characters, or make several of it.",
            reason="too_long",
        )
    require_text(statement)
    if kind != "question" and _ONE_QUESTION.fullmatch(statement):
        raise Invalid(
            "A question is nothing to remember.",
            hint="Say what is so; an open question has the kind question.",
            reason="not_a_statement",
        )
    if was_given(statement):
        raise Invalid(
            "That is context which an agent was given, not something new.",
            hint="Propose what was learned, in words of its own.",
            reason="not_a_statement",
        )


def _one_of(value: str, known: Collection[str], what: str) -> None:
    if value not in known:
        names = ", ".join(known)
        raise Invalid(f"This is no {what}.", hint=f"One of {names}.", reason=f"bad_{what}")


def _word(text: str, what: str) -> str:
    found = " ".join(text.split())
    if len(found) > LONGEST_WORD or not is_utf8(found):
        raise Invalid(
            f"This is no {what}.", hint=f"At most {LONGEST_WORD} characters.", reason=f"bad_{what}"
        )
    return found.replace("\0", "")


def believed(proposal: Proposal, author: Author) -> Epistemic:
    """How it is known. What an agent says of it counts no higher than what it inferred."""
    if author == "agent":
        if proposal.epistemic in ("external_evidence", "unresolved_uncertainty"):
            return proposal.epistemic
        return "agent_inference"
    if proposal.epistemic is not None:
        return proposal.epistemic
    if author in ("import", "share"):
        return "external_evidence"
    return "decision" if proposal.kind == "decision" else "personal_observation"


# What waits ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Circumstances:
    """All that the write policy asks of a proposal; `said_before` are the statuses of memories in
    its lobe that say just the same and are no longer retrieved."""

    author: Author
    policy: WritePolicy = "risky"
    is_asked: bool = False
    is_elsewhere: bool = False
    level: Level = "internal"
    category: str = ""
    is_outside: bool = False
    has_secret: bool = False
    has_finding: bool = False
    has_conflict: bool = False
    has_near_copy: bool = False
    replaces: bool = False
    said_before: frozenset[Status] = frozenset()


def waits(it: Circumstances) -> tuple[Wait, ...]:
    """Why it waits for a person; () where it becomes active at once.

    An agent's own inference is no risk only under the policy `none`; every other reason holds
    under each policy, and under `all` there is always one.
    """
    by_author: dict[Author, Wait] = {"import": "imported", "share": "shared"}
    if it.policy != "none":
        by_author["agent"] = "inferred"
    high = it.category in HIGH_CATEGORIES or it.has_finding
    asked: list[tuple[Wait, bool]] = [
        ("asked", it.is_asked and it.author == "user"),
        ("wider_scope", it.is_elsewhere),
        ("sensitive", it.level in STAYS),
        ("high_category", high),
        ("outside", it.is_outside),
        ("secret", it.has_secret),
        ("conflict", it.has_conflict or "superseded" in it.said_before),
        ("near_copy", it.has_near_copy or "archived" in it.said_before),
        ("replaces", it.replaces),
        ("policy", it.policy not in ("risky", "none")),
    ]
    first: list[Wait] = [by_author[it.author]] if it.author in by_author else []
    return tuple(first + [wait for wait, holds in asked if holds])
