"""Opening what a person named: a regular file, read through one descriptor, never written.

Whoever imports can see how far it is and end it: every read of a file asks.
"""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

from lobes.imports.limits import Progress, Stop

_FILE = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_BUFFER = 256 * 1024


class Stopped(Exception):
    """The caller ended the import."""


class Watch:
    """How far one import is, in bytes."""

    def __init__(self, total: int, *, stop: Stop, progress: Progress) -> None:
        self.total = total
        self._done = 0
        self._stop = stop
        self._progress = progress

    def advance(self, count: int) -> None:
        if self._stop():
            raise Stopped
        self._done += count
        self._progress(self._done, max(self.total, self._done))


def is_folder(path: Path) -> bool:
    """Whether a folder is there; no path is one that the system refuses to look for."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def opened(path: Path) -> io.BufferedReader | str:
    """The open file, or the code of why it isn't one; a link that a person named is followed."""
    try:
        # Opening a device can act on it, so a look comes first; the open file is judged again.
        if not stat.S_ISREG(os.stat(path).st_mode):
            return "not_regular"
        descriptor = os.open(path, _FILE)
    except FileNotFoundError:
        return "gone"
    except (OSError, ValueError):
        return "unreadable"
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return "not_regular"
    return io.BufferedReader(io.FileIO(descriptor, "rb"), _BUFFER)


def size_of(stream: io.BufferedReader) -> int:
    """Bytes of an open file, as the system says."""
    return os.fstat(stream.fileno()).st_size


def watched(stream: io.BufferedReader, watch: Watch) -> io.BufferedReader:
    """The same bytes; each read counts, and raises `Stopped` once the import is to end."""
    return io.BufferedReader(_Watched(stream, watch), _BUFFER)


class _Watched(io.RawIOBase):
    def __init__(self, stream: io.BufferedReader, watch: Watch) -> None:
        self._stream = stream
        self._watch = watch

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        count = self._stream.readinto(buffer)
        self._watch.advance(count)
        return count
