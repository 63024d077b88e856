"""What went wrong in SQLite, said in our words: one table from its codes to our errors.

Plain `sqlite3` only, so that the audit file and the first reads need no SQLModel.
"""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager

from lobes.domain.errors import Conflict, Corrupt, LobesError, Unavailable

_NOTHING_LOST = "Nothing was changed."


def fault(error: BaseException) -> LobesError:
    """Our error for one of SQLite's; the primary code is the low byte of the extended one."""
    extended: int = getattr(error, "sqlite_errorcode", 0)
    primary = extended & 0xFF
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return store_busy()
    if primary == sqlite3.SQLITE_FULL or _refused_bytes(extended):
        return _disk_full()
    if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
        return _read_only()
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return Corrupt(
            "The file is damaged.", hint="Run lobes doctor; it names the backups.", reason="damaged"
        )
    if primary == sqlite3.SQLITE_CONSTRAINT:
        return Conflict("Somebody changed it first.", hint="Look again.", reason="changed")
    return Unavailable("The store didn't answer.", hint="Run lobes doctor.", reason="store")


def _refused_bytes(extended: int) -> bool:
    """SQLite knows ENOSPC alone as "full"; a quota or a size limit is an I/O error of a write."""
    return extended in (
        sqlite3.SQLITE_IOERR_WRITE,
        sqlite3.SQLITE_IOERR_FSYNC,
        sqlite3.SQLITE_IOERR_DIR_FSYNC,
    )


def file_fault(error: OSError) -> LobesError:
    """Our error for a file of ours that the system didn't let us write."""
    is_full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    return _disk_full() if is_full else _read_only()


def store_busy() -> Unavailable:
    """Somebody else held the write lock for longer than we wait."""
    return Unavailable(
        "Another window is writing just now.", hint="Try again.", reason="store_busy"
    )


def _disk_full() -> Unavailable:
    return Unavailable(
        f"The disk is full, or over its quota. {_NOTHING_LOST}",
        hint="Free some space, then try again.",
        reason="disk_full",
    )


def _read_only() -> Unavailable:
    return Unavailable(
        f"The data folder can't be written. {_NOTHING_LOST}",
        hint="Check who owns it and whether its disk is mounted read-only.",
        reason="read_only",
    )


@contextmanager
def in_our_words() -> Generator[None]:
    """Turn what SQLite or the system raises inside into our errors."""
    try:
        yield
    except sqlite3.Error as error:
        raise fault(error) from error
    except OSError as error:
        raise file_fault(error) from error
