"""Rows and bytes of what is erased: out of the store, and out of every copy of it that is ours.

`secure_delete` overwrites what a DELETE frees; the file is written anew all the same, because
pages freed before that was set, and by other programs, keep their bytes. A copy of an older schema
has fewer tables, so each is asked for before it is touched.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Literal

from lobes.domain.erasing import Erasure
from lobes.domain.errors import Corrupt
from lobes.domain.lobes import dump_config, parse_config
from lobes.store.faults import fault, in_our_words
from lobes.store.pragmas import apply_pragmas, make_private_file
from lobes.store.read import batches
from lobes.store.writing import sync_folder

UNREADABLE = "{"
"""A lobe's settings that nobody can read, in the fewest bytes."""

Fate = Literal["untouched", "rewritten", "removed"]
"""What became of a copy: without it, made anew without it, or gone because it can't be read."""


def wipe(store: sqlite3.Connection, erasure: Erasure) -> int:
    """Delete the rows, inside the caller's transaction; how many rows held any of it. What is
    tied to them goes by its foreign keys, so those must be on."""
    known = {row[0] for row in store.execute("SELECT name FROM sqlite_master").fetchall()}
    gone = _wipe_memories(store, erasure.memories, known)
    if erasure.space:
        gone += _wipe_space(store, erasure, known)
    return gone


def _wipe_memories(store: sqlite3.Connection, ids: Iterable[str], known: set[str]) -> int:
    gone = 0
    for batch in batches(ids):
        these = f"IN ({','.join('?' * len(batch))})"
        if "memory" in known:
            gone += store.execute(f"DELETE FROM memory WHERE id {these}", batch).rowcount
        if "memory_tombstone" in known:
            gone += store.execute(
                f"UPDATE memory_tombstone SET content_hash = '', cause = 'erased' "
                f"WHERE id {these} AND content_hash <> ''",
                batch,
            ).rowcount
        gone += store.execute(
            f"UPDATE outbox SET op = 'delete', content_hash = '' "
            f"WHERE id {these} AND content_hash <> ''",
            batch,
        ).rowcount
    return gone


def _wipe_space(store: sqlite3.Connection, erasure: Erasure, known: set[str]) -> int:
    space, lobe = erasure.space, erasure.lobe
    gone = store.execute("DELETE FROM space WHERE id = ?", (space,)).rowcount
    if "memory" in known:
        gone += store.execute("DELETE FROM memory WHERE lobe = ?", (lobe,)).rowcount
        store.execute("DELETE FROM proposal_count WHERE lobe = ?", (lobe,))
        store.execute(
            "UPDATE memory_tombstone SET content_hash = '', cause = 'erased' WHERE lobe = ?",
            (lobe,),
        )
    if "notice" in known:
        # A notice may say the Space's name.
        store.execute("DELETE FROM notice WHERE resource = ?", (f"space/{space}",))
    store.execute(
        "UPDATE outbox SET op = 'delete', content_hash = '' WHERE lobe = ? AND kind = 'document'",
        (lobe,),
    )
    _forget_subscriptions(store, space)
    return gone


def _forget_subscriptions(store: sqlite3.Connection, space: str) -> None:
    """Others' subscriptions hold its name as their label, and would open a Space that gets the same
    id later. What keeps it apart from others stays."""
    holding = store.execute(
        "SELECT id, lobe_config FROM space WHERE instr(lobe_config, ?) > 0", (f'"{space}"',)
    ).fetchall()
    for id, stored in holding:
        config = parse_config(stored)
        kept = tuple(one for one in config.subscriptions if (one.type, one.id) != ("space", space))
        if config.sound and kept == config.subscriptions:
            continue
        # What can't be read counts as private and Closed; it goes on doing so.
        fresh = dump_config(replace(config, subscriptions=kept)) if config.sound else UNREADABLE
        store.execute(
            "UPDATE space SET lobe_config = ?, version = version + 1 WHERE id = ?", (fresh, id)
        )


def holds(store: sqlite3.Connection, erasure: Erasure) -> bool:
    """Whether the rows are still there: then nothing of the act was done."""
    if erasure.space:
        found = store.execute("SELECT 1 FROM space WHERE id = ?", (erasure.space,)).fetchall()
        return bool(found)
    for batch in batches(erasure.memories):
        these = f"IN ({','.join('?' * len(batch))})"
        if store.execute(f"SELECT 1 FROM memory WHERE id {these} LIMIT 1", batch).fetchall():
            return True
    return False


def compact(path: Path) -> None:
    """Write the database anew, without a page that is free, and its log into it. Waits for its
    turn as every write; raises `Unavailable` (`store_busy`, `disk_full`)."""
    with in_our_words(), closing(sqlite3.connect(path, isolation_level=None)) as store:
        apply_pragmas(store)
        # What VACUUM puts aside stays in memory, never in a folder of the system.
        store.execute("PRAGMA temp_store = MEMORY")
        store.execute("VACUUM")
        store.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def scrub(path: Path, erasures: Iterable[Erasure]) -> Fate:
    """Take it out of a copy of the store, which is replaced whole. One that can't be read, so that
    nobody knows what is in it, is removed."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    try:
        held = _scrubbed(path, draft, list(erasures))
    except sqlite3.Error as error:
        draft.unlink(missing_ok=True)
        found = fault(error)
        if not isinstance(found, Corrupt):
            raise found from error
        path.unlink(missing_ok=True)
        return "removed"
    finally:
        for left in draft.parent.glob(f"{draft.name}*"):
            if left != draft:
                left.unlink(missing_ok=True)
    if not held:
        draft.unlink(missing_ok=True)
        return "untouched"
    stamp = path.stat()
    os.utime(draft, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # the newest stays the newest
    os.replace(draft, path)
    sync_folder(path.parent)
    return "rewritten"


def _scrubbed(path: Path, draft: Path, erasures: list[Erasure]) -> bool:
    """Copy and wipe; whether there was anything to wipe."""
    make_private_file(draft)
    source = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
    with closing(source), closing(sqlite3.connect(draft, isolation_level=None)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = MEMORY").fetchall()
        copy.execute("PRAGMA secure_delete = ON").fetchall()
        copy.execute("PRAGMA foreign_keys = ON")
        copy.execute("PRAGMA temp_store = MEMORY")
        copy.execute("BEGIN IMMEDIATE")
        held = sum(wipe(copy, one) for one in erasures)
        copy.execute("COMMIT")
        copy.execute("VACUUM")
    with open(draft, "rb") as written:
        os.fsync(written.fileno())
    return bool(held)
