"""Making a memory readable more widely: always a proposal there, that names the new readers.

What it comes from stays where it is. What is restricted, confidential or holds a secret goes no
further; nobody but a person promotes, and what they promote waits once more, for its own review.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lobes.access.facts import Facts, Resource
from lobes.domain.errors import Invalid, LobesError, nothing_there
from lobes.domain.ids import LobeAddress
from lobes.domain.memories import Memory, Provenance, shown_hash, wrong_status
from lobes.domain.proposals import Origin, Proposal
from lobes.domain.reviewing import held, is_held_here
from lobes.services.authority import facts_for, record, require
from lobes.services.decisions import Asked, Decided, Done, Left
from lobes.services.explaining import all_facts, names_in
from lobes.services.ingress import looked_at
from lobes.services.installation import Caller, Installation
from lobes.services.memory_readers import Readers, readers
from lobes.services.proposing import propose
from lobes.services.shown_memory import as_shown
from lobes.store.facts import memory_facts
from lobes.store.read_memories import memories

SOURCE = "promotion"


@dataclass(frozen=True, slots=True)
class Promotion:
    """What promoting it there would open: who could read it then and can't now. `shown` is what
    the act is bound to; `memory` has its secrets masked."""

    memory: Memory
    shown: str
    lobe: LobeAddress
    readers: Readers
    new_spaces: tuple[str, ...]
    new_people: tuple[str, ...]


def promotion(lobes: Installation, caller: Caller, id: str, lobe: LobeAddress) -> Promotion:
    """Before it is proposed: asked as the act itself is, though nobody need be present."""
    with lobes.reading() as store:
        facts, _ = all_facts(store)
        facts = replace(facts, items=memory_facts(store, [id]))
        memory, _ = _promotable(lobes, caller, store, id, lobe, facts)
        names = names_in(store)
    before = readers(caller, memory, facts, names)
    after = readers(caller, replace(memory, lobe=lobe, permission=None), facts, names)
    read = {one.space for one in before.spaces} | {memory.lobe.id}
    new = tuple(one.name for one in after.spaces if one.space not in read)
    people = tuple(one for one in after.people if one not in before.people)
    return Promotion(as_shown(memory), shown_hash(memory), lobe, after, new, people)


def promote(
    lobes: Installation, caller: Caller, asked: Sequence[Asked], lobe: LobeAddress
) -> Decided:
    """Propose each of these there. What it is taken back by is the deletion of the proposal."""
    done: list[Done] = []
    left: list[Left] = []
    answer = ""
    for one in asked:
        try:
            promoted, answer = _promoted(lobes, caller, one, lobe)
            done.append(promoted)
        except LobesError as error:
            left.append(Left(one.id, error))
    if done:
        ids = [id for one in done for id in (one.id, *(made.id for _, made in one.changes))]
        things = [Resource("memory", id) for id in ids]
        record(lobes, caller, "memory.promoted", "promote", *things, answer=answer)
    return Decided("promote", tuple(done), tuple(left))


def _promoted(
    lobes: Installation, caller: Caller, asked: Asked, lobe: LobeAddress
) -> tuple[Done, str]:
    with lobes.reading() as store:
        facts = facts_for(store, caller, things=[Resource("memory", asked.id)])
        memory, why = _promotable(lobes, caller, store, asked.id, lobe, facts, human_only=True)
    if not asked.shown_hash:
        raise held("not_shown")
    if asked.shown_hash != shown_hash(memory):
        raise held("changed")
    space = memory.lobe.id if memory.lobe.kind == "space" else ""
    proposed = propose(lobes, caller, space, _proposal(memory, lobe), _origin(memory))
    if proposed.outcome == "repeat":
        raise held("duplicate_since")
    if proposed.outcome == "suppressed":
        raise held("suppressed_since")
    with lobes.reading() as store:
        made = memories(store, [proposed.id])[proposed.id]
    return Done(memory.id, ((None, made),)), why


def _promotable(
    lobes: Installation,
    caller: Caller,
    store: sqlite3.Connection,
    id: str,
    lobe: LobeAddress,
    facts: Facts,
    *,
    human_only: bool = False,
) -> tuple[Memory, str]:
    """It, and by which reason the caller may promote it."""
    asked = Resource("memory", id)
    decision = require(lobes, caller, "promote", asked, facts=facts, human_only=human_only)
    require(lobes, caller, "read_content", asked, facts=facts)
    memory = memories(store, [id]).get(id)
    if memory is None:
        raise nothing_there()
    if not memory.is_retrievable:
        raise wrong_status(
            memory.status, ": only what is in use is promoted", hint="Accept or restore it first."
        )
    if memory.lobe == lobe:
        raise Invalid("It is there already.", hint="Name another lobe.", reason="same")
    if is_held_here(looked_at(memory)):
        raise held("stays")
    return memory, decision.reason


def _proposal(memory: Memory, lobe: LobeAddress) -> Proposal:
    return Proposal(
        memory.statement,
        kind=memory.kind,
        memory_class=memory.memory_class,
        epistemic=memory.epistemic,
        subject=memory.subject,
        category=memory.category,
        lobe=lobe,
        given=memory.level,
        confidence=memory.confidence,
        evidence=(f"memory/{memory.id}",),
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
    )


def _origin(memory: Memory) -> Origin:
    """Who it was from first, and that it came by a promotion; where it derives from stays known."""
    came = Provenance(
        source=SOURCE,
        evidence=(f"memory/{memory.id}",),
        is_external=memory.is_from_outside,
    )
    return Origin(memory.author, came)
