"""Approvals for one question: bound to a person, two Spaces and a question; used once, then gone.

The question is kept as a hash only. A row that ran out decides nothing, whenever it is pruned.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, delete, insert

from lobes.store.read import rows
from lobes.store.tables import ApprovalTable, stamp


@dataclass(frozen=True, slots=True)
class Approval:
    """`target` may answer `asking` this one question of `person`, until `expires`."""

    id: str
    person: str
    asking: str
    target: str
    query_hash: str
    expires: datetime


def query_hash(query: str) -> str:
    """SHA-256 of the question to the letter: another case, space or spelling is another question,
    so that nothing is answered that the person didn't see."""
    return hashlib.sha256(query.encode("utf-8", "surrogatepass")).hexdigest()


class Approvals:
    """The approvals, inside one unit of work."""

    def __init__(self, session: Session, *, now: datetime) -> None:
        self._session = session
        self._now = now

    def add(self, approval: Approval) -> None:
        """Store it in place of one for the same question; all that ran out go at the same time."""
        self._prune()
        self._session.exec(
            delete(ApprovalTable).where(
                col(ApprovalTable.person) == approval.person,
                col(ApprovalTable.asking) == approval.asking,
                col(ApprovalTable.target) == approval.target,
                col(ApprovalTable.query_hash) == approval.query_hash,
            )
        )
        self._session.exec(
            insert(ApprovalTable).values(
                id=approval.id,
                person=approval.person,
                asking=approval.asking,
                target=approval.target,
                query_hash=approval.query_hash,
                expires=stamp(approval.expires),
            )
        )

    def use(self, ids: Collection[str]) -> bool:
        """Take these away for good: True where each was still there and hadn't run out. False:
        somebody was first, and the unit must not be committed as if it had them."""
        self._prune()
        result = self._session.exec(delete(ApprovalTable).where(col(ApprovalTable.id).in_(ids)))
        return result.rowcount == len(ids)

    def _prune(self) -> None:
        now = stamp(self._now)
        self._session.exec(delete(ApprovalTable).where(col(ApprovalTable.expires) <= now))


_APPROVALS = """
    SELECT id, person, asking, target, query_hash, expires FROM approval
    WHERE person = ? AND asking = ? AND query_hash = ?
"""


def approvals_for(
    store: sqlite3.Connection, *, person: str, asking: str, query: str, now: datetime
) -> list[Approval]:
    """Which Spaces may answer this very question of the person now."""
    found = [
        Approval(*row[:5], expires=datetime.fromisoformat(row[5]))
        for row in rows(store, _APPROVALS, (person, asking, query_hash(query)))
    ]
    return [one for one in found if one.expires > now]
