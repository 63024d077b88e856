"""What a loss of power would take: files that got their name before their bytes were flushed, and
names whose folder was never flushed afterwards.

A stand-in for a disk that drops what isn't synced, for code that names files by their paths. SQLite
flushes its own files, out of sight; those are left out by their ending.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

MAY_BE_OF_BEFORE = ("audit.head",)
"""Whole, and told by nobody to be there: it says how far the record had come."""
OTHERS = (".db", ".db.head", "-journal", "-wal", "-shm")


@dataclass
class Disk:
    """`lost` names each file that would be empty or gone, with why."""

    top: Path
    flushed: dict[int, int] = field(default_factory=dict[int, int])
    """Inode → its size when it was flushed."""
    named: list[tuple[Path, int]] = field(default_factory=list[tuple[Path, int]])
    """Each new name, and how many flushes there had been."""
    folders: dict[int, int] = field(default_factory=dict[int, int])
    """Folder → the number of its last flush."""
    lost: list[str] = field(default_factory=list[str])
    flushes: int = 0

    def synced(self, descriptor: int) -> None:
        found = os.fstat(descriptor)
        self.flushes += 1
        self.flushed[found.st_ino] = found.st_size
        self.folders[found.st_ino] = self.flushes

    def naming(self, source: Path, target: Path) -> None:
        """Before `source` gets its new name."""
        inside = [source, *source.rglob("*")] if source.is_dir() else [source]
        for one in inside:
            if self.is_ours(one) and self.is_ours(target):
                found = one.stat()
                if self.flushed.get(found.st_ino) != found.st_size and not one.is_dir():
                    self.lost.append(f"{target.name}: {one.name} isn't flushed")
                elif one.is_dir() and one.stat().st_ino not in self.folders:
                    self.lost.append(f"{target.name}: the folder {one.name} isn't flushed")
        self.named.append((target, self.flushes))

    def is_ours(self, path: Path) -> bool:
        """The index is made anew where it is damaged."""
        is_left_out = path.name.endswith(OTHERS) or "index" in path.parts
        return not path.is_symlink() and not is_left_out

    def end(self, before: dict[int, int]) -> None:
        for target, then in self.named:
            folder = target.parent
            if not target.exists() or target.name in MAY_BE_OF_BEFORE:
                continue
            if self.is_ours(target) and self.folders.get(folder.stat().st_ino, -1) <= then:
                self.lost.append(f"{target.name}: its folder isn't flushed")
        given = {target.stat().st_ino for target, _ in self.named if target.exists()}
        for path in self.top.rglob("*"):
            if not self.is_ours(path) or not path.is_file():
                continue
            found = path.stat()
            if before.get(found.st_ino) == found.st_mtime_ns or found.st_ino in given:
                continue
            if found.st_ino not in self.flushed:
                self.lost.append(f"{path.name}: written where it lies")


@contextmanager
def watched(top: Path) -> Generator[Disk]:
    """Everything that is done below `top`; `lost` is complete at the end of the `with`."""
    disk = Disk(top)
    before = {one.stat().st_ino: one.stat().st_mtime_ns for one in top.rglob("*") if one.is_file()}
    real: dict[str, Callable[..., Any]] = {
        name: getattr(os, name) for name in ("fsync", "rename", "replace", "link")
    }

    def fsync(descriptor: int) -> None:
        real["fsync"](descriptor)
        disk.synced(descriptor)

    def naming(call: str) -> Callable[..., None]:
        def named(source: Any, target: Any, **folders: int) -> None:
            disk.naming(
                _place(source, folders.get("src_dir_fd")), _place(target, folders.get("dst_dir_fd"))
            )
            real[call](source, target, **folders)

        return named

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        for call in ("rename", "replace", "link"):
            patch.setattr(os, call, naming(call))
        yield disk
    disk.end(before)


def _place(path: Any, folder: int | None) -> Path:
    if folder is None:
        return Path(path).absolute()
    return Path(os.readlink(f"/proc/self/fd/{folder}")) / os.fsdecode(path)
