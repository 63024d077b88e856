"""A file system of its own that fills up or becomes read-only, where this system lets us mount."""

from __future__ import annotations

import ctypes
import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

READ_ONLY, REMOUNT = 1, 32


@dataclass(frozen=True)
class Disk:
    """A file system of its own at `folder`."""

    folder: Path

    def become(self, flags: int, size: str) -> None:
        mount(self.folder, flags, size)

    def fill(self, *, leaving: int) -> Path:
        found = os.statvfs(self.folder)
        filler = self.folder / "filler"
        with open(filler, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, found.f_bavail * found.f_frsize - leaving)
        return filler


def mount(folder: Path, flags: int, size: str) -> None:
    """A tmpfs at `folder`, or the one there with other flags; `OSError` where it isn't allowed."""
    system = ctypes.CDLL(None, use_errno=True)
    done = system.mount(b"lobes-test", bytes(folder), b"tmpfs", flags, f"size={size}".encode())
    if done != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


@contextmanager
def a_disk(size: str = "128m") -> Generator[Disk]:
    """A disk that is gone after the block; the test is skipped where none can be mounted."""
    folder = Path(tempfile.mkdtemp(prefix="ld"))
    try:
        mount(folder, 0, size)
    except OSError as error:
        folder.rmdir()
        pytest.skip(f"nothing can be mounted here: {error}")
    try:
        yield Disk(folder)
    finally:
        ctypes.CDLL(None).umount2(bytes(folder), 2)
        shutil.rmtree(folder)
