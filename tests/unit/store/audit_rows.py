"""Rows for the audit's tests, and what somebody who knows the format may do to the file."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

from lobes.store import audit_file
from lobes.store.audit import Audit
from lobes.store.audit_chain import link_hash
from lobes.store.audit_file import anchor_of


def note(
    audit: Audit,
    event: str = "context.search",
    *,
    lobe: str = "space/prj_a",
    actor: str = "human/me",
) -> None:
    audit.append(
        event,
        actor=actor,
        verb="read_content",
        resources=["space/prj_home"],
        decisions=[(lobe, "sibling", True), ("space/prj_globex", "private", False)],
        channel="cli",
        correlation="c1",
        answer="allowed",
        counts={"results": 3},
    )


def run(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as store:
        for statement in statements:
            store.execute(statement)


def recompute(path: Path, *statements: str, head: bool = True) -> None:
    """Do this, then make the whole chain fit again and, if wanted, the copy of its head."""
    columns = ", ".join(audit_file._COLUMNS)
    with closing(sqlite3.connect(path, isolation_level=None)) as store:
        for statement in statements:
            store.execute(statement)
        anchor = anchor_of(store)
        seq, previous = anchor.seq, anchor.hash
        for old, *texts in store.execute(f"SELECT seq, {columns} FROM audit ORDER BY seq"):
            seq += 1
            previous = link_hash(previous, seq, texts)
            values = (seq, previous, old)
            store.execute("UPDATE audit SET seq = ?, hash = ? WHERE seq = ?", values)
        store.execute("UPDATE sqlite_sequence SET seq = ?", (seq,))
    if head:
        at = path.with_suffix(".head")
        noted = json.loads(at.read_text("ascii"))
        at.write_text(json.dumps({**noted, "seq": seq, "hash": previous}), "ascii")
