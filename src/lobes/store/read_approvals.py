"""Approvals for one question as a search reads them, by plain `sqlite3`.

The question is kept as a hash only. A row that ran out decides nothing, whenever it is pruned.
"""

from __future__ import annotations

import hashlib
import sqlite3
from dataclasses import dataclass
from datetime import datetime

from lobes.store.read import rows


@dataclass(frozen=True, slots=True)
class Approval:
    """`target` may answer `asking` this one question of `person`, until `expires`."""

    id: str
    person: str
    asking: str
    target: str
    query_hash: str
    expires: datetime


def query_hash(query: str) -> str:
    """SHA-256 of the question to the letter: another case, space or spelling is another question,
    so that nothing is answered that the person didn't see."""
    return hashlib.sha256(query.encode("utf-8", "surrogatepass")).hexdigest()


_APPROVALS = """
    SELECT id, person, asking, target, query_hash, expires FROM approval
    WHERE person = ? AND asking = ? AND query_hash = ?
"""


def approvals_for(
    store: sqlite3.Connection, *, person: str, asking: str, query: str, now: datetime
) -> list[Approval]:
    """Which Spaces may answer this very question of the person now."""
    found = [
        Approval(*row[:5], expires=datetime.fromisoformat(row[5]))
        for row in rows(store, _APPROVALS, (person, asking, query_hash(query)))
    ]
    return [one for one in found if one.expires > now]
