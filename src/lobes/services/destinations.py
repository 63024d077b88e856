"""Where a memory may be put: the Space that it is proposed in, or a lobe that it names.

The verb is asked on the Space; of an agent another lobe must be one that its Space draws on, so
that naming one tells nothing, and the person behind it one who may propose there.
"""

from __future__ import annotations

from lobes.access.authorize import authorize
from lobes.access.facts import Facts, Resource, ResourceKind
from lobes.domain.actors import Human, is_human, person_of
from lobes.domain.errors import nothing_there
from lobes.domain.ids import LobeAddress, LobeKind
from lobes.domain.lobes import BROKEN
from lobes.domain.memories import WRITE_POLICIES, WritePolicy
from lobes.services.authority import require
from lobes.services.installation import Caller, Installation

_THING: dict[LobeKind, ResourceKind] = {
    "space": "space",
    "personal": "person",
    "guest": "share",
    "team": "group",
    "department": "group",
    "organization": "group",
}


def thing_of(lobe: LobeAddress) -> Resource:
    """What the rules are asked on for a lobe itself."""
    return Resource(_THING[lobe.kind], lobe.id)


def asking(space: str, *lobes: LobeAddress) -> tuple[str, ...]:
    return tuple(dict.fromkeys((space, *(one.id for one in lobes if one.kind == "space"))))


def require_place(
    lobes: Installation, caller: Caller, verb: str, space: str, lobe: LobeAddress, facts: Facts
) -> str:
    """By which reason the caller may put it there, or the error.

    An agent never hears of a lobe that its Space may not draw on, so that naming one tells
    nothing; the person behind it must be one who may propose there.
    """
    if not space and is_human(caller.actor):  # a person may speak of no Space at all
        return require(lobes, caller, verb, thing_of(lobe), facts=facts).reason
    answer = require(lobes, caller, verb, Resource("space", space), facts=facts).reason
    if lobe == LobeAddress("space", space):
        return answer
    there = thing_of(lobe)
    if is_human(caller.actor):
        return require(lobes, caller, verb, there, facts=facts).reason
    require(lobes, caller, "read_meta", there, facts=facts)
    if not authorize(Human(person_of(caller.actor)), "propose", there, facts).allowed:
        raise nothing_there()
    return answer


def policy_of(facts: Facts, space: str, lobe: LobeAddress) -> WritePolicy:
    """The stricter of the Space's and the destination's; where none is known, all waits."""
    asked = [one for one in (space, lobe.id if lobe.kind == "space" else "") if one]
    if not asked:
        return "risky"
    known = [facts.links[one].config if one in facts.links else BROKEN for one in asked]
    policies = [one.write_policy for one in known]
    return next(one for one in WRITE_POLICIES if one in policies)
