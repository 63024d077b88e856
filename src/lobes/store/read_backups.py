"""The backups that are there: newest first, and whether one can take the store's place."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from lobes.domain.errors import LobesError
from lobes.store.read import connect, home_row, rows

HOME_SUFFIX = ".lobes"
"""Of a backup of the whole home."""


def newest_first(folder: Path) -> list[Path]:
    """The backups in `folder`; none where it can't be listed."""
    try:
        found = [(path.stat().st_mtime_ns, path) for path in folder.glob("*.db") if path.is_file()]
    except OSError:
        return []
    return [path for _, path in sorted(found, reverse=True)]


def every(folder: Path) -> list[Path]:
    """All of ours in `folder`: copies of the store, and of the home."""
    return [path for path in sorted(folder.glob("*")) if path.suffix in (".db", HOME_SUFFIX)]


def is_sound(path: Path) -> bool:
    """Whether it is a store that SQLite finds nothing wrong with."""
    try:
        with closing(connect(path)) as store:
            home_row(store)
            return rows(store, "PRAGMA quick_check(1)") == [("ok",)]
    except (sqlite3.Error, LobesError):
        return False
