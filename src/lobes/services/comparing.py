"""What a statement is to those its lobe holds: the same, a contradiction, a near copy.

The table of words of a lobe is kept by this process and brought up to date from the store at each
question, by what changed since the last one: what another process wrote counts too. It needs no
engine.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lobes.domain import claims
from lobes.domain.claims import Claim, Verdict, neighbours
from lobes.domain.ids import LobeAddress
from lobes.domain.likeness import Alike
from lobes.domain.memories import Memory
from lobes.store.read import data_version
from lobes.store.read_memories import (
    Compared,
    Mark,
    change_mark,
    changed_since,
    compared,
    compared_of,
)

Relation = Literal["repeat", "conflict", "near_copy", "candidate"]

COPIES: frozenset[Relation] = frozenset({"near_copy", "repeat"})
"""It says the same, in the very words or nearly."""

MOST = 16
"""How many a statement is compared with."""

LEAST = 0.15
"""From which likeness on: what contradicts each other may share few words."""

_LOBES = 16
"""How many lobes' words are kept."""


@dataclass(frozen=True, slots=True)
class Related:
    """One memory beside another one; `likeness` is the Jaccard index of their words, `found` what
    the detector says: the verdict, its sentence and the places that decided."""

    memory: Memory
    relation: Relation
    likeness: float
    found: claims.Relation


_RELATIONS: dict[Verdict, Relation] = {
    "repeat": "near_copy",
    "contradicts": "conflict",
    "succeeds": "conflict",
    "near_duplicate": "near_copy",
    "merge_candidate": "candidate",
}
"""Those that aren't here are no relation. A repeat in another case is looked at by a person."""


def relations(memory: Memory, others: Sequence[Memory]) -> tuple[Related, ...]:
    """What each of the others is to it, taken as the newer: conflicts first, then the most alike;
    who has nothing to do with it isn't in the answer."""
    known = {one.id: one for one in others}
    found: list[Related] = []
    for one in neighbours(claim_of(memory), map(claim_of, others)):
        other, verdict = known[one.id], one.relation.verdict
        relation = _RELATIONS.get(verdict)
        if other.content_hash == memory.content_hash:
            relation = "repeat"
        if relation is not None:
            likeness = round(one.relation.score, 4)
            found.append(Related(other, relation, likeness, one.relation))
    return tuple(found)


def claim_of(memory: Memory) -> Claim:
    """The memory as the detector sees it."""
    return Claim(
        memory.id,
        memory.statement,
        memory.kind,
        memory.subject,
        memory.valid_from,
        memory.valid_to,
    )


class Neighbourhood:
    """The words of the lobes of one store; may be asked by several threads."""

    def __init__(self) -> None:
        self._lobes: OrderedDict[LobeAddress, _Lobe] = OrderedDict()
        self._lock = threading.Lock()

    def ids_near(
        self,
        store: sqlite3.Connection,
        memory: Memory,
        *,
        most: int = MOST,
        in_use: bool = False,
        fitting: Callable[[Sequence[str]], Collection[str]] = tuple,
    ) -> list[str]:
        """The most alike of its lobe, retrievable or proposed, with `in_use` the retrievable alone;
        of those that `fitting` leaves: what it takes out is in nobody's way. Nobody waits for what
        that asks."""
        wide = most + 1
        while True:
            with self._lock:
                lobe = self._brought_up(store, memory.lobe)
                found = lobe.near(memory.statement, most=wide, in_use=in_use)
            left = frozenset(fitting([id for id in found if id != memory.id]))
            ids = [id for id in found if id in left][:most]
            if len(ids) == most or len(found) < wide:
                return ids
            wide *= 4

    def took(self, store: sqlite3.Connection, *new: Memory) -> None:
        """These were all that the unit that reads by `store` wrote into their lobe since it was
        last asked about it: it is known as it is now."""
        with self._lock:
            for memory in new:
                if (lobe := self._lobes.get(memory.lobe)) is not None:
                    lobe.took(store, memory)

    def prepare(self, store: sqlite3.Connection, lobe: LobeAddress) -> None:
        """Read what changed in the lobe: before a unit holds the store's lock."""
        with self._lock:
            self._brought_up(store, lobe)

    def _brought_up(self, store: sqlite3.Connection, address: LobeAddress) -> _Lobe:
        lobe = self._lobes.setdefault(address, _Lobe())
        self._lobes.move_to_end(address)
        while len(self._lobes) > _LOBES:
            self._lobes.popitem(last=False)
        lobe.follow(store, address)
        return lobe


class _Lobe:
    """One lobe's words, of what is in use and of what waits. What a unit of work has written may be
    rolled back, so how far the changes are known is taken from readers alone; what a unit was asked
    about is looked at once more."""

    def __init__(self) -> None:
        self.used = Alike()
        self.waiting = Alike()
        self._seen: Mark | None = None
        self._unsure: set[str] = set()
        self._known: _Moment | None = None

    def near(self, statement: str, *, most: int, in_use: bool) -> list[str]:
        """The most alike first."""
        found = self.used.near(statement, most=most, least=LEAST)
        if not in_use:
            found += self.waiting.near(statement, most=most, least=LEAST)
            found.sort(key=lambda one: (-one[1], one[0]))
        return [id for id, _ in found[:most]]

    def follow(self, store: sqlite3.Connection, address: LobeAddress) -> None:
        moment = _moment(store)
        if self._known == moment:
            return
        changed = changed_since(store, self._seen) if self._seen else None
        if changed is None:
            self.used, self.waiting = Alike(), Alike()
            self._put(compared(store, address))
            self._unsure.clear()
        else:
            self._look_at(store, address, self._unsure.union(changed))
        if store.total_changes:
            self._unsure.update(changed or ())
        else:
            self._unsure.clear()
            self._seen = change_mark(store)
        self._known = moment

    def _look_at(self, store: sqlite3.Connection, address: LobeAddress, ids: set[str]) -> None:
        now = compared_of(store, address, ids)
        for id in ids.difference(one.id for one in now):
            self.used.drop(id)
            self.waiting.drop(id)
        self._put(now)

    def _put(self, statements: Iterable[Compared]) -> None:
        for id, statement, in_use in statements:
            here, other = (self.used, self.waiting) if in_use else (self.waiting, self.used)
            other.drop(id)
            here.put(id, statement)

    def took(self, store: sqlite3.Connection, memory: Memory) -> None:
        self._put([Compared(memory.id, memory.statement, memory.is_retrievable)])
        self._unsure.add(memory.id)
        self._known = _moment(store)


_Moment = tuple[sqlite3.Connection, int, int]


def _moment(store: sqlite3.Connection) -> _Moment:
    """The same while nobody wrote: neither another connection nor this one."""
    return store, data_version(store), store.total_changes


_OF_STORES: dict[Path, Neighbourhood] = {}


def neighbourhood(store: Path) -> Neighbourhood:
    """The one of this store in this process."""
    return _OF_STORES.setdefault(store, Neighbourhood())
