"""Groups as they are shown: who may know of them, who is in them, what removing one would do."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from dataclasses import dataclass

from lobes.access.facts import Facts, Resource
from lobes.domain.actors import Human, person_of
from lobes.domain.groups import GroupKind, Role, chain_upwards
from lobes.services.authority import facts_for, may, require
from lobes.services.explaining import knows
from lobes.services.installation import Caller, Installation
from lobes.store.read_groups import GroupRow, MemberRow, group_rows, member_rows, person_rows
from lobes.store.read_spaces import named_spaces


@dataclass(frozen=True, slots=True)
class GroupView:
    """A group that the caller may know of. `parent` is "" where there is none to know of; `role`
    is the caller's own: owner, member, "below" for one who is in a group below it, "" for none.
    The counts are of what the caller may know."""

    id: str
    kind: GroupKind
    name: str
    parent: str
    role: str
    members: int
    spaces: int

    @property
    def lobe(self) -> str:
        return f"{self.kind}/{self.id}"


@dataclass(frozen=True, slots=True)
class Member:
    """A member of a group. `since` is when they joined this very group, "" where they are a member
    by a group below it; `through` names that one, where the caller may know of it."""

    person: str
    name: str
    role: Role
    through: str
    since: str


@dataclass(frozen=True, slots=True)
class GroupDetail(GroupView):
    """The same with its members, the Spaces in it (id, name) and the groups right below it."""

    people: tuple[Member, ...]
    in_it: tuple[tuple[str, str], ...]
    below: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupImpact:
    """What removing a group does, of what the caller may know: who is in it no longer, which
    Spaces fall back to their owner and whom they name, which groups then lie in none."""

    id: str
    name: str
    people: tuple[str, ...]
    spaces: tuple[str, ...]
    below: tuple[str, ...]


def list_groups(lobes: Installation, caller: Caller) -> tuple[GroupView, ...]:
    """The groups that the caller may know of, by name: members, and whom the rules let in."""
    seen = _look(lobes, caller)
    return tuple(
        _view(one, caller, seen) for one in seen.rows if _knows(caller, one.id, seen.facts)
    )


def show_group(lobes: Installation, caller: Caller, id: str) -> GroupDetail:
    """One group with members, Spaces and the groups below it."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        require(
            lobes, caller, "read_content", Resource("group", id), facts=facts, event="group.read"
        )
        seen = _read(store, facts)
    row = next(one for one in seen.rows if one.id == id)
    view = _view(row, caller, seen)
    return GroupDetail(
        view.id,
        view.kind,
        view.name,
        view.parent,
        view.role,
        view.members,
        view.spaces,
        people=_people(id, caller, seen) if isinstance(caller.actor, Human) else (),
        in_it=tuple(_spaces(id, caller, seen)),
        below=_below(id, caller, seen),
    )


def group_impact(lobes: Installation, caller: Caller, id: str) -> GroupImpact:
    """What removing it would do, before anything is done; asked as the act itself is."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        about = Resource("group", id)
        require(lobes, caller, "change_permission", about, facts=facts, human_only=True)
        seen = _read(store, facts)
    row = next(one for one in seen.rows if one.id == id)
    return GroupImpact(
        id,
        row.name,
        people=tuple(sorted(facts.groups[id].hops)),
        spaces=tuple(space for space, _ in _spaces(id, caller, seen)),
        below=_below(id, caller, seen),
    )


# One look at all groups ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Seen:
    """One snapshot of all that lists of groups show."""

    facts: Facts
    rows: list[GroupRow]
    members: list[MemberRow]
    persons: dict[str, str]
    spaces: dict[str, list[tuple[str, str]]]
    """Group → the Spaces right in it, not yet filtered."""


def _look(lobes: Installation, caller: Caller) -> _Seen:
    with lobes.reading() as store:
        return _read(store, facts_for(store, caller))


def _read(store: sqlite3.Connection, facts: Facts) -> _Seen:
    spaces: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for one in named_spaces(store):
        standing = facts.spaces[one.id].standing
        spaces[standing.group or ""].append((one.id, one.name))
    return _Seen(
        facts,
        group_rows(store),
        member_rows(store),
        {one.id: one.name for one in person_rows(store)},
        spaces,
    )


def _knows(caller: Caller, group: str, facts: Facts) -> bool:
    return may(caller, "read_meta", Resource("group", group), facts)


def _view(row: GroupRow, caller: Caller, seen: _Seen) -> GroupView:
    group = seen.facts.groups[row.id]
    own = person_of(caller.actor)
    hops = group.hops.get(own)
    role = "owner" if own in group.owners else {None: "", 1: "member"}.get(hops, "below")
    above = row.parent if row.parent and _knows(caller, row.parent, seen.facts) else ""
    shown = isinstance(caller.actor, Human)
    return GroupView(
        id=row.id,
        kind=row.kind,
        name=row.name,
        parent=above,
        role=role,
        members=len(group.hops) if shown else 0,
        spaces=len(_spaces(row.id, caller, seen)),
    )


def _spaces(group: str, caller: Caller, seen: _Seen) -> list[tuple[str, str]]:
    """The Spaces of this very group that the caller may know of."""
    return [(id, name) for id, name in seen.spaces.get(group, ()) if knows(caller, id, seen.facts)]


def _below(group: str, caller: Caller, seen: _Seen) -> tuple[str, ...]:
    """The groups right below it that the caller may know of."""
    return tuple(
        one.id for one in seen.rows if one.parent == group and _knows(caller, one.id, seen.facts)
    )


def _people(group: str, caller: Caller, seen: _Seen) -> tuple[Member, ...]:
    """Whoever is a member, those first who joined this very group, its owners before all."""
    facts = seen.facts.groups[group]
    own = {one.person: one for one in seen.members if one.group == group}
    joined_below = _joined_below(group, seen)
    found: list[tuple[int, Member]] = []
    for person, hops in facts.hops.items():
        joined = own.get(person)
        role: Role = "owner" if person in facts.owners else "member"
        below = "" if joined else joined_below.get((person, hops), "")
        through = below if below and _knows(caller, below, seen.facts) else ""
        since = joined.since if joined else ""
        member = Member(person, seen.persons.get(person, person), role, through, since)
        found.append((0 if role == "owner" else hops, member))
    return tuple(one for _, one in sorted(found, key=lambda pair: (pair[0], pair[1].person)))


def _joined_below(group: str, seen: _Seen) -> dict[tuple[str, int], str]:
    """Person and hops → the group below by which they are a member, that many hops away."""
    parents = {one.id: one.parent for one in seen.rows}
    found: dict[tuple[str, int], str] = {}
    for one in seen.members:
        for hops, at in enumerate(chain_upwards(one.group, parents), start=1):
            if at == group:
                found.setdefault((one.person, hops), one.group)
    return found
