"""A backup becomes the home, or takes the place of one.

Judged whole before a byte is written. What was there is backed up first. The records are replaced
in one transaction inside the open file, so that other windows go on with what was restored; the
epoch rises, so that what was agreed before is checked again. The record of what was done is never
put back: it goes on, and says that the home was restored. Files that are there stay as they are.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from lobes.access.facts import HOME
from lobes.config.folders import Folders, make
from lobes.domain.backups import (
    AUDIT,
    AUDIT_HEAD,
    CONFIG,
    SPACES,
    STORE,
    BackupManifest,
    Member,
    refused,
)
from lobes.domain.errors import Conflict, Corrupt, Unavailable
from lobes.services.authority import facts_for, record, require
from lobes.services.backups import default_file, staging, write
from lobes.services.homes import refuse_synced
from lobes.services.installation import Caller, Installation
from lobes.store import read
from lobes.store.backup_file import OpenBackup, has_bytes, read_backup
from lobes.store.home_copy import Facts, facts_in, prepare, put_into
from lobes.store.migrate import bring_up
from lobes.store.migrations import SCHEMA
from lobes.store.read_spaces import live_roots
from lobes.store.sequence import AHEAD, noted
from lobes.store.writing import sync_folder, sync_folders, writing_errors


@dataclass(frozen=True, slots=True)
class Judged:
    """What a backup holds, before anything is done with it; `presence` is what its home asked."""

    made: str
    owner: str
    schema: int
    files: int
    presence: str = ""


@dataclass(frozen=True, slots=True)
class Restored:
    """`kept` are files that were there and stayed as they are; `missing` are Spaces whose folder
    isn't here. `before` is the backup of what was there, None for a new home."""

    made: str
    epoch: int
    files: int
    kept: tuple[str, ...]
    missing: tuple[str, ...]
    before: Path | None = None


def judge(file: Path) -> Judged:
    """Look at all of it. `Invalid` (`not_a_backup`, `newer_backup`) or `Corrupt` with the reason;
    nothing is written."""
    with read_backup(file) as backup:
        return _as_judged(backup.manifest)


def restore_new(
    folders: Folders, file: Path, *, clock: Callable[[], datetime], may: Callable[[str], None]
) -> Restored:
    """Make a home out of a backup. `may` is told what its home asks of presence before anything is
    written, and may refuse. `Conflict` where a home is already."""
    if folders.store.exists():
        raise Conflict("There is a home here already.", hint="Restore over it.", reason="exists")
    refuse_synced(folders)
    with read_backup(file) as backup:
        _as_judged(backup.manifest)
        fresh = not folders.data.exists()
        make(folders)
        try:
            with _staged(folders, backup) as (staged, facts, stage):
                may(facts.presence)
                epoch = max(facts.epoch, backup.manifest.epoch) + 1
                outbox = facts.outbox + AHEAD
                bring_up(staged, backups=stage / "older", clock=clock)
                prepare(
                    staged,
                    epoch=epoch,
                    presence=facts.presence,
                    outbox=outbox,
                    sequence=noted(folders.store) + AHEAD,
                    spaces=(backup.manifest.spaces, str(folders.spaces)),
                )
                kept = _files(folders, backup)
                with writing_errors():
                    for name, target in _record_of(folders, backup):
                        backup.take(name, stage / target.name)
                        os.replace(stage / target.name, target)
                    # Last: without a store there is no home.
                    os.link(staged, folders.store)
                    sync_folder(folders.data)
        except BaseException:
            if fresh and not folders.store.exists():
                _drop_empty(folders)
            raise
    return _told(folders, backup.manifest, epoch, kept, None)


def restore_over(lobes: Installation, caller: Caller, file: Path) -> Restored:
    """Put a backup in the place of this home's records, once these are backed up themselves.

    `Unavailable` (`store_busy`) where another window has the store for longer than is waited.
    """
    _owner(lobes, caller)
    folders = lobes.folders
    with read_backup(file) as backup, _staged(folders, backup) as (staged, facts, stage):
        before = default_file(lobes, "before-restore")
        lobes.audit.flush()
        write(folders, before, now=lobes.clock().isoformat())
        now = facts_in(folders.store)
        epoch = max(facts.epoch, now.epoch) + 1
        outbox = max(facts.outbox, now.outbox) + AHEAD
        # What a home asks of presence is never changed by a file.
        bring_up(staged, backups=stage / "older", clock=lobes.clock)
        prepare(
            staged,
            epoch=epoch,
            presence=now.presence,
            outbox=outbox,
            sequence=noted(folders.store) + AHEAD,
            spaces=(backup.manifest.spaces, str(folders.spaces)),
        )
        caller = replace(caller, can_be_asked=False)
        answer = _owner(lobes, caller)
        put_into(staged, folders.store)
        record(
            lobes, caller, "home.restored", "write_meta", HOME,
            answer=answer, counts={"epoch": epoch},
        )  # fmt: skip
        kept = _files(folders, backup)
    lobes.engine.stop()
    return _told(folders, backup.manifest, epoch, kept, before)


def note_restored(lobes: Installation, restored: Restored) -> None:
    """The row of a home that was made out of a backup."""
    owner = lobes.owner_at("cli", is_present=False)
    counts = {"epoch": restored.epoch}
    record(lobes, owner, "home.restored", "write_meta", HOME, answer="owner", counts=counts)


def may_restore(lobes: Installation, caller: Caller) -> None:
    """Raise unless this caller, present, may replace the home."""
    _owner(lobes, caller)


def _owner(lobes: Installation, caller: Caller) -> str:
    with lobes.reading() as store:
        facts = facts_for(store, caller)
    return require(lobes, caller, "write_meta", HOME, facts=facts, human_only=True).reason


def _as_judged(manifest: BackupManifest) -> Judged:
    if manifest.schema > SCHEMA:
        raise Corrupt(
            "The backup is of a newer Lobes.", hint="Upgrade this Lobes.", reason="newer_schema"
        )
    return Judged(manifest.made, manifest.owner, manifest.schema, len(manifest.files))


@contextmanager
def _staged(folders: Folders, backup: OpenBackup) -> Generator[tuple[Path, Facts, Path]]:
    """Its store beside ours, sound and of this schema or an older one."""
    _as_judged(backup.manifest)
    with staging(folders) as stage:
        staged = stage / STORE
        backup.take(next(one for one in backup.manifest.files if one.path == STORE), staged)
        facts = facts_in(staged)
        if facts.schema > SCHEMA:
            raise Corrupt(
                "The backup is of a newer Lobes.", hint="Upgrade this Lobes.", reason="newer_schema"
            )
        if facts.schema != backup.manifest.schema or facts.owner != backup.manifest.owner:
            raise refused("its list and its store differ")
        yield staged, facts, stage


def _record_of(folders: Folders, backup: OpenBackup) -> list[tuple[Member, Path]]:
    """The record and its head, for a home that has none."""
    places = {AUDIT: folders.audit, AUDIT_HEAD: folders.audit.with_suffix(".head")}
    return [
        (one, places[one.path])
        for one in backup.manifest.files
        if one.path in places and not folders.audit.exists()
    ]


def _files(folders: Folders, backup: OpenBackup) -> tuple[str, ...]:
    """Settings and packs; names of files that were there with other bytes, and stayed."""
    kept: list[str] = []
    for member in backup.manifest.files:
        for prefix, folder in ((CONFIG, folders.config), (SPACES, folders.spaces)):
            if not member.path.startswith(prefix):
                continue
            target = folder / member.path.removeprefix(prefix)
            if os.path.lexists(target):
                if not has_bytes(target, member):
                    kept.append(member.path)
                continue
            _make_folders(folder, target)
            backup.take(member, target)
    with writing_errors():
        for folder in (folders.config, folders.spaces):
            sync_folders(folder)
    return tuple(kept)


def _make_folders(below: Path, target: Path) -> None:
    """Each folder on the way for its owner alone; one that is a link leads elsewhere."""
    with writing_errors():
        for parent in reversed(target.relative_to(below).parents[:-1]):
            folder = below / parent
            folder.mkdir(mode=0o700, exist_ok=True)
            if folder.is_symlink():
                raise Unavailable(
                    "A folder on the way is a link.", hint="Put a real folder there.", reason="link"
                )


def _told(
    folders: Folders,
    manifest: BackupManifest,
    epoch: int,
    kept: tuple[str, ...],
    before: Path | None,
) -> Restored:
    with closing(read.connect(folders.store)) as store:
        missing = tuple(id for id, root in live_roots(store) if not Path(root).is_dir())
    return Restored(manifest.made, epoch, len(manifest.files), kept, missing, before)


def _drop_empty(folders: Folders) -> None:
    """The folders that were made for nothing, as far as nothing is in them."""
    inner = (folders.backups, folders.spaces, folders.index, folders.log)
    outer = (folders.data, folders.state, folders.cache, folders.config, folders.data.parent)
    for folder in (*inner, *outer):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
