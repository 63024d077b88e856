"""Why a Space draws on a lobe or not, in both directions, and why somebody may do something.

The sentence is everybody's who may know the lobe; what would change it is told to those alone who
may change it. What may not be known has no row, as if it weren't there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lobes.access.explain import Why, changer, levers, why
from lobes.access.facts import Facts, Resource
from lobes.access.resolve import LobeDecision, resolve
from lobes.domain.actors import Actor, Human, is_human, name_of, person_of
from lobes.domain.errors import nothing_there
from lobes.domain.ids import LobeAddress, parse_address
from lobes.domain.reasons import (
    about_another,
    cause_change,
    cause_sentence,
    sentence,
    would_change,
)
from lobes.services.authority import facts_for, may, require
from lobes.services.installation import Caller, Installation
from lobes.store.facts import load_facts
from lobes.store.read_spaces import SpaceRow, space_names, space_rows


@dataclass(frozen=True, slots=True)
class Explained:
    """One lobe's answer for one asking Space, with the sentence and, for those who may change it,
    what would."""

    asking: str
    lobe: str
    name: str
    allowed: bool
    reason: str
    sentence: str
    weight: float
    would_change: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Right:
    """Whether an actor may do something. `reason` is the true one for those who may change the
    thing, `told` what the actor gets; for everybody else both are the same."""

    actor: str
    verb: str
    resource: str
    allowed: bool
    reason: str
    sentence: str
    rule: int
    told: str
    would_change: str


def explain(
    lobes: Installation, caller: Caller, space: str, target: str | None = None
) -> tuple[Explained, ...]:
    """Why and why not, for every lobe; with a `target` (a Space's id, or the address of any lobe)
    only that one, and for a Space the way back too: no other lobe draws on anything.

    Raises `NotFound` where the caller may not know the target, as for one that never was.
    """
    asked = None if target is None else _address(target)
    with lobes.reading() as store:
        facts, rows = all_facts(store)
    require(
        lobes, caller, "read_content", Resource("space", space), facts=facts, event="space.read"
    )
    names = {one.id: one.name for one in rows}
    if asked is None:
        return explained(caller, space, facts, names)
    if asked.kind == "space":
        require(lobes, caller, "read_meta", Resource("space", asked.id), facts=facts)
    there = _only(explained(caller, space, facts, names), asked)
    if asked.kind != "space" or asked.id == space:
        if not there:
            raise nothing_there()
        return there
    back = _only(explained(caller, asked.id, facts, names), LobeAddress("space", space))
    return (*there, *back)


def _address(target: str) -> LobeAddress:
    return parse_address(target) if "/" in target else LobeAddress("space", target)


def _only(rows: tuple[Explained, ...], lobe: LobeAddress) -> tuple[Explained, ...]:
    return tuple(one for one in rows if one.lobe == str(lobe))


def explained(
    caller: Caller, space: str, facts: Facts, names: Mapping[str, str]
) -> tuple[Explained, ...]:
    """Every lobe's answer for `space`. An agent gets the lobes that it may know of, and neither
    the others nor a setting of theirs."""
    explain_one = explainer(caller, facts, names)
    return tuple(
        explain_one(one, space)
        for one in resolve(caller.actor, space, facts)
        if one.lobe.kind != "space" or knows(caller, one.lobe.id, facts)
    )


def explainer(
    caller: Caller, facts: Facts, names: Mapping[str, str]
) -> Callable[[LobeDecision, str], Explained]:
    """Puts a decision and its asking Space, of which both the caller may know, into words."""
    may_change = changer(caller.actor, facts)
    return lambda decision, space: _explained_one(
        decision, space, facts, names, caller.actor, may_change
    )


def _explained_one(
    decision: LobeDecision,
    space: str,
    facts: Facts,
    names: Mapping[str, str],
    actor: Actor,
    may_change: Callable[[str], bool],
) -> Explained:
    lobe, by = decision.lobe, names.get(decision.by, decision.by)
    a, b = names.get(space, space), name_in(lobe, names)
    change = ""
    if decision.reason == "no_access" or any(map(may_change, levers(decision, space))):
        change = would_change(decision.reason, a=a, b=b, by=by) if is_human(actor) else ""
    return Explained(
        asking=space,
        lobe=str(lobe),
        name=b,
        allowed=decision.allowed,
        reason=decision.reason,
        sentence=lobe_sentence(decision, space, facts, names, person=person_of(actor)),
        weight=decision.weight,
        would_change=change,
        by=decision.by,
    )


def name_in(lobe: LobeAddress, names: Mapping[str, str]) -> str:
    return names.get(lobe.id, lobe.id) if lobe.kind == "space" else lobe.id


def lobe_sentence(
    decision: LobeDecision, space: str, facts: Facts, names: Mapping[str, str], *, person: str
) -> str:
    """The sentence of one lobe's code, in names: the same wherever the code is shown."""
    return sentence(
        decision.reason,
        a=names.get(space, space),
        b=name_in(decision.lobe, names),
        by=names.get(decision.by, decision.by),
        others=_is_of_others(decision, facts, person),
    )


def _is_of_others(decision: LobeDecision, facts: Facts, person: str) -> bool:
    """Whether what the sentence says of "you" is of somebody else's doing."""
    if decision.reason == "excluded":
        decided = facts.spaces.get(decision.by)
        return decided is None or decided.standing.owner != person
    if decision.reason == "member":
        group = facts.groups.get(decision.by)
        return group is None or person not in group.hops
    return False


# Who may do what -------------------------------------------------------------------------------


def explain_right(
    lobes: Installation, caller: Caller, actor: Actor, verb: str, resource: Resource
) -> Right:
    """Whether `actor` may do this, and why.

    About oneself everybody may ask, and learns what they would be told. About another actor those
    may ask who may change the thing, and a person about their own agents.

    Raises `NotFound` or `Forbidden` where the caller may ask neither.
    """
    with lobes.reading() as store:
        names = space_names(store)
        bound = () if isinstance(actor, Human) else (actor.space,)
        documents = (resource.id,) if resource.kind == "document" else ()
        facts = facts_for(store, caller, *bound, documents=documents)
    knows_causes = is_human(caller.actor) and may(caller, "change_permission", resource, facts)
    is_own = is_human(caller.actor) and person_of(actor) == person_of(caller.actor)
    if not knows_causes and not is_own and actor != caller.actor:
        require(lobes, caller, "change_permission", resource, facts=facts)
    truth = why(actor, verb, resource, facts)
    if truth.told.allowed or not knows_causes:
        return _as_told(truth, actor, caller, verb, resource)
    return _with_cause(truth, actor, verb, resource, facts, names)


_HIDDEN_RULE = 6
"""The row of everything that isn't there: another would tell that something is."""


def _as_told(truth: Why, actor: Actor, caller: Caller, verb: str, resource: Resource) -> Right:
    told = truth.told
    reason = told.reason
    own = actor == caller.actor
    return Right(
        actor=name_of(actor),
        verb=verb,
        resource=str(resource),
        allowed=told.allowed,
        reason=reason,
        sentence=sentence(reason) if own else about_another(reason, name=_called(actor)),
        rule=_HIDDEN_RULE if reason == "not_found" else told.rule,
        told=reason,
        would_change=would_change(reason),
    )


def _with_cause(
    truth: Why,
    actor: Actor,
    verb: str,
    resource: Resource,
    facts: Facts,
    names: Mapping[str, str],
) -> Right:
    told, name = truth.told, _called(actor)
    reason, text = told.reason, about_another(told.reason, name=name)
    change = cause_change(truth.cause or told.reason, name=name)
    if truth.cause:
        text = cause_sentence(truth.cause, name=name)
        reason = "private" if truth.cause == "private" else reason
    if truth.lobe is not None and not isinstance(actor, Human):
        reason = truth.lobe.reason
        text = lobe_sentence(truth.lobe, actor.space, facts, names, person=person_of(actor))
        a, b = names.get(actor.space, actor.space), name_in(truth.lobe.lobe, names)
        change = would_change(reason, a=a, b=b, by=names.get(truth.lobe.by, truth.lobe.by))
    return Right(
        actor=name_of(actor),
        verb=verb,
        resource=str(resource),
        allowed=False,
        reason=reason,
        sentence=text,
        rule=told.rule,
        told=told.reason,
        would_change=change,
    )


def _called(actor: Actor) -> str:
    """How a sentence names an actor: a person by id, an agent as such."""
    return actor.person if isinstance(actor, Human) else "this agent"


# What both ask ---------------------------------------------------------------------------------


def all_facts(store: sqlite3.Connection) -> tuple[Facts, list[SpaceRow]]:
    """The facts with the links of every Space, and the Spaces, from the caller's snapshot."""
    rows = [row for row in space_rows(store) if row.status != "deleted"]
    return load_facts(store, asking=[row.id for row in rows]), rows


def knows(caller: Caller, space: str, facts: Facts) -> bool:
    """Whether the Space exists for the caller at all."""
    return may(caller, "read_meta", Resource("space", space), facts)
