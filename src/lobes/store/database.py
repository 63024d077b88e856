"""The store: opened by one engine factory, written in short `BEGIN IMMEDIATE` units."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session, create_engine

from lobes.domain.errors import Conflict, Unavailable
from lobes.domain.lobes import CrossSpace
from lobes.domain.secrets import Secret
from lobes.store.faults import fault, in_our_words, store_busy
from lobes.store.migrate import STEPS, Step, bring_up, build, newer_schema
from lobes.store.pragmas import BUSY_MS, apply_pragmas, make_private_file
from lobes.store.sequence import head_of, note, noted, older
from lobes.store.tables import stamp
from lobes.store.turn import Front
from lobes.store.unit_of_work import UnitOfWork

Clock = Callable[[], datetime]


def create(
    path: Path,
    *,
    owner: str,
    presence: Literal["on", "off"],
    default_cross_space: CrossSpace,
    clock: Clock,
    name: str = "",
) -> None:
    """A new store with its owner as the first person, there whole or not at all.

    Raises `Conflict` when there is one already, `Unavailable` when the folder takes no file.
    """
    if os.path.lexists(path):
        raise _there_already()
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    with in_our_words():
        try:
            _write_new(draft, name or owner, owner, presence, default_cross_space, stamp(clock()))
            # What was noted of a store that is gone says nothing of this one.
            head_of(path).unlink(missing_ok=True)
            # A link fails where a rename would replace what another process has just made.
            os.link(draft, path)
        except FileExistsError as error:
            raise _there_already() from error
        finally:
            draft.unlink(missing_ok=True)


def _write_new(
    draft: Path, name: str, owner: str, presence: str, cross_space: str, now: str
) -> None:
    draft.unlink(missing_ok=True)
    make_private_file(draft)
    with closing(_connect(draft)) as store:
        apply_pragmas(store)
        store.execute("BEGIN IMMEDIATE")
        build(store, STEPS)
        store.execute("INSERT INTO person (id, name, created) VALUES (?, ?, ?)", (owner, name, now))
        store.execute(
            "INSERT INTO home (id, owner, presence, default_cross_space, created)"
            " VALUES (1, ?, ?, ?, ?)",
            (owner, presence, cross_space, now),
        )
        store.execute("COMMIT")


def _there_already() -> Conflict:
    return Conflict("There is a store already.", reason="exists")


def _connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=BUSY_MS / 1000, isolation_level=None)


def open_database(
    path: Path, *, backups: Path, clock: Clock, steps: Sequence[Step] = STEPS
) -> Database:
    """The store, brought up to the newest schema first where it is older.

    Raises `Unavailable` when there is none (reason `store`), `Corrupt` when it is damaged
    (`damaged`), not a store (`not_a_store`) or from a newer Lobes (`newer_schema`).
    """
    if path.is_symlink() or not path.is_file():
        raise Unavailable(
            "The store can't be opened.", hint="Run lobes init, or lobes doctor.", reason="store"
        )
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)
    bring_up(path, backups=backups, clock=clock, steps=steps)
    return Database(path, clock=clock, schema=steps[-1].number)


class Database:
    """The open store; usable from several threads, each in its own unit of work."""

    def __init__(self, path: Path, *, clock: Clock, schema: int) -> None:
        self.path = path
        self._clock = clock
        self._schema = schema
        self._engine = _engine(path)
        self._turn = threading.Lock()
        self.is_kept_out = False
        """Whether a unit of this process waits now, and it is another process that writes."""
        self.key: Secret | None = None
        """What seals the memories that are put in use, once somebody has fetched it."""

    @contextmanager
    def begin(self) -> Generator[UnitOfWork]:
        """A unit of work that holds the write lock from its first moment, rolled back at its end
        unless `commit()` was called.

        Raises `Unavailable` with reason `store_busy` (after five seconds or more), `disk_full` or
        `read_only`, and `Corrupt` when a newer Lobes has changed the schema meanwhile, or an older
        store was put in the place of this one (`older_store`).
        """
        with (
            self._my_turn() as front,
            _in_our_words(),
            self._engine.connect() as connection,
        ):
            try:
                with connection.begin() as unit:
                    self.is_kept_out = False
                    front.leave()
                    self._check_schema(connection)
                    self._check_age(connection)
                    with Session(connection, expire_on_commit=False) as session:
                        yield UnitOfWork(
                            session,
                            unit,
                            store=self.path,
                            now=self._clock(),
                            key=self.key,
                            committed=self._committed,
                        )
                    if unit.is_active:
                        unit.rollback()
            finally:
                # A COMMIT that fails leaves SQLite inside its transaction, with the lock, while
                # SQLAlchemy takes it for ended; the driver itself knows.
                connection.connection.rollback()

    @contextmanager
    def _my_turn(self) -> Generator[Front]:
        """Threads queue here, one of each process then in front of the store: none starves."""
        if not self._turn.acquire(timeout=BUSY_MS / 1000):
            raise store_busy()
        try:
            # No thread of ours writes now, so whoever is waited for is another process.
            self.is_kept_out = True
            front = Front(self.path.parent)
            try:
                yield front
            finally:
                front.leave()
        finally:
            self.is_kept_out = False
            self._turn.release()

    def _check_schema(self, connection: Connection) -> None:
        found: int = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        if found != self._schema:
            raise newer_schema()

    def _check_age(self, connection: Connection) -> None:
        """The write lock is held: nothing is noted that isn't in the store."""
        sql = "SELECT sequence FROM home"
        missing = noted(self.path) - int(connection.exec_driver_sql(sql).scalar() or 0)
        if missing > 0:
            raise older(missing)

    def _committed(self, number: int) -> None:
        note(self.path, number)

    def close(self) -> None:
        self._engine.dispose()


@contextmanager
def _in_our_words() -> Generator[None]:
    try:
        yield
    except DBAPIError as error:
        raise fault(error.orig or error) from error


def _engine(path: Path) -> Engine:
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": BUSY_MS / 1000})

    # The driver's own transactions would commit before DDL and begin as readers: a unit that
    # reads first then fails at its first write, at once, whatever the time-out.
    @event.listens_for(engine, "connect")
    def _on_connect(connection: sqlite3.Connection, _record: object) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.isolation_level = None
        apply_pragmas(connection)

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Connection) -> None:  # pyright: ignore[reportUnusedFunction]
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
