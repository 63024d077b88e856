"""All that a person goes by when they decide on one memory: the record itself, never a story of it.

Looked at when it is opened, so it says what has come in the way since it was proposed. Texts have
their secrets masked; of other memories only those that the caller may read are shown.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lobes.access.facts import Facts, Resource
from lobes.classify.masking import masked
from lobes.domain.display import one_line
from lobes.domain.errors import nothing_there
from lobes.domain.ids import is_ulid
from lobes.domain.line_diff import DiffLine, line_diff
from lobes.domain.memories import Memory, Version, shown_hash
from lobes.domain.memory_flags import Flag, flags
from lobes.domain.reviewing import Brake, Stale
from lobes.services.authority import may, record, require
from lobes.services.comparing import COPIES, Related, Relation, neighbourhood
from lobes.services.explaining import all_facts, names_in
from lobes.services.installation import Caller, Installation
from lobes.services.known_to import KnownTo
from lobes.services.memory_readers import Readers, readers
from lobes.services.review_checks import Surroundings
from lobes.services.shown_memory import as_shown, statement_shown
from lobes.store.facts import document_facts, memory_facts
from lobes.store.read_memories import given, links, memories, versions
from lobes.store.read_sensitivity import places

SHOWN = 8
"""Neighbours that are shown."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Another memory of the lobe and what it is to this one; `likeness` from 0 to 1."""

    memory: Memory
    relation: Relation
    likeness: float


@dataclass(frozen=True, slots=True)
class Seen:
    """One thing that the agent was given before it proposed this; `space` is the id of the Space
    that it is in, "" where it is in none."""

    id: str
    title: str
    reason: str
    tokens: int
    space: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """In the order in which it is read. `shown` is what an approval carries.

    `replaced` is what it would replace or contradicts, with the lines that lead from there to
    this; `also_retire` are near copies of that, offered together with it; `variants` what waits
    and says nearly the same; `tied` what it is linked to. `stale` is why it can't be accepted as
    it is, and `stale_by` the memory that it is about.
    """

    memory: Memory
    shown: str
    flags: tuple[Flag, ...]
    brakes: tuple[Brake, ...]
    replaced: Memory | None
    diff: tuple[DiffLine, ...]
    also_retire: tuple[Memory, ...]
    relation: Relation | None
    neighbours: tuple[Beside, ...]
    variants: tuple[Memory, ...]
    tied: tuple[tuple[str, Memory], ...]
    readers: Readers
    saw: tuple[Seen, ...]
    history: tuple[Version, ...]
    stale: Stale | None
    stale_by: Memory | None


def evidence(lobes: Installation, caller: Caller, id: str) -> Evidence:
    """What there is to know about one memory; `review` is asked on it."""
    asked = Resource("memory", id)
    with lobes.reading() as store:
        facts, _ = all_facts(store)
        facts = replace(facts, items=memory_facts(store, [id] if is_ulid(id) else []))
        answer = require(lobes, caller, "review", asked, facts=facts)
        require(lobes, caller, "read_content", asked, facts=facts)
        memory = memories(store, [id]).get(id)
        if memory is None:
            raise nothing_there()
        found = _gathered(lobes, caller, store, memory, facts)
    record(lobes, caller, "memory.read", "read_content", asked, answer=answer.reason)
    return found


def _gathered(
    lobes: Installation, caller: Caller, store: sqlite3.Connection, memory: Memory, facts: Facts
) -> Evidence:
    view = KnownTo(store, neighbourhood(lobes.folders.store), caller, facts)
    related = view.related(memory)
    replaced = _replaced(view, memory, related)
    known = Surroundings(store, [memory], facts, view, now=lobes.clock())
    in_the_way = known.outdated(memory) if memory.status == "proposed" else None
    judged = known.judged(view.as_told(memory))
    by = _memory(view, in_the_way.other) if in_the_way else None
    told = memory if replaced is None else replaced
    return Evidence(
        memory=as_shown(judged),
        shown=shown_hash(memory),
        flags=flags(judged, now=lobes.clock()),
        brakes=known.braked(judged),
        replaced=_told(view, replaced) if replaced else None,
        diff=_diff(replaced, memory) if replaced else (),
        also_retire=_copies(view, replaced, memory) if replaced else (),
        relation=_strongest(related),
        neighbours=tuple(
            Beside(_told(view, one.memory), one.relation, one.likeness) for one in related[:SHOWN]
        ),
        variants=tuple(
            _told(view, one.memory)
            for one in related
            if one.memory.status == "proposed" and one.relation in COPIES
        ),
        tied=_tied(view, store, memory),
        readers=readers(caller, memory, facts, names_in(store)),
        saw=_saw(store, caller, facts, view, memory),
        history=tuple(
            replace(one, statement=masked(one.statement), reason=masked(one.reason))
            for one in versions(store, told.id)
        ),
        stale=in_the_way.code if in_the_way else None,
        stale_by=_told(view, by) if by else None,
    )


def _told(view: KnownTo, memory: Memory) -> Memory:
    """What stands beside the one that is opened tells what it would in a list."""
    return as_shown(replace(memory, **view.as_listed(memory)._asdict()))


def _saw(
    store: sqlite3.Connection, caller: Caller, facts: Facts, view: KnownTo, memory: Memory
) -> tuple[Seen, ...]:
    """What the agent had been given, as far as the caller may read it; the newest first."""
    had = given(store, memory.id)
    titles = _titles(store, caller, facts, view, [one.thing for one in had])
    return tuple(
        Seen(one.thing, titles[one.thing][1], one.reason, one.tokens, titles[one.thing][0])
        for one in reversed(had)
        if one.thing in titles
    )


def _titles(
    store: sqlite3.Connection,
    caller: Caller,
    facts: Facts,
    view: KnownTo,
    things: Sequence[str],
) -> dict[str, tuple[str, str]]:
    """The Space ("" for none) with the first words of a memory or the path of a document, of those
    that the caller may read."""
    ids = [one.partition("/")[2] for one in things]
    items = document_facts(store, ids)
    asked = replace(facts, items=items)
    paths = places(store, [one.id for one in items])
    memory = view.memories(view.readable(ids))
    return {
        f"memory/{id}": (
            one.lobe.id if one.lobe.kind == "space" else "",
            one_line(as_shown(one).statement),
        )
        for id, one in memory.items()
    } | {
        str(one): (paths[one.id][0], one_line(paths[one.id][1]))
        for one in items
        if one.id in paths and may(caller, "read_content", one, asked)
    }


def _memory(view: KnownTo, id: str) -> Memory | None:
    return view.memories(view.readable([id] if id else [])).get(id)


def _replaced(view: KnownTo, memory: Memory, related: Sequence[Related]) -> Memory | None:
    """What it says it would replace, else what it contradicts most."""
    if memory.replaces:
        return _memory(view, memory.replaces)
    opposed = (one.memory for one in related if one.relation == "conflict")
    return next((one for one in opposed if one.is_retrievable), None)


def _copies(view: KnownTo, replaced: Memory, memory: Memory) -> tuple[Memory, ...]:
    """What is in use and says nearly what is replaced says: offered to go with it."""
    return tuple(
        _told(view, one.memory)
        for one in view.in_use(replaced)
        if one.relation in COPIES and one.memory.id != memory.id
    )


_STRENGTH: tuple[Relation, ...] = ("conflict", "repeat", "near_copy", "candidate")


def _strongest(related: Sequence[Related]) -> Relation | None:
    found = {one.relation for one in related}
    return next((one for one in _STRENGTH if one in found), None)


def _diff(replaced: Memory, memory: Memory) -> tuple[DiffLine, ...]:
    return line_diff(statement_shown(replaced), statement_shown(memory)).lines


def _tied(
    view: KnownTo, store: sqlite3.Connection, memory: Memory
) -> tuple[tuple[str, Memory], ...]:
    """What it is linked to and how, seen from it: `supersedes`, `superseded_by`, `disputes`,
    `merged` (what went into it) and `merged_into`."""
    ends: dict[str, list[str]] = {}
    for one in links(store, [memory.id]):
        is_first = one.memory == memory.id
        back = {"supersedes": "superseded_by", "merged": "merged_into", "disputes": "disputes"}
        word = one.kind if is_first else back[one.kind]
        ends.setdefault(one.other if is_first else one.memory, []).append(word)
    there = view.memories(view.readable(ends))
    return tuple(
        (word, _told(view, there[id]))
        for id, words in ends.items()
        if id in there
        for word in words
    )
