"""Which folder a Space has: it is pinned by device and inode, and only a person moves it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lobes.access.facts import Resource
from lobes.domain.errors import nothing_there
from lobes.domain.spaces import Space
from lobes.services.authority import facts_for, record, require
from lobes.services.installation import Caller, Installation
from lobes.services.space_adding import our_folders, refuse_overlap
from lobes.store.files import check_root
from lobes.store.read_spaces import space_rows
from lobes.store.roots import RootCheck


def move_root(
    lobes: Installation,
    caller: Caller,
    space_id: str,
    folder: Path,
    *,
    confirms_overlap: bool = False,
) -> Space:
    """The Space's folder is another one from now on: moved, restored from a backup, or replaced.

    What is indexed stays until the next look. Its `space.yaml` is judged then as any change is.
    """
    resource = Resource("space", space_id)
    with lobes.reading() as store:
        facts = facts_for(store, caller, space_id)
        others = {
            row.id: Path(row.root)
            for row in space_rows(store)
            if row.status != "deleted" and row.id != space_id
        }
    require(lobes, caller, "change_permission", resource, facts=facts, human_only=True)
    check = check_root(folder, home_folders=our_folders(lobes, folder), others=others)
    if not confirms_overlap:
        refuse_overlap({one.space for one in check.overlaps})
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller, space_id)
        decision = require(
            lobes, caller, "change_permission", resource, facts=facts, human_only=True
        )
        space = unit.spaces.get(space_id)
        if space is None:
            raise nothing_there()
        saved = unit.spaces.save(replace(_rooted(space, check), updated=lobes.clock()))
        unit.commit()
    record(lobes, caller, "space.root_moved", "change_permission", resource, answer=decision.reason)
    return saved


def _rooted(space: Space, check: RootCheck) -> Space:
    return replace(
        space,
        root=str(check.path),
        root_device=str(check.identity.device),
        root_inode=str(check.identity.inode),
        root_state="new",
    )
