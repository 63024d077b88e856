"""Recording what was done, turn by turn: an agent's words, in the session that we counted.

A session begins with its first turn, private, and is its author's. `converse` is asked on its Space
and on the session itself at every turn. Each text is looked at as all that comes in, and has a
level of its own.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from lobes.access.facts import Resource
from lobes.classify import VERSION
from lobes.domain.actors import is_human, name_of, person_of
from lobes.domain.errors import Unavailable, nothing_there
from lobes.domain.ids import is_ulid
from lobes.domain.memories import Provenance
from lobes.domain.sensitivity import Finding, effective
from lobes.domain.sessions import MOST_TURNS, NEW, PER_HOUR, Said, Session, Turn, checked
from lobes.services.authority import facts_for, record, require
from lobes.services.ingress import as_kept
from lobes.services.installation import Caller, Installation
from lobes.store.read_sessions import agents_turns_since, last_place, sessions

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Recorded:
    """Where the turn stands: its session, and which of its turns it is."""

    session: str
    place: int


def record_turn(
    lobes: Installation, caller: Caller, space: str, said: Said, came: Provenance
) -> Recorded:
    """Add a turn to the session that `came` names, which begins with its first turn; `converse` is
    asked on the Space, and on the session where it is there.

    Raises `Invalid` for what can't be a turn, `Unavailable` (`session_full`, `too_many_turns`)
    beyond what a session or a person's agents may record.
    """
    with lobes.reading() as store:
        _may_converse(lobes, store, caller, space, came.session)
    came, said = as_kept(came), checked(said)
    found = _found(said)
    with lobes.database().begin() as unit:
        session, answer = _may_converse(lobes, unit.reader, caller, space, came.session)
        turn = _turn(unit, caller, said, came, found)
        _refuse_flood(unit, caller, turn)
        if session is None:
            unit.sessions.begin(_begun(caller, space, came, turn))
        unit.sessions.add(came.session, turn)
        unit.commit()
    things = Resource("session", came.session), Resource("space", space)
    record(lobes, caller, "session.turn_recorded", "converse", *things, answer=answer)
    return Recorded(came.session, turn.place)


def _may_converse(
    lobes: Installation, store: sqlite3.Connection, caller: Caller, space: str, id: str
) -> tuple[Session | None, str]:
    """The session, None where it begins now, and by which reason the caller may go on with it."""
    facts = facts_for(store, caller, space, things=[Resource("session", id)])
    answer = require(lobes, caller, "converse", Resource("space", space), facts=facts)
    session = sessions(store, [id]).get(id)
    if session is not None:
        answer = require(lobes, caller, "converse", Resource("session", id), facts=facts)
        if session.space != space:
            raise nothing_there()
    elif not is_ulid(id):
        raise nothing_there()
    return session, answer.reason


def _found(said: Said) -> list[Finding]:
    """What is found in its texts, looked at as every text that comes in."""
    from lobes.classify.scan import scan  # not before there is a text to look at

    return [one for text in (said.summary, *said.decisions) for one in scan(text)]


def _turn(
    unit: UnitOfWork, caller: Caller, said: Said, came: Provenance, found: Sequence[Finding]
) -> Turn:
    """The turn, behind those that its session has."""
    return Turn(
        place=last_place(unit.reader, came.session) + 1,
        at=unit.now,
        actor=name_of(caller.actor),
        summary=said.summary,
        decisions=said.decisions,
        evidence=said.evidence,
        is_external=came.is_external,
        level=effective(None, given=None, findings=found),
        findings=tuple(one.kept for one in found),
        classifier=VERSION,
    )


def _begun(caller: Caller, space: str, came: Provenance, turn: Turn) -> Session:
    return Session(
        id=came.session,
        space=space,
        person=person_of(caller.actor),
        actor=turn.actor,
        client=came.client,
        permission=NEW,
        started=turn.at,
    )


def _refuse_flood(unit: UnitOfWork, caller: Caller, turn: Turn) -> None:
    if turn.place > MOST_TURNS:
        raise Unavailable(
            f"A session has {MOST_TURNS:,} turns at most.",
            hint="Go on in a new session.",
            reason="session_full",
        )
    if is_human(caller.actor):
        return
    person, hour = person_of(caller.actor), unit.now - timedelta(hours=1)
    if agents_turns_since(unit.reader, person=person, since=hour) >= PER_HOUR:
        raise Unavailable(
            "Agents have recorded more turns than they may in an hour.",
            hint="Go on without it, or record one later.",
            reason="too_many_turns",
        )
