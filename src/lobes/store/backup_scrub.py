"""What is erased goes out of our own backups of the home too: each is made anew without it."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from lobes.domain.backups import SPACES, STORE, BackupManifest, Member
from lobes.domain.erasing import Erasure
from lobes.domain.errors import Corrupt, Invalid
from lobes.store.backup_file import OpenBackup, Source, read_backup, write_backup
from lobes.store.read import connect, rows
from lobes.store.wiping import Fate, scrub
from lobes.store.writing import sync_folder


def scrub_backup(path: Path, erasures: Sequence[Erasure]) -> Fate:
    """One that isn't whole any more, so that nobody knows what is in it, is removed."""
    try:
        with (
            read_backup(path) as backup,
            tempfile.TemporaryDirectory(prefix=".stage-", dir=path.parent) as name,
        ):
            return _scrubbed(path, backup, Path(name), erasures)
    except (Invalid, Corrupt):
        path.unlink(missing_ok=True)
        return "removed"


def _scrubbed(path: Path, backup: OpenBackup, stage: Path, erasures: Sequence[Erasure]) -> Fate:
    members = backup.manifest.files
    backup.take(next(one for one in members if one.path == STORE), stage / STORE)
    packs = _packs(stage / STORE, backup.manifest, erasures)
    dropped = {one.path for one in members if packs and one.path.startswith(packs)}
    if scrub(stage / STORE, erasures) == "untouched" and not dropped:
        return "untouched"
    sources: list[Source] = [(STORE, stage / STORE)]
    for number, one in enumerate(members):
        if one.path != STORE and one.path not in dropped:
            backup.take(one, stage / str(number))
            sources.append((one.path, stage / str(number)))
    stamp = path.stat()

    def listed(files: tuple[Member, ...]) -> BackupManifest:
        return replace(backup.manifest, files=files)

    write_backup(stage / path.name, sources, listed)
    os.utime(stage / path.name, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    os.replace(stage / path.name, path)
    sync_folder(path.parent)
    return "rewritten"


def _packs(store: Path, manifest: BackupManifest, erasures: Sequence[Erasure]) -> tuple[str, ...]:
    """Where the packs of erased Spaces lie in it."""
    found: list[str] = []
    with closing(connect(store)) as reading:
        for one in erasures:
            for (root,) in rows(reading, "SELECT root FROM space WHERE id = ?", (one.space,)):
                if root.startswith(f"{manifest.spaces}{os.sep}"):
                    inner = Path(root).relative_to(manifest.spaces).as_posix()
                    found.append(f"{SPACES}{inner}/")
    return tuple(found)
