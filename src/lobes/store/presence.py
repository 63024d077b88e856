"""The proofs of presence on disk, in a file of their own beside the store.

Of its own, because a code changes every few minutes, and each write to the store has every window
read its lists again. Codes and the passphrase are kept as salted slow hashes; tries are counted in
the same transaction that hands the hashes out, so that no number of processes tries more often.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from lobes.domain.presence import PRESENT_FOR, TRIES_A_CODE, Terminal, wait_after
from lobes.store.faults import in_our_words
from lobes.store.pragmas import apply_pragmas, make_private_file

SecretKind = Literal["code", "passphrase"]

_SCHEMA = (
    """
    CREATE TABLE IF NOT EXISTS secret (
        kind TEXT PRIMARY KEY CHECK (kind IN ('code', 'passphrase')),
        salt TEXT NOT NULL,
        hash TEXT NOT NULL,
        until TEXT NOT NULL DEFAULT ''
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS attempt (
        id INTEGER PRIMARY KEY CHECK (id = 1), wrong INTEGER NOT NULL, next TEXT NOT NULL
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS attended (
        device TEXT NOT NULL,
        leader INTEGER NOT NULL,
        started TEXT NOT NULL,
        until TEXT NOT NULL,
        PRIMARY KEY (device, leader, started)
    )
    """,
)


@dataclass(frozen=True, slots=True)
class Secret:
    """A salted hash; both as hexadecimal digits. `until` is None for a passphrase."""

    salt: str
    hash: str
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Reserved:
    """One try that counts already. Nobody may try again before `until`; None: go on."""

    secrets: dict[SecretKind, Secret]
    until: datetime | None = None


class PresenceFile:
    """The file at `path`; made by the first write. Each call is one transaction of its own."""

    def __init__(self, path: Path) -> None:
        self._path = path

    # -- what is asked for

    def put(self, kind: SecretKind, secret: Secret) -> None:
        """Keep this one instead of the one before."""
        until = "" if secret.until is None else secret.until.isoformat()
        with self._writing() as file:
            file.execute(
                "INSERT OR REPLACE INTO secret (kind, salt, hash, until) VALUES (?, ?, ?, ?)",
                (kind, secret.salt, secret.hash, until),
            )

    def drop(self, kind: SecretKind, *, only: str | None = None) -> bool:
        """Forget it (the one with the hash `only`); whether it was there."""
        with self._writing() as file:
            return _drop(file, kind, only)

    def get(self, kind: SecretKind) -> Secret | None:
        return self._secrets().get(kind)

    def _secrets(self) -> dict[SecretKind, Secret]:
        with self._reading() as file:
            return _secrets(file) if file else {}

    # -- tries

    def reserve(self, now: datetime) -> Reserved:
        """Count one try as wrong before anything is compared, or say how long to wait."""
        with self._writing() as file:
            found = file.execute("SELECT wrong, next FROM attempt").fetchall()
            wrong, following = found[0] if found else (0, "")
            until = datetime.fromisoformat(following) if following else now
            # A wait that is longer was written under a clock that ran ahead.
            if now < until <= now + wait_after(wrong):
                return Reserved({}, until)
            wrong += 1
            _note_attempts(file, wrong, (now + wait_after(wrong)).isoformat())
            return Reserved(_secrets(file))

    def was_right(
        self, kind: SecretKind, secret: Secret, terminal: Terminal, *, now: datetime
    ) -> bool:
        """Forget the wrong tries, use the code up and note the terminal; False where another
        process has used it since."""
        with self._writing() as file:
            if kind == "code" and not _drop(file, "code", secret.hash):
                return False
            _note_attempts(file, 0, "")
            file.execute("DELETE FROM attended WHERE until <= ?", (now.isoformat(),))
            until = (now + PRESENT_FOR).isoformat()
            file.execute(
                "INSERT OR REPLACE INTO attended (device, leader, started, until)"
                " VALUES (?, ?, ?, ?)",
                (terminal.device, terminal.leader, terminal.started, until),
            )
            return True

    def was_wrong(self, code: Secret | None) -> None:
        """After too many wrong tries the code that was shown is void."""
        with self._writing() as file:
            found = file.execute("SELECT wrong FROM attempt").fetchall()
            if code is not None and found and found[0][0] >= TRIES_A_CODE:
                _drop(file, "code", code.hash)

    def forgive(self) -> None:
        """A person is there: the wrong tries before no longer count."""
        with self._writing() as file:
            _note_attempts(file, 0, "")

    # -- terminals

    def attended_until(self, terminal: Terminal) -> datetime | None:
        sql = "SELECT until FROM attended WHERE device = ? AND leader = ? AND started = ?"
        values = (terminal.device, terminal.leader, terminal.started)
        with self._reading() as file:
            found = file.execute(sql, values).fetchall() if file else []
        return datetime.fromisoformat(found[0][0]) if found else None

    def forget(self, terminal: Terminal | None = None) -> int:
        """End the presence of a terminal, or of all; how many there were."""
        if not self._path.exists():
            return 0
        with self._writing() as file:
            if terminal is None:
                return file.execute("DELETE FROM attended").rowcount
            values = (terminal.device, terminal.leader, terminal.started)
            sql = "DELETE FROM attended WHERE device = ? AND leader = ? AND started = ?"
            return file.execute(sql, values).rowcount

    # -- the file

    @contextmanager
    def _reading(self) -> Generator[sqlite3.Connection | None]:
        if not self._path.exists():
            yield None
            return
        with self._writing() as file:
            yield file

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        with in_our_words():
            with suppress(FileExistsError):
                make_private_file(self._path)
            with closing(sqlite3.connect(self._path, isolation_level=None)) as file:
                apply_pragmas(file)
                file.execute("BEGIN IMMEDIATE")
                for statement in _SCHEMA:
                    file.execute(statement)
                yield file
                file.execute("COMMIT")


def _secrets(file: sqlite3.Connection) -> dict[SecretKind, Secret]:
    rows = file.execute("SELECT kind, salt, hash, until FROM secret").fetchall()
    return {
        kind: Secret(salt, hash, datetime.fromisoformat(until) if until else None)
        for kind, salt, hash, until in rows
    }


def _drop(file: sqlite3.Connection, kind: SecretKind, only: str | None) -> bool:
    sql, values = "DELETE FROM secret WHERE kind = ?", [kind]
    if only is not None:
        sql, values = f"{sql} AND hash = ?", [kind, only]
    return file.execute(sql, values).rowcount > 0


def _note_attempts(file: sqlite3.Connection, wrong: int, following: str) -> None:
    sql = "INSERT OR REPLACE INTO attempt (id, wrong, next) VALUES (1, ?, ?)"
    file.execute(sql, (wrong, following))
