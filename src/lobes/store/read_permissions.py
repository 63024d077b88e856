"""Permissions as they are stored, by plain `sqlite3`: one column of the thing that they govern.

A table that keeps one is named in `_KEPT`; everything else here follows.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

from lobes.domain.permissions import Permission, parse_permission
from lobes.domain.resources import Resource, ResourceKind
from lobes.domain.sensitivity import STAYS
from lobes.store.read import rows

_KEPT: dict[ResourceKind, str] = {
    "space": "SELECT name, id, owner, group_id, permission FROM space WHERE id = ?",
    "document": """
        SELECT d.title, s.id, s.owner, s.group_id, d.permission
        FROM document d JOIN space s ON s.id = d.space WHERE d.id = ?
    """,
    # By its id: whoever may change who sees a memory may not be one of those who read it. What is
    # only proposed belongs to its author, and what is in no Space has nothing around it to tighten.
    "memory": """
        SELECT m.id, s.id, s.owner, s.group_id, m.permission
        FROM memory m JOIN space s ON s.id = m.space
        WHERE m.id = ? AND m.status NOT IN ('proposed', 'rejected', 'deleted')
    """,
    "session": """
        SELECT c.id, s.id, c.person, s.group_id, c.permission
        FROM session c JOIN space s ON s.id = c.space WHERE c.id = ?
    """,
}
"""Kind of thing → its name, the Space that it is in, its owner and group, its permission."""


@dataclass(frozen=True, slots=True)
class StoredPermission:
    """`text` is what is stored, None where there is nothing; `space` is the thing itself or the
    Space that it is in."""

    resource: Resource
    name: str
    space: str
    owner: str
    group: str | None
    text: str | None

    @property
    def permission(self) -> Permission | None:
        """None for a thing in a Space that has none of its own."""
        if self.text is None and self.resource.kind != "space":
            return None
        return parse_permission(self.text)

    @property
    def version(self) -> str:
        """Names exactly this text, so that a change of what was shown is told from another."""
        stored = "-" if self.text is None else f"+{self.text}"
        return hashlib.sha256(stored.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def has_permission(resource: Resource) -> bool:
    """Whether things of this kind keep a permission."""
    return resource.kind in _KEPT


def stored_permission(store: sqlite3.Connection, resource: Resource) -> StoredPermission | None:
    """What is stored for the thing; None where there is no such thing, or none that has one."""
    for name, space, owner, group, text in rows(store, _KEPT[resource.kind], (resource.id,)):
        return StoredPermission(resource, name, space, owner, group, text)
    return None


# Of what has its own ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Closer:
    """A document that not everybody may read whom its Space lets in: by a permission of its own,
    or by how sensitive it is."""

    id: str
    space: str
    path: str
    permission: str | None
    level: str | None


@dataclass(frozen=True, slots=True)
class Counted:
    """What a list says of a Space's pack: documents, passages, and the newest file's time."""

    documents: int
    passages: int
    changed: int


def own_permissions(store: sqlite3.Connection) -> list[StoredPermission]:
    """The documents, memories and sessions of Spaces that have one of their own, by Space and name:
    a path, or an id."""
    sql = """
        SELECT 'document', d.id, d.path, s.id, s.owner, s.group_id, d.permission
        FROM document d JOIN space s ON s.id = d.space WHERE d.permission IS NOT NULL
        UNION ALL
        SELECT 'memory', m.id, m.id, s.id, s.owner, s.group_id, m.permission
        FROM memory m JOIN space s ON s.id = m.space
        WHERE m.permission IS NOT NULL AND m.status <> 'deleted'
        UNION ALL
        SELECT 'session', c.id, c.id, s.id, c.person, s.group_id, c.permission
        FROM session c JOIN space s ON s.id = c.space
        ORDER BY 4, 1, 3
    """
    return [StoredPermission(Resource(kind, id), *row) for kind, id, *row in rows(store, sql)]


def closer_documents(store: sqlite3.Connection, space: str = "") -> list[Closer]:
    """All of them, or those of one Space, in no order; by two indexes, so that a store without
    any pays nothing."""
    columns = "d.id, d.space, d.path, d.permission, n.level"
    only, one = (" AND d.space = ?", (space,)) if space else ("", ())
    sql = f"""
        SELECT {columns} FROM document d LEFT JOIN document_sensitivity n ON n.document = d.id
        WHERE d.permission IS NOT NULL{only}
        UNION
        SELECT {columns} FROM document_sensitivity n JOIN document d ON d.id = n.document
        WHERE n.level IN ({",".join("?" * len(STAYS))}){only}
    """
    return [Closer(*row) for row in rows(store, sql, (*one, *sorted(STAYS), *one))]


def counted_without(store: sqlite3.Connection, space: str, hidden: Collection[str]) -> Counted:
    """A Space's counts as they are for somebody who may not know of the `hidden` documents."""
    sql = """
        SELECT d.id, d.mtime_ns, (SELECT count(*) FROM passage p WHERE p.document = d.id)
        FROM document d WHERE d.space = ?
    """
    known = [row for row in rows(store, sql, (space,)) if row[0] not in hidden]
    return Counted(
        len(known), sum(row[2] for row in known), max((row[1] for row in known), default=0)
    )


def kept_permission(store: sqlite3.Connection, document: str) -> str | None:
    """As it is stored, the permission that a document had before its file was gone."""
    found = rows(store, "SELECT permission FROM kept_permission WHERE document = ?", (document,))
    return found[0][0] if found else None
