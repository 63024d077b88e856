"""Groups and memberships, inside one unit of work."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import cast

from sqlmodel import Session, col, delete, select

from lobes.domain.errors import Conflict
from lobes.domain.groups import Group, GroupKind, Membership, Role
from lobes.domain.ids import Slug
from lobes.store.tables import MembershipTable, PersonGroupTable, stamp


class Groups:
    """The groups, removed ones too: their ids are taken for good."""

    def __init__(self, session: Session, *, now: datetime) -> None:
        self._session = session
        self._now = now

    def add(self, group: Group) -> None:
        """Raises `Conflict` when there is, or ever was, a group with this id."""
        found = self.get(group.id)
        if found is not None:
            raise Conflict(
                "There is a group with that id, or there was one.",
                hint="Choose another id: what was granted to the old one must not come to life.",
                reason="exists",
            )
        row = PersonGroupTable(
            id=group.id,
            kind=group.kind,
            name=group.name,
            parent=group.parent,
            created=stamp(group.created),
            removed=None,
        )
        self._session.add(row)
        self._session.flush()

    def get(self, id: str) -> Group | None:
        row = self._session.get(PersonGroupTable, id, populate_existing=True)
        return None if row is None else _group(row)

    def save(self, group: Group) -> None:
        """Write back name, parent and whether it is removed; id and kind never change."""
        row = self._session.get(PersonGroupTable, group.id)
        assert row is not None
        row.name = group.name
        row.parent = group.parent
        row.removed = None if group.removed is None else stamp(group.removed)
        self._session.add(row)
        self._session.flush()

    def remove(self, group: Group) -> Group:
        removed = replace(group, removed=self._now)
        self.save(removed)
        return removed

    def members(self, id: str) -> list[Membership]:
        """Who joined this very group, by id."""
        found = self._session.exec(
            select(MembershipTable)
            .where(col(MembershipTable.group_id) == id)
            .order_by(col(MembershipTable.person))
        )
        return [
            Membership(Slug(row.person), cast("Role", row.role), datetime.fromisoformat(row.since))
            for row in found
        ]

    def put(self, id: str, person: Slug, role: Role) -> None:
        """Take the person in with this role, or give them this role; `since` stays."""
        row = self._session.get(MembershipTable, (id, person))
        if row is None:
            row = MembershipTable(group_id=id, person=person, role=role, since=stamp(self._now))
        row.role = role
        self._session.add(row)
        self._session.flush()

    def take_out(self, id: str, person: str) -> None:
        self._session.exec(
            delete(MembershipTable).where(
                col(MembershipTable.group_id) == id, col(MembershipTable.person) == person
            )
        )


def _group(row: PersonGroupTable) -> Group:
    return Group(
        id=Slug(row.id),
        kind=cast("GroupKind", row.kind),
        name=row.name,
        parent=None if row.parent is None else Slug(row.parent),
        created=datetime.fromisoformat(row.created),
        removed=None if row.removed is None else datetime.fromisoformat(row.removed),
    )
