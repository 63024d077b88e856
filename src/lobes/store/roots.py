"""Which folders may be a Space's root, and in what state one is.

Folders are compared by device and inode, never by text.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lobes.domain.errors import Invalid, Unavailable
from lobes.domain.texts import is_utf8
from lobes.store.found import RootId

_NETWORK = frozenset(
    {"nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "afs", "ceph", "9p", "davfs", "lustre"}
    | {"glusterfs", "fuse.sshfs", "fuse.rclone", "fuse.davfs2", "fuse.s3fs", "fuse.glusterfs"}
    | {"fuse.gvfsd-fuse"}
)
_SYNC_NAMES = {
    "dropbox": "Dropbox",
    "google drive": "Google Drive",
    "googledrive": "Google Drive",
    "mobile documents": "iCloud",
    "icloud drive": "iCloud",
    "nextcloud": "Nextcloud",
    "owncloud": "ownCloud",
    "seafile": "Seafile",
}
_SYNC_MARKS = {
    ".stfolder": "Syncthing",
    ".dropbox": "Dropbox",
    ".dropbox.cache": "Dropbox",
    ".nextcloudsync.log": "Nextcloud",
    ".owncloudsync.log": "ownCloud",
    ".tmp.drivedownload": "Google Drive",
}


@dataclass(frozen=True, slots=True, order=True)
class Overlap:
    """The folder is, lies inside, or contains the root of another Space."""

    space: str
    relation: Literal["same", "inside", "contains"]


@dataclass(frozen=True, slots=True)
class RootCheck:
    """A folder that may be a root once the person confirms every overlap."""

    path: Path
    identity: RootId
    overlaps: tuple[Overlap, ...]
    warnings: tuple[str, ...]


def check_root(
    path: Path,
    *,
    home_folders: Sequence[Path],
    others: Mapping[str, Path],
    user_home: Path | None = None,
) -> RootCheck:
    """What making `path` a root would mean; `home_folders` are Lobes' data, state, cache, config.

    `Invalid`: `root_is_filesystem`, `root_is_home` (or contains it), `root_is_ours` (contains or
    lies inside a folder of Lobes). `Unavailable` `root_missing` when it is no folder.
    """
    real = _nameable(Path(os.path.realpath(path)))
    chain = _chain(real)
    if not real.is_dir() or not chain:
        raise Unavailable(
            "This folder is not there.",
            hint="Look whether its name is right and its disk is there.",
            reason="root_missing",
        )
    own = chain[0]
    if len(chain) == 1:
        raise _refused("the whole disk", "root_is_filesystem")
    if own in _chain(user_home or Path.home()):
        raise _refused("your home folder", "root_is_home")
    for folder in home_folders:
        relation = _relation(own, chain, folder)
        if relation is not None:
            raise _refused("a folder that holds Lobes' own files", "root_is_ours")
    overlaps = (
        Overlap(space, relation)
        for space, other in others.items()
        if (relation := _relation(own, chain, other)) is not None
    )
    synced = synced_or_network(real)
    return RootCheck(real, own, tuple(sorted(overlaps)), (synced,) if synced else ())


def check_place(
    path: Path, *, home_folders: Sequence[Path], others: Mapping[str, Path]
) -> tuple[Overlap, ...]:
    """As `check_root`, of a folder that isn't there yet: what it would lie inside of."""
    chain = _chain(_nameable(path))
    if any(_identity(folder) in chain for folder in home_folders):
        raise _refused("a folder that holds Lobes' own files", "root_is_ours")
    around = (space for space, other in others.items() if _identity(other) in chain)
    return tuple(Overlap(space, "inside") for space in sorted(around))


def _nameable(path: Path) -> Path:
    """The path, or `Invalid` where the store can't hold it: its bytes are no UTF-8."""
    if not is_utf8(str(path)):
        raise Invalid(
            "A folder whose name isn't UTF-8 can't be a Space's.",
            hint="Give it, and the folders that it is in, another name.",
            reason="bad_name",
        )
    return path


def synced_or_network(path: Path, *, mounts: str | None = None) -> str | None:
    """One sentence when `path` lies in a synced folder or on a network disk.

    `mounts` is the text of `/proc/self/mountinfo`; read from there when not given.
    """
    real = Path(os.path.realpath(path))
    for folder in (real, *real.parents):
        service = _SYNC_NAMES.get(folder.name.lower())
        if service is None and folder.name.lower().startswith("onedrive"):
            service = "OneDrive"
        if service is None:
            service = next(
                (name for mark, name in _SYNC_MARKS.items() if os.path.lexists(folder / mark)), None
            )
        if service is not None:
            return f"This folder is kept in sync by {service}."
    kind = _mount_type(real, _mountinfo() if mounts is None else mounts)
    return f"This folder is on a network disk ({kind})." if kind in _NETWORK else None


def root_failed(error: OSError) -> Unavailable:
    """A root that could not be opened: `root_missing` or `root_unreadable`."""
    if error.errno in {errno.ENOENT, errno.ENOTDIR}:
        return Unavailable(
            "The Space's folder is not there.",
            hint="Mount it again, or point the Space to where the folder is now.",
            reason="root_missing",
        )
    return Unavailable(
        "The Space's folder can't be read.",
        hint="Check its permissions and its disk.",
        reason="root_unreadable",
    )


def root_replaced() -> Unavailable:
    """Another folder has the root's name: what is indexed must stay until a person decides."""
    return Unavailable(
        "Another folder is where the Space's folder was.",
        hint="Mount it again, or point the Space to where the folder is now.",
        reason="root_replaced",
    )


def _refused(what: str, reason: str) -> Invalid:
    return Invalid(
        f"A Space can't be {what}.", hint="Choose a folder of its own for it.", reason=reason
    )


def _chain(path: Path) -> tuple[RootId, ...]:
    """The identities of the folder and of all above it, as far as they exist."""
    found: list[RootId] = []
    real = Path(os.path.realpath(path))
    for folder in (real, *real.parents):
        try:
            status = folder.stat()
        except OSError:
            continue
        found.append(RootId(status.st_dev, status.st_ino))
    return tuple(found)


def _relation(
    own: RootId, chain: tuple[RootId, ...], other: Path
) -> Literal["same", "inside", "contains"] | None:
    if own in _chain(other):
        return "same" if _identity(other) == own else "contains"
    return "inside" if _identity(other) in chain else None


def _identity(path: Path) -> RootId | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return RootId(status.st_dev, status.st_ino)


def _mountinfo() -> str:
    try:
        return Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _mount_type(path: Path, mounts: str) -> str:
    """The type of the file system with the longest mount point above `path`."""
    best, kind = -1, ""
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split()
        if len(fields) < 5 or not after:
            continue
        point = fields[4].replace("\\040", " ")
        if path.is_relative_to(point) and len(point) >= best:
            best, kind = len(point), after.split()[0]
    return kind
