"""What follows from the rules for those who ask why: whom a change concerns.

Pure, over snapshots of facts, and only ever by asking `authorize`: nothing here decides anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from lobes.access.authorize import authorize
from lobes.access.facts import Facts, Resource
from lobes.domain.actors import Human
from lobes.domain.ids import Slug
from lobes.domain.verbs import VERBS


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
