"""One file is read once, through one descriptor, with a cap; the hash is of the decoded bytes."""

from __future__ import annotations

import codecs
import hashlib
import os
import stat

from lobes.store.found import ReadFile, Skipped, SkipReason, reason_of

# NONBLOCK: opening a FIFO must not wait for its writer.
_FILE = (
    os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    if os.name == "posix"
    else 0
)
_CHUNK = 256 * 1024


def read_at(folder: int, leaf: str, *, path: str, device: int, limit: int) -> ReadFile | Skipped:
    """The text of the entry `leaf` of the open `folder`, or why it is not taken."""
    taken = raw_at(folder, leaf, path=path, device=device, limit=limit)
    if isinstance(taken, Skipped):
        return taken
    data, found = taken
    text = _decoded(data, path=path)
    if isinstance(text, Skipped):
        return text
    digest = hashlib.sha256(data).hexdigest()
    return ReadFile(path, text, digest, len(data), found.st_mtime_ns)


def raw_at(
    folder: int, leaf: str, *, path: str, device: int, limit: int
) -> tuple[bytes, os.stat_result] | Skipped:
    """The bytes and what the system says about the very file they came from.

    Tried twice: a save in between is common and over at once.
    """
    outcome = _once(folder, leaf, device=device, limit=limit)
    if outcome == "changed_while_reading":
        outcome = _once(folder, leaf, device=device, limit=limit)
    return Skipped(path, outcome) if isinstance(outcome, str) else outcome


def refusal_of(found: os.stat_result, *, device: int) -> SkipReason | None:
    """Why this entry is not opened for its text; `None` when it may be."""
    if stat.S_ISLNK(found.st_mode):
        return "link"
    if not stat.S_ISREG(found.st_mode):
        return "not_regular"
    if found.st_dev != device:
        return "other_mount"
    return "hard_link" if found.st_nlink > 1 else None


def _once(
    folder: int, leaf: str, *, device: int, limit: int
) -> tuple[bytes, os.stat_result] | SkipReason:
    try:
        # Opening a device can act on it, so a look comes first; the open file is judged again.
        refused = refusal_of(os.stat(leaf, dir_fd=folder, follow_symlinks=False), device=device)
        if refused:
            return refused
        descriptor = os.open(leaf, _FILE, dir_fd=folder)
    except OSError as error:
        return reason_of(error)
    try:
        before = os.fstat(descriptor)
        refused = refusal_of(before, device=device)
        if refused:
            return refused
        data = _at_most(descriptor, limit + 1)
        after = os.fstat(descriptor)
    except OSError as error:
        return reason_of(error)
    finally:
        os.close(descriptor)
    if len(data) > limit:
        return "too_large"
    steady = (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
    if not steady or len(data) != after.st_size:
        return "changed_while_reading"
    return data, after


def _at_most(descriptor: int, count: int) -> bytes:
    # The size that the system reports is never trusted: a file may grow while it is read.
    data = bytearray()
    while len(data) < count:
        piece = os.read(descriptor, min(_CHUNK, count - len(data)))
        if not piece:
            break
        data += piece
    return bytes(data)


def _decoded(data: bytes, *, path: str) -> str | Skipped:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return Skipped(path, "not_utf8", "UTF-16")
    if b"\0" in data:
        return Skipped(path, "binary")
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        return Skipped(path, "not_utf8", f"byte {error.start}")
