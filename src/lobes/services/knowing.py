"""Of which persons and lobes a caller may know.

A person knows of themself and of whoever is in a group that they may read: one that they are in,
for a superuser any. The installation's owner knows of everybody, an agent of nobody but its
speaker.
"""

from __future__ import annotations

from lobes.access.facts import HOME, Facts, GroupFacts, Resource, ResourceKind
from lobes.domain.actors import Human
from lobes.domain.ids import LobeAddress
from lobes.domain.lobes import Subscription
from lobes.services.authority import may
from lobes.services.installation import Caller


def knows_person(caller: Caller, person: str, facts: Facts) -> bool:
    """Whether this person exists for the caller: by their own lobe, by the home, or by a group.

    All three are asked whatever the person is: the time must not tell who there is."""
    ways = (
        may(caller, "read_meta", Resource("person", person), facts),
        may(caller, "read_meta", HOME, facts),
        any(person in one.hops for one in _read_groups(caller, facts)),
    )
    return any(ways) and person in facts.people


def _read_groups(caller: Caller, facts: Facts) -> list[GroupFacts]:
    """The groups whose members the caller is shown; for an agent none."""
    if not isinstance(caller.actor, Human):
        return []
    return [
        one
        for id, one in facts.groups.items()
        if may(caller, "read_content", Resource("group", id), facts)
    ]


def knows_source(caller: Caller, source: Subscription, facts: Facts) -> bool:
    """Whether what a subscription names exists for the caller."""
    if source.type == "tag":
        return True
    if source.type == "user":
        return knows_person(caller, source.id, facts)
    return knows_lobe(caller, LobeAddress(source.type, source.id), facts)


def knows_lobe(caller: Caller, lobe: LobeAddress, facts: Facts) -> bool:
    """Whether this lobe exists for the caller."""
    kept: dict[str, ResourceKind] = {"space": "space", "personal": "person", "guest": "share"}
    resource = Resource(kept.get(lobe.kind, "group"), lobe.id)
    return may(caller, "read_meta", resource, facts)
