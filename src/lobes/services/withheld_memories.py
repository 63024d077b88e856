"""Memories that take no part in a search, though their lobe may be drawn on: what this caller may
not read, what doesn't hold now, personal ones of a category that the asking Space doesn't inherit,
and a disputed one whose other side can't stand beside it.

They are left out before anything is scored, so they take no slot and move no number.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from lobes.access.facts import Facts, Resource
from lobes.access.resolve import LobeDecision
from lobes.domain.actors import Human
from lobes.domain.ids import LobeAddress, parse_address
from lobes.services.authority import may
from lobes.services.installation import Caller
from lobes.services.knowing import knows_lobe
from lobes.store.facts import memory_facts
from lobes.store.found_memories import (
    CloserMemory,
    categories_of,
    closer_memories,
    found_memories,
    ids_in,
    memory_counts,
    other_sides,
)

HiddenMemories = Mapping[str, tuple[str, ...]]
"""Lobe address → the ids of its memories that don't count, sorted."""


def withheld_memories(
    store: sqlite3.Connection,
    caller: Caller,
    space: str,
    facts: Facts,
    decisions: Iterable[LobeDecision],
    *,
    now: datetime,
) -> HiddenMemories:
    """Of the lobes that `space` may draw on; of others nothing counts anyway."""
    lobes = {str(one.lobe): one.lobe for one in decisions if one.allowed}
    hidden: dict[str, set[str]] = defaultdict(set)
    for address, lobe in lobes.items():
        if lobe.kind == "personal":
            hidden[address].update(_not_inherited(store, lobe, space, facts))
    closer = closer_memories(store, lobes)
    for one in closer:
        if not one.holds_at(now):
            hidden[one.lobe].add(one.id)
    for one in _unreadable(store, caller, closer, facts):
        hidden[one.lobe].add(one.id)
    disputed = [
        one for one in closer if one.status == "disputed" and one.id not in hidden[one.lobe]
    ]
    for one in _alone(store, disputed, lobes, hidden):
        hidden[one.lobe].add(one.id)
    return {lobe: tuple(sorted(ids)) for lobe, ids in hidden.items() if ids}


def known_memories(store: sqlite3.Connection, caller: Caller, facts: Facts) -> int:
    """How many retrievable memories there are that the caller may know of."""
    counts = {
        lobe: count
        for lobe, count in memory_counts(store).items()
        if knows_lobe(caller, parse_address(lobe), facts)
    }
    closer = closer_memories(store, counts)
    hidden = {one.id for one in _unreadable(store, caller, closer, facts, verb="read_meta")}
    if not isinstance(caller.actor, Human):
        for lobe in map(parse_address, counts):
            if lobe.kind == "personal":
                hidden.update(_not_inherited(store, lobe, caller.actor.space, facts))
    return sum(counts.values()) - len(hidden)


def _not_inherited(
    store: sqlite3.Connection, lobe: LobeAddress, space: str, facts: Facts
) -> Iterable[str]:
    """Rule 5 of `resolve`: only the categories that the Space inherits, whoever asks."""
    links = facts.links.get(space)
    others = [
        one
        for one in categories_of(store, str(lobe))
        if links is None or not links.config.inherits(one)
    ]
    return ids_in(store, str(lobe), others) if others else ()


def _unreadable(
    store: sqlite3.Connection,
    caller: Caller,
    closer: Sequence[CloserMemory],
    facts: Facts,
    *,
    verb: str = "read_content",
) -> Iterator[CloserMemory]:
    """Asked once for all that are alike to the rules: a memory's id decides nothing."""
    alike: dict[tuple[object, ...], list[CloserMemory]] = defaultdict(list)
    for one in closer:
        alike[one.lobe, one.person, one.permission, one.level, one.category].append(one)
    if not alike:
        return
    asked = replace(facts, items=memory_facts(store, [some[0].id for some in alike.values()]))
    for some in alike.values():
        if not may(caller, verb, Resource("memory", some[0].id), asked):
            yield from some


def _alone(
    store: sqlite3.Connection,
    disputed: Sequence[CloserMemory],
    lobes: Collection[str],
    hidden: Mapping[str, Collection[str]],
) -> Iterator[CloserMemory]:
    """Those of which no other side would be found by the same question."""
    if not disputed:
        return
    sides = other_sides(store, [one.id for one in disputed])
    others = found_memories(store, {id for some in sides.values() for id in some})
    shown = {
        id for id, one in others.items() if one.lobe in lobes and id not in hidden.get(one.lobe, ())
    }
    for one in disputed:
        if not sides.get(one.id, set()) & shown:
            yield one
