"""Spaces and packs as lists show them, by plain `sqlite3`."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from lobes.domain.lobes import LobeConfig, parse_config
from lobes.domain.packs import SpaceYaml
from lobes.store.manifest_json import parse_space_yaml_json
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


def live_roots(store: sqlite3.Connection) -> list[tuple[str, str]]:
    """Id and root of the Spaces that are neither archived nor in the trash."""
    return rows(store, "SELECT id, root FROM space WHERE status IN ('active', 'finished')")


@dataclass(frozen=True, slots=True)
class StoredLobe:
    """What only those may see who may read the Space: its lobe and its manifests as stored."""

    version: int
    config: LobeConfig
    trusted: SpaceYaml | None
    trusted_hash: str
    binding: SpaceYaml | None


_COLUMNS = """
    SELECT id, kind, name, description, status, owner, group_id, root, root_state, is_private,
           cross_space, config_ok, review_every_days, manifest_hash <> manifest_seen_hash,
           trashed, version, root_device, root_inode
    FROM space WHERE (?1 IS NULL OR id = ?1) ORDER BY kind DESC, name COLLATE NOCASE, id
"""


def space_rows(store: sqlite3.Connection, *, only: str | None = None) -> list[SpaceRow]:
    """Every Space, Projects first, by name; the caller filters by `read_meta`."""
    documents, passages, tags = _counts(store, only), _passages(store, only), _tags(store, only)
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
            tags=tags.get(row[0], ()),
            documents=documents.get(row[0], (0, 0))[0],
            passages=passages.get(row[0], 0),
            changed=documents.get(row[0], (0, 0))[1],
            review_every_days=row[12],
            waits_for_trust=bool(row[13]),
            trashed=row[14],
            version=row[15],
            root_device=row[16],
            root_inode=row[17],
        )
        for row in rows(store, _COLUMNS, (only,))
    ]


def space_row(store: sqlite3.Connection, space: str) -> SpaceRow | None:
    """One Space; None where there is none."""
    return next(iter(space_rows(store, only=space)), None)


def stored_lobe(store: sqlite3.Connection, space: str) -> StoredLobe | None:
    """The Space's lobe and manifests; None where there is no such Space."""
    sql = """
        SELECT version, lobe_config, manifest, manifest_hash, manifest_binding
        FROM space WHERE id = ?
    """
    for version, config, trusted, trusted_hash, binding in rows(store, sql, (space,)):
        return StoredLobe(
            version,
            parse_config(config),
            parse_space_yaml_json(trusted),
            trusted_hash,
            parse_space_yaml_json(binding),
        )
    return None


def _counts(store: sqlite3.Connection, only: str | None) -> dict[str, tuple[int, int]]:
    sql = """
        SELECT space, count(*), max(mtime_ns) FROM document
        WHERE (?1 IS NULL OR space = ?1) GROUP BY space
    """
    return {space: (count, changed) for space, count, changed in rows(store, sql, (only,))}


def _passages(store: sqlite3.Connection, only: str | None) -> dict[str, int]:
    sql = """
        SELECT d.space, count(*) FROM passage p JOIN document d ON d.id = p.document
        WHERE (?1 IS NULL OR d.space = ?1) GROUP BY d.space
    """
    return dict(rows(store, sql, (only,)))


def _tags(store: sqlite3.Connection, only: str | None) -> dict[str, tuple[str, ...]]:
    sql = "SELECT space, tag FROM lobe_tag WHERE (?1 IS NULL OR space = ?1) ORDER BY space, tag"
    found: dict[str, tuple[str, ...]] = {}
    for space, tag in rows(store, sql, (only,)):
        found[space] = (*found.get(space, ()), tag)
    return found


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


def all_skipped(store: sqlite3.Connection) -> list[tuple[str, str, str]]:
    """Space, path and reason of what the last looks at all live packs left out."""
    sql = """
        SELECT f.space, f.path, f.reason FROM skipped_file f JOIN space s ON s.id = f.space
        WHERE s.status NOT IN ('deleted', 'archived') ORDER BY f.space, f.path
    """
    return rows(store, sql)


@dataclass(frozen=True, slots=True)
class NamedSpace:
    """A Space by its names alone."""

    id: str
    name: str
    kind: str


@dataclass(frozen=True, slots=True)
class NamedFile:
    """A pack file by its names alone."""

    id: str
    space: str
    path: str
    title: str


def named_spaces(store: sqlite3.Connection) -> list[NamedSpace]:
    """The Spaces that are neither archived nor in the trash."""
    sql = "SELECT id, name, kind FROM space WHERE status IN ('active', 'finished') ORDER BY id"
    return [NamedSpace(*row) for row in rows(store, sql)]


def _folded(text: object) -> str:
    return str(text).casefold()


def named_files(
    store: sqlite3.Connection, part: str, *, offset: int, limit: int
) -> list[NamedFile]:
    """Files of those Spaces with `part`, which is casefolded, in path or title, short paths first.

    SQLite folds ASCII alone, so any other text is compared by Python.
    """
    match = "(instr(lower(d.path), ?1) OR instr(lower(d.title), ?1))"
    if not part.isascii():
        store.create_function("folded", 1, _folded, deterministic=True)
        match = match.replace("lower(", "folded(")
    sql = f"""
        SELECT d.id, d.space, d.path, d.title FROM document d JOIN space s ON s.id = d.space
        WHERE s.status IN ('active', 'finished') AND {match}
        ORDER BY length(d.path), d.path, d.id LIMIT ?2 OFFSET ?3
    """
    return [NamedFile(*row) for row in rows(store, sql, (part, limit, offset))]
