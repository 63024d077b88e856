"""Spaces and packs as lists show them, by plain `sqlite3`."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from lobes.store.read import rows


@dataclass(frozen=True, slots=True)
class SpaceRow:
    """A Space in a list. Times are ISO 8601 in UTC; `changed` is the newest file's
    modification time in nanoseconds, 0 for an empty pack."""

    id: str
    kind: str
    name: str
    description: str
    status: str
    owner: str
    group: str | None
    root: str
    root_state: str
    is_private: bool
    cross_space: str
    config_ok: bool
    tags: tuple[str, ...]
    documents: int
    passages: int
    changed: int
    review_every_days: int | None
    waits_for_trust: bool
    trashed: str | None
    version: int
    manifest: str
    config: str
    root_device: str
    root_inode: str


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A pack file as it is indexed."""

    id: str
    path: str
    role: str
    title: str
    tokens: int
    size: int
    mtime_ns: int
    content_hash: str


def space_names(store: sqlite3.Connection) -> dict[str, str]:
    """Space id → name. For sentences about Spaces that the rules already let be known."""
    return dict(rows(store, "SELECT id, name FROM space"))


def space_rows(store: sqlite3.Connection) -> list[SpaceRow]:
    """Every Space, Projects first, by name; the caller filters by `read_meta`."""
    counts = {
        space: (documents, changed)
        for space, documents, changed in rows(
            store, "SELECT space, count(*), max(mtime_ns) FROM document GROUP BY space"
        )
    }
    passages = dict(
        rows(
            store,
            """
            SELECT d.space, count(*) FROM passage p JOIN document d ON d.id = p.document
            GROUP BY d.space
            """,
        )
    )
    tags: dict[str, list[str]] = {}
    for space, tag in rows(store, "SELECT space, tag FROM lobe_tag ORDER BY space, tag"):
        tags.setdefault(space, []).append(tag)
    sql = """
        SELECT id, kind, name, description, status, owner, group_id, root, root_state, is_private,
               cross_space, config_ok, review_every_days, manifest_hash <> manifest_seen_hash,
               trashed, version, manifest, lobe_config, root_device, root_inode
        FROM space ORDER BY kind DESC, name COLLATE NOCASE, id
    """
    return [
        SpaceRow(
            id=row[0],
            kind=row[1],
            name=row[2],
            description=row[3],
            status=row[4],
            owner=row[5],
            group=row[6],
            root=row[7],
            root_state=row[8],
            is_private=bool(row[9]) or not row[11],
            cross_space=row[10] if row[11] else "deny",
            config_ok=bool(row[11]),
            tags=tuple(tags.get(row[0], ())),
            documents=counts.get(row[0], (0, 0))[0],
            passages=passages.get(row[0], 0),
            changed=counts.get(row[0], (0, 0))[1] or 0,
            review_every_days=row[12],
            waits_for_trust=bool(row[13]),
            trashed=row[14],
            version=row[15],
            manifest=row[16],
            config=row[17],
            root_device=row[18],
            root_inode=row[19],
        )
        for row in rows(store, sql)
    ]


def document_rows(store: sqlite3.Connection, space: str) -> list[DocumentRow]:
    """The Space's pack files by path."""
    sql = """
        SELECT id, path, role, title, tokens, size, mtime_ns, content_hash
        FROM document WHERE space = ? ORDER BY path
    """
    return [DocumentRow(*row) for row in rows(store, sql, (space,))]


def skipped_rows(store: sqlite3.Connection, space: str) -> list[tuple[str, str]]:
    """Path and reason of what the last look at the pack left out."""
    return rows(
        store, "SELECT path, reason FROM skipped_file WHERE space = ? ORDER BY path", (space,)
    )
