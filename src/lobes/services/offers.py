"""What a Space can be given as a source, and whom its lists can name: for the lists of the screens.

A source is offered only where its text may be read; a person or group, where they may be known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from lobes.access.facts import Facts, Resource
from lobes.domain.actors import person_of
from lobes.domain.lobes import Subscription
from lobes.services.authority import facts_for, may, require
from lobes.services.installation import Caller, Installation
from lobes.services.knowing import known_people
from lobes.store.read_groups import GroupRow, PersonRow, group_rows, person_rows
from lobes.store.read_spaces import SpaceRow, space_rows


@dataclass(frozen=True, slots=True)
class Offered:
    """A source with its name; `count` is how many Spaces carry a tag, 0 for anything else."""

    source: Subscription
    name: str
    count: int = 0


def offered_sources(lobes: Installation, caller: Caller, space: str) -> tuple[Offered, ...]:
    """Spaces, tags, groups, guest lobes and persons that `space` may subscribe to: Spaces and
    groups by name, each kind together."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        require(lobes, caller, "read_content", Resource("space", space), facts=facts)
        spaces, groups, people = space_rows(store), group_rows(store), person_rows(store)
    return (
        *_spaces(caller, space, facts, spaces),
        *_tags(caller, space, facts, spaces),
        *_groups(caller, facts, groups),
        *_guests(caller, facts, people),
        *_people(caller, facts, people),
    )


def _spaces(caller: Caller, space: str, facts: Facts, rows: list[SpaceRow]) -> Iterator[Offered]:
    for one in sorted(rows, key=lambda row: row.name.casefold()):
        live = one.id in facts.spaces and facts.spaces[one.id].is_live
        readable = live and may(caller, "read_content", Resource("space", one.id), facts)
        if readable and one.id != space:
            yield Offered(Subscription("space", one.id), one.name)


def _tags(caller: Caller, space: str, facts: Facts, rows: list[SpaceRow]) -> Iterator[Offered]:
    """A tag is resolved within one owner: the asking Space's, who has to be the caller."""
    own = person_of(caller.actor)
    if facts.spaces[space].standing.owner != own:
        return
    carried = Counter(
        tag
        for one in rows
        if one.owner == own and one.id != space and one.id in facts.spaces
        for tag in one.tags
    )
    for tag in sorted(carried):
        yield Offered(Subscription("tag", tag), f"#{tag}", carried[tag])


def _groups(caller: Caller, facts: Facts, rows: list[GroupRow]) -> Iterator[Offered]:
    for one in rows:
        if may(caller, "read_content", Resource("group", one.id), facts):
            yield Offered(Subscription(one.kind, one.id), one.name)


def _guests(caller: Caller, facts: Facts, rows: list[PersonRow]) -> Iterator[Offered]:
    """Live shares to the caller: the name is of who shares."""
    names = {one.id: one.name for one in rows}
    for share, one in sorted(facts.shares.items()):
        if may(caller, "read_content", Resource("share", share), facts):
            yield Offered(Subscription("guest", share), names.get(one.owner, one.owner))


def _people(caller: Caller, facts: Facts, rows: list[PersonRow]) -> Iterator[Offered]:
    """`user:P` is whatever P shares with the caller, now and later: each is checked by itself."""
    others = known_people(caller, facts) - {person_of(caller.actor)}
    for one in rows:
        if one.id in others:
            yield Offered(Subscription("user", one.id), one.name)


# Whom a list can name --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Somebody:
    """`subject` is user:ID, group:ID or all; `kind` a person, or which kind of group."""

    subject: str
    name: str
    kind: str


def offered_subjects(lobes: Installation, caller: Caller) -> tuple[Somebody, ...]:
    """Persons, then groups, that the caller may name in a list."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        groups, people = group_rows(store), person_rows(store)
    known = known_people(caller, facts)
    return (
        *(Somebody(f"user:{one.id}", one.name, "person") for one in people if one.id in known),
        *(
            Somebody(f"group:{one.id}", one.name, one.kind)
            for one in groups
            if may(caller, "read_meta", Resource("group", one.id), facts)
        ),
    )
