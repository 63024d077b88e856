"""Sessions, for whoever may look at them: what agents recorded of their turns.

A session is its author's and private from the start; `read_chat` is asked on it and on its Space.
Each turn has a level of its own and is asked for by itself: whoever may not have one of them is
told neither of it nor how many there are. An agent has those of its person in its Space.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from lobes.access.facts import Facts, ItemFacts, Resource
from lobes.classify import VERSION
from lobes.classify.masking import masked
from lobes.domain.actors import is_human
from lobes.domain.errors import nothing_there
from lobes.domain.ids import is_ulid
from lobes.domain.sensitivity import Level
from lobes.domain.sessions import Session, Turn
from lobes.services.authority import allowed_memories, facts_for, may, record, require
from lobes.services.installation import Caller, Installation
from lobes.services.paging import Page, page_of
from lobes.store.facts import document_facts, session_facts
from lobes.store.passages import documents_of
from lobes.store.read_memories import memories
from lobes.store.read_sessions import Turns, session_ids, sessions, turn_levels, turns


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session as a list shows it: how many of its turns the caller may have, and when the last
    of those was; where there is none, when the session began."""

    session: Session
    turns: int
    last: datetime


@dataclass(frozen=True, slots=True)
class SessionView:
    """A session with those of its turns that the caller may have, counted from 1 as they are
    shown: secrets masked, and of the evidence what they may read."""

    session: Session
    turns: tuple[Turn, ...]


def list_sessions(
    lobes: Installation, caller: Caller, *, space: str = "", after: str = "", limit: int = 100
) -> Page[SessionRow]:
    """The sessions that the caller may read, the newest first; with `space` those of that one
    alone, on which `read_chat` is asked then. Raises as that and `page_of` do."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        if space:
            require(lobes, caller, "read_chat", Resource("space", space), facts=facts)
        known = _Rules(caller, facts).among(_stored(store, session_ids(store, space)))
        page = page_of(tuple(known), after=after, limit=limit)
        return page.of(_rows(store, {id: known[id] for id in page.items}))


def sessions_to_take_out(lobes: Installation, caller: Caller, space: str) -> tuple[SessionRow, ...]:
    """What is said of the Space's sessions in an export: of those that the caller may both read and
    take out."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        stored = _stored(store, session_ids(store, space))
        out = _Rules(caller, facts, "export").among(stored)
        return _rows(store, _Rules(caller, facts).among({id: stored[id] for id in out}))


def known_turns(
    store: sqlite3.Connection, caller: Caller, facts: Facts, these: Collection[tuple[str, Level]]
) -> frozenset[str]:
    """The sessions of which the caller may read one of these turns, told by their levels."""
    rules, items = _Rules(caller, facts), session_facts(store, {id for id, _ in these})
    known = ((id, items.get(Resource("session", id)), level) for id, level in these)
    return frozenset(
        id
        for id, item, level in known
        if item is not None
        and rules.allow(id, item)
        and rules.allow(id, replace(item, level=level))
    )


def show_session(lobes: Installation, caller: Caller, id: str) -> SessionView:
    """One session with its turns; `read_chat` is asked on it."""
    resource = Resource("session", id)
    with lobes.reading() as store:
        facts = facts_for(store, caller, things=[resource] if is_ulid(id) else [])
        why = require(lobes, caller, "read_chat", resource, facts=facts)
        session = sessions(store, [id]).get(id)
        if session is None:
            raise nothing_there()
        rules, item = _Rules(caller, facts), facts.items[resource]
        seen = [one for one in turns(store, id) if rules.allow(id, replace(item, level=one.level))]
        if not seen:
            raise nothing_there()
        known = _known_evidence(store, caller, facts, seen)
    record(lobes, caller, "session.read", "read_chat", resource, answer=why.reason)
    shown = (_as_shown(replace(one, place=n), known) for n, one in enumerate(seen, start=1))
    return SessionView(session, tuple(shown))


@dataclass(frozen=True, slots=True)
class _Stored:
    """A session as the rules see it, and what its turns are by their levels."""

    item: ItemFacts
    turns: tuple[Turns, ...]


def _stored(store: sqlite3.Connection, ids: Sequence[str]) -> dict[str, _Stored]:
    """Those of the sessions that are there, in their order."""
    items, of_each = session_facts(store, ids), turn_levels(store, ids)
    known = ((id, items.get(Resource("session", id))) for id in ids)
    return {id: _Stored(item, tuple(of_each.get(id, ()))) for id, item in known if item is not None}


def _rows(store: sqlite3.Connection, seen: Mapping[str, Sequence[Turns]]) -> tuple[SessionRow, ...]:
    """The rows of sessions of which these turns may be had, in their order."""
    found = sessions(store, seen)
    return tuple(_row(found[id], turns) for id, turns in seen.items())


def _row(session: Session, seen: Sequence[Turns]) -> SessionRow:
    last = max((one.last for one in seen), default=session.started)
    return SessionRow(session, sum(one.count for one in seen), last)


@dataclass(slots=True)
class _Rules:
    """One right, asked once for all that are alike to the rules."""

    caller: Caller
    facts: Facts
    verb: str = "read_chat"
    asked: dict[ItemFacts, bool] = field(default_factory=dict[ItemFacts, bool])

    def among(self, stored: Mapping[str, _Stored]) -> dict[str, list[Turns]]:
        """Those of these sessions on which the caller may, in their order, with what they may of
        each. A session begins with its first turn: one of which they may have none isn't there."""
        seen = {
            id: [turn for turn in one.turns if self.allow(id, replace(one.item, level=turn.level))]
            for id, one in stored.items()
            if self.allow(id, one.item)
        }
        return {id: turns for id, turns in seen.items() if turns}

    def allow(self, id: str, item: ItemFacts) -> bool:
        if item not in self.asked:
            resource = Resource("session", id)
            facts = replace(self.facts, items={resource: item})
            self.asked[item] = may(self.caller, self.verb, resource, facts)
        return self.asked[item]


def _known_evidence(
    store: sqlite3.Connection, caller: Caller, facts: Facts, seen: Sequence[Turn]
) -> frozenset[str]:
    """Of what the turns name as evidence, what the caller may read: files, their passages, and
    memories, to an agent those alone that are retrieved."""
    ids = sorted({id for one in seen for id in one.evidence})
    inside = documents_of(store, ids)
    items = document_facts(store, sorted({*ids, *inside.values()}))
    asked = replace(facts, items=items)
    files = {one.id for one in items if may(caller, "read_content", one, asked)}
    known = set(allowed_memories(store, caller, "read_content", ids, facts))
    if not is_human(caller.actor):
        known = {one.id for one in memories(store, known).values() if one.is_retrievable}
    return frozenset(id for id in ids if id in known or inside.get(id, id) in files)


def _as_shown(turn: Turn, known: frozenset[str]) -> Turn:
    is_clear = turn.classifier == VERSION and not any(one.is_secret for one in turn.findings)
    evidence = tuple(one for one in turn.evidence if one in known)
    if is_clear:
        return replace(turn, evidence=evidence)
    decisions = tuple(masked(one) for one in turn.decisions)
    return replace(turn, summary=masked(turn.summary), decisions=decisions, evidence=evidence)
