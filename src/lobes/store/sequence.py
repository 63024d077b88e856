"""Whether the store is as new as the last write to it: a number that each commit raises, and the
same number in a file beside it.

A database that is copied without its log, or put back by a program that syncs, opens without a
complaint and lacks what was acknowledged. The file is written after the commit, so it is never
ahead of a store that is whole; it isn't flushed, so after a loss of power it may be behind or gone,
and then says nothing.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from lobes.domain.errors import Corrupt
from lobes.store.faults import in_our_words
from lobes.store.pragmas import apply_pragmas
from lobes.store.read import rows

_DIGITS = 16
AHEAD = 1_000
"""How far numbers go on where a store takes the place of another. Those of writes, since another
window may commit until it does; those of the outbox, so that an index that followed the other one
knows that it missed something."""


def head_of(store: Path) -> Path:
    """The file beside the store: whoever moves `lobes.db*` away moves it too."""
    return store.with_name(f"{store.name}.head")


def noted(store: Path) -> int:
    """The last write that was noted; 0 where nothing was, or it can't be read. Read it before the
    store, which may be written meanwhile."""
    try:
        return int(head_of(store).read_bytes()[:_DIGITS])
    except (OSError, ValueError):
        return 0


def note(store: Path, number: int) -> None:
    """Keep the number of a write that was just committed. It can't fail: without the file an older
    store goes unnoticed, and nothing else changes."""
    if noted(store) >= number:
        return
    flags = os.O_WRONLY | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    with suppress(OSError):
        descriptor = os.open(head_of(store), flags, 0o600)
        try:
            # One write over the same bytes: a reader sees the number of before or this one.
            os.write(descriptor, b"%0*d\n" % (_DIGITS, number))
        finally:
            os.close(descriptor)


def number_in(store: sqlite3.Connection) -> int:
    return int(rows(store, "SELECT sequence FROM home")[0][0])


def refuse_older(store: sqlite3.Connection, last: int) -> None:
    """Raise `Corrupt` (`older_store`) where the store lacks writes up to `last`."""
    missing = last - number_in(store)
    if missing > 0:
        raise older(missing)


def older(missing: int) -> Corrupt:
    writes = "1 write" if missing == 1 else f"{missing:,} writes"
    return Corrupt(
        f"The store is older than it was: its last {writes} aren't in it.",
        hint="Put the newer lobes.db back, with its log beside it (lobes.db-wal or -journal). "
        "Or take it as it is: lobes doctor --accept-older, then lobes restore FILE.",
        reason="older_store",
    )


def missing_in(store: Path) -> int:
    """How many writes the store lacks; 0 where it is as new as was noted, or can't be read."""
    last = noted(store)
    try:
        with closing(sqlite3.connect(f"{store.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            return max(0, last - number_in(opened))
    except sqlite3.Error:
        return 0


def accept(store: Path) -> tuple[int, int]:
    """Take an older store as it is from now on: how many writes it lacks, and its new epoch, by
    which what was agreed before is checked again. (0, epoch) where it isn't older."""
    last = noted(store)
    with in_our_words(), closing(sqlite3.connect(store, isolation_level=None)) as writer:
        apply_pragmas(writer)
        writer.execute("BEGIN IMMEDIATE")
        missing = max(0, last - number_in(writer))
        if missing:
            number = last + 1
            writer.execute("UPDATE home SET sequence = ?, epoch = epoch + 1", (number,))
            writer.execute("DELETE FROM outbox")
            writer.execute(
                "UPDATE sqlite_sequence SET seq = seq + ? WHERE name = 'outbox'", (AHEAD,)
            )
        epoch = int(writer.execute("SELECT epoch FROM home").fetchone()[0])
        writer.execute("COMMIT")
    if missing:
        note(store, last + 1)
    return missing, epoch
