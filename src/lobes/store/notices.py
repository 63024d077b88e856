"""Notices as they are written: one row for each person whom a change concerns."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from sqlmodel import Session, col, delete, insert, update

from lobes.store.read import batches
from lobes.store.read_notices import StoredNotice
from lobes.store.tables import NoticeTable, stamp

KEPT_DAYS = 90
"""How long one that was seen is kept: as long as the audit keeps its rows."""


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
