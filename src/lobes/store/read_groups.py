"""Groups and persons by plain `sqlite3`: what the rules ask of them, and what lists show.

What can't be taken to the letter counts for nothing: a group of no known kind is not there, a
step to a group that isn't wider leads nowhere, a role that nobody knows makes no member.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from lobes.access.facts import GroupFacts
from lobes.domain.groups import GROUP_KINDS, ROLES, GroupKind, Role, chain_upwards, fits_in
from lobes.domain.ids import is_slug
from lobes.store.read import rows


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A group in a list. `parent` is None also where the stored step leads nowhere."""

    id: str
    kind: GroupKind
    name: str
    parent: str | None
    created: str
    removed: str | None


@dataclass(frozen=True, slots=True)
class MemberRow:
    """One who joined this very group."""

    group: str
    person: str
    role: Role
    since: str


@dataclass(frozen=True, slots=True)
class PersonRow:
    id: str
    name: str
    is_superuser: bool
    created: str


_GROUPS = "SELECT id, kind, name, parent, created, removed FROM person_group ORDER BY name, id"
_MEMBERS = "SELECT group_id, person, role, since FROM membership ORDER BY group_id, person"
_PERSONS = "SELECT id, name, is_superuser, created FROM person ORDER BY id"


def group_rows(store: sqlite3.Connection, *, removed: bool = False) -> list[GroupRow]:
    """Every group by name, the removed ones only where they are asked for; the caller filters."""
    found: dict[str, tuple[GroupKind, str, str | None, str, str | None]] = {}
    for id, stored, name, parent, created, gone in rows(store, _GROUPS):
        kind = _kind(stored)
        if kind is not None and is_slug(id) and (gone is None or removed):
            found[id] = (kind, name, parent, created, gone)
    return [
        GroupRow(id, kind, name, _sound(parent, kind, found), created, gone)
        for id, (kind, name, parent, created, gone) in found.items()
    ]


def _kind(stored: object) -> GroupKind | None:
    return next((one for one in GROUP_KINDS if one == stored), None)


def _sound(
    parent: str | None, kind: str, groups: Mapping[str, tuple[str, *tuple[object, ...]]]
) -> str | None:
    above = groups.get(parent or "")
    return parent if above is not None and fits_in(kind, above[0]) else None


def member_rows(store: sqlite3.Connection) -> list[MemberRow]:
    """Who joined which group, with a role that is one."""
    return [
        MemberRow(group, person, role, since)
        for group, person, stored, since in rows(store, _MEMBERS)
        for role in ROLES
        if role == stored
    ]


def person_rows(store: sqlite3.Connection) -> list[PersonRow]:
    return [PersonRow(row[0], row[1], bool(row[2]), row[3]) for row in rows(store, _PERSONS)]


@dataclass(frozen=True, slots=True)
class BrokenRow:
    """A row that can't be taken to the letter: a group's kind or where it lies, or a member's
    role; `person` is "" where the row is a group's."""

    group: str
    what: Literal["kind", "parent", "role"]
    person: str = ""


def broken_rows(store: sqlite3.Connection) -> list[BrokenRow]:
    """What is in the tables of groups and counts for nothing. A group that lies in a removed one
    is whole: it lies in that one again when it is brought back."""
    stored = {row[0]: row for row in rows(store, _GROUPS)}
    found: list[BrokenRow] = []
    for id, kind, _, parent, _, _ in stored.values():
        if _kind(kind) is None or not is_slug(id):
            found.append(BrokenRow(id, "kind"))
        elif parent is not None and not (parent in stored and fits_in(kind, stored[parent][1])):
            found.append(BrokenRow(id, "parent"))
    found += [
        BrokenRow(group, "role", person)
        for group, person, role, _ in rows(store, _MEMBERS)
        if role not in ROLES
    ]
    return found


def group_names(store: sqlite3.Connection) -> dict[str, str]:
    """The lobe's address (`team/core`) → the group's name. For sentences about groups that the
    rules already let be known."""
    return {f"{one.kind}/{one.id}": one.name for one in group_rows(store)}


def group_facts(
    store: sqlite3.Connection,
    *,
    people: Collection[str],
    spaces: Iterable[tuple[str, str | None]],
    removed: Collection[str] = (),
) -> dict[str, GroupFacts]:
    """What the rules ask of every group, with membership handed upwards. `spaces` are ids with
    their group; `removed` are groups to take as if they were still there, for bringing them
    back."""
    found = {
        one.id: one
        for one in group_rows(store, removed=bool(removed))
        if one.removed is None or one.id in removed
    }
    if not found:
        return {}
    parents = {id: one.parent if one.parent in found else None for id, one in found.items()}
    chains = {id: tuple(chain_upwards(id, parents)) for id in found}
    hops: dict[str, dict[str, int]] = defaultdict(dict)
    space_hops: dict[str, dict[str, int]] = defaultdict(dict)
    owners: dict[str, set[str]] = defaultdict(set)
    for one in member_rows(store):
        if one.person in people:
            _climb(hops, chains.get(one.group, ()), one.person)
            if one.role == "owner":
                owners[one.group].add(one.person)
    for space, group in spaces:
        if group is not None:
            _climb(space_hops, chains.get(group, ()), space)
    return {
        id: GroupFacts(one.kind, frozenset(owners[id]), hops[id], space_hops[id])
        for id, one in found.items()
    }


def _climb(reached: dict[str, dict[str, int]], chain: Iterable[str], who: str) -> None:
    """One hop to the group joined, one more for each above; the shortest way counts."""
    for hops, group in enumerate(chain, start=1):
        if hops < reached[group].get(who, hops + 1):
            reached[group][who] = hops
