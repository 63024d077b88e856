"""Memories as they are listed, shown and typed in: filtered by `read_meta`, their texts by
`read_content`, secrets masked.

To an agent only what is retrievable exists: what waits, was rejected or superseded is inert, also
for whoever proposed it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from lobes.access.facts import Facts, Resource, resources
from lobes.classify.masking import masked
from lobes.domain.actors import is_human, person_of
from lobes.domain.errors import nothing_there
from lobes.domain.ids import LobeAddress, is_ulid
from lobes.domain.memories import (
    RETRIEVABLE,
    Link,
    Memory,
    Provenance,
    Status,
    Version,
    shown_hash,
)
from lobes.domain.memory_flags import Flag, flags
from lobes.domain.proposals import Origin, Proposal
from lobes.services.authority import allowed_memories, facts_for, record, require
from lobes.services.comparing import neighbourhood
from lobes.services.ingress import program_told
from lobes.services.installation import Caller, Installation
from lobes.services.known_to import KnownTo
from lobes.services.paging import MOST, Page, page_of
from lobes.services.proposing import Proposed, take
from lobes.services.shown_memory import as_shown
from lobes.store import read_memories as reads
from lobes.store.read_memories import Where

LIVING: tuple[Status, ...] = ("proposed", "active", "disputed")
"""What a list shows unless others are asked for."""


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """One memory as a list shows it. Where the caller may not read it, it has no words, nothing
    that was made of them, and no place that they came from."""

    memory: Memory
    flags: tuple[Flag, ...]


@dataclass(frozen=True, slots=True)
class MemoryView:
    """One memory with what it is tied to; `shown` is what an approval of it is bound to."""

    memory: Memory
    flags: tuple[Flag, ...]
    shown: str
    links: tuple[Link, ...]


def add(lobes: Installation, caller: Caller, space: str, proposal: Proposal) -> Proposed:
    """What a person types: active at once, unless the write policy lets it wait. From an agent or
    a job it is a proposal, whatever it may do; asks for `add_content`. Raises as `propose`."""
    source = Provenance(source=caller.channel, evidence=proposal.evidence)
    origin = Origin("user" if is_human(caller.actor) else "agent", source)
    return take(lobes, caller, space, proposal, origin, verb="add_content")


def list_memories(
    lobes: Installation,
    caller: Caller,
    where: Where,
    *,
    space: str = "",
    after: str = "",
    limit: int = 100,
) -> Page[MemoryRow]:
    """The memories that the caller may know, the newest first; with `space` of its lobe alone.

    Raises `NotFound` where the Space isn't the caller's to know, and as `page_of` does.
    """
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        if space:
            require(lobes, caller, "read_meta", Resource("space", space), facts=facts)
            where = replace(where, lobes=(str(LobeAddress("space", space)),))
        ids = _existing(store, caller, reads.memory_ids(store, _seen_by(caller, where)), facts)
        page = page_of(ids, after=after, limit=limit)
        known = reads.memories(store, page.items)
        view = KnownTo(store, neighbourhood(lobes.folders.store), caller, facts)
        readable = set(view.readable(page.items))
        view.readable(one.replaces for one in known.values())
        told = [replace(known[id], **view.as_listed(known[id])._asdict()) for id in page.items]
    now = lobes.clock()
    return page.of(_row(one, caller, is_readable=one.id in readable, now=now) for one in told)


def show_memory(lobes: Installation, caller: Caller, id: str) -> MemoryView:
    """One memory whole, secrets masked; the links to what the caller may know alone. `shown` is ""
    for an agent, who approves nothing."""
    with lobes.reading() as store:
        memory, facts, why = _required(lobes, store, caller, id)
        shown = shown_hash(memory) if is_human(caller.actor) else ""
        links = reads.links(store, [id])
        ends = {one.memory for one in links} | {one.other for one in links}
        known = set(_existing(store, caller, sorted(ends), facts))
        words = neighbourhood(lobes.folders.store)
        memory = KnownTo(store, words, caller, facts).as_told(memory)
    _audit_read(lobes, caller, id, why)
    tied = tuple(one for one in links if {one.memory, one.other} <= known)
    return MemoryView(_told(memory, caller), flags(memory, now=lobes.clock()), shown, tied)


def history(lobes: Installation, caller: Caller, id: str) -> tuple[Version, ...]:
    """What became of one memory, the first version first; secrets masked. An agent reads what it
    says now alone: what it said before is as inert as any other that was superseded."""
    with lobes.reading() as store:
        memory, _, why = _required(lobes, store, caller, id)
        found = reads.versions(store, id)
    _audit_read(lobes, caller, id, why)
    human = is_human(caller.actor)
    return tuple(
        replace(one, statement=masked(one.statement), reason=masked(one.reason))
        if human
        else _as_told_to_agents(one, memory)
        for one in found
    )


def _as_told_to_agents(one: Version, memory: Memory) -> Version:
    said = one.statement if one.content_hash == memory.content_hash else ""
    return replace(one, statement=masked(said), content_hash="", reason="")


def pending_of(
    lobes: Installation, caller: Caller, space: str, *, session: str = "", client: str = ""
) -> tuple[tuple[str, Status], ...]:
    """What agents proposed for this person in the Space, in one session or through one client:
    ids and states alone, the newest first. Asks for `propose`."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        require(lobes, caller, "propose", Resource("space", space), facts=facts)
        lobe = str(LobeAddress("space", space))
        where = Where((lobe,), ("proposed",), person=person_of(caller.actor), session=session)
        found = reads.memory_page(store, where, limit=MOST)
        known = allowed_memories(store, caller, "read_meta", [one.id for one in found], facts)
    return tuple(
        (one.id, one.status)
        for one in found
        if one.id in known
        and one.author == "agent"
        and (not client or one.provenance.client == program_told(client))
    )


# Who may know and read them --------------------------------------------------------------------


def _existing(
    store: sqlite3.Connection, caller: Caller, ids: Collection[str], facts: Facts
) -> list[str]:
    known = allowed_memories(store, caller, "read_meta", ids, facts)
    return [id for id in ids if id in known]


def _seen_by(caller: Caller, where: Where) -> Where:
    """To an agent what isn't retrievable doesn't exist, whatever is asked for."""
    asked = where.statuses or LIVING
    if not is_human(caller.actor):
        # An impossible status where nothing remains: () would ask for all.
        asked = tuple(one for one in asked if one in RETRIEVABLE) or ("deleted",)
    return replace(where, statuses=asked)


def _required(
    lobes: Installation, store: sqlite3.Connection, caller: Caller, id: str
) -> tuple[Memory, Facts, str]:
    asked = [id] if is_ulid(id) else []
    memory = reads.memories(store, asked).get(id)
    inert = memory is not None and not (memory.is_retrievable or is_human(caller.actor))
    facts = facts_for(store, caller, things=resources("memory", [] if inert else asked))
    resource = Resource("memory", id)
    why = require(lobes, caller, "read_content", resource, facts=facts)
    if memory is None:
        raise nothing_there()
    return memory, facts, why.reason


def _audit_read(lobes: Installation, caller: Caller, id: str, why: str) -> None:
    record(lobes, caller, "memory.read", "read_content", Resource("memory", id), answer=why)


def _told(memory: Memory, caller: Caller) -> Memory:
    """To an agent what is masked has no hash either: a short secret would be guessed by it."""
    shown = as_shown(memory)
    if is_human(caller.actor) or shown.statement == memory.statement:
        return shown
    return replace(shown, content_hash="")


def _row(memory: Memory, caller: Caller, *, is_readable: bool, now: datetime) -> MemoryRow:
    if is_readable:
        return MemoryRow(_told(memory, caller), flags(memory, now=now))
    hidden = replace(
        memory, statement="", subject="", content_hash="", findings=(), provenance=Provenance()
    )
    return MemoryRow(hidden, memory.waits_for)
