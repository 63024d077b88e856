"""One transaction: what is done inside is committed whole, by `commit()`, or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from sqlalchemy import RootTransaction, text
from sqlmodel import Session

from lobes.domain.erasing import Erasure
from lobes.domain.secrets import Secret
from lobes.store.approvals import Approvals
from lobes.store.documents import Documents
from lobes.store.groups import Groups
from lobes.store.home import Home
from lobes.store.memories import Memories
from lobes.store.notices import Notices
from lobes.store.pack_edits import PackEdits
from lobes.store.people import People
from lobes.store.permissions import Permissions
from lobes.store.sensitivity import Sensitivities
from lobes.store.sessions import Sessions
from lobes.store.spaces import Spaces
from lobes.store.uses import forget_taken, take_uses
from lobes.store.wiping import wipe


class UnitOfWork:
    """What services write through; made by `Database.begin`, dead after `commit`."""

    def __init__(
        self,
        session: Session,
        transaction: RootTransaction,
        *,
        store: Path,
        now: datetime,
        key: Secret | None = None,
        committed: Callable[[int], None],
    ) -> None:
        self._committed = committed
        self._session = session
        self._store = store
        self._transaction = transaction
        self.now = now
        self.spaces = Spaces(session)
        self.documents = Documents(session, now=now)
        self.people = People(session, now=now)
        self.permissions = Permissions(session, now=now)
        self.groups = Groups(session, now=now)
        self.home = Home(session)
        self.sensitivities = Sensitivities(session)
        self.notices = Notices(session, now=now)
        self.approvals = Approvals(session)
        self.memories = Memories(session, now=now, key=key)
        self.pack_edits = PackEdits(session)
        self.sessions = Sessions(session)

    @property
    def reader(self) -> sqlite3.Connection:
        """The unit's own connection, for reads that decide on what it writes."""
        driver = self._session.connection().connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        return driver

    def outbox_head(self) -> int:
        """The last sequence number ever given, rows of this unit included; 0 at the start."""
        sql = text("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")
        return self._session.connection().execute(sql).scalar() or 0

    def trim_outbox(self, seq: int) -> None:
        """Drop the rows that the index has followed: all up to and including `seq`."""
        sql = text("DELETE FROM outbox WHERE seq <= :seq")
        self._session.connection().execute(sql, {"seq": seq})

    def wipe(self, erasure: Erasure) -> int:
        """Take the rows of an erasure out; how many there were."""
        self._session.flush()
        gone = wipe(self.reader, erasure)
        self._session.expire_all()
        return gone

    def commit(self) -> None:
        """Acknowledge: after this the work survives a crash. What answers gave meanwhile is
        counted with it."""
        self._session.flush()
        sql = text("UPDATE home SET sequence = sequence + 1 RETURNING sequence")
        number = int(self._session.connection().execute(sql).scalar_one())
        self.memories.used(take_uses(self._store, number))
        self._transaction.commit()
        forget_taken(self._store, number)
        self._committed(number)
