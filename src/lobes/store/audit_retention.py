"""How long rows are kept: the oldest go from the beginning, and the chain goes on from where they
ended."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

MOST_TAKEN = 2_000
"""Rows that one group takes along: a long absence is made up for over several groups."""


def cut_at(now: datetime, days: int) -> str:
    """The time before which rows are too old, as rows write it."""
    return (now - timedelta(days=days)).isoformat()


def take_old(store: sqlite3.Connection, cut: str) -> None:
    """Inside the caller's transaction: remove the rows before the first one that isn't older than
    `cut`, and note the last of them. At least one row stays, so the chain never looks emptied."""
    oldest = store.execute("SELECT at FROM audit ORDER BY seq LIMIT 1").fetchall()
    if not oldest or oldest[0][0] >= cut:
        return
    found = store.execute(
        "SELECT seq, hash FROM (SELECT seq, at, hash FROM audit ORDER BY seq LIMIT ?) AS first"
        " WHERE seq < coalesce((SELECT seq FROM audit WHERE at >= ? ORDER BY seq LIMIT 1),"
        " (SELECT max(seq) FROM audit)) ORDER BY seq DESC LIMIT 1",
        (MOST_TAKEN, cut),
    ).fetchall()
    if not found:
        return
    seq, digest = found[0]
    before = store.execute("SELECT rows FROM anchor").fetchall()
    taken = store.execute("DELETE FROM audit WHERE seq <= ?", (seq,)).rowcount
    store.execute("DELETE FROM anchor")
    rows = (before[0][0] if before else 0) + taken
    store.execute("INSERT INTO anchor VALUES (?, ?, ?)", (seq, digest, rows))
