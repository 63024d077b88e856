"""Erasing a memory or a Space: shown first, then out of the store in one transaction, and then out
of every file that is ours.

For its owner alone, and only where they are known to be there. What was committed is repeated until
it is whole (`erasing_rest`); what wasn't never happened. It is noted as the last thing before the
COMMIT: what was refused has no note, and one whose end nobody knows has.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lobes.access.authorize import Decision
from lobes.access.facts import Resource, resources
from lobes.domain.actors import name_of
from lobes.domain.erasing import UNREACHED, Erasure
from lobes.domain.errors import nothing_there
from lobes.domain.ids import LobeAddress, is_ulid
from lobes.domain.lifecycle import Lives
from lobes.domain.memories import Memory, Tombstone
from lobes.domain.space_yaml import kind_of
from lobes.services.authority import allowed_memories, facts_for, may, record, require
from lobes.services.erasing_rest import Rest, finish
from lobes.services.explaining import all_facts
from lobes.services.installation import Caller, Installation
from lobes.services.lobes import drawing_on
from lobes.services.memory_seals import prepare_leaving
from lobes.services.pack_queue import edit_facts, may_see_edit
from lobes.services.review_writing import write_changes, write_ties
from lobes.services.sessions import known_turns
from lobes.services.shown_memory import statement_shown
from lobes.store import erasures, read
from lobes.store.read_backups import every
from lobes.store.read_echoes import echoes, memories_in
from lobes.store.read_memories import memories
from lobes.store.read_pack_edits import pack_edits
from lobes.store.read_spaces import space_row
from lobes.store.read_ties import around

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be erased, as it is shown before.

    `named` is what has to be typed, `title` its words, "" where the caller may not read them;
    `kind` is what a Space is called, "" for a memory.
    `counts` is what goes, by what it is called. `losers` are the Spaces that lose it; `stays` are
    ids of memories that stay, in whatever lobe, though they say or said the same, come from it or
    are tied to it; `elsewhere` are sessions and edits of packs that have it as a line or rest on it
    (`session/ID`, `edit/ID`); of all that what the caller may know. `unreached` is what no act of
    Lobes reaches.
    """

    named: str
    title: str
    counts: tuple[tuple[str, int], ...]
    losers: tuple[str, ...]
    stays: tuple[str, ...]
    elsewhere: tuple[str, ...]
    root: str = ""
    kind: str = ""
    backups: int = 0
    unreached: tuple[str, ...] = UNREACHED


@dataclass(frozen=True, slots=True)
class Erased:
    """`rest` says what became of our backups, and what has still to be done."""

    named: str
    rows: int
    rest: Rest


def preview_memory(lobes: Installation, caller: Caller, id: str) -> Preview:
    """What erasing this memory does, before anything is done; asked as the act itself is."""
    resource = Resource("memory", id)
    with lobes.reading() as store:
        facts = facts_for(store, caller, things=[resource] if is_ulid(id) else [], trash=True)
        require(lobes, caller, "erase", resource, facts=facts, human_only=True)
        memory = memories(store, [id])[id]
        versions = int(
            read.rows(store, "SELECT count(*) FROM memory_version WHERE memory = ?", (id,))[0][0]
        )
        stays, elsewhere = _staying(store, caller, [id])
        wide, _ = all_facts(store)
    # What was deleted is shown by nothing, this included.
    reads = memory.status != "deleted" and may(caller, "read_content", resource, facts)
    losers: list[str] = []
    if memory.is_retrievable and memory.lobe.kind == "space":
        losers = drawing_on(caller, memory.lobe.id, wide)
    return Preview(
        named=id,
        title=statement_shown(memory) if reads else "",
        counts=(("memories", 1), ("versions", versions)),
        losers=tuple(losers),
        stays=stays,
        elsewhere=elsewhere,
        backups=len(every(lobes.folders.backups)),
    )


def preview_space(lobes: Installation, caller: Caller, space: str) -> Preview:
    """What erasing this Space does; one in the trash may be erased as well."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, space, trash=True)
        require(lobes, caller, "erase", Resource("space", space), facts=facts, human_only=True)
        row = space_row(store, space)
        if row is None:
            raise nothing_there()
        counted = read.rows(store, _COUNTS, (space,))[0]
        inside = memories_in(store, LobeAddress("space", space))
        stays, elsewhere = _staying(store, caller, inside, space=space)
        wide, _ = all_facts(store)
    losers = drawing_on(caller, space, wide) if space in wide.spaces else []
    return Preview(
        named=space,
        title=row.name,
        counts=tuple(zip(_COUNTED, counted, strict=True)),
        losers=tuple(losers),
        stays=stays,
        elsewhere=elsewhere,
        root=row.root,
        kind=kind_of(row.kind),
        backups=len(every(lobes.folders.backups)),
    )


def _staying(
    store: sqlite3.Connection, caller: Caller, gone: Collection[str], *, space: str = ""
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The memories that stay with words of these, and what else does, as far as the caller may know
    it."""
    found, facts = echoes(store, gone, space=space), facts_for(store, caller, trash=True)
    stays = allowed_memories(store, caller, "read_meta", found.memories, facts, deleted=True)
    spoken = known_turns(store, caller, facts, found.turns)
    edits = list(pack_edits(store, found.edits).values())
    asked = replace(facts, items=edit_facts(store, edits))
    seen = {one.id for one in edits if may_see_edit(caller, one, asked)}
    return tuple(sorted(stays)), (
        *(f"session/{one}" for one in sorted(spoken)),
        *(f"edit/{one}" for one in sorted(seen)),
    )


_COUNTED = ("documents", "passages", "memories", "pack edits", "sessions")
_COUNTS = """
    SELECT
        (SELECT count(*) FROM document WHERE space = ?1),
        (SELECT count(*) FROM passage p JOIN document d ON d.id = p.document
            WHERE d.space = ?1),
        (SELECT count(*) FROM memory WHERE space = ?1),
        (SELECT count(*) FROM pack_edit WHERE space = ?1),
        (SELECT count(*) FROM session WHERE space = ?1)
"""


def erase_memory(lobes: Installation, caller: Caller, id: str) -> Erased:
    """Out of the store with all its versions; what it had superseded comes back, unless its own
    successor holds. Its id, the date and who did it are kept."""
    asked = [id] if is_ulid(id) else []
    resource = Resource("memory", id)
    with lobes.reading() as store:
        facts = facts_for(store, caller, things=resources("memory", asked), trash=True)
        require(lobes, caller, "erase", resource, facts=facts, human_only=True)
        memory = memories(store, asked)[id]
    erasure = Erasure(lobes.new_id(), str(memory.lobe), (id,))
    prepare_leaving(lobes, [id])
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller, things=resources("memory", asked), trash=True)
        decision = require(lobes, caller, "erase", resource, facts=facts, human_only=True)
        stored = unit.memories.get(id)
        if stored is None or stored.lobe != memory.lobe:
            raise nothing_there()
        _let_go(unit, caller, stored)
        rows = unit.wipe(erasure)
        _bury(unit, caller, [(id, stored.lobe)])
        erasures.note(lobes.folders.data, erasure)
        unit.commit()
    return _finished(lobes, caller, "memory.erased", resource, id, rows, decision)


def erase_space(lobes: Installation, caller: Caller, space: str) -> Erased:
    """Out of the store with everything in it; its folder stays as it is."""
    resource = Resource("space", space)
    with lobes.reading() as store:
        facts = facts_for(store, caller, space, trash=True)
        require(lobes, caller, "erase", resource, facts=facts, human_only=True)
    lobe = LobeAddress("space", space)
    erasure = Erasure(lobes.new_id(), str(lobe), space=space)
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller, space, trash=True)
        decision = require(lobes, caller, "erase", resource, facts=facts, human_only=True)
        found = memories_in(unit.reader, lobe)
        rows = unit.wipe(erasure)
        _bury(unit, caller, [(str(resource), lobe), *((one, lobe) for one in found)])
        erasures.note(lobes.folders.data, erasure)
        unit.commit()
    return _finished(lobes, caller, "space.erased", resource, space, rows, decision)


def _let_go(unit: UnitOfWork, caller: Caller, memory: Memory) -> None:
    """What is tied to it goes on as after a deletion."""
    if memory.status == "deleted":
        return
    stored, ties = around(unit.reader, [memory.id])
    lives = Lives(stored, ties, now=unit.now)
    lives.delete(memory.id)
    write_changes(unit, caller, lives.steps, may_wait=True)
    write_ties(unit, tied=lives.tied, untied=lives.untied)


def _bury(unit: UnitOfWork, caller: Caller, gone: list[tuple[str, LobeAddress]]) -> None:
    """That it was, and no hash of what it said: a guess could be tested on it."""
    actor = name_of(caller.actor)
    unit.memories.tombstone(*(Tombstone(id, at, "", "erased", actor, unit.now) for id, at in gone))


def _finished(
    lobes: Installation,
    caller: Caller,
    event: str,
    resource: Resource,
    named: str,
    rows: int,
    decision: Decision,
) -> Erased:
    record(lobes, caller, event, "erase", resource, answer=decision.reason, counts={"rows": rows})
    return Erased(named, rows, finish(lobes))
