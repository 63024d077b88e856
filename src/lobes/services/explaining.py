"""Why a Space draws on a lobe or not, in both directions.

The sentence is everybody's who may know the lobe; what would change it is told to those alone who
may change it. What may not be known has no row, as if it weren't there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lobes.access.authorize import authorize
from lobes.access.explain import changer, levers
from lobes.access.facts import Facts, Resource
from lobes.access.resolve import LobeDecision, resolve
from lobes.domain.actors import Actor, Human, is_human, person_of
from lobes.domain.errors import nothing_there
from lobes.domain.ids import LobeAddress, Slug, parse_address
from lobes.domain.reasons import sentence, would_change
from lobes.services.authority import may, require
from lobes.services.installation import Caller, Installation
from lobes.store.facts import load_facts
from lobes.store.read_groups import group_names
from lobes.store.read_spaces import SpaceRow, space_names, space_rows

Names = Mapping[str, str]
"""A Space's id, a group lobe's address → its name. A group may have a Space's id: it never gets
that one's name."""


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


def explain(
    lobes: Installation, caller: Caller, space: str, target: str | None = None
) -> tuple[Explained, ...]:
    """Why and why not, for every lobe; with a `target` (a Space's id, or the address of any lobe)
    only that one, and for a Space the way back too: no other lobe draws on anything.

    Raises `NotFound` where the caller may not know the target, as for one that never was.
    """
    asked = None if target is None else _address(target)
    with lobes.reading() as store:
        facts, _ = all_facts(store)
        names = names_in(store)
    require(
        lobes, caller, "read_content", Resource("space", space), facts=facts, event="space.read"
    )
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


def explained(caller: Caller, space: str, facts: Facts, names: Names) -> tuple[Explained, ...]:
    """Every lobe's answer for `space`. An agent gets the lobes that it may know of, and neither
    the others nor a setting of theirs."""
    explain_one = explainer(caller, facts, names)
    return tuple(
        explain_one(one, space)
        for one in resolve(caller.actor, space, facts)
        if one.lobe.kind != "space" or knows(caller, one.lobe.id, facts)
    )


def explainer(
    caller: Caller, facts: Facts, names: Names
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
    names: Names,
    actor: Actor,
    may_change: Callable[[str], bool],
) -> Explained:
    change = ""
    if decision.reason == "no_access" or any(map(may_change, levers(decision, space))):
        change = lobe_change(decision, space, names) if is_human(actor) else ""
    return Explained(
        asking=space,
        lobe=str(decision.lobe),
        name=name_in(decision.lobe, names),
        allowed=decision.allowed,
        reason=decision.reason,
        sentence=lobe_sentence(decision, space, facts, names, person=person_of(actor)),
        weight=decision.weight,
        would_change=change,
        by=decision.by,
    )


def names_in(store: sqlite3.Connection) -> Names:
    """For sentences about what the rules already let be known."""
    return {**space_names(store), **group_names(store)}


def name_in(lobe: LobeAddress, names: Names) -> str:
    return names.get(lobe.id if lobe.kind == "space" else str(lobe), lobe.id)


def _by(decision: LobeDecision, facts: Facts, names: Names, *, person: str) -> str:
    """What decided, in names; a group that the person may not know of is "a group"."""
    if decision.reason == "member":
        return name_in(LobeAddress(facts.groups[decision.by].kind, decision.by), names)
    group = decision.by.partition("/")[2]
    if group and not _knows_group(person, group, facts):
        return _A_GROUP
    return names.get(decision.by, decision.by)


_A_GROUP = "a group"


def _knows_group(person: str, group: str, facts: Facts) -> bool:
    asked = Resource("group", group)
    return authorize(Human(Slug(person)), "read_meta", asked, facts).allowed


def lobe_sentence(
    decision: LobeDecision, space: str, facts: Facts, names: Names, *, person: str
) -> str:
    """The sentence of one lobe's code, in names: the same wherever the code is shown."""
    return sentence(
        decision.reason,
        a=names.get(space, space),
        b=name_in(decision.lobe, names),
        by=_by(decision, facts, names, person=person),
        others=_is_of_others(decision, facts, person),
    )


def lobe_change(decision: LobeDecision, space: str, names: Names) -> str:
    """What would change it, in names; only ever for those who may change it."""
    a, b = names.get(space, space), name_in(decision.lobe, names)
    return would_change(decision.reason, a=a, b=b, by=names.get(decision.by, decision.by))


def _is_of_others(decision: LobeDecision, facts: Facts, person: str) -> bool:
    """Whether what the sentence says of "you" is of somebody else's doing."""
    if decision.reason == "excluded":
        decided = facts.spaces.get(decision.by)
        return decided is None or decided.standing.owner != person
    if decision.reason == "member":
        group = facts.groups.get(decision.by)
        return group is None or person not in group.hops
    return False


# What others ask too ---------------------------------------------------------------------------


def all_facts(store: sqlite3.Connection) -> tuple[Facts, list[SpaceRow]]:
    """The facts with the links of every Space, and the Spaces, from the caller's snapshot."""
    rows = [row for row in space_rows(store) if row.status != "deleted"]
    return load_facts(store, asking=[row.id for row in rows]), rows


def knows(caller: Caller, space: str, facts: Facts) -> bool:
    """Whether the Space exists for the caller at all."""
    return may(caller, "read_meta", Resource("space", space), facts)
