"""Locks that the kernel drops on any death, so that no lock is ever stale.

Twenty lines of our own: importing a lock library costs 150 to 190 ms (asyncio comes with it),
`fcntl` 0.3.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

LOCK_LOST = 3
"""The exit code of an engine that found another one holding the lock."""

if sys.platform == "win32":
    import msvcrt

    def _take(handle: int, *, shared: bool) -> bool:
        try:
            os.lseek(handle, 0, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _take(handle: int, *, shared: bool) -> bool:
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class FileLock:
    """An exclusive lock on a file of ours; `OSError` when the file can't be made or opened."""

    def __init__(self, path: Path) -> None:
        self._handle = _open(path)

    def take(self) -> bool:
        """Whether it is ours now; never waits."""
        return _take(self._handle, shared=False)

    def is_at(self, path: Path) -> bool:
        """Whether the locked file is still the one that `path` names."""
        try:
            there = os.stat(path, follow_symlinks=False)
        except OSError:
            return False
        mine = os.fstat(self._handle)
        return (there.st_dev, there.st_ino) == (mine.st_dev, mine.st_ino)

    def close(self) -> None:
        """Let go; the file stays, because removing it would let two hold "the" lock."""
        os.close(self._handle)


def is_held(path: Path) -> bool:
    """Whether a process holds the lock at `path`; the look itself holds it for a moment."""
    handle = _open(path)
    try:
        return not _take(handle, shared=True)
    finally:
        os.close(handle)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
