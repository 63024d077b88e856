"""Groups: who may know of them, and what their owners change.

A group always has an owner: the last one hands it over, or removes it. Removing keeps the row: its
grants and its Spaces name an id that means nobody, and no other group ever gets that id.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lobes.access.facts import HOME, Facts, Resource
from lobes.domain.actors import Human, name_of, person_of
from lobes.domain.errors import Conflict, nothing_there
from lobes.domain.groups import Group, GroupKind, Membership, Role, check_name, check_nesting
from lobes.domain.ids import Slug, parse_slug
from lobes.services.authority import facts_for, may, require
from lobes.services.installation import Caller, Installation
from lobes.services.knowing import knows_person
from lobes.services.lobes import knows
from lobes.store.read_groups import GroupRow, MemberRow, group_rows, member_rows, person_rows
from lobes.store.read_spaces import named_spaces

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork


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


@dataclass(frozen=True, slots=True)
class Moved:
    """Who joined a group or left it, with both names."""

    person: str
    name: str
    group: str


@dataclass(frozen=True, slots=True)
class NewGroup:
    id: str
    kind: GroupKind
    name: str = ""
    parent: str = ""


# What is shown ---------------------------------------------------------------------------------


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
        below=tuple(
            one.id for one in seen.rows if one.parent == id and _knows(caller, one.id, facts)
        ),
    )


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


def _people(group: str, caller: Caller, seen: _Seen) -> tuple[Member, ...]:
    """Whoever is a member, those first who joined this very group, its owners before all."""
    facts = seen.facts.groups[group]
    own = {one.person: one for one in seen.members if one.group == group}
    found: list[tuple[int, Member]] = []
    for person, hops in facts.hops.items():
        joined = own.get(person)
        role: Role = "owner" if person in facts.owners else "member"
        below = "" if joined else _nearest(person, hops, group, seen)
        through = below if below and _knows(caller, below, seen.facts) else ""
        since = joined.since if joined else ""
        member = Member(person, seen.persons.get(person, person), role, through, since)
        found.append((0 if role == "owner" else hops, member))
    return tuple(one for _, one in sorted(found, key=lambda pair: (pair[0], pair[1].person)))


def _nearest(person: str, hops: int, group: str, seen: _Seen) -> str:
    """The group that this person joined and that lies so many steps below."""
    parents = {one.id: one.parent for one in seen.rows}
    for one in seen.members:
        at: str | None = one.group
        for _ in range(hops - 1):
            at = parents.get(at or "")
        if one.person == person and at == group:
            return one.group
    return ""


# What is changed -------------------------------------------------------------------------------


def add_group(lobes: Installation, caller: Caller, wanted: NewGroup) -> Group:
    """A new group, its maker its first owner. In a wider one only if the caller may change that
    one: its members are that one's members too."""
    id = parse_slug(wanted.id, what="group")
    name = check_name(wanted.name) if wanted.name else id

    def asked(facts: Facts) -> None:
        require(lobes, caller, "write_meta", HOME, facts=facts, human_only=True)
        if wanted.parent:
            _may_change(lobes, caller, wanted.parent, facts)
            check_nesting(id, wanted.kind, wanted.parent, facts.groups[wanted.parent].kind)

    with lobes.reading() as store:
        asked(facts_for(store, caller))
    with lobes.database().begin() as unit:
        asked(facts_for(unit.reader, caller))
        parent = Slug(wanted.parent) if wanted.parent else None
        group = Group(id, wanted.kind, name, parent, lobes.clock())
        unit.groups.add(group)
        unit.groups.put(id, person_of(caller.actor), "owner")
        unit.commit()
    _audit(lobes, caller, "group.added", group.id, verb="write_meta")
    return group


def edit_group(
    lobes: Installation, caller: Caller, id: str, *, name: str = "", parent: str | None = None
) -> Group:
    """Another name, or another place: `parent` is the wider group, "" for none, None leaves it."""

    def change(unit: UnitOfWork, group: Group, facts: Facts) -> Group:
        if parent:
            _may_change(lobes, caller, parent, facts)
            check_nesting(id, group.kind, parent, facts.groups[parent].kind)
        above = group.parent if parent is None else (Slug(parent) if parent else None)
        changed = replace(group, name=check_name(name) if name else group.name, parent=above)
        unit.groups.save(changed)
        return changed

    return _change(lobes, caller, id, change, "group.changed", notice="group.changed")


def join_group(
    lobes: Installation, caller: Caller, id: str, person: str = "", *, role: Role = "member"
) -> Moved:
    """Take somebody in, or give a member another role; by an owner of the group."""
    who = parse_slug(person, what="person") if person else person_of(caller.actor)
    name = ""

    def change(unit: UnitOfWork, group: Group, facts: Facts) -> Group:
        nonlocal name
        if not knows_person(caller, who, facts):
            raise nothing_there()
        name = _name(unit, who)
        members = unit.groups.members(group.id)
        stored = next((one for one in members if one.person == who), None)
        if stored is not None and stored.role == role:
            raise Conflict(f"{name} is in {group.name} already.", reason="no_change")
        if stored is not None and stored.role == "owner":
            _keep_an_owner(group, who, members, name)
        unit.groups.put(group.id, who, role)
        _tell(lobes, caller, unit, "group.joined", id, to=(who,), detail=role)
        return group

    joined = _change(lobes, caller, id, change, "group.joined", also=who)
    return Moved(who, name, joined.name)


def leave_group(lobes: Installation, caller: Caller, id: str, person: str = "") -> Moved:
    """Leave a group, or take somebody out of it; answers who went. Whoever joined may leave; of
    others an owner decides. `Conflict`: `last_owner`, or `not_a_member` for who never joined."""
    own = person_of(caller.actor)
    who = parse_slug(person, what="person") if person else own
    leaves = who == own and isinstance(caller.actor, Human)
    name = ""

    def change(unit: UnitOfWork, group: Group, facts: Facts) -> Group:
        nonlocal name
        members = unit.groups.members(group.id)
        if who not in {one.person for one in members}:
            raise _never_joined(group, who, leaves=leaves, facts=facts)
        name = _name(unit, who)
        _keep_an_owner(group, who, members, name)
        unit.groups.take_out(group.id, who)
        owners = {one.person for one in members if one.role == "owner"}
        event, to = ("group.left", owners) if leaves else ("group.removed_you", {who})
        _tell(lobes, caller, unit, event, id, to=to)
        return group

    # To go narrows one's own rights alone, so knowing of the group is enough for it.
    verb = "read_meta" if leaves else "change_permission"
    left = _change(lobes, caller, id, change, "group.left", also=who, verb=verb)
    return Moved(who, name, left.name)


def group_impact(lobes: Installation, caller: Caller, id: str) -> GroupImpact:
    """What removing it would do, before anything is done; asked as the act itself is."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        _may_change(lobes, caller, id, facts)
        seen = _read(store, facts)
    row = next(one for one in seen.rows if one.id == id)
    return GroupImpact(
        id,
        row.name,
        people=tuple(sorted(facts.groups[id].hops)),
        spaces=tuple(space for space, _ in _spaces(id, caller, seen)),
        below=tuple(
            one.id for one in seen.rows if one.parent == id and _knows(caller, one.id, facts)
        ),
    )


def remove_group(lobes: Installation, caller: Caller, id: str) -> Group:
    """Its grants are void and its Spaces fall back to their owner and whom they name, until it is
    brought back: nothing is deleted, and no other group gets its id."""

    def change(unit: UnitOfWork, group: Group, facts: Facts) -> Group:
        to = facts.groups[id].hops
        _tell(lobes, caller, unit, "group.gone", id, to=to)
        return unit.groups.remove(group)

    return _change(lobes, caller, id, change, "group.removed")


def restore_group(lobes: Installation, caller: Caller, id: str) -> Group:
    """Undo a removal: members, grants and Spaces mean what they meant."""

    def change(unit: UnitOfWork, group: Group, facts: Facts) -> Group:
        if group.removed is None:
            raise Conflict(f"{group.name} isn't removed.", reason="no_change")
        back = replace(group, removed=None)
        unit.groups.save(back)
        _tell(lobes, caller, unit, "group.back", id, to=facts.groups[id].hops)
        return back

    return _change(lobes, caller, id, change, "group.restored", removed=True)


_Change = Callable[["UnitOfWork", Group, Facts], Group]


def _change(
    lobes: Installation,
    caller: Caller,
    id: str,
    change: _Change,
    event: str,
    *,
    verb: str = "change_permission",
    also: str = "",
    notice: str = "",
    removed: bool = False,
) -> Group:
    """Judge, change and tell in one unit of work. Asked before it too: a refusal never waits for
    the store's write lock."""
    gone = (id,) if removed else ()
    with lobes.reading() as store:
        facts = facts_for(store, caller, removed_groups=gone)
        require(lobes, caller, verb, _about(id), facts=facts, human_only=True)
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller, removed_groups=gone)
        judged = require(lobes, caller, verb, _about(id), facts=facts, human_only=True)
        stored = unit.groups.get(id)
        if stored is None:
            raise nothing_there()
        changed = change(unit, stored, facts)
        if notice:
            _tell(lobes, caller, unit, notice, id, to=facts.groups[id].hops)
        unit.commit()
    _audit(lobes, caller, event, id, verb=verb, also=also, answer=judged.reason)
    return changed


def _about(id: str) -> Resource:
    return Resource("group", id)


def _tell(
    lobes: Installation,
    caller: Caller,
    unit: UnitOfWork,
    event: str,
    id: str,
    *,
    to: Iterable[str],
    detail: str = "",
) -> None:
    from lobes.services.notices import notify  # brings SQLModel, which no list pays for

    notify(lobes, caller, unit, event, _about(id), to=to, detail=detail)


def _may_change(lobes: Installation, caller: Caller, id: str, facts: Facts) -> None:
    require(lobes, caller, "change_permission", _about(id), facts=facts, human_only=True)


def _name(unit: UnitOfWork, person: Slug) -> str:
    found = unit.people.get(person)
    return found.name if found else person


def _keep_an_owner(group: Group, person: str, members: Iterable[Membership], name: str) -> None:
    owners = {one.person for one in members if one.role == "owner"}
    if owners == {person}:
        raise Conflict(
            f"{name} is the last owner of {group.name}; a group always has one.",
            hint=f"Make somebody else an owner first, or remove it: lobes group remove {group.id}.",
            reason="last_owner",
        )


def _never_joined(group: Group, who: str, *, leaves: bool, facts: Facts) -> Conflict:
    """The same for whoever isn't there and whoever there never was."""
    through = leaves and who in facts.groups[group.id].hops
    hint = "It is by a group below it: leave that one." if through else ""
    words = "You never joined" if leaves else f"{who} never joined"
    return Conflict(f"{words} {group.name} itself.", hint=hint, reason="not_a_member")


def _audit(
    lobes: Installation,
    caller: Caller,
    event: str,
    id: str,
    *,
    verb: str,
    also: str = "",
    answer: str = "owner",
) -> None:
    lobes.audit.append(
        event,
        actor=name_of(caller.actor),
        verb=verb,
        resources=[f"group/{id}", *([f"person/{also}"] if also else [])],
        channel=caller.channel,
        correlation=caller.correlation,
        answer=answer,
    )
