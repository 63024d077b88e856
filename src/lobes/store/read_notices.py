"""Notices as their person reads them, by plain `sqlite3`.

What they say is worked out when they are read, by the rules of that moment: a row holds ids and
codes, never a name or a text.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from lobes.store.read import rows


@dataclass(frozen=True, slots=True)
class StoredNotice:
    """`resource` is an address (`space/prj_x`), `actor` as the audit writes it; `seen` is when,
    None while it waits. Ids grow with time, so they order, though not those of one
    millisecond."""

    id: str
    person: str
    at: datetime
    event: str
    actor: str
    resource: str
    detail: str
    seen: datetime | None


_NOTICES = """
    SELECT id, person, at, event, actor, resource, detail, seen FROM notice
    WHERE person = ?1 AND (?2 = 0 OR seen IS NULL) AND (?3 = '' OR id < ?3)
    ORDER BY id DESC LIMIT ?4
"""


def notices_of(
    store: sqlite3.Connection,
    person: str,
    *,
    unseen_only: bool = False,
    before: str = "",
    limit: int = 100,
) -> list[StoredNotice]:
    """A person's notices, the newest first; `before` is the id of the last that was shown."""
    return [
        StoredNotice(
            id=row[0],
            person=row[1],
            at=datetime.fromisoformat(row[2]),
            event=row[3],
            actor=row[4],
            resource=row[5],
            detail=row[6],
            seen=None if row[7] is None else datetime.fromisoformat(row[7]),
        )
        for row in rows(store, _NOTICES, (person, int(unseen_only), before, limit))
    ]


def counted(store: sqlite3.Connection, person: str) -> tuple[int, int]:
    """How many notices a person has, and how many of them wait to be seen."""
    sql = "SELECT count(*), count(*) - count(seen) FROM notice WHERE person = ?"
    total, unseen = rows(store, sql, (person,))[0]
    return int(total), int(unseen)
