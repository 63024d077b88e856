"""A backup of the home in one file, made while others go on writing.

In it are the records, the settings and the packs that lie in the home. Not in it: secrets (they
stay in the system's store), what proves a presence, the index and the engine's files (both are
made anew), and packs elsewhere, which are the person's own files.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lobes import __version__
from lobes.access.facts import HOME
from lobes.config.folders import Folders
from lobes.domain.backups import (
    AUDIT,
    AUDIT_HEAD,
    CONFIG,
    SPACES,
    STORE,
    BackupManifest,
    Member,
)
from lobes.services.authority import facts_for, record, require
from lobes.services.installation import Caller, Installation
from lobes.store.backup_file import Source, write_backup
from lobes.store.home_copy import facts_in, files_below, snapshot_of
from lobes.store.names import collision_key, valid_name
from lobes.store.read_backups import HOME_SUFFIX


@dataclass(frozen=True, slots=True)
class BackedUp:
    """Where it lies, how much is in it, and what wasn't taken, with why."""

    file: Path
    bytes: int
    files: int
    skipped: tuple[tuple[str, str], ...]


def back_up_home(lobes: Installation, caller: Caller, target: Path | None = None) -> BackedUp:
    """One consistent copy of the home at `target`, by default in the home's folder for backups."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
    decision = require(lobes, caller, "export", HOME, facts=facts, human_only=True)
    file = target or default_file(lobes)
    lobes.audit.flush()
    made = write(lobes.folders, file, now=lobes.clock().isoformat())
    counts = {"files": len(made.files), "left": len(made.skipped)}
    record(lobes, caller, "home.backed_up", "export", HOME, answer=decision.reason, counts=counts)
    return BackedUp(file, file.stat().st_size, len(made.files), made.skipped)


def default_file(lobes: Installation, what: str = "home") -> Path:
    return lobes.folders.backups / f"{what}-{lobes.clock():%Y%m%dT%H%M%S%f}{HOME_SUFFIX}"


def write(folders: Folders, file: Path, *, now: str) -> BackupManifest:
    """The copy itself; nobody is asked."""
    with staging(folders) as stage:
        snapshot_of(folders.store, stage / STORE)
        facts = facts_in(stage / STORE)
        sources: list[Source] = [(STORE, stage / STORE)]
        if folders.audit.exists():
            # The head first: one that ran ahead of its rows would look like a cut.
            head = folders.audit.with_suffix(".head")
            if head.exists():
                shutil.copyfile(head, stage / AUDIT_HEAD)
                sources.append((AUDIT_HEAD, stage / AUDIT_HEAD))
            snapshot_of(folders.audit, stage / AUDIT)
            sources.append((AUDIT, stage / AUDIT))
        more, skipped = _files(folders)

        def manifest(members: tuple[Member, ...]) -> BackupManifest:
            return BackupManifest(
                lobes=__version__,
                schema=facts.schema,
                made=now,
                owner=facts.owner,
                epoch=facts.epoch,
                spaces=str(folders.spaces),
                files=members,
                skipped=tuple(skipped),
            )

        return write_backup(file, [*sources, *more], manifest)


@contextmanager
def staging(folders: Folders) -> Generator[Path]:
    """A folder of ours for what is not whole yet, on the disk of the store; gone at the end."""
    with tempfile.TemporaryDirectory(prefix=".stage-", dir=folders.data) as name:
        yield Path(name)


def _files(folders: Folders) -> tuple[list[Source], list[tuple[str, str]]]:
    found: list[Source] = []
    skipped: list[tuple[str, str]] = []
    names: set[str] = set()
    for prefix, folder in ((CONFIG, folders.config), (SPACES, folders.spaces)):
        for path in files_below(folder):
            name = prefix + path.relative_to(folder).as_posix()
            if not valid_name(name):
                skipped.append((name.encode("utf-8", "replace").decode(), "bad_name"))
            elif collision_key(name) in names:
                skipped.append((name, "case_twin"))
            else:
                names.add(collision_key(name))
                found.append((name, path))
    return found, skipped
