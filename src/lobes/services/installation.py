"""What a service works with: the open home and who calls. Built by `bootstrap` alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from lobes.config.folders import Folders
from lobes.config.settings import Settings
from lobes.domain.actors import Actor, Human
from lobes.domain.ids import NewId, Slug
from lobes.domain.lobes import CrossSpace
from lobes.domain.secrets import SecretStore
from lobes.engine.protocol import Engine
from lobes.store import read
from lobes.store.audit import Audit
from lobes.store.faults import in_our_words

if TYPE_CHECKING:
    from lobes.store.database import Database

Channel = Literal["tui", "cli", "mcp", "job"]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who acts, through which face, and whether a person is known to be at the keyboard."""

    actor: Actor
    channel: Channel
    is_present: bool = False
    correlation: str = ""
    can_be_asked: bool = False
    """Whether the face can ask for a person: then what needs one raises `PresenceWanted`."""

    def for_request(self, correlation: str) -> Caller:
        """The same caller with the id that ties one request's audit rows together."""
        return replace(self, correlation=correlation)


@dataclass(frozen=True, slots=True)
class Installation:
    """One open home. `database` opens the store for writing on its first call: SQLModel alone
    costs 470 ms, so a search never pays for it. `secrets` asks nobody until it is asked."""

    folders: Folders
    settings: Settings
    clock: Callable[[], datetime]
    new_id: NewId
    engine: Engine
    audit: Audit
    database: Callable[[], Database]
    secrets: Callable[[], SecretStore]
    owner: Slug
    presence: Literal["on", "off"]
    default_cross_space: CrossSpace
    is_kept_out: Callable[[], bool] = bool
    """Whether a unit of this process waits for another process that writes. Never blocks."""

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """One read snapshot of the store; short, and never held across a wait."""
        with (
            in_our_words(),
            closing(read.connect(self.folders.store)) as store,
            read.snapshot(store) as snapshot,
        ):
            yield snapshot

    def owner_at(self, channel: Channel, *, is_present: bool) -> Caller:
        """The installation's owner calling through a face."""
        return Caller(Human(self.owner), channel, is_present)
