"""The persons that this installation knows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from lobes.domain.errors import Conflict
from lobes.domain.ids import Slug
from lobes.store.tables import PersonTable, stamp


@dataclass(frozen=True, slots=True)
class PersonRow:
    id: Slug
    name: str
    is_superuser: bool
    created: datetime


class People:
    """The persons, inside one unit of work."""

    def __init__(self, session: Session, *, now: datetime) -> None:
        self._session = session
        self._now = now

    def add(self, id: Slug, name: str) -> None:
        """Raises `Conflict` when somebody has this id already."""
        if self.get(id) is not None:
            raise Conflict(
                "There is somebody with that id.", hint="Choose another one.", reason="exists"
            )
        self._session.add(PersonTable(id=id, name=name, created=stamp(self._now)))
        self._session.flush()

    def get(self, id: str) -> PersonRow | None:
        row = self._session.get(PersonTable, id)
        return None if row is None else _person(row)

    def set_superuser(self, id: str, *, is_superuser: bool) -> None:
        row = self._session.get(PersonTable, id)
        assert row is not None
        row.is_superuser = is_superuser
        self._session.add(row)
        self._session.flush()

    def all(self) -> list[PersonRow]:
        """Everybody, by id."""
        rows = self._session.exec(select(PersonTable).order_by(col(PersonTable.id)))
        return [_person(row) for row in rows]


def _person(row: PersonTable) -> PersonRow:
    return PersonRow(Slug(row.id), row.name, row.is_superuser, datetime.fromisoformat(row.created))
