"""The folders below a root that are worth a watch, and what a poll compares.

Links to folders are never followed: the operating system would report what happens outside under
a name inside. Names stay bytes where they must, because a file name need not be UTF-8.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator

from lobes.domain.noise import is_noise, is_worth_a_look

Identity = tuple[int, int]
"""Device and inode: another folder under the same name has another one."""


def identity(path: str) -> Identity | None:
    """The folder that `path` names now; None when there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISDIR(found.st_mode) else None


def real_identity(path: str) -> Identity | None:
    """The same for a real folder only: None for a file, a link, or nothing."""
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISDIR(found.st_mode) else None


def real_folders(root: str) -> dict[str, Identity]:
    """`root` and every real folder below it, but none that is noise.

    A folder that is closed to us, or whose name isn't UTF-8, can't be watched: the whole-root
    hints cover it.
    """
    found: dict[str, Identity] = {}
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        known = identity(folder)
        if known is None:
            continue
        found[folder] = known
        waiting += [entry.path for entry in _entries(folder) if _is_watchable(entry)]
    return found


def _is_watchable(entry: os.DirEntry[str]) -> bool:
    return (
        not is_noise(entry.name)
        and entry.is_dir(follow_symlinks=False)
        and _is_utf8(entry.name)
        and os.access(entry.path, os.R_OK | os.X_OK)
    )


def _is_utf8(name: str) -> bool:
    return not any("\udc80" <= char <= "\udcff" for char in name)


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            yield from entries
    except OSError:  # gone or closed to us: its parent's events or the next look say more
        return


def signature(root: str) -> bytes:
    """A hash over every name, size, time and inode below `root`: another one, something changed."""
    sums: list[bytes] = []
    waiting = [root]
    while waiting:
        folder = waiting.pop()
        for entry in _entries(folder):
            if not is_worth_a_look(entry.name):
                continue
            try:
                found = entry.stat(follow_symlinks=False)
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
            except OSError:  # gone between the two looks: a change that the next poll sees
                continue
            seen = f"{found.st_ino} {found.st_size} {found.st_mtime_ns} "
            sums.append(seen.encode() + os.fsencode(entry.path))
    sums.sort()
    return hashlib.blake2b(b"\0".join(sums), digest_size=16).digest()
