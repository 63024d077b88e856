"""Spaces with their lobe: JSON, flat columns and edges are written by one function, together.

The columns `is_private`, `cross_space` and `config_ok` and the edge tables repeat what
`lobe_config` and the trusted manifest say, so that resolve works on sets and parses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from typing import cast

from sqlmodel import Session, col, delete, insert, update

from lobes.domain.errors import Conflict
from lobes.domain.ids import Slug
from lobes.domain.lobes import CROSS_SPACE, dump_config, parse_config, stricter
from lobes.domain.packs import SpaceYaml
from lobes.domain.spaces import RootState, Space, SpaceKind, SpaceStatus
from lobes.store.manifest_json import (
    NOTHING,
    dump_space_yaml,
    is_broken,
    parse_space_yaml_json,
)
from lobes.store.tables import LobeExclusionTable, LobeTagTable, SpaceTable, stamp


class Spaces:
    """The Spaces, inside one unit of work."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, space: Space) -> None:
        """Raises `Conflict` when there is a Space with this id."""
        if self._session.get(SpaceTable, space.id) is not None:
            raise Conflict(
                "There is a Space with that id.", hint="Choose another one.", reason="exists"
            )
        self._session.exec(insert(SpaceTable).values(**_columns(space)))
        self._write_edges(space)

    def get(self, id: str) -> Space | None:
        row = self._session.get(SpaceTable, id, populate_existing=True)
        return None if row is None else _space(row)

    def save(self, space: Space) -> Space:
        """Write it back and give it with its new version.

        Raises `Conflict` (reason `changed`) when it isn't the version that was read.
        """
        saved = replace(space, version=space.version + 1)
        columns = _columns(saved)
        if not space.lobe.sound:
            # What nobody can read stays as it is until the person sets it anew: writing BROKEN
            # out would turn a broken setting into one that looks chosen.
            del columns["lobe_config"]
        if self._lost_its_manifest(space):
            # It may have narrowed the lobe; while nobody can read it, the strictest holds.
            del columns["manifest"], columns["manifest_binding"]
            columns["cross_space"] = CROSS_SPACE[-1]
        result = self._session.exec(
            update(SpaceTable)
            .where(col(SpaceTable.id) == space.id, col(SpaceTable.version) == space.version)
            .values(**columns)
        )
        if result.rowcount != 1:
            raise Conflict(
                f"{space.name} was changed in another window.",
                hint="Look at it again, then repeat.",
                reason="changed",
            )
        self._write_edges(saved)
        return saved

    def set_root_state(self, id: str, state: RootState, *, device: str, inode: str) -> None:
        """What a scan found at the root; "" keeps the folder that is known, so that another one in
        its place stays another one. The version stays: nobody's edit is out of date by it."""
        found = {"root_device": device, "root_inode": inode} if inode else {}
        self._session.exec(
            update(SpaceTable).where(col(SpaceTable.id) == id).values(root_state=state, **found)
        )

    def _lost_its_manifest(self, space: Space) -> bool:
        if space.trusted is not None and space.binding is not None:
            return False
        row = self._session.get(SpaceTable, space.id, populate_existing=True)
        return row is not None and (is_broken(row.manifest) or is_broken(row.manifest_binding))

    def _write_edges(self, space: Space) -> None:
        session = self._session
        if not space.lobe.sound:
            return
        session.exec(delete(LobeExclusionTable).where(col(LobeExclusionTable.space) == space.id))
        session.exec(delete(LobeTagTable).where(col(LobeTagTable.space) == space.id))
        exclusions = [{"space": space.id, "other": o} for o in _once(space.lobe.excluded_from)]
        if exclusions:
            session.exec(insert(LobeExclusionTable), params=exclusions)
        tags = [{"space": space.id, "tag": tag} for tag in _once(space.lobe.tags)]
        if tags:
            session.exec(insert(LobeTagTable), params=tags)


def _once(names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(names))


def _manifest_text(manifest: SpaceYaml | None) -> str:
    return NOTHING if manifest is None else dump_space_yaml(manifest)


def _columns(space: Space) -> dict[str, object]:
    asked = None if space.binding is None else space.binding.cross_space
    return {
        "id": space.id,
        "kind": space.kind,
        "name": space.name,
        "description": space.description,
        "status": space.status,
        "status_before": space.status_before,
        "trashed_from": space.trashed_from,
        "owner": space.owner,
        "group_id": space.group,
        "permission": space.permission,
        "root": space.root,
        "root_device": space.root_device,
        "root_inode": space.root_inode,
        "root_state": space.root_state,
        "review_every_days": space.review_every_days,
        "manifest": _manifest_text(space.trusted),
        "manifest_binding": _manifest_text(space.binding),
        "manifest_hash": space.trusted_hash,
        "manifest_seen_hash": space.seen_hash,
        "lobe_config": dump_config(space.lobe),
        "is_private": space.lobe.is_private,
        "cross_space": stricter(space.lobe.cross_space, asked),
        "config_ok": space.lobe.sound,
        "version": space.version,
        "created": stamp(space.created),
        "updated": stamp(space.updated),
        "trashed": None if space.trashed is None else stamp(space.trashed),
    }


def _space(row: SpaceTable) -> Space:
    return Space(
        id=Slug(row.id),
        kind=cast("SpaceKind", row.kind),
        name=row.name,
        description=row.description,
        status=cast("SpaceStatus", row.status),
        status_before=cast("SpaceStatus | None", row.status_before),
        trashed_from=cast("SpaceStatus | None", row.trashed_from),
        owner=Slug(row.owner),
        group=None if row.group_id is None else Slug(row.group_id),
        permission=row.permission,
        root=row.root,
        root_device=row.root_device,
        root_inode=row.root_inode,
        root_state=cast("RootState", row.root_state),
        review_every_days=row.review_every_days,
        trusted=parse_space_yaml_json(row.manifest),
        binding=parse_space_yaml_json(row.manifest_binding),
        trusted_hash=row.manifest_hash,
        seen_hash=row.manifest_seen_hash,
        lobe=parse_config(row.lobe_config),
        version=row.version,
        created=datetime.fromisoformat(row.created),
        updated=datetime.fromisoformat(row.updated),
        trashed=None if row.trashed is None else datetime.fromisoformat(row.trashed),
    )
