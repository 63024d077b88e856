"""A question to a Space with all that was decided of it, from one snapshot."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from lobes.access.facts import Facts, Resource
from lobes.access.resolve import LobeDecision, resolve
from lobes.domain.actors import person_of
from lobes.services.approvals import with_approvals
from lobes.services.authority import facts_for, is_own_space, may
from lobes.services.explaining import Names, lobe_sentence, name_in, names_in
from lobes.services.installation import Caller, Installation
from lobes.services.withheld import withheld
from lobes.services.withheld_memories import withheld_memories
from lobes.store import read
from lobes.store.read_approvals import Approval


@dataclass(frozen=True, slots=True)
class Seen:
    """What one snapshot says of all Spaces; `version` names its commit on its connection."""

    version: int
    now: datetime
    facts: Facts
    names: Names
    approvals: tuple[Approval, ...]
    decisions: Sequence[LobeDecision]
    withheld: Mapping[str, tuple[str, ...]]
    """Lobe → the documents and memories in it that don't count, sorted."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that may be asked, and what was decided before the engine had it."""

    lobes: Installation
    caller: Caller
    query: str
    space: str
    limit: int
    store: sqlite3.Connection
    """No snapshot is open on it, so no commit waits for the engine."""
    seen: Seen

    @property
    def decisions(self) -> Sequence[LobeDecision]:
        return self.seen.decisions

    @property
    def is_question(self) -> bool:
        return bool(self.query.strip() and self.limit)

    @property
    def once(self) -> frozenset[str]:
        """The approvals without which some of its lobes wouldn't be drawn on."""
        drawn_on = {one.lobe.id for one in self.decisions if one.reason == "once"}
        return frozenset(one.id for one in self.seen.approvals if one.target in drawn_on)

    def by(self, store: sqlite3.Connection) -> Asked:
        """The same question, decided by what this snapshot says."""
        return replace(self, seen=look(self.lobes, store, self.caller, self.query, self.space))

    def name(self, lobe: LobeDecision) -> str:
        return name_in(lobe.lobe, self.seen.names)

    def sentence(self, lobe: LobeDecision) -> str:
        seen, person = self.seen, person_of(self.caller.actor)
        return lobe_sentence(lobe, self.space, seen.facts, seen.names, person=person)


def look(
    lobes: Installation, store: sqlite3.Connection, caller: Caller, query: str, space: str
) -> Seen:
    """All of it, from the snapshot that is open on `store`."""
    version, now = read.data_version(store), lobes.clock()
    facts = facts_for(store, caller, space)
    facts, approvals = with_approvals(
        store, facts, person=person_of(caller.actor), asking=space, query=query, now=now
    )
    # Nothing more is looked up for who may not ask: what it takes would tell what is there.
    asks = is_own_space(caller, space) and may(
        caller, "read_content", Resource("space", space), facts
    )
    decisions = resolve(caller.actor, space, facts) if asks else []
    documents = withheld(store, caller, "read_content", facts)
    memories = withheld_memories(store, caller, space, facts, decisions, now=now)
    hidden = {
        lobe: tuple(sorted((*documents.get(lobe, ()), *memories.get(lobe, ()))))
        for lobe in {*documents, *memories}
    }
    return Seen(version, now, facts, names_in(store), approvals, decisions, hidden)
