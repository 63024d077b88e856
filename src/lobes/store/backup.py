"""Copies of the store by SQLite's own backup, checked before they count."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from lobes.domain.errors import Corrupt
from lobes.store.pragmas import make_private_file
from lobes.store.writing import sync_folder

KEPT = 5


def back_up(path: Path, target: Path) -> None:
    """Copy the store to `target`, whole and checked, and keep the newest few beside it.

    Copying the file alone would miss what a write-ahead log still holds. Raises `Corrupt` when
    the copy isn't sound.
    """
    target.parent.mkdir(mode=0o700, exist_ok=True)
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    try:
        make_private_file(draft)
        with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(draft)) as copy:
            source.backup(copy)
            if copy.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise Corrupt(
                    "The store is damaged; no backup was made.",
                    hint="Run lobes doctor.",
                    reason="damaged",
                )
        with open(draft, "rb") as written:
            os.fsync(written.fileno())
        os.replace(draft, target)
        sync_folder(target.parent)  # what comes next changes the store for good
    finally:
        draft.unlink(missing_ok=True)
    _forget_old(target)


def _forget_old(target: Path) -> None:
    stem = target.name.partition("-")[0]
    kept = sorted(
        target.parent.glob(f"{stem}-*{target.suffix}"), key=lambda path: path.stat().st_mtime_ns
    )
    for path in kept[:-KEPT]:
        path.unlink(missing_ok=True)
