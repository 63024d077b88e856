"""Groups as their owners change them.

A group always has an owner: the last one hands it over, or removes it. Removing keeps the row: its
grants and its Spaces name an id that means nobody, and no other group ever gets that id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lobes.access.facts import HOME, Facts, Resource
from lobes.domain.actors import Human, name_of, person_of
from lobes.domain.errors import Conflict, nothing_there
from lobes.domain.groups import Group, GroupKind, Membership, Role, check_name, check_nesting
from lobes.domain.ids import Slug, parse_slug
from lobes.services.authority import facts_for, require
from lobes.services.installation import Caller, Installation
from lobes.services.knowing import knows_person

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork


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
