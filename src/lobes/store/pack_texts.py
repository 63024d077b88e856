"""The texts of packs that were let in, and whether an edit waits anywhere: what the first look at a
home asks, without loading what an edit is."""

from __future__ import annotations

import sqlite3

from lobes.store.read import rows

TAKEN_IN = ""
"""Stands where a path does: the pack was taken in whole once."""


def edits_wait(store: sqlite3.Connection) -> bool:
    """Whether an edit of any pack waits for a person."""
    return bool(rows(store, "SELECT 1 FROM pack_edit WHERE status = 'proposed' LIMIT 1"))


def texts_let_in(store: sqlite3.Connection, space: str) -> dict[str, str]:
    """Path → the hash of what was let in there; `TAKEN_IN` is among them once the pack was."""
    sql = "SELECT path, content_hash FROM pack_text WHERE space = ?"
    return dict(rows(store, sql, (space,)))


def text_let_in(store: sqlite3.Connection, space: str, path: str) -> tuple[str, str] | None:
    """The hash and the text that were let in for this file; None where none is kept."""
    sql = "SELECT content_hash, text FROM pack_text WHERE space = ? AND path = ?"
    found = rows(store, sql, (space, path))
    return (found[0][0], found[0][1]) if found else None
