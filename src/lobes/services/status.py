"""How the home is: what it holds, how far the index is, which folders can't be reached."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from lobes.engine.protocol import EngineStatus
from lobes.services.authority import facts_for
from lobes.services.engine import status_for
from lobes.services.installation import Caller, Installation
from lobes.services.spaces import list_spaces, root_problem
from lobes.services.waiting import waiting_in
from lobes.services.withheld_memories import known_memories
from lobes.store import read
from lobes.store.faults import in_our_words


@dataclass(frozen=True, slots=True)
class RootStatus:
    space: str
    path: str
    state: str
    problem: str


@dataclass(frozen=True, slots=True)
class Status:
    """Counts cover what the caller may know."""

    schema: int
    spaces: int
    documents: int
    passages: int
    memories: int
    """Those that may be retrieved; they are in the index beside the passages."""
    pending: Mapping[str, int]
    """What waits for the caller to decide, by the address of its lobe."""
    engine: EngineStatus
    roots: tuple[RootStatus, ...]
    problems: tuple[str, ...]


def home_status(lobes: Installation, caller: Caller) -> Status:
    """The state now; starts no engine and writes nothing."""
    rows = list_spaces(lobes, caller)
    with lobes.reading() as store:
        schema = read.schema_version(store)
        memories = known_memories(store, caller, facts_for(store, caller))
    engine = status_for(lobes, caller)
    roots = tuple(_root(row.id, row.root, root_problem(row)) for row in rows)
    waits = tuple(
        f"{row.name}: space.yaml changed; `lobes space trust {row.id}` shows what it would bring."
        for row in rows
        if row.waits_for_trust
    )
    offline = tuple(f"{one.space}: {one.problem}" for one in roots if one.problem)
    return Status(
        schema=schema,
        spaces=len(rows),
        documents=sum(row.documents for row in rows),
        passages=sum(row.passages for row in rows),
        memories=memories,
        pending=waiting_in(lobes, caller),
        engine=engine,
        roots=roots,
        problems=(*waits, *offline, *engine.problems),
    )


class StoreVersion:
    """A number that changes with every commit of another connection, for screens that follow.

    One connection is kept, because the number counts what this connection saw; between two calls
    it holds no lock. Not for two threads at once.
    """

    def __init__(self, lobes: Installation) -> None:
        self._path = lobes.folders.store
        self._store: sqlite3.Connection | None = None

    def now(self) -> int:
        """The number. `Unavailable` (`store_busy`) where a lock is held for over five seconds."""
        with in_our_words():
            if self._store is None:
                self._store = read.connect(self._path)
            return read.data_version(self._store)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None


def _root(space: str, path: str, problem: str) -> RootStatus:
    return RootStatus(space, path, "offline" if problem else "ok", problem)
