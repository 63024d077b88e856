"""What a lobe holds as one caller may read it, to hold a statement against.

What is kept from them isn't there: it takes no slot among the nearest, decides no verdict, and
shows in no reason that something waits for.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple, Protocol

from lobes.access.facts import Facts, Resource
from lobes.domain.claims import Claim
from lobes.domain.ids import LobeAddress
from lobes.domain.memories import Memory, Status, Tombstone, Wait
from lobes.services.authority import allowed_memories, may
from lobes.services.comparing import COPIES, MOST, Neighbourhood, Related, claim_of, relations
from lobes.services.destinations import thing_of
from lobes.services.installation import Caller
from lobes.store.facts import memory_facts
from lobes.store.read_memories import memories, same_statements

ABOUT_OTHERS: frozenset[Wait] = frozenset({"conflict", "near_copy", "replaces"})
"""The reasons to wait that tell of another memory."""

CLOSEST = 64
"""Of what is in use, with how many a memory is compared that may come into use; what says just the
same is always among them."""


class Waiting(Protocol):
    """What of a memory may tell of another one."""

    @property
    def lobe(self) -> LobeAddress: ...
    @property
    def waits_for(self) -> tuple[Wait, ...]: ...
    @property
    def replaces(self) -> str: ...


class Told(NamedTuple):
    """The same, as far as somebody is told it."""

    waits_for: tuple[Wait, ...]
    replaces: str


def tells_of_others(memory: Waiting) -> bool:
    return bool(memory.replaces) or not ABOUT_OTHERS.isdisjoint(memory.waits_for)


class KnownTo:
    """One caller's view of the lobes, in one snapshot; what is asked twice is looked up once."""

    def __init__(
        self, store: sqlite3.Connection, words: Neighbourhood, caller: Caller, facts: Facts
    ) -> None:
        self._store = store
        self._words = words
        self._caller = caller
        self._facts = facts
        self._asked: dict[str, bool] = {}
        self._read: dict[str, Memory] = {}
        self._whole: dict[LobeAddress, bool] = {}
        self._related: dict[tuple[LobeAddress, Claim, bool], tuple[Related, ...]] = {}
        self._changes = store.total_changes

    def knows_all(self, lobe: LobeAddress) -> bool:
        """Whether nothing in the lobe can be kept from the caller: who may do what its owner alone
        may."""
        if lobe not in self._whole:
            self._whole[lobe] = may(self._caller, "erase", thing_of(lobe), self._facts)
        return self._whole[lobe]

    def readable(self, ids: Iterable[str]) -> list[str]:
        """Those of these memories that the caller may read, in their order."""
        wanted = list(ids)
        new = [id for id in wanted if id not in self._asked]
        if new:
            known = allowed_memories(self._store, self._caller, "read_content", new, self._facts)
            self._asked |= {id: id in known for id in new}
        return [id for id in wanted if self._asked[id]]

    def memories(self, ids: Sequence[str]) -> dict[str, Memory]:
        """Id → memory, for those of `ids` that are there, in their order."""
        self._read |= memories(self._store, [id for id in ids if id not in self._read])
        return {id: self._read[id] for id in ids if id in self._read}

    def related(self, memory: Memory) -> tuple[Related, ...]:
        """What it has to do with, of what in its lobe has words like its own, retrievable or
        proposed."""
        return self._found(memory, in_use=False)

    def in_use(self, memory: Memory) -> tuple[Related, ...]:
        """The same of what is retrievable alone, farther, and of all that says just the same."""
        return self._found(memory, in_use=True)

    def _found(self, memory: Memory, *, in_use: bool) -> tuple[Related, ...]:
        if self._changes != self._store.total_changes:
            self._changes = self._store.total_changes
            self._related.clear()
        asked = (memory.lobe, claim_of(memory), in_use)
        if asked not in self._related:
            self._related[asked] = relations(memory, self._near(memory, in_use=in_use))
        return self._related[asked]

    def _near(self, memory: Memory, *, in_use: bool) -> list[Memory]:
        most = CLOSEST if in_use else MOST
        ids = self._words.ids_near(
            self._store, memory, most=most, in_use=in_use, fitting=self.readable
        )
        if not in_use:
            return list(self.memories(ids).values())
        same = self.same(memory.lobe, [memory.content_hash])
        ids = list(dict.fromkeys((*ids, *(id for some in same.values() for id, _ in some))))
        there = self.memories(ids).values()
        return [one for one in there if one.is_retrievable and one.id != memory.id]

    def same(
        self, lobe: LobeAddress, hashes: Iterable[str]
    ) -> Mapping[str, list[tuple[str, Status]]]:
        """Content hash → id and status of each readable one of the lobe that says just that."""
        found = same_statements(self._store, lobe, hashes)
        known = set(self.readable(id for some in found.values() for id, _ in some))
        return {hash: [one for one in some if one[0] in known] for hash, some in found.items()}

    def knew(self, stone: Tombstone) -> bool:
        """Whether the caller may know that this one was there; what was erased is nobody's."""
        items = memory_facts(self._store, [stone.id], deleted=True)
        gone, facts = Resource("memory", stone.id), replace(self._facts, items=items)
        return not items or may(self._caller, "read_meta", gone, facts)

    # -- why something waits

    def found_now(self, memory: Memory) -> frozenset[Wait]:
        """What in use stands against it, besides what it would replace: `conflict`, `near_copy`,
        both or none."""
        return _as_waits(one for one in self.in_use(memory) if one.memory.id != memory.replaces)

    def is_opposed(self, memory: Memory) -> bool:
        """Whether something in use contradicts it."""
        return "conflict" in _as_waits(self.in_use(memory))

    def still(self, memory: Memory) -> frozenset[Wait]:
        """Of the reasons that it was given when it came, those that this caller sees a cause of:
        something in use or waiting, or what said just the same once."""
        kept = ABOUT_OTHERS.intersection(memory.waits_for)
        if not kept:
            return kept
        said = self.same(memory.lobe, [memory.content_hash]).get(memory.content_hash, ())
        statuses = {status for id, status in said if id != memory.id}
        causes: set[Wait] = set(_as_waits(self.related(memory)))
        causes |= {"conflict"} if "superseded" in statuses else set()
        causes |= {"near_copy"} if "archived" in statuses else set()
        causes |= {"replaces"} if self.readable([memory.replaces]) else set()
        return kept & causes

    def as_told(self, memory: Memory) -> Memory:
        """The memory without what tells of others that are kept from the caller."""
        if self.is_open(memory):
            return memory
        return replace(memory, **self._told(memory, self.still(memory))._asdict())

    def as_listed(self, memory: Waiting) -> Told:
        """What one of many tells of others: to who doesn't know all of its lobe, what it would
        replace alone, as far as they may read that. Of contradictions and copies they hear by
        opening it, for each would have to be looked for anew."""
        if self.is_open(memory):
            return Told(memory.waits_for, memory.replaces)
        known: set[Wait] = {"replaces"} if self.readable([memory.replaces]) else set()
        return self._told(memory, known)

    def is_open(self, memory: Waiting) -> bool:
        """Whether all that it tells of others is the caller's to know."""
        return not tells_of_others(memory) or self.knows_all(memory.lobe)

    def _told(self, memory: Waiting, of_others: Set[Wait]) -> Told:
        kept_back = ABOUT_OTHERS.difference(of_others)
        waits: tuple[Wait, ...] = tuple(one for one in memory.waits_for if one not in kept_back)
        return Told(waits, memory.replaces if self.readable([memory.replaces]) else "")


def _as_waits(related: Iterable[Related]) -> frozenset[Wait]:
    kinds = {one.relation for one in related}
    found: tuple[tuple[Wait, bool], ...] = (
        ("conflict", "conflict" in kinds),
        ("near_copy", not kinds.isdisjoint(COPIES)),
    )
    return frozenset(wait for wait, is_so in found if is_so)
