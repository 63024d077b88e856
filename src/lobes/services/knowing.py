"""Of which persons and lobes a caller may know.

A person knows of themself and of whoever is in a group that they may read: one that they are in,
for a superuser any. The installation's owner knows of everybody, an agent of nobody but its
speaker.
"""

from __future__ import annotations

from lobes.access.facts import HOME, Facts, Resource, ResourceKind
from lobes.domain.actors import Human, person_of
from lobes.domain.ids import LobeAddress
from lobes.domain.lobes import Subscription
from lobes.services.authority import may
from lobes.services.installation import Caller


def known_people(caller: Caller, facts: Facts) -> frozenset[str]:
    """Whoever exists for the caller: by their own lobe, by the home, or by a group whose members
    the caller is shown."""
    if knows_everybody(caller, facts):
        return facts.people
    own = person_of(caller.actor)
    found: set[str] = {own} if may(caller, "read_meta", Resource("person", own), facts) else set()
    if isinstance(caller.actor, Human):
        for id, group in facts.groups.items():
            if may(caller, "read_content", Resource("group", id), facts):
                found.update(group.hops)
    return facts.people & found


def knows_everybody(caller: Caller, facts: Facts) -> bool:
    """Whether nobody can be hidden from the caller: so it is for whose home it is. Of others it
    isn't said whether somebody is."""
    return may(caller, "read_meta", HOME, facts)


def knows_person(caller: Caller, person: str, facts: Facts) -> bool:
    """Whether this person exists for the caller; it takes as long for one who never was."""
    return person in known_people(caller, facts)


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
