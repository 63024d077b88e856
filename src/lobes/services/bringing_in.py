"""An export of memories is taken into a Space that is there: as they were, nothing proposed anew.

A line says who decided what, and brings levels and permissions that were set by hand. So it takes
who may decide there and change who may do what, in person. All of it is judged before anything is
written. What is there already and is the same stays; one that is there and is another refuses all.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lobes.access.facts import Resource
from lobes.domain.errors import Conflict
from lobes.domain.ids import LobeAddress, parse_slug
from lobes.domain.memories import Memory
from lobes.services.authority import facts_for, record, require
from lobes.services.exported_lines import make_ready, put_in, read_lines
from lobes.services.exporting import lines_of, within
from lobes.services.ingress import looked_at, looked_at_anew
from lobes.services.installation import Caller, Installation
from lobes.store.memory_lines import MemoryLine
from lobes.store.read_memories import memories


@dataclass(frozen=True, slots=True)
class BroughtIn:
    """`same` were there already, as the export has them."""

    space: str
    memories: int
    same: int


def bring_in(
    lobes: Installation, caller: Caller, space: str, file: Path, *, dry_run: bool = False
) -> BroughtIn:
    """The memories of the file, JSON lines, in this Space; with `dry_run` only what that would be.

    Raises `Invalid` (`bad_export`) where it is no whole export, `Conflict` (`exists`) where one of
    its memories is there and says something else; then nothing was taken in.
    """
    with lobes.reading() as store:
        _asked(lobes, caller, space, store)
    lines = list(_judged(read_lines(file, LobeAddress("space", parse_slug(space, what="Space")))))
    if dry_run:
        with lobes.reading() as store:
            new = _new(store, lines)
        return BroughtIn(space, len(new), len(lines) - len(new))
    make_ready(lobes, lines)
    with lobes.database().begin() as unit:
        answer = _asked(lobes, caller, space, unit.reader)
        new = _new(unit.reader, lines)
        put_in(unit, new)
        unit.commit()
    done = BroughtIn(space, len(new), len(lines) - len(new))
    counts = {"memories": done.memories, "same": done.same}
    about = Resource("space", space)
    record(lobes, caller, "memory.brought_in", "review", about, answer=answer, counts=counts)
    lobes.engine.notify()
    return done


def _asked(lobes: Installation, caller: Caller, space: str, store: sqlite3.Connection) -> str:
    """The reason for which the caller may decide there, if they may say who may do what too."""
    facts, about = facts_for(store, caller, space), Resource("space", space)
    decision = require(lobes, caller, "review", about, facts=facts, human_only=True)
    require(lobes, caller, "change_permission", about, facts=facts, human_only=True)
    return decision.reason


def _judged(lines: Sequence[MemoryLine]) -> Iterator[MemoryLine]:
    ids = {one.memory.id for one in lines}
    for one in lines:
        replaces = one.memory.replaces if one.memory.replaces in ids else ""
        yield replace(one, memory=looked_at_anew(replace(one.memory, replaces=replaces)))


def _new(store: sqlite3.Connection, lines: Sequence[MemoryLine]) -> list[MemoryLine]:
    """Those that aren't there; `Conflict` where one that is there isn't the same. Of the lines
    each was looked at."""
    inside = {one.memory.id for one in lines}
    there = memories(store, inside)
    mine = {line.memory.id: within(line, inside) for line in lines_of(store, there.values())}
    for one in lines:
        stored = mine.get(one.memory.id)
        if stored is None:
            continue
        kept = {tie for tie in one.links if {tie.memory, tie.other} <= there.keys()}
        is_same = _plain(looked_at(stored.memory)) == _plain(one.memory) and (
            set(stored.versions) == set(one.versions)
        )
        if not is_same or set(stored.links) != kept:
            raise Conflict(
                "A memory of it is there already, and isn't as the export has it.",
                hint="Nothing was taken in. Another home takes all of it.",
                reason="exists",
            )
    return [one for one in lines if one.memory.id not in there]


def _plain(memory: Memory) -> Memory:
    """Without what changes by itself: how often it was given, and what was found in it."""
    return replace(memory, findings=(), classifier=0, use_count=0, last_retrieved=None)
