"""Memories as they are written, inside one unit of work.

Every write of a memory leaves a version and, where it is or was retrievable, an outbox row: to the
index a memory is a document of one passage that has its id. So what is no longer retrievable is
out of the index by the same commit that changed its status.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from sqlalchemy import delete, func, insert, update
from sqlalchemy.dialects.sqlite import dialect as sqlite_dialect
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlmodel import Session, SQLModel

from lobes.domain.errors import Conflict
from lobes.domain.ids import LobeAddress
from lobes.domain.memories import (
    LOOK_AGAIN,
    Given,
    Link,
    LinkKind,
    Memory,
    Provenance,
    Stage,
    Tombstone,
    Version,
)
from lobes.domain.permissions import dump_permission
from lobes.domain.secrets import Secret
from lobes.store import read_memories as reads
from lobes.store.read import batches
from lobes.store.read_sensitivity import dump_findings, dump_setting
from lobes.store.seals import NO_SEAL, Sealing, mark_of, no_key
from lobes.store.tables import stamp
from lobes.store.uses import Use

_MEMORY = SQLModel.metadata.tables["memory"]
_VERSION = SQLModel.metadata.tables["memory_version"]
_GIVEN = SQLModel.metadata.tables["memory_given"]
_LINK = SQLModel.metadata.tables["memory_link"]
_TOMBSTONE = SQLModel.metadata.tables["memory_tombstone"]
_COUNT = SQLModel.metadata.tables["proposal_count"]
_OUTBOX = SQLModel.metadata.tables["outbox"]

_NAMED = sqlite_dialect(paramstyle="named")
_PUT, _PUT_VERSION = (str(insert(one).compile(dialect=_NAMED)) for one in (_MEMORY, _VERSION))
"""Written out: an import runs them thousands of times."""
_TIE = sqlite_insert(_LINK).on_conflict_do_nothing()
_NEW_STONE = sqlite_insert(_TOMBSTONE)
_BURY = _NEW_STONE.on_conflict_do_update(
    index_elements=["id"], set_={one.name: one for one in _NEW_STONE.excluded}
)


@dataclass(frozen=True, slots=True)
class Change:
    """One write: `act` is an arrow's name, or `propose`, `add`, `edit`, `recheck`, `move`, `undo`,
    `permit`, `raise`, `lower`; `actor` as the audit writes it, or `policy`; `before` is what it was
    read as, None for a new one."""

    memory: Memory
    act: str
    actor: str
    reason: str = ""
    before: Memory | None = None


class Memories:
    """The memories, inside one unit of work."""

    def __init__(self, session: Session, *, now: datetime, key: Secret | None = None) -> None:
        self._connection = session.connection()
        self._now = now
        self._key = key
        self._sealing: Sealing | None = None

    @property
    def sealing(self) -> Sealing:
        """How what is put in use here is sealed."""
        if self._sealing is None:
            self._sealing = Sealing(mark_of(self._reader), self._key)
        return self._sealing

    @property
    def _reader(self) -> sqlite3.Connection:
        driver = self._connection.connection.driver_connection
        assert isinstance(driver, sqlite3.Connection)
        return driver

    def get(self, id: str) -> Memory | None:
        return reads.memories(self._reader, [id]).get(id)

    def put(self, memory: Memory, *, act: str, actor: str, reason: str = "") -> None:
        """Insert a new one; `Conflict` where the id is taken or its Space isn't there."""
        self.put_all([Change(memory, act, actor, reason)])

    def put_all(self, new: Sequence[Change]) -> None:
        """`put` for many."""
        if not new:
            return
        self._connection.exec_driver_sql(_PUT, [self._columns(one.memory) for one in new])
        self._note(new)

    def note_given(self, id: str, given: Sequence[Given]) -> None:
        """What whoever proposed it had been given by then."""
        rows = [{"memory": id, "place": at, **asdict(one)} for at, one in enumerate(given)]
        if rows:
            self._connection.execute(insert(_GIVEN), rows)

    def bring_in(
        self, new: Sequence[Memory], versions: Sequence[Version], links: Iterable[Link]
    ) -> None:
        """Insert memories with their own past, as another home had it; `Conflict` where an id is
        taken. Where one of them was erased here, it is there again."""
        if not new:
            return
        self._connection.exec_driver_sql(_PUT, [self._columns(one) for one in new])
        if versions:
            rows = [{**asdict(one), "at": stamp(one.at)} for one in versions]
            self._connection.exec_driver_sql(_PUT_VERSION, rows)
        if ties := [{**asdict(tie), "since": stamp(tie.since)} for tie in dict.fromkeys(links)]:
            self._connection.execute(_TIE, ties)
        self.raise_tombstone(*(one.id for one in new))
        left = [_row("upsert", one, one.content_hash) for one in new if one.is_retrievable]
        if left:
            self._connection.execute(insert(_OUTBOX), left)

    def save(
        self, before: Memory, memory: Memory, *, act: str, actor: str, reason: str = ""
    ) -> Memory:
        """Store `memory` in the place of `before`, as the next version of it; what is stored.

        Raises `Conflict` (`changed`) where it is no longer as it was read.
        """
        return self.save_all([Change(memory, act, actor, reason, before)])[0]

    def save_all(self, changes: Sequence[Change], *, may_wait: bool = False) -> list[Memory]:
        """`save` for many; each needs its `before`. All of them, or `Conflict`.

        Without the key of a home that seals, what is in use and would stay so is left:
        `Unavailable` (`no_seal`), unless it `may_wait` from now on.
        """
        saved: list[Change] = []
        for one in changes:
            before = one.before
            assert before is not None
            assert before.id == one.memory.id
            if not may_wait and not self.sealing.keeps(before, one.memory):
                raise no_key()
            memory = replace(one.memory, version=before.version + 1, updated=self._now)
            done = self._connection.execute(
                update(_MEMORY)
                .where(_MEMORY.c.id == memory.id, _MEMORY.c.version == before.version)
                .values(**_changing(self._columns(memory)))
            )
            if done.rowcount != 1:
                raise Conflict(
                    "Somebody changed this memory first.",
                    hint=LOOK_AGAIN,
                    reason="changed",
                )
            saved.append(replace(one, memory=memory))
        self._note(saved)
        return [one.memory for one in saved]

    def _columns(self, memory: Memory) -> dict[str, object]:
        return _columns(memory, self.sealing.of(memory))

    def _note(self, changes: Sequence[Change]) -> None:
        if changes:
            rows = [_version(one, stamp(self._now)) for one in changes]
            self._connection.exec_driver_sql(_PUT_VERSION, rows)
        if left := [row for one in changes for row in _for_the_index(one)]:
            self._connection.execute(insert(_OUTBOX), left)

    def versions(self, id: str) -> list[Version]:
        return reads.versions(self._reader, id)

    def link(self, kind: LinkKind, memory: str, other: str) -> None:
        """Tie them; again is no error."""
        tie = {"kind": kind, "memory": memory, "other": other, "since": stamp(self._now)}
        self._connection.execute(_TIE, [tie])

    def unlink(self, kind: LinkKind, memory: str, other: str) -> None:
        """Untie them; where they aren't tied this is no error."""
        self._connection.execute(
            delete(_LINK).where(
                _LINK.c.kind == kind, _LINK.c.memory == memory, _LINK.c.other == other
            )
        )

    def links(self, *ids: str) -> list[Link]:
        return reads.links(self._reader, ids)

    def tombstone(self, *stones: Tombstone) -> None:
        """Keep that these were rejected or deleted; `id` is the memory's, the newest cause
        stays."""
        rows = [{**asdict(one), "lobe": str(one.lobe), "at": stamp(one.at)} for one in stones]
        if rows:
            self._connection.execute(_BURY, rows)

    def raise_tombstone(self, *ids: str) -> None:
        """Take them away: the memory was reopened, or its deletion undone."""
        for some in batches(ids):
            self._connection.execute(delete(_TOMBSTONE).where(_TOMBSTONE.c.id.in_(some)))

    def count(self, lobe: LobeAddress, stage: Stage, by: int = 1) -> None:
        """Add to what the queue counts today."""
        if by == 0:
            return
        statement = sqlite_insert(_COUNT).values(
            day=self._now.date().isoformat(), lobe=str(lobe), stage=stage, count=by
        )
        self._connection.execute(
            statement.on_conflict_do_update(
                index_elements=["day", "lobe", "stage"],
                set_={"count": _COUNT.c.count + statement.excluded["count"]},
            )
        )

    def used(self, uses: Iterable[Use]) -> None:
        """These were given in answers: no new version, and no rank depends on it."""
        last = _MEMORY.c.last_retrieved
        for one in uses:
            at = stamp(one.last)
            self._connection.execute(
                update(_MEMORY)
                .where(_MEMORY.c.id == one.id)
                .values(
                    last_retrieved=func.max(at, func.coalesce(last, at)),
                    use_count=_MEMORY.c.use_count + one.count,
                )
            )


def _changing(columns: Mapping[str, object]) -> dict[str, object]:
    """What a new version may change. How often it was given is counted by itself: what was read
    before an answer, or comes back by an undo, sets no count back."""
    counted = ("last_retrieved", "use_count")
    return {name: value for name, value in columns.items() if name not in counted}


def _columns(one: Memory, seal: str) -> dict[str, object]:
    waits = [why for why in one.waits_for if why != "unsealed" or seal == NO_SEAL]
    return {
        "id": one.id,
        "lobe": str(one.lobe),
        "space": one.lobe.id if one.lobe.kind == "space" else None,
        "statement": one.statement,
        "kind": one.kind,
        "class": one.memory_class,
        "epistemic": one.epistemic,
        "written_status": one.status,
        "seal": seal,
        "author": one.author,
        "person": one.person,
        "content_hash": one.content_hash,
        "subject": one.subject,
        "category": one.category,
        **_came(one.provenance),
        "confidence": one.confidence,
        "verified": _stamp(one.verified),
        "level": one.level,
        "given": one.given,
        "findings": dump_findings(one.findings),
        "classifier": one.classifier,
        "setting": None if one.setting is None else dump_setting(one.setting),
        "permission": None if one.permission is None else dump_permission(one.permission),
        "keep_until": _stamp(one.keep_until),
        "valid_from": _stamp(one.valid_from),
        "valid_to": _stamp(one.valid_to),
        "waits_for": reads.dump_texts(waits),
        "replaces": one.replaces,
        "last_retrieved": _stamp(one.last_retrieved),
        "use_count": one.use_count,
        "version": one.version,
        "created": stamp(one.created),
        "updated": stamp(one.updated),
    }


def _came(from_: Provenance) -> dict[str, object]:
    return {**asdict(from_), "evidence": reads.dump_texts(from_.evidence)}


def _stamp(moment: datetime | None) -> str | None:
    return None if moment is None else stamp(moment)


def _version(one: Change, at: str) -> dict[str, object]:
    memory = one.memory
    return {
        "memory": memory.id,
        "version": memory.version,
        "statement": memory.statement,
        "content_hash": memory.content_hash,
        "status": memory.status,
        "act": one.act,
        "actor": one.actor,
        "reason": one.reason,
        "at": at,
    }


def _for_the_index(one: Change) -> list[dict[str, str]]:
    before, now = one.before, one.memory
    rows: list[dict[str, str]] = []
    left = before is not None and before.is_retrievable
    if before is not None and left and (not now.is_retrievable or before.lobe != now.lobe):
        rows.append(_row("delete", before, ""))
    if now.is_retrievable:
        rows.append(_row("upsert", now, now.content_hash))
    return rows


def _row(op: str, one: Memory, content_hash: str) -> dict[str, str]:
    lobe = str(one.lobe)
    return {"op": op, "kind": "document", "id": one.id, "lobe": lobe, "content_hash": content_hash}
