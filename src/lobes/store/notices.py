"""Notices as they are stored: one row for each person whom a change concerns.

What they say is worked out when they are read, by the rules of that moment: a row holds ids and
codes, never a name or a text.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlmodel import Session, col, delete, insert, update

from lobes.store.read import batches, rows
from lobes.store.tables import NoticeTable, stamp

KEPT_DAYS = 90
"""How long one that was seen is kept: as long as the audit keeps its rows."""


@dataclass(frozen=True, slots=True)
class StoredNotice:
    """`resource` is an address (`space/prj_x`), `actor` as the audit writes it; `seen` is when,
    None while it waits. Ids grow with time, so they order."""

    id: str
    person: str
    at: datetime
    event: str
    actor: str
    resource: str
    detail: str
    seen: datetime | None


class Notices:
    """The notices, inside one unit of work."""

    def __init__(self, session: Session, *, now: datetime) -> None:
        self._session = session
        self._now = now

    def add(self, notices: Iterable[StoredNotice]) -> None:
        """Store them; those seen more than 90 days ago go at the same time."""
        values = [
            {
                "id": one.id,
                "person": one.person,
                "at": stamp(one.at),
                "event": one.event,
                "actor": one.actor,
                "resource": one.resource,
                "detail": one.detail,
                "seen": None,
            }
            for one in notices
        ]
        if not values:
            return
        old = stamp(self._now - timedelta(days=KEPT_DAYS))
        self._session.exec(delete(NoticeTable).where(col(NoticeTable.seen) < old))
        self._session.exec(insert(NoticeTable), params=values)

    def mark_seen(self, person: str, ids: Collection[str]) -> int:
        """Those of this person that were unseen; how many that changed."""
        count = 0
        for batch in batches(ids):
            result = self._session.exec(
                update(NoticeTable)
                .where(
                    col(NoticeTable.person) == person,
                    col(NoticeTable.seen).is_(None),
                    col(NoticeTable.id).in_(batch),
                )
                .values(seen=stamp(self._now))
            )
            count += result.rowcount
        return count


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
