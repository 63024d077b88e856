"""The memories among what the engine proposed: checked against the store, weighed, and each that
is disputed together with what contradicts it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from lobes.access.facts import ItemFacts, Resource
from lobes.access.resolve import LobeDecision
from lobes.domain import relevance
from lobes.engine.protocol import Candidate
from lobes.services.asked import Asked
from lobes.services.authority import may
from lobes.services.hits import Drawn, Recalled
from lobes.store.facts import memory_facts
from lobes.store.found_memories import FoundMemory, found_memories, other_sides


@dataclass(frozen=True, slots=True)
class Memories:
    """Those that this caller may have now, whether they were proposed or only contradict one that
    was; `sides` of a disputed one are in it too, sorted."""

    held: Mapping[str, FoundMemory]
    sides: Mapping[str, tuple[str, ...]]
    known: frozenset[str]
    """Every id that is a memory's, held or not."""

    def is_for(self, candidate: Candidate) -> bool:
        """Whether the memory still says what was found, in the lobe where it was found."""
        one = self.held.get(candidate.id)
        found = (candidate.lobe, candidate.content_hash)
        return one is not None and (one.lobe, one.passage_hash) == found


def memories_among(asked: Asked, store: sqlite3.Connection, ids: Iterable[str]) -> Memories:
    """From the snapshot that is open on `store`, which `asked` was decided by."""
    rows = found_memories(store, ids)
    sides: dict[str, set[str]] = {}
    while open_sides := {id for id, one in rows.items() if one.status == "disputed"} - set(sides):
        found = other_sides(store, open_sides)
        sides |= {id: found.get(id, set()) for id in open_sides}
        others = {other for some in found.values() for other in some} - set(rows)
        rows |= found_memories(store, others)
    held = _readable(asked, store, rows)
    shown = {id: tuple(sorted(others & set(held))) for id, others in sides.items()}
    # Contested is said of both or of none: one alone would be taken for the truth.
    held = {id: one for id, one in held.items() if one.status == "active" or shown[id]}
    return Memories(held, {id: shown[id] for id in shown if id in held}, frozenset(rows))


def _readable(
    asked: Asked, store: sqlite3.Connection, rows: Mapping[str, FoundMemory]
) -> dict[str, FoundMemory]:
    drawn_on = {str(one.lobe) for one in asked.decisions if one.allowed}
    items = memory_facts(store, rows)
    facts = replace(asked.seen.facts, items=items)
    alike: dict[ItemFacts, bool] = {}
    held: dict[str, FoundMemory] = {}
    for id, one in rows.items():
        resource = Resource("memory", id)
        item = items.get(resource)
        if item is None or one.lobe not in drawn_on or id in _hidden(asked, one.lobe):
            continue
        if item not in alike:
            alike[item] = may(asked.caller, "read_content", resource, facts)
        if alike[item]:
            held[id] = one
    return held


def _hidden(asked: Asked, lobe: str) -> tuple[str, ...]:
    return asked.seen.withheld.get(lobe, ())


def drawn(asked: Asked, candidate: Candidate, lobe: LobeDecision, memories: Memories) -> Drawn:
    """The candidate with its score: fused × weight, for a memory × freshness × evidence."""
    memory = memories.held.get(candidate.id)
    if memory is None:
        return Drawn(candidate, lobe, round(candidate.score * lobe.weight, 4))
    weighed = _weighed(asked, memory, memories.sides.get(memory.id, ()))
    score = candidate.score * lobe.weight * weighed.freshness * weighed.evidence
    return Drawn(candidate, lobe, round(score, 4), weighed)


def _weighed(asked: Asked, memory: FoundMemory, others: tuple[str, ...]) -> Recalled:
    """How much it counts today, and against the `others` that this caller may know of."""
    since, as_of = memory.confirmed.date(), asked.seen.now.date()
    return Recalled(
        kind=memory.kind,
        memory_class=memory.memory_class,
        epistemic=memory.epistemic,
        status=memory.status,
        author=memory.author,
        is_external=memory.is_external,
        version=memory.version,
        created=memory.created,
        confirmed=memory.confirmed,
        valid_to=memory.valid_to,
        freshness=relevance.freshness(memory.kind, since=since, as_of=as_of),
        evidence=relevance.evidence(
            memory.author,
            is_external=memory.is_external,
            confidence=memory.confidence,
            corroborations=memory.evidence,
            contradictions=len(others),
        ),
        is_stale=relevance.is_stale(memory.kind, since=since, as_of=as_of),
        others=others,
    )


def with_other_sides(
    asked: Asked, one: Drawn, memories: Memories, proposed: Mapping[str, Drawn]
) -> Iterator[Drawn]:
    """A memory and, directly after it, what contradicts it, the best first; then what contradicts
    that. `proposed` are the memories that the engine proposed."""
    drawn_on = {str(lobe.lobe): lobe for lobe in asked.decisions if lobe.allowed}
    seen = {one.candidate.id}
    waiting = [one]
    while waiting:
        yield waiting[0]
        id = waiting.pop(0).candidate.id
        others: list[Drawn] = []
        for other in memories.sides.get(id, ()):
            if other in seen:
                continue
            memory = memories.held[other]
            seen.add(other)
            others.append(
                proposed.get(other)
                or drawn(asked, _unproposed(memory), drawn_on[memory.lobe], memories)
            )
        waiting += sorted(others, key=lambda side: (-side.score, side.candidate.id))


def _unproposed(memory: FoundMemory) -> Candidate:
    """What fits the question less than all that was proposed."""
    return Candidate(memory.id, memory.passage_hash, memory.lobe, 0.0, None, None, 0.0, 0.0)
