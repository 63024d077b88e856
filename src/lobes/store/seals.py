"""The seal of a memory in use: a MAC over what was approved, with a key of the secret store.

Whoever writes a status into the store has no seal for it, and what is in use without one counts as
proposed (`status` of the table follows from it). Where the home doesn't seal, `-` stands for one.
Only a look with the key tells a seal that somebody made up.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from lobes.domain.errors import Unavailable
from lobes.domain.memories import Memory, shown_hash
from lobes.domain.permissions import dump_permission
from lobes.domain.secrets import Secret
from lobes.store.read import RETRIEVABLE, batches, rows
from lobes.store.read_memories import COLUMNS, memory_of

NOT_SEALING = "-"
NO_SEAL = ""
_LABEL = "lobes memory seal 1"
_AT_ONCE = 1_000
_LENGTH = 32
"""Digits: 128 bits, so that an index over seals stays small."""


@dataclass(frozen=True, slots=True)
class Sealing:
    """How a home seals: `mark` is the fingerprint of its key, "" where it doesn't; `key` is the
    one that this process has."""

    mark: str = ""
    key: Secret | None = None

    @property
    def is_able(self) -> bool:
        """Whether what is put in use now is in use."""
        return not self.mark or self._has_its_key

    @property
    def _has_its_key(self) -> bool:
        return self.key is not None and self.key.fingerprint() == self.mark

    def keeps(self, before: Memory, after: Memory) -> bool:
        """Whether what is in use stays so when it is written: each version has its own seal."""
        return self.is_able or not (before.is_retrievable and after.is_retrievable)

    def of(self, memory: Memory) -> str:
        """What is stored as its seal."""
        if not self.mark:
            return NOT_SEALING
        if not memory.is_retrievable or self.key is None or not self._has_its_key:
            return NO_SEAL
        return seal_of(memory, self.key)


def seal_of(memory: Memory, key: Secret) -> str:
    """Over all that a person approves, whose it is and who may read it."""
    own = memory.permission
    bound = [
        _LABEL,
        shown_hash(memory),
        memory.status,
        memory.author,
        memory.person,
        memory.subject,
        memory.category,
        memory.is_external,
        None if own is None else dump_permission(own),
    ]
    text = json.dumps(bound).encode()
    return hmac.new(key.reveal(), text, hashlib.sha256).hexdigest()[:_LENGTH]


def no_key() -> Unavailable:
    return Unavailable(
        "What is in use has a seal, and the key to seal it anew isn't here. Nothing was done.",
        hint="Repeat it; lobes doctor secrets says what is wrong with the key.",
        reason="no_seal",
    )


def mark_of(store: sqlite3.Connection) -> str:
    """The fingerprint of the key by which the home seals; "" where it doesn't."""
    return str(rows(store, "SELECT sealed_with FROM home")[0][0])


def unsealed(store: sqlite3.Connection) -> list[tuple[str, str]]:
    """Id and lobe of what was put in use without a seal."""
    sql = """
        SELECT id, lobe FROM memory INDEXED BY memory_unsealed
        WHERE seal = '' AND written_status IN ('active', 'disputed') ORDER BY id
    """
    return rows(store, sql)


def sealed_since(store: sqlite3.Connection) -> datetime | None:
    """Since when the home seals by the key that it has; None where it doesn't."""
    since = rows(store, "SELECT sealed_since FROM home")[0][0]
    return None if since is None else datetime.fromisoformat(since)


def misfits(
    store: sqlite3.Connection, key: Secret, *, among: Iterable[str] | None = None
) -> list[str]:
    """The memories in use whose seal isn't theirs, of all or of these: some 20 µs each."""
    return [
        memory.id
        for memory, seal in _in_use(store, among)
        if not hmac.compare_digest(seal.encode(), seal_of(memory, key).encode())
    ]


def _in_use(
    store: sqlite3.Connection, among: Iterable[str] | None = None
) -> Iterator[tuple[Memory, str]]:
    sql = f"SELECT {COLUMNS}, seal FROM memory WHERE {RETRIEVABLE}"
    if among is None:
        found = rows(store, f"{sql} ORDER BY id")
    else:
        found = [
            row
            for some in batches(among)
            for row in rows(store, f"{sql} AND id IN ({','.join('?' * len(some))})", some)
        ]
    return ((memory_of(row[:-1]), str(row[-1])) for row in found)


# Inside a unit of work -------------------------------------------------------------------------


def seal_all(store: sqlite3.Connection, key: Secret, *, at: str) -> int:
    """Seal all that is in use, by this key from now on; how many."""
    store.execute("UPDATE home SET sealed_with = ?, sealed_since = ?", (key.fingerprint(), at))
    found = [(seal_of(memory, key), memory.id) for memory, _ in _in_use(store)]
    # What isn't in use now gets its seal when it is put in use, and not by a status alone.
    store.execute(f"UPDATE memory SET seal = '' WHERE NOT ({RETRIEVABLE})")
    for at_once in range(0, len(found), _AT_ONCE):
        store.executemany(
            "UPDATE memory SET seal = ? WHERE id = ?", found[at_once : at_once + _AT_ONCE]
        )
    return len(found)


def take_out(store: sqlite3.Connection, ids: Iterable[str]) -> None:
    """These are proposed from now on, and out of the index."""
    for batch in batches(ids):
        marks = ",".join("?" * len(batch))
        store.execute(
            f"""
            INSERT INTO outbox (op, kind, id, lobe, content_hash)
            SELECT 'delete', 'document', id, lobe, '' FROM memory WHERE id IN ({marks})
            """,
            batch,
        )
        store.execute(f"UPDATE memory SET seal = '' WHERE id IN ({marks})", batch)


def end_sealing(store: sqlite3.Connection) -> None:
    """No seals any more; what had none stays proposed."""
    store.execute("UPDATE home SET sealed_with = '', sealed_since = NULL")
    store.execute("UPDATE memory SET written_status = status WHERE written_status <> status")
    store.execute("UPDATE memory SET seal = '-'")
