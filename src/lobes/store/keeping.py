"""A document's own permission outlives the file: closed once, it stays closed in its Space.

Files come and go: a branch is changed, an editor replaces a file, a note gets another name. The
document's row goes with the file, so its permission is kept beside and found again by the id, which
follows from the place, or by the bytes. Who writes other bytes to another place makes a new one.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, text

from lobes.domain.permissions import Permission, dump_permission

_KEEP = text(
    """
    INSERT INTO kept_permission (document, space, content_hash, permission)
    SELECT id, space, content_hash, permission FROM document
    WHERE id = :gone AND permission IS NOT NULL
    """
)
_FORGET = text("DELETE FROM kept_permission WHERE document = :gone")
_ANY = text(
    """
    SELECT EXISTS (SELECT 1 FROM kept_permission WHERE space = :space)
        OR EXISTS (SELECT 1 FROM document WHERE space = :space AND permission IS NOT NULL)
    """
)
_KNOWN = text("SELECT id FROM document WHERE id IN :ids").bindparams(
    bindparam("ids", expanding=True)
)
_SAME_PLACE = text(
    """
    UPDATE document
    SET permission = (SELECT k.permission FROM kept_permission k WHERE k.document = document.id)
    WHERE id = :new AND EXISTS (SELECT 1 FROM kept_permission k WHERE k.document = document.id)
    """
)
_SAME_BYTES = text(
    """
    UPDATE document SET permission = (
        SELECT CASE count(DISTINCT permission)
            WHEN 0 THEN NULL WHEN 1 THEN min(permission) ELSE :private END
        FROM (
            SELECT o.permission FROM document o WHERE o.permission IS NOT NULL
                AND o.space = document.space AND o.content_hash = document.content_hash
            UNION ALL
            SELECT k.permission FROM kept_permission k
            WHERE k.space = document.space AND k.content_hash = document.content_hash
        ) AS same
    ) WHERE id = :new AND permission IS NULL
    """
)
_PRIVATE = dump_permission(Permission("private"))
"""Where two of the same bytes are closed in two ways."""


def keep(store: Connection, gone: Sequence[str]) -> None:
    """Before these documents are removed."""
    rows = [{"gone": id} for id in gone]
    store.execute(_FORGET, rows)
    store.execute(_KEEP, rows)


def new_among(store: Connection, space: str, ids: Sequence[str]) -> list[str]:
    """Those that are not there yet, where any document of the Space is or was closed."""
    if not store.execute(_ANY, {"space": space}).scalar():
        return []
    known = {row.id for row in store.execute(_KNOWN, {"ids": list(ids)})}
    return [id for id in ids if id not in known]


def bring_back(store: Connection, new: Sequence[str]) -> None:
    """After these documents came."""
    if new:
        store.execute(_SAME_PLACE, [{"new": id} for id in new])
        store.execute(_SAME_BYTES, [{"new": id, "private": _PRIVATE} for id in new])
        store.execute(_FORGET, [{"gone": id} for id in new])
