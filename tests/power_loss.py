"""A disk that loses its power: what a writer did, and every state that may be left of it.

POSIX promises little. What was written to a file is on the disk after `fsync` of the file, and a
change of a folder's entries after `fsync` of the folder. Whatever is not synced may be lost, may be
there, or may be there in part, in any order; only a single change of entries is whole or not there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import pytest

Entries = dict[str, int]
"""The names in a folder, each with its inode."""

State = Mapping[str, bytes | None]
"""What a disk holds after the loss: path → content, None for a folder."""


@dataclass
class Disk:
    """Folders and files by inode: as they are synced, and what is still under way."""

    root: int
    folders: dict[int, Entries] = field(default_factory=dict[int, Entries])
    files: dict[int, bytes] = field(default_factory=dict[int, bytes])
    changes: list[tuple[int, Callable[[Entries], object]]] = field(default_factory=list)
    written: dict[int, bytes] = field(default_factory=dict[int, bytes])

    @classmethod
    def of(cls, folder: Path) -> Disk:
        disk = cls(folder.stat().st_ino)
        for path in (folder, *folder.rglob("*")):
            inode = path.stat().st_ino
            if path.is_dir():
                disk.folders[inode] = {one.name: one.stat().st_ino for one in path.iterdir()}
            else:
                disk.files[inode] = path.read_bytes()
        return disk

    def sync(self, inode: int) -> None:
        for folder, change in self.changes:
            if folder == inode:
                change(self.folders[folder])
        self.changes = [one for one in self.changes if one[0] != inode]
        if inode in self.written:
            self.files[inode] = self.written.pop(inode)

    def losses(self) -> Iterator[State]:
        """Every state that a loss of power now may leave."""
        inodes = sorted(self.written)
        contents = [_torn(self.files.get(one, b""), self.written[one]) for one in inodes]
        for kept in product((False, True), repeat=len(self.changes)):
            folders = {inode: dict(entries) for inode, entries in self.folders.items()}
            for keep, (folder, change) in zip(kept, self.changes, strict=True):
                if keep:
                    change(folders[folder])
            for chosen in product(*contents):
                yield dict(
                    _tree(
                        self.root, folders, {**self.files, **dict(zip(inodes, chosen, strict=True))}
                    )
                )


def _torn(synced: bytes, written: bytes) -> set[bytes]:
    """A file whose last bytes are under way: lost, cut off, a hole of its new size, or there."""
    middle = len(written) // 2
    return {synced, b"", written[:1], written[:middle], bytes(len(written)), written}


def _tree(
    inode: int, folders: Mapping[int, Entries], files: Mapping[int, bytes], above: str = ""
) -> Iterator[tuple[str, bytes | None]]:
    for name, one in folders[inode].items():
        path = f"{above}{name}"
        if one in folders:
            yield path, None
            yield from _tree(one, folders, files, f"{path}/")
        else:
            yield path, files.get(one, b"")


@dataclass
class Recorder:
    """What the program asks the system for, call by call, on the disk as it was before."""

    disk: Disk
    states: list[set[frozenset[tuple[str, bytes | None]]]] = field(default_factory=list)

    def note(self) -> None:
        """A loss may strike between any two calls."""
        self.states.append({frozenset(state.items()) for state in self.disk.losses()})

    @property
    def possible(self) -> set[frozenset[tuple[str, bytes | None]]]:
        """What a loss at any moment may leave."""
        return set().union(*self.states)

    @property
    def acknowledged(self) -> set[frozenset[tuple[str, bytes | None]]]:
        """What a loss after the last call may leave: the writer has said that it is done."""
        return self.states[-1]


@contextmanager
def recorded(folder: Path, *, piece: int = 5) -> Generator[Recorder]:
    """Record what is done below `folder`; a write takes at most `piece` bytes at a time."""
    recorder = Recorder(Disk.of(folder))
    recorder.note()
    with pytest.MonkeyPatch.context() as patch:
        for name, call in _calls(recorder, piece).items():
            patch.setattr(os, name, call)
        yield recorder


def _calls(recorder: Recorder, piece: int) -> dict[str, Callable[..., Any]]:
    disk = recorder.disk
    real = {
        name: getattr(os, name)
        for name in ("open", "write", "fsync", "rename", "unlink", "mkdir", "rmdir")
    }

    def changed(folder: int, change: Callable[[Entries], object]) -> None:
        disk.changes.append((os.fstat(folder).st_ino, change))
        recorder.note()

    def opened(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        descriptor: int = real["open"](path, flags, mode, dir_fd=dir_fd)
        inode = os.fstat(descriptor).st_ino
        if flags & os.O_TRUNC and inode in disk.files:
            disk.written[inode] = b""
            recorder.note()
        if flags & os.O_CREAT and dir_fd is not None and inode not in disk.files:
            disk.files[inode] = b""
            changed(dir_fd, lambda entries: entries.update({path: inode}))
        return descriptor

    def written(descriptor: int, data: bytes) -> int:
        count: int = real["write"](descriptor, bytes(data)[:piece])
        inode = os.fstat(descriptor).st_ino
        before = disk.written.get(inode, disk.files[inode])
        disk.written[inode] = before + bytes(data)[:count]
        recorder.note()
        return count

    def synced(descriptor: int) -> None:
        real["fsync"](descriptor)
        disk.sync(os.fstat(descriptor).st_ino)
        recorder.note()

    def renamed(source: str, target: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        inode = os.stat(source, dir_fd=src_dir_fd, follow_symlinks=False).st_ino
        real["rename"](source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

        def change(entries: Entries) -> None:
            entries.pop(source, None)
            entries[target] = inode

        changed(dst_dir_fd, change)

    def gone(call: str) -> Callable[..., None]:
        def remove(name: str, *, dir_fd: int) -> None:
            real[call](name, dir_fd=dir_fd)
            changed(dir_fd, lambda entries: entries.pop(name, None))

        return remove

    def made(name: str, mode: int = 0o777, *, dir_fd: int) -> None:
        real["mkdir"](name, mode, dir_fd=dir_fd)
        inode = os.stat(name, dir_fd=dir_fd, follow_symlinks=False).st_ino
        disk.folders[inode] = {}
        changed(dir_fd, lambda entries: entries.update({name: inode}))

    return {
        "open": opened,
        "write": written,
        "fsync": synced,
        "rename": renamed,
        "unlink": gone("unlink"),
        "rmdir": gone("rmdir"),
        "mkdir": made,
    }


def laid_out(state: frozenset[tuple[str, bytes | None]], folder: Path) -> Path:
    """The state as real files in the new folder `folder`."""
    folder.mkdir()
    for path, content in sorted(state, key=lambda one: one[0]):
        if content is None:
            (folder / path).mkdir()
        else:
            (folder / path).write_bytes(content)
    return folder
