"""A memory held against all that its lobe has in use: when it comes back, is reworded, or a person
asks for it to be looked at again."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from lobes.domain.memories import HIGH_CATEGORIES, Memory, Wait
from lobes.domain.reviewing import NeedsChoice, held
from lobes.domain.sensitivity import STAYS
from lobes.services.decisions import Asked
from lobes.services.known_to import KnownTo
from lobes.store.read_memories import links, memories

_FOUND_ANEW: frozenset[Wait] = frozenset(
    {"conflict", "near_copy", "secret", "sensitive", "high_category", "replaces"}
)


class Again:
    """What who decides may read of the lobes; `now` is the moment of the decision."""

    def __init__(self, store: sqlite3.Connection, known: KnownTo, *, now: datetime) -> None:
        self.store = store
        self.known = known
        self.now = now

    def disputed_with(self, id: str) -> frozenset[str]:
        found = (one for one in links(self.store, [id]) if one.kind == "disputes")
        return frozenset(id for one in found for id in (one.memory, one.other))


def waits_now(memory: Memory, again: Again) -> tuple[Wait, ...]:
    """Why it waits, with what can be found anew found anew."""
    if memory.status not in ("proposed", "rejected"):
        return memory.waits_for
    waits: list[Wait] = [one for one in memory.waits_for if one not in _FOUND_ANEW]
    now = again.known.found_now(memory)
    found: tuple[tuple[Wait, bool], ...] = (
        ("conflict", "conflict" in now),
        ("near_copy", "near_copy" in now),
        ("secret", any(one.is_secret for one in memory.findings)),
        ("sensitive", memory.level in STAYS),
        ("high_category", memory.category in HIGH_CATEGORIES),
        ("replaces", bool(memory.replaces)),
    )
    return (*waits, *(wait for wait, is_so in found if is_so))


def check_use(asked: Asked, memory: Memory, again: Again, *, leaving: str = "") -> None:
    """Nothing where it can be in use with these words; a contradiction takes a yes of its own.
    `leaving` goes out of use by the same decision."""
    known = again.disputed_with(memory.id)
    related = [one for one in again.known.in_use(memory) if one.memory.id != leaving]
    if any(one.memory.content_hash == memory.content_hash for one in related):
        raise held("duplicate_since")
    opposed = (one for one in related if one.relation == "conflict" and one.memory.id not in known)
    if not asked.confirmed and any(opposed):
        raise NeedsChoice(("supersede", "dispute"), "conflict_since")


def retargeted(memory: Memory, again: Again) -> str:
    """What it would replace now: the successor of what it named, or nothing where that is gone."""
    seen: set[str] = set()
    id = memory.replaces
    while id and id not in seen:
        seen.add(id)
        found = memories(again.store, [id]).get(id)
        if found is None or found.is_retrievable:
            return id if found is not None else ""
        newer = [
            one.memory
            for one in links(again.store, [id])
            if one.kind in ("supersedes", "merged") and one.other == id
        ]
        id = min(again.known.readable(newer), default="")
    return ""
