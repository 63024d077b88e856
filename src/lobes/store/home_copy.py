"""The databases of a home, copied while others write, and put back where others have them open.

SQLite's own backup reads one snapshot, whatever is still in a log. It also writes: into the file
that every process has open, in one transaction, so that none goes on with a file that was replaced.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from lobes.domain.errors import Corrupt, LobesError
from lobes.store.faults import in_our_words, store_busy
from lobes.store.pragmas import BUSY_MS, apply_pragmas, make_private_file

_PATIENCE = 10.0
"""Seconds that a restore waits for its turn."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a store says of itself; `outbox` is the last number ever given there."""

    schema: int
    owner: str
    presence: str
    epoch: int
    created: str
    outbox: int


def facts_in(path: Path) -> Facts:
    """Raises `Corrupt` where it is no sound store."""
    try:
        with in_our_words(), closing(_connect(path)) as store:
            if store.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
                raise _damaged()
            row = store.execute("SELECT owner, presence, epoch, created FROM home").fetchone()
            if row is None:
                raise _damaged()
            schema = store.execute("PRAGMA user_version").fetchone()[0]
            return Facts(schema, row[0], row[1], row[2], row[3], _outbox(store))
    except LobesError as error:
        raise _damaged() from error


def _outbox(store: sqlite3.Connection) -> int:
    found = store.execute("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'").fetchone()
    return int(found[0]) if found else 0


def snapshot_of(path: Path, target: Path) -> None:
    """A copy of one moment, checked. `Corrupt` where it isn't sound."""
    make_private_file(target)
    with in_our_words(), closing(_connect(path)) as source, closing(_connect(target)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE").fetchall()
        if copy.execute("PRAGMA integrity_check").fetchall() != [("ok",)]:
            raise _damaged()


def prepare(
    staged: Path,
    *,
    epoch: int,
    presence: str,
    outbox: int,
    sequence: int,
    spaces: tuple[str, str],
) -> None:
    """Make a taken store ready: a higher epoch, this home's presence, packs where they come out,
    the number of a write that comes after all that were noted.

    Numbers of the outbox go on above `outbox`, so that an index that followed another store knows
    that it missed something. Folders get their identity anew: they may be on another machine.
    """
    before, after = spaces
    with in_our_words(), closing(_connect(staged)) as store:
        store.execute("BEGIN IMMEDIATE")
        store.execute(
            "UPDATE home SET epoch = ?, presence = ?, sequence = ?", (epoch, presence, sequence)
        )
        store.execute("DELETE FROM outbox")
        store.execute("DELETE FROM sqlite_sequence WHERE name = 'outbox'")
        store.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('outbox', ?)", (outbox,))
        for id, root in store.execute("SELECT id, root FROM space").fetchall():
            moved = root
            if before and (root == before or root.startswith(f"{before}{os.sep}")):
                moved = after + root[len(before) :]
            store.execute(
                "UPDATE space SET root = ?, root_device = '', root_inode = '' WHERE id = ?",
                (moved, id),
            )
        store.execute("COMMIT")


def put_into(staged: Path, live: Path) -> None:
    """Replace what is in the live store, in one transaction that waits for its turn.

    `Unavailable` (`store_busy`) where another Lobes writes or reads for longer than we wait.
    """
    with in_our_words(), closing(_connect(live)) as target, closing(_connect(staged)) as source:
        apply_pragmas(target)
        until = time.monotonic() + _PATIENCE

        def waited(status: int, remaining: int, total: int) -> None:
            # Without this the driver would wait for ever.
            if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                del remaining, total
                if time.monotonic() > until:
                    raise store_busy()

        source.backup(target, progress=waited, sleep=0.05)
        if target.execute("PRAGMA quick_check(1)").fetchall() != [("ok",)]:
            raise _damaged()


def files_below(folder: Path) -> Iterator[Path]:
    """Every regular file below, in order; no link is followed."""
    for root, folders, files in os.walk(folder):
        folders.sort()
        for name in sorted(files):
            path = Path(root, name)
            if path.is_file() and not path.is_symlink():
                yield path


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None)


def _damaged() -> Corrupt:
    return Corrupt("The store in it is damaged.", hint="Take another backup.", reason="damaged")
