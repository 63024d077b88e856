"""How every connection to a file of ours behaves, and which journal the linked SQLite may use."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Literal

JournalMode = Literal["wal", "delete"]

BUSY_MS = 5000

# The WAL-reset race (two connections, checkpoint against commit) corrupts in 3.7.0 to 3.51.2; the
# makers fixed it in 3.51.3 and ported it back to these two.
_WAL_FIXED = (3, 51, 3)
_WAL_PORTED = ((3, 44, 6), (3, 50, 7))


def journal_choice(version: tuple[int, ...]) -> tuple[JournalMode, str]:
    """The journal for this SQLite, and the reason in one sentence for `doctor`."""
    number = ".".join(str(part) for part in version)
    ported = any(version[:2] == fix[:2] and version >= fix for fix in _WAL_PORTED)
    if version >= _WAL_FIXED or ported:
        return "wal", f"SQLite {number} has the fix for the WAL-reset bug."
    return (
        "delete",
        f"SQLite {number} lacks the fix for the WAL-reset bug (3.51.3, 3.50.7, 3.44.6), so the "
        "rollback journal is used.",
    )


def apply_pragmas(connection: sqlite3.Connection) -> None:
    """Set what a connection doesn't remember; a write waits up to five seconds for its turn."""
    mode, _ = journal_choice(sqlite3.sqlite_version_info)
    # The time-out comes first: changing the journal mode needs a lock itself.
    connection.execute(f"PRAGMA busy_timeout = {BUSY_MS}")
    for pragma in (
        "foreign_keys = ON",
        "secure_delete = ON",
        "trusted_schema = OFF",
        "synchronous = FULL",
        f"journal_mode = {mode}",
    ):
        connection.execute(f"PRAGMA {pragma}").fetchall()


def make_private_file(path: Path) -> None:
    """An empty file of mode 0600 whatever the umask; SQLite gives its journals the same mode.

    Raises `FileExistsError` when something is there, also a dangling link.
    """
    os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
