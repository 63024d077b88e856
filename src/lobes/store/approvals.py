"""Approvals for one question, as they are given, and taken away when they are used."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlmodel import Session, col, delete, insert

from lobes.store.read_approvals import Approval
from lobes.store.tables import ApprovalTable, stamp


class Approvals:
    """The approvals, inside one unit of work."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, approval: Approval, *, now: datetime) -> None:
        """Store it in place of one for the same question; all that ran out go at the same time."""
        self._prune(now)
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

    def use(self, ids: Collection[str]) -> None:
        """Take these away for good, in the unit that reads what they let be read."""
        self._session.exec(delete(ApprovalTable).where(col(ApprovalTable.id).in_(ids)))

    def _prune(self, now: datetime) -> None:
        self._session.exec(delete(ApprovalTable).where(col(ApprovalTable.expires) <= stamp(now)))
