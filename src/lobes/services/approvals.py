"""Allow once: one Space may answer one question of another, for ten minutes and one search.

A person gives it, for two Spaces that they own; it is bound to the question to the letter, and
whoever works for that person in the asking Space may use it too, once.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from lobes.access.facts import Facts, Resource
from lobes.access.resolve import LobeDecision, resolve
from lobes.domain.actors import name_of, person_of
from lobes.domain.errors import Conflict, Forbidden, Invalid
from lobes.domain.reasons import sentence
from lobes.services.authority import facts_for, record_denied, require
from lobes.services.explaining import Names, lobe_sentence, names_in
from lobes.services.installation import Caller, Installation
from lobes.store.read_approvals import Approval, approvals_for, query_hash

MINUTES = 10
_OVERRIDDEN = ("ask", "closed")
"""What an approval beats: the rows of the resolver that stand behind it."""


@dataclass(frozen=True, slots=True)
class AllowedOnce:
    """`target` may answer `asking` once, until `expires`; `name` is the target's."""

    asking: str
    target: str
    name: str
    expires: datetime


def allow_once(
    lobes: Installation, caller: Caller, space: str, target: str, query: str
) -> AllowedOnce:
    """Let `target` answer this one question of `space`.

    Raises `NotFound` or `Forbidden` unless a person who owns both asks, `Invalid` for an empty
    question, `Conflict` where `space` draws on `target` anyway or where something that an approval
    doesn't beat keeps them apart.
    """
    if not query.strip():
        raise Invalid("There is no question.", hint="Give the question itself.", reason="no_query")
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller, space)
        for one in (space, target):
            asked = Resource("space", one)
            require(lobes, caller, "change_permission", asked, facts=facts, human_only=True)
        _require_owner_of_both(lobes, caller, (space, target), facts)
        names = names_in(unit.reader)
        _require_helps(_decision(caller, space, target, facts), caller, space, facts, names)
        approval = Approval(
            id=lobes.new_id(),
            person=person_of(caller.actor),
            asking=space,
            target=target,
            query_hash=query_hash(query),
            expires=lobes.clock() + timedelta(minutes=MINUTES),
        )
        unit.approvals.add(approval, now=lobes.clock())
        unit.commit()
    _audit(lobes, caller, approval)
    return AllowedOnce(space, target, names[target], approval.expires)


def _require_owner_of_both(
    lobes: Installation, caller: Caller, both: tuple[str, str], facts: Facts
) -> None:
    """A right to change a permission isn't enough: the resolver asks for the owner of both."""
    for one in both:
        if facts.spaces[one].standing.owner != person_of(caller.actor):
            asked = Resource("space", one)
            record_denied(lobes, caller, "change_permission", asked, answer="owner_only")
            raise Forbidden(sentence("owner_only"), reason="owner_only")


def _decision(caller: Caller, space: str, target: str, facts: Facts) -> LobeDecision:
    decisions = resolve(caller.actor, space, facts)
    return next(one for one in decisions if one.lobe == ("space", target))


def _require_helps(
    decision: LobeDecision, caller: Caller, space: str, facts: Facts, names: Names
) -> None:
    if decision.reason in _OVERRIDDEN:
        return
    why = lobe_sentence(decision, space, facts, names, person=person_of(caller.actor))
    if decision.allowed:
        raise Conflict(
            f"There is nothing to allow. {why}", hint="Just search.", reason="nothing_to_allow"
        )
    raise Conflict(
        why, hint=f"lobes lobe explain {space} {decision.lobe.id}", reason=decision.reason
    )


def with_approvals(
    store: sqlite3.Connection,
    facts: Facts,
    *,
    person: str,
    asking: str,
    query: str,
    now: datetime,
) -> tuple[Facts, tuple[Approval, ...]]:
    """The facts of a search for this very question, and the approvals that are in them."""
    found = approvals_for(store, person=person, asking=asking, query=query, now=now)
    if not found or asking not in facts.links:
        return facts, ()
    targets = frozenset(one.target for one in found)
    links = replace(facts.links[asking], approved_once=targets)
    return replace(facts, links={**facts.links, asking: links}), tuple(found)


def _audit(lobes: Installation, caller: Caller, approval: Approval) -> None:
    lobes.audit.append(
        "lobe.allowed_once",
        actor=name_of(caller.actor),
        verb="change_permission",
        resources=[f"space/{approval.asking}", f"space/{approval.target}"],
        decisions=[(f"space/{approval.target}>space/{approval.asking}", "once", True)],
        channel=caller.channel,
        correlation=caller.correlation,
        answer="owner",
    )
