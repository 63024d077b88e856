"""Numbered schema steps: all of them in one transaction, after a backup, or none.

The store's own write lock is the lock: the loser of two programs that start together waits, looks
again and finds nothing to do, and an older program that still runs can't write in between.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from lobes.domain.errors import Corrupt
from lobes.store.backup import back_up
from lobes.store.faults import in_our_words
from lobes.store.migrations import (
    m0001_initial,
    m0002_notices,
    m0003_sensitivity,
    m0004_groups,
    m0005_withheld,
    m0006_memories,
    m0007_pack_edits,
    m0008_seals,
    m0009_memory_changes,
    m0010_given,
    m0011_sessions,
)
from lobes.store.pragmas import apply_pragmas

_MIGRATION_WAIT_MS = 60_000


@dataclass(frozen=True, slots=True)
class Step:
    """One released schema: its number and the statements that lead to it from the one before."""

    number: int
    statements: tuple[str, ...]


STEPS: tuple[Step, ...] = (
    Step(1, m0001_initial.STATEMENTS),
    Step(2, m0002_notices.STATEMENTS),
    Step(3, m0003_sensitivity.STATEMENTS),
    Step(4, m0004_groups.STATEMENTS),
    Step(5, m0005_withheld.STATEMENTS),
    Step(6, m0006_memories.STATEMENTS),
    Step(7, m0007_pack_edits.STATEMENTS),
    Step(8, m0008_seals.STATEMENTS),
    Step(9, m0009_memory_changes.STATEMENTS),
    Step(10, m0010_given.STATEMENTS),
    Step(11, m0011_sessions.STATEMENTS),
)


def build(store: sqlite3.Connection, steps: Sequence[Step]) -> None:
    """Run the steps and note the schema's number, inside the caller's transaction."""
    for step in steps:
        for statement in step.statements:
            store.execute(statement)
        store.execute(f"PRAGMA user_version = {step.number}")


def newer_schema() -> Corrupt:
    return Corrupt(
        "The store was made by a newer Lobes.",
        hint="Upgrade this Lobes; until then it can read, not write.",
        reason="newer_schema",
    )


def bring_up(
    path: Path, *, backups: Path, clock: Callable[[], datetime], steps: Sequence[Step] = STEPS
) -> None:
    """Bring the store to the last step; does nothing where it is there already.

    Raises `Corrupt` (`newer_schema`, `not_a_store`, `damaged`); the store is then as it was.
    """
    with in_our_words(), closing(sqlite3.connect(path, isolation_level=None)) as store:
        if _schema(store, steps) == steps[-1].number:
            return
        apply_pragmas(store)
        store.execute(f"PRAGMA busy_timeout = {_MIGRATION_WAIT_MS}")
        # A step may rebuild a table that others refer to; the check below replaces enforcement.
        store.execute("PRAGMA foreign_keys = OFF")
        store.execute("BEGIN IMMEDIATE")
        found = _schema(store, steps)
        if found == steps[-1].number:
            return
        back_up(path, backups / f"{path.stem}-schema{found}-{clock():%Y%m%dT%H%M%S}{path.suffix}")
        build(store, [step for step in steps if step.number > found])
        _check(store, steps)
        store.execute("COMMIT")


def _schema(store: sqlite3.Connection, steps: Sequence[Step]) -> int:
    found: int = store.execute("PRAGMA user_version").fetchall()[0][0]
    if found == 0:
        raise Corrupt(
            "This file is no store of Lobes.", hint="Run lobes doctor.", reason="not_a_store"
        )
    if found > steps[-1].number:
        raise newer_schema()
    return found


def _check(store: sqlite3.Connection, steps: Sequence[Step]) -> None:
    """Raise `Corrupt` unless the result is sound and shaped like a store made from nothing."""
    sound = store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    orphans = store.execute("PRAGMA foreign_key_check").fetchall()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh:
        build(fresh, steps)
        same = shape(store) == shape(fresh)
    if not sound or orphans or not same:
        raise Corrupt(
            "The store couldn't be brought up to this version; it is as it was before.",
            hint="Run lobes doctor; it names the backups.",
            reason="migration_failed",
        )


def shape(store: sqlite3.Connection) -> dict[str, list[tuple[object, ...]]]:
    """Table → its columns (name, type, not null, key), for comparing two schemas."""
    tables = store.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    return {
        name: sorted(
            (column[1], column[2], column[3], column[5])
            for column in store.execute("SELECT * FROM pragma_table_info(?)", (name,)).fetchall()
        )
        for (name,) in tables
        if name != "sqlite_sequence"
    }
