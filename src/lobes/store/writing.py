"""Files are replaced whole: temporary file in the same folder, fsync, rename, fsync of the folder.

A crash at any point leaves the old file or the new one, never a half or an empty one. No existing
file is ever opened for writing, which also spares the other name of a hard link.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from lobes.domain.errors import Conflict, Invalid, LobesError, Unavailable

_NEW = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC if os.name == "posix" else 0
)
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def write_atomic(path: Path, data: bytes, *, mode: int = 0o600) -> None:
    """`data` at `path`, complete or not at all; for Lobes' own files. `Unavailable` on failure."""
    with writing_errors():
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            replace_at(folder, path.name, data, mode=mode)
        finally:
            os.close(folder)


def sync_folder(path: Path) -> None:
    """What was renamed in the folder is on the disk after this; `OSError` when it can't be."""
    if os.name != "posix":  # Windows opens no folder, and keeps its entries in a journal
        return
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def sync_folders(top: Path) -> None:
    """The entries of the folder and of all folders below it are on the disk after this."""
    for folder, _, _ in os.walk(top):
        sync_folder(Path(folder))


def replace_at(
    folder: int,
    leaf: str,
    data: bytes,
    *,
    mode: int,
    before_rename: Callable[[], None] | None = None,
) -> None:
    """`data` as the entry `leaf` of the open `folder`; `before_rename` may still refuse.

    On any error the temporary file is gone and the old file untouched.
    """
    # The leading dot and the ending keep every scan away from it.
    temporary = f".lobes-{secrets.token_hex(8)}.tmp"
    descriptor = os.open(temporary, _NEW, 0o600, dir_fd=folder)
    try:
        try:
            os.fchmod(descriptor, mode)
            _write_all(descriptor, data)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        if before_rename is not None:
            before_rename()
        os.rename(temporary, leaf, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)
        raise
    os.fsync(folder)


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


@contextmanager
def writing_errors() -> Generator[None]:
    """System errors of a write as ours, with what the person can do."""
    try:
        yield
    except OSError as error:
        raise _translated(error) from error


def _translated(error: OSError) -> LobesError:
    if error.errno in {errno.ENOTDIR, errno.ELOOP, errno.EXDEV}:
        return Invalid(
            "This file is not written: a folder on the way is a link, a file or another disk.",
            hint="Put a real folder there.",
            reason="other_mount" if error.errno == errno.EXDEV else "link",
        )
    if error.errno == errno.ENOENT:
        return Conflict(
            "The folder of this file is gone.",
            hint="Make it, or name another one.",
            reason="changed_on_disk",
        )
    if error.errno == errno.ENAMETOOLONG:
        return Invalid(
            "The name of this file is longer than its file system takes.",
            hint="Name a shorter one.",
            reason="bad_name",
        )
    if error.errno in _FULL:
        return Unavailable(
            "The disk is full; nothing was changed.",
            hint="Free some space or raise the quota, then try again.",
            reason="disk_full",
        )
    if error.errno == errno.EROFS:
        return Unavailable(
            "The disk is read-only; nothing was changed.",
            hint="Mount it writable, then try again.",
            reason="read_only",
        )
    if error.errno in {errno.EACCES, errno.EPERM}:
        return Unavailable(
            "Writing there is not permitted; nothing was changed.",
            hint="Check the permissions of the folder.",
            reason="no_permission",
        )
    return Unavailable(
        "The file could not be written.", hint="Check the disk, then try again.", reason="io_error"
    )
