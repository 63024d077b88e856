"""Which memories were given in answers: noted beside the store, so that no read waits for it.

An answer adds a line of ids to a small file; the next unit that commits to the store takes its
lines in, each once: what a unit takes lies in a file with the number of its write. What can't be
noted isn't counted.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from lobes.domain.ids import is_ulid

NOTED = "uses"
TAKEN = "uses.taken"
"""What the unit with this number at the end of the name is taking in. Where that one isn't
committed the next one gets the same number, and takes it."""
MOST = 1024 * 1024
"""Bytes; where nobody writes to the store for so long, further uses count nothing."""
_TRIES = 3


@dataclass(frozen=True, slots=True)
class Use:
    """How often a memory was given, and the last time."""

    id: str
    count: int
    last: datetime


def note_uses(store: Path, ids: Iterable[str], at: datetime) -> None:
    """These were given in an answer at this moment: 50 µs, and never a fault of the answer."""
    words = " ".join((at.isoformat(), *ids))
    if " " in words:
        with suppress(OSError):
            _append(store.with_name(NOTED), f"{words}\n".encode())


def take_uses(store: Path, number: int) -> tuple[Use, ...]:
    """What was noted and isn't counted yet, for whoever holds the store's lock and commits the
    write of this number; `forget_taken` once it is committed."""
    taken = _taken(store, number)
    try:
        for one in store.parent.glob(f"{TAKEN}*"):
            if one != taken:  # of a unit that was committed, and had no time to forget it
                one.unlink(missing_ok=True)
        if not taken.exists():
            _move(store.with_name(NOTED), taken)
        return _added_up(taken.read_bytes())
    except OSError:
        return ()


def forget_taken(store: Path, number: int) -> None:
    with suppress(OSError):
        _taken(store, number).unlink(missing_ok=True)


def _taken(store: Path, number: int) -> Path:
    return store.with_name(f"{TAKEN}.{number}")


def _append(path: Path, line: bytes) -> None:
    for _ in range(_TRIES):
        handle = os.open(path, _WRITE, 0o600)
        try:
            _lock(handle, alone=False)
            if not _is_at(handle, path):
                continue  # it was taken since it was opened
            if os.fstat(handle).st_size + len(line) <= MOST:
                os.write(handle, line)
            return
        finally:
            os.close(handle)


def _move(noted: Path, taken: Path) -> None:
    """Out of the way of whoever notes; a line that is being written is waited for."""
    handle = os.open(noted, os.O_RDONLY | os.O_CLOEXEC)
    try:
        _lock(handle, alone=True)
        os.replace(noted, taken)
    finally:
        os.close(handle)


def _is_at(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path, follow_symlinks=False))
    except FileNotFoundError:
        return False


def _added_up(data: bytes) -> tuple[Use, ...]:
    """A line that isn't one of ours counts nothing."""
    counts: Counter[str] = Counter()
    last: dict[str, datetime] = {}
    for line in data.decode("ascii", "replace").splitlines():
        stamp, *ids = line.split(" ")
        try:
            at = datetime.fromisoformat(stamp)
        except ValueError:
            continue
        if at.tzinfo is None:
            continue
        for id in filter(is_ulid, ids):
            counts[id] += 1
            last[id] = max(at, last.get(id, at))
    return tuple(Use(id, count, last[id]) for id, count in counts.items())


if sys.platform == "win32":
    _WRITE = os.O_WRONLY | os.O_APPEND | os.O_CREAT

    def _lock(handle: int, *, alone: bool) -> None:
        """Windows moves no file that is open elsewhere: then it is taken another time."""
else:
    import fcntl

    _WRITE = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW

    def _lock(handle: int, *, alone: bool) -> None:
        with suppress(OSError):  # a file system without such locks
            fcntl.flock(handle, fcntl.LOCK_EX if alone else fcntl.LOCK_SH)
