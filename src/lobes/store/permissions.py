"""Writing a permission: only over the very text that was read."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, SQLModel, update

from lobes.domain.errors import Conflict
from lobes.domain.permissions import Permission, dump_permission
from lobes.store.read_permissions import StoredPermission
from lobes.store.tables import stamp


class Permissions:
    """The permissions, inside one unit of work."""

    def __init__(self, session: Session, *, now: datetime) -> None:
        self._session = session
        self._now = now

    def put(self, stored: StoredPermission, permission: Permission | None) -> None:
        """Replace what was read as `stored`. `Conflict` (`changed`) where it is another by now."""
        table = SQLModel.metadata.tables[stored.resource.kind]
        column = table.c["permission"]
        is_it = column.is_(None) if stored.text is None else column == stored.text
        values: dict[str, object] = {
            "permission": None if permission is None else dump_permission(permission)
        }
        if "version" in table.c:  # whoever saves the whole row from an older look fails then
            values |= {"version": table.c["version"] + 1, "updated": stamp(self._now)}
        result = self._session.connection().execute(
            update(table).where(table.c["id"] == stored.resource.id, is_it).values(**values)
        )
        if result.rowcount != 1:
            raise changed_since()


def changed_since() -> Conflict:
    return Conflict(
        "Its permission was changed since it was shown.",
        hint="Look at it again, then repeat.",
        reason="changed",
    )
