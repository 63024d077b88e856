"""The engine's listening socket: a Unix socket where one fits, else loopback TCP.

A candidate folder is taken only if it is a real folder, ours, closed to group and others. The
socket is bound under a passing name and renamed: that is atomic and replaces a stale socket or a
plain file. Whoever connects shows the token anyway, so both kinds are equally closed.
"""

from __future__ import annotations

import hashlib
import os
import socket
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lobes.engine.endpoint import EnginePlace

PATH_LIMIT = 103
"""Bytes of a socket's path: 107 on Linux, 103 on macOS; ours are short enough for the smaller."""

_BACKLOG = 64


@dataclass(frozen=True, slots=True)
class Listener:
    """An open listening socket; `address` is a path or a port, `inode` the path's (TCP: 0)."""

    socket: socket.socket
    kind: Literal["unix", "tcp"]
    address: str
    inode: int

    def is_mine(self) -> bool:
        """Whether the path still names this socket; a cleaner of temporary files may take it."""
        if self.kind == "tcp":
            return True
        try:
            return os.stat(self.address, follow_symlinks=False).st_ino == self.inode
        except OSError:
            return False

    def hide(self) -> None:
        """Nobody new finds it; those who are connected stay."""
        if self.kind == "unix" and self.is_mine():
            os.unlink(self.address)


def runtime_folders(environ: Mapping[str, str]) -> tuple[Path, ...]:
    """The folders to try, best first; none where the platform has no Unix sockets in Python."""
    if not hasattr(socket, "AF_UNIX"):
        return ()
    folders: list[Path] = []
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime):
        folders.append(Path(runtime, "lobes"))
    temporary = environ.get("TMPDIR", "")
    base = Path(temporary) if os.path.isabs(temporary) else Path("/tmp")
    folders.append(base / f"lobes-{os.getuid()}")
    return tuple(folders)


def listen(place: EnginePlace, environ: Mapping[str, str]) -> Listener:
    """The first socket that can be had.

    Named by the real path of the home and its inode: two containers may share a temporary folder
    and use the same path for different homes.
    """
    folders = runtime_folders(environ) if place.runtime is None else place.runtime
    found = os.stat(place.folder)
    home = f"{os.path.realpath(place.folder)} {found.st_dev} {found.st_ino}"
    name = hashlib.sha256(os.fsencode(home)).hexdigest()[:16]
    for folder in folders:
        listener = _unix(folder, name)
        if listener is not None:
            return listener
    return _tcp()


def is_private_folder(folder: Path) -> bool:
    """Whether `folder` is a real folder of ours that nobody else can enter; made if missing."""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = os.lstat(folder)
    except OSError:
        return False
    return (
        stat.S_ISDIR(found.st_mode)
        and found.st_uid == os.getuid()
        and not stat.S_IMODE(found.st_mode) & 0o077
    )


def _unix(folder: Path, name: str) -> Listener | None:
    final, passing = folder / f"{name}.sock", folder / f"{name}.{os.getpid()}"
    if max(len(os.fsencode(final)), len(os.fsencode(passing))) > PATH_LIMIT:
        return None
    if not is_private_folder(folder):
        return None
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        passing.unlink(missing_ok=True)
        made.bind(str(passing))
        os.chmod(passing, 0o600)
        made.listen(_BACKLOG)
        inode = os.lstat(passing).st_ino
        os.replace(passing, final)
    except OSError:  # a folder in its place, a full or read-only disk: the next candidate
        made.close()
        passing.unlink(missing_ok=True)
        return None
    made.setblocking(False)
    return Listener(made, "unix", str(final), inode)


def _tcp() -> Listener:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.bind(("127.0.0.1", 0))
    made.listen(_BACKLOG)
    made.setblocking(False)
    return Listener(made, "tcp", str(made.getsockname()[1]), 0)
