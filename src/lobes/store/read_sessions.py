"""Sessions and their turns as they are stored, by plain `sqlite3`.

What can't be taken to the letter is taken strictly: an unknown level is confidential.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from lobes.domain.permissions import parse_permission
from lobes.domain.sensitivity import Level, parse_level
from lobes.domain.sessions import Session, Turn
from lobes.domain.strict_json import loads_strict
from lobes.store.read import batches, rows
from lobes.store.read_sensitivity import BROKEN, parse_findings

_COLUMNS = (
    "place, at, actor, summary, decisions, evidence, is_external, level, findings, classifier"
)


def session_ids(store: sqlite3.Connection, space: str = "") -> list[str]:
    """All sessions, or those of one Space; the newest first, for ids begin with their time."""
    these = "WHERE space = ?" if space else ""
    sql = f"SELECT id FROM session {these} ORDER BY id DESC"
    return [row[0] for row in rows(store, sql, (space,) if space else ())]


def sessions(store: sqlite3.Connection, ids: Iterable[str]) -> dict[str, Session]:
    """The sessions that exist among `ids`."""
    found: dict[str, Session] = {}
    for batch in batches(ids):
        sql = f"""
            SELECT id, space, person, actor, client, permission, started FROM session
            WHERE id IN ({",".join("?" * len(batch))})
        """
        for id, space, person, actor, client, permission, started in rows(store, sql, batch):
            found[id] = Session(
                id,
                space,
                person,
                actor,
                client,
                parse_permission(permission),
                datetime.fromisoformat(started),
            )
    return found


@dataclass(frozen=True, slots=True)
class Turns:
    """Those turns of a session that have the same level: how many, and when the last one was."""

    level: Level
    count: int
    last: datetime


def turn_levels(store: sqlite3.Connection, ids: Iterable[str]) -> dict[str, list[Turns]]:
    """Session → what its turns are by their levels, without a text."""
    found: dict[str, list[Turns]] = {}
    for batch in batches(ids):
        sql = f"""
            SELECT session, level, count(*), max(at) FROM session_turn
            WHERE session IN ({",".join("?" * len(batch))}) GROUP BY session, level
        """
        for session, level, count, last in rows(store, sql, batch):
            of = Turns(parse_level(level) or BROKEN, count, datetime.fromisoformat(last))
            found.setdefault(session, []).append(of)
    return found


def turns(store: sqlite3.Connection, session: str) -> list[Turn]:
    """All of one session, the first one first."""
    sql = f"SELECT {_COLUMNS} FROM session_turn WHERE session = ? ORDER BY place"
    return [_turn(row) for row in rows(store, sql, (session,))]


def turns_outside(store: sqlite3.Connection, space: str) -> Iterator[tuple[str, Turn]]:
    """Session and turn: all but those of this Space."""
    sql = f"""
        SELECT session, {_COLUMNS} FROM session_turn
        WHERE session IN (SELECT id FROM session WHERE space <> ?)
    """
    return ((row[0], _turn(row[1:])) for row in rows(store, sql, (space,)))


def last_place(store: sqlite3.Connection, session: str) -> int:
    """The place of its last turn; 0 where there is none."""
    sql = "SELECT coalesce(max(place), 0) FROM session_turn WHERE session = ?"
    return int(rows(store, sql, (session,))[0][0])


def agents_turns_since(store: sqlite3.Connection, *, person: str, since: datetime) -> int:
    """How many turns this person's agents recorded since then, in whichever session."""
    sql = """
        SELECT count(*) FROM session_turn t JOIN session s ON s.id = t.session
        WHERE t.at >= ? AND s.person = ? AND t.actor NOT LIKE 'user:%'
    """
    return int(rows(store, sql, (since.isoformat(), person))[0][0])


def _turn(row: tuple[Any, ...]) -> Turn:
    place, at, actor, summary, decisions, evidence, is_external, level, findings, classifier = row
    return Turn(
        place=place,
        at=datetime.fromisoformat(at),
        actor=actor,
        summary=summary,
        decisions=_texts(decisions),
        evidence=_texts(evidence),
        is_external=bool(is_external),
        level=parse_level(level) or BROKEN,
        findings=parse_findings(findings),
        classifier=classifier,
    )


def _texts(stored: str) -> tuple[str, ...]:
    """The list; () where it is none."""
    try:
        found: object = loads_strict(stored)
    except ValueError:
        return ()
    items = cast("list[object]", found) if isinstance(found, list) else []
    return tuple(one for one in items if isinstance(one, str))
