"""What follows from the rules for those who ask why: the true cause, who may change it, and whom
a change concerns.

Pure, over snapshots of facts, and only ever by asking `authorize` and `resolve`: nothing here
decides anything.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lobes.access.authorize import Decision, authorize
from lobes.access.facts import Facts, Resource, ResourceKind, Standing
from lobes.access.resolve import Code, LobeDecision, resolve
from lobes.domain.actors import Actor, Ai, Human, Job, ceiling
from lobes.domain.ids import LobeAddress, LobeKind, Slug
from lobes.domain.verbs import VERBS

# Why a Space draws on a lobe or not ------------------------------------------------------------

_OF_THE_ASKING: frozenset[Code] = frozenset(
    {"personal", "member", "subscribed", "shared", "muted", "not_linked"}
)
_OF_THE_LOBE: frozenset[Code] = frozenset({"inactive", "private"})
_OF_WHO_DECIDED: frozenset[Code] = frozenset({"excluded", "ask", "closed"})


def levers(decision: LobeDecision, asking: str) -> tuple[str, ...]:
    """The Spaces of which any one, changed, would change this; none where nothing would."""
    if decision.reason in _OF_THE_ASKING:
        return (asking,)
    if decision.reason in _OF_THE_LOBE:
        return (decision.lobe.id,)
    if decision.reason in _OF_WHO_DECIDED:
        return (decision.by,)
    return (asking, decision.lobe.id) if decision.reason == "sibling" else ()


def changer(actor: Actor, facts: Facts) -> Callable[[str], bool]:
    """Whether the actor may change a Space's lobe, asked once for each distinct standing: that is
    all that decides it for a person, and no agent may."""
    known: dict[Standing, bool] = {}

    def may_change(space: str) -> bool:
        found = facts.spaces.get(space)
        if found is None or not isinstance(actor, Human):
            return False
        if found.standing not in known:
            asked = Resource("space", space)
            known[found.standing] = authorize(actor, "change_permission", asked, facts).allowed
        return known[found.standing]

    return may_change


# Why somebody may do something or not ----------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Why:
    """`told` is what the actor gets. `cause` is the row's true reason where `told` hides it, and
    `lobe` the resolver's answer where an agent's Space may not draw on the thing's lobe: both for
    those who may change it."""

    told: Decision
    cause: str = ""
    lobe: LobeDecision | None = None


def why(actor: Actor, verb: str, resource: Resource, facts: Facts) -> Why:
    """The whole truth of one decision; who asks may see less of it."""
    told = authorize(actor, verb, resource, facts)
    lobe = None
    if told.cause == NOT_SERVED and isinstance(actor, (Ai, Job)):
        where = _lobe_of(resource, facts)
        served = resolve(actor, actor.space, facts)
        lobe = next((one for one in served if one.lobe == where), None)
    cause = told.cause
    if told.reason == "ceiling" and isinstance(actor, (Ai, Job)) and verb in ceiling(actor.preset):
        cause = PRESET_OF_ITS_SPACE
    if cause == NOT_NAMED and _is_private(resource, facts):
        cause = "private"  # its lists lie dormant, so nobody counts as named: that is the reason
    return Why(told, cause, lobe)


PRESET_OF_ITS_SPACE = "preset of its Space"
NOT_NAMED = "not named"
NOT_SERVED = "its Space may not draw on that lobe"


def _is_private(resource: Resource, facts: Facts) -> bool:
    """Whether the thing, or the Space that it is in, is seen by its owner only."""
    item = facts.items.get(resource)
    lobe = _lobe_of(resource, facts)
    space = facts.spaces.get(lobe.id) if lobe is not None and lobe.kind == "space" else None
    around = [one.standing for one in (item, space) if one is not None]
    return any(one is not None and one.permission.visibility == "private" for one in around)


def _lobe_of(resource: Resource, facts: Facts) -> LobeAddress | None:
    item = facts.items.get(resource)
    if item is not None:
        return item.lobe
    group = facts.groups.get(resource.id)
    if resource.kind == "group" and group is not None:
        return LobeAddress(group.kind, resource.id)
    kind = _LOBES.get(resource.kind)
    return LobeAddress(kind, resource.id) if kind else None


_LOBES: dict[ResourceKind, LobeKind] = {"space": "space", "person": "personal", "share": "guest"}


# Whom a change concerns ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Turn:
    """What one person may do after a change and couldn't before, and the other way round."""

    person: str
    gained: tuple[str, ...]
    lost: tuple[str, ...]


def those_concerned(before: Facts, after: Facts, resource: Resource) -> tuple[Turn, ...]:
    """Each person whose own rights to the thing differ, by id; 0.6 ms a person."""
    found: list[Turn] = []
    for person in sorted(before.people | after.people):
        had, has = _rights(person, before, resource), _rights(person, after, resource)
        if had != has:
            gained = tuple(verb for verb in VERBS if verb in has - had)
            lost = tuple(verb for verb in VERBS if verb in had - has)
            found.append(Turn(person, gained, lost))
    return tuple(found)


def _rights(person: str, facts: Facts, resource: Resource) -> frozenset[str]:
    human = Human(Slug(person))
    if not authorize(human, "read_meta", resource, facts).allowed:
        return frozenset()
    return frozenset(one for one in VERBS if authorize(human, one, resource, facts).allowed)
