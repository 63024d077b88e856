"""Edits of packs as they are stored, by plain `sqlite3`; lists come without the texts."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple

from lobes.domain.pack_edits import Cause, EditStatus, PackEdit
from lobes.domain.sensitivity import parse_level
from lobes.store.read import batches, rows
from lobes.store.read_sensitivity import BROKEN, parse_findings

_COLUMNS = (
    "id, space, path, base_hash, {text}, content_hash, status, cause, person, created, session,"
    " client, tool, is_external, why, level, findings, decided, reason, decided_by"
)
_WHOLE = f"SELECT {_COLUMNS.format(text='text')} FROM pack_edit"
_SHORT = f"SELECT {_COLUMNS.format(text=chr(39) * 2)} FROM pack_edit"

DECIDED = 1000
"""The most that a list of decided ones holds."""


def pack_edits(store: sqlite3.Connection, ids: Iterable[str]) -> dict[str, PackEdit]:
    """The edits that exist among `ids`, with their texts."""
    found: dict[str, PackEdit] = {}
    for batch in batches(ids):
        sql = f"{_WHOLE} WHERE id IN ({','.join('?' * len(batch))})"
        found |= {row[0]: _edit(row) for row in rows(store, sql, batch)}
    return found


def waiting_edits(store: sqlite3.Connection, space: str = "") -> list[PackEdit]:
    """All that wait, the newest first, without their texts; with `space` of that one alone."""
    these = "AND space = ?" if space else ""
    sql = f"{_SHORT} WHERE status = 'proposed' {these} ORDER BY created DESC, id DESC"
    return [_edit(row) for row in rows(store, sql, (space,) if space else ())]


def decided_edits(
    store: sqlite3.Connection, space: str = "", *, status: EditStatus | None = None
) -> list[PackEdit]:
    """At most `DECIDED` that were decided, with `status` those of that one alone; the last one
    first, without their texts."""
    which = "status = ?" if status else "status <> 'proposed'"
    these = "AND space = ?" if space else ""
    sql = f"{_SHORT} WHERE {which} {these} ORDER BY decided DESC, id DESC LIMIT ?"
    asked = [one for one in (status, space) if one]
    return [_edit(row) for row in rows(store, sql, (*asked, DECIDED))]


def edits_outside(store: sqlite3.Connection, space: str) -> Iterator[PackEdit]:
    """All with their texts, but those of this Space."""
    return (_edit(row) for row in rows(store, f"{_WHOLE} WHERE space <> ?", (space,)))


def same_edit(
    store: sqlite3.Connection, space: str, path: str, *, content_hash: str, person: str
) -> str | None:
    """The proposal of this person that says just that of this file and still waits."""
    sql = """
        SELECT id FROM pack_edit WHERE space = ? AND path = ? AND content_hash = ? AND person = ?
            AND status = 'proposed' AND cause = 'proposed'
    """
    found = rows(store, sql, (space, path, content_hash, person))
    return found[0][0] if found else None


def edits_since(store: sqlite3.Connection, *, person: str, session: str, since: datetime) -> int:
    """How many this person's agents proposed since then, in this session or ("") in any."""
    these = "AND session = ?" if session else ""
    sql = f"""
        SELECT count(*) FROM pack_edit
        WHERE cause = 'proposed' AND tool <> '' AND person = ? AND created >= ? {these}
    """
    values = (person, since.isoformat(), *((session,) if session else ()))
    return int(rows(store, sql, values)[0][0])


class Outside(NamedTuple):
    """One change from outside that isn't let in: it waits, or a person said no."""

    id: str
    path: str
    content_hash: str
    status: EditStatus
    cause: Cause


def outside_of(store: sqlite3.Connection, space: str) -> list[Outside]:
    """What changed outside of one Space's pack and wasn't accepted, the last first."""
    sql = """
        SELECT id, path, content_hash, status, cause FROM pack_edit
        WHERE space = ? AND cause = 'changed_outside' AND status <> 'accepted'
        ORDER BY created DESC, id DESC
    """
    return [Outside(*row) for row in rows(store, sql, (space,))]


def _edit(row: tuple[Any, ...]) -> PackEdit:
    (id, space, path, base_hash, text, content_hash, status, cause, person, created) = row[:10]
    (session, client, tool, is_external, why, level, findings, decided, reason, by) = row[10:]
    return PackEdit(
        id=id,
        space=space,
        path=path,
        base_hash=base_hash,
        text=text,
        content_hash=content_hash,
        status=status,
        cause=cause,
        person=person,
        created=datetime.fromisoformat(created),
        session=session,
        client=client,
        tool=tool,
        is_external=bool(is_external),
        why=why,
        level=parse_level(level) or BROKEN,
        findings=parse_findings(findings),
        decided=None if decided is None else datetime.fromisoformat(decided),
        reason=reason,
        decided_by=by,
    )
