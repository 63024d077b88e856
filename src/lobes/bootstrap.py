"""The only composition root: the parts of an open home, put together for every face alike."""

from __future__ import annotations

import gc
import os
import threading
from collections.abc import Generator, Mapping
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from typing import TYPE_CHECKING, Literal, cast

from lobes import __version__
from lobes.clock import utc_now
from lobes.config.folders import Folders
from lobes.config.settings import Settings, load_settings
from lobes.domain.errors import Unavailable
from lobes.domain.ids import Slug, Ulid
from lobes.domain.lobes import CrossSpace
from lobes.domain.secrets import NoSecretStore, SecretStore
from lobes.engine.client import connect
from lobes.engine.endpoint import EnginePlace, EngineSettings
from lobes.engine.protocol import Engine
from lobes.services.installation import Installation
from lobes.store import read, sequence
from lobes.store.audit import Audit
from lobes.store.faults import in_our_words
from lobes.store.migrations import SCHEMA

if TYPE_CHECKING:
    from lobes.store.database import Database

EngineKind = Literal["process", "inline"]


def new_ulid() -> Ulid:
    """A new record id."""
    from ulid import ULID

    return Ulid(str(ULID()))


@contextmanager
def open_installation(
    folders: Folders,
    *,
    engine: EngineKind = "process",
    environ: Mapping[str, str] | None = None,
) -> Generator[Installation]:
    """The open home, closed at the end of the `with`; nothing heavy is imported for it.

    Raises `Unavailable` (`no_home`) where there is no home, `Corrupt` where it is damaged or lacks
    what was written last (`older_store`). A store of an older schema is brought up here, after a
    backup; one of a newer schema can be read.
    """
    if not folders.store.exists():
        raise no_home()
    settings = load_settings(folders, os.environ if environ is None else environ).settings
    # A part that fails on closing keeps none of the others open.
    with ExitStack() as parts:
        databases = _Databases(folders)
        parts.callback(databases.close)
        owner, presence, default = _home_row(folders, databases)
        audit = Audit(folders.audit, clock=utc_now, keep_days=settings.audit_days)
        parts.callback(audit.close)
        secrets = _Secrets(settings)
        parts.callback(secrets.close)
        running = _engine(folders, engine)
        parts.callback(running.close)
        yield Installation(
            folders=folders,
            settings=settings,
            clock=utc_now,
            new_id=new_ulid,
            engine=running,
            audit=audit,
            database=databases.get,
            secrets=secrets.get,
            owner=Slug(owner),
            presence="off" if presence == "off" else "on",
            default_cross_space=cast("CrossSpace", default),
            is_kept_out=databases.is_kept_out,
        )


def _home_row(folders: Folders, databases: _Databases) -> tuple[str, str, str]:
    """Owner, presence and the default of `cross_space`, of a store that is the newest there is."""
    written = sequence.noted(folders.store)
    with in_our_words(), closing(read.connect(folders.store)) as store:
        if read.schema_version(store) < SCHEMA:
            databases.get()
        found = read.home_row(store)
        sequence.refuse_older(store, written)
    return found


def no_home() -> Unavailable:
    return Unavailable(
        "There is no home of Lobes here yet.",
        hint="Run lobes to make one, lobes init, or lobes demo to look around.",
        reason="no_home",
    )


def _engine(folders: Folders, kind: EngineKind) -> Engine:
    # All faces share one engine, so no face's environment may set it up.
    settings = load_settings(folders, {}).settings
    place = EnginePlace(
        folders.index,
        folders.store,
        settings=EngineSettings(
            idle_seconds=settings.engine_idle_minutes * 60,
            hint_seconds=settings.rescan_seconds,
        ),
    )
    if kind == "inline":
        from lobes.engine.inline import Inline

        return Inline(place)
    return connect(place, build=__version__)


class _Secrets:
    """The way to the secret store, made at the first call: most runs need none."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._store: SecretStore | None = None

    def get(self) -> SecretStore:
        with self._lock:
            if self._store is None:
                self._store = self._made()
            return self._store

    def _made(self) -> SecretStore:
        if self._settings.secret_store == "off":
            return NoSecretStore()
        from lobes.store.secrets import Keyring

        return Keyring()

    def close(self) -> None:
        with self._lock:
            if self._store is not None:
                self._store.close()


@cache
def _keep_what_came() -> None:
    """Once a process. What SQLModel brings stays for good: looking through its 50,000 objects took
    each full collection 33 ms, in the middle of a search or of a key."""
    gc.freeze()


class _Databases:
    """The store for writing, opened once at the first call, from whichever thread."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._lock = threading.Lock()
        self._open: Database | None = None

    def get(self) -> Database:
        with self._lock:
            if self._open is None:
                from lobes.store.database import open_database

                _keep_what_came()
                self._open = open_database(
                    self._folders.store, backups=self._folders.backups, clock=utc_now
                )
            return self._open

    def is_kept_out(self) -> bool:
        """Asked on each beat of a screen, so without the lock."""
        database = self._open
        return database is not None and database.is_kept_out

    def close(self) -> None:
        with self._lock:
            if self._open is not None:
                self._open.close()
                self._open = None
