"""Memories as they are stored, by plain `sqlite3`: rows to values, and the lists that are read.

What can't be taken to the letter is taken strictly: an unknown level is confidential, reasons to
wait that can't be read are one reason to wait.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple, cast, get_args

from lobes.domain.ids import LobeAddress, parse_address
from lobes.domain.memories import (
    Given,
    Link,
    LinkKind,
    Memory,
    Provenance,
    Stage,
    Status,
    Tombstone,
    Version,
    Wait,
)
from lobes.domain.permissions import parse_permission
from lobes.domain.sensitivity import parse_level
from lobes.domain.strict_json import loads_strict
from lobes.store.read import batches, rows
from lobes.store.read_sensitivity import BROKEN, parse_findings, parse_setting

COLUMNS = (
    "id, lobe, statement, kind, class, epistemic, status, author, person, content_hash,"
    " created, updated, subject, category, source, session, client, tool, ref, evidence,"
    " is_external, confidence, verified, level, given, findings, classifier, setting, permission,"
    " keep_until, valid_from, valid_to, waits_for, replaces, last_retrieved, use_count, version,"
    " written_status"
)
_WAITS: frozenset[str] = frozenset(get_args(Wait))
EVERY: tuple[Status, ...] = get_args(Status)


def memory_of(row: tuple[Any, ...]) -> Memory:
    """The value of one row of `COLUMNS`."""
    (
        id, lobe, statement, kind, memory_class, epistemic, status, author, person, content_hash,
        created, updated, subject, category, source, session, client, tool, ref, evidence,
        is_external, confidence, verified, level, given, findings, classifier, setting, permission,
        keep_until, valid_from, valid_to, waits_for, replaces, last_retrieved, use_count, version,
        written,
    ) = row  # fmt: skip
    texts, external = _texts(evidence) or (), bool(is_external)
    return Memory(
        id, _address(lobe), statement, kind, memory_class, epistemic, status, author, person,
        content_hash, datetime.fromisoformat(created), datetime.fromisoformat(updated),
        subject=subject,
        category=category,
        provenance=Provenance(source, session, client, tool, ref, texts, external),
        confidence=confidence,
        verified=_moment(verified),
        level=parse_level(level) or BROKEN,
        given=parse_level(given),
        findings=parse_findings(findings),
        classifier=classifier,
        setting=parse_setting(setting),
        permission=None if permission is None else parse_permission(permission),
        keep_until=_moment(keep_until),
        valid_from=_moment(valid_from),
        valid_to=_moment(valid_to),
        waits_for=reasons(waits_for, status, written),
        replaces=replaces,
        last_retrieved=_moment(last_retrieved),
        use_count=use_count,
        version=version,
    )  # fmt: skip


_address = lru_cache(maxsize=1000)(parse_address)


def _moment(stored: str | None) -> datetime | None:
    return None if stored is None else datetime.fromisoformat(stored)


def _texts(stored: str) -> tuple[str, ...] | None:
    if stored == "[]":
        return ()
    try:
        data: object = loads_strict(stored)
    except ValueError:
        return None
    if not isinstance(data, list):
        return None
    texts = [one for one in cast("list[object]", data) if isinstance(one, str)]
    return tuple(texts) if len(texts) == len(cast("list[object]", data)) else None


@lru_cache(maxsize=1000)
def parse_waits(stored: str) -> tuple[Wait, ...]:
    found = _texts(stored)
    if found is None or not _WAITS.issuperset(found):
        return ("policy",)
    return cast("tuple[Wait, ...]", found)


def reasons(stored: str, status: str, written: str) -> tuple[Wait, ...]:
    """Why it waits: what isn't as it was written was put in use without a seal."""
    found = parse_waits(stored)
    if status == written or "unsealed" in found:
        return found
    return (*found, "unsealed")


def dump_texts(texts: Iterable[str]) -> str:
    return json.dumps(list(texts), ensure_ascii=False, separators=(",", ":"))


# Memories --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Where:
    """Which memories are wanted; () and "" ask for nothing in particular. `lobes` are addresses."""

    lobes: tuple[str, ...] = ()
    statuses: tuple[Status, ...] = ()
    kinds: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    person: str = ""
    session: str = ""
    source: str = ""

    def clause(self) -> tuple[str, tuple[object, ...]]:
        """The condition for SQL, all of its values as parameters."""
        several = (
            ("lobe", self.lobes),
            ("status", self.statuses),
            ("kind", self.kinds),
            ("class", self.classes),
        )
        single = (("person", self.person), ("session", self.session), ("source", self.source))
        parts = [f"{name} IN ({','.join('?' * len(some))})" for name, some in several if some]
        parts += [f"{name} = ?" for name, one in single if one]
        values = [value for _, some in several for value in some]
        values += [one for _, one in single if one]
        return " AND ".join(parts) or "1", tuple(values)


def memories(store: sqlite3.Connection, ids: Iterable[str]) -> dict[str, Memory]:
    """Id → memory, for those of `ids` that are there."""
    found: dict[str, Memory] = {}
    for batch in batches(ids):
        sql = f"SELECT {COLUMNS} FROM memory WHERE id IN ({','.join('?' * len(batch))})"
        found |= {row[0]: memory_of(row) for row in rows(store, sql, batch)}
    return found


def memory_ids(store: sqlite3.Connection, where: Where) -> list[str]:
    """The ids of all that fit, the newest first: what a list filters before it is cut to a page."""
    clause, values = where.clause()
    sql = f"SELECT id FROM memory WHERE {clause} ORDER BY created DESC, id DESC"
    return [row[0] for row in rows(store, sql, values)]


def memory_page(
    store: sqlite3.Connection,
    where: Where,
    *,
    before: tuple[datetime, str] | None = None,
    limit: int = 100,
) -> list[Memory]:
    """At most `limit` that fit, the newest first; `before` is `created` and id of the last shown.
    Nothing is filtered by the rules here."""
    clause, values = where.clause()
    if before is not None:
        clause += " AND (created, id) < (?, ?)"
        values = (*values, before[0].isoformat(), before[1])
    sql = f"SELECT {COLUMNS} FROM memory WHERE {clause} ORDER BY created DESC, id DESC LIMIT ?"
    return [memory_of(row) for row in rows(store, sql, (*values, limit))]


def lobe_memories(
    store: sqlite3.Connection, lobe: LobeAddress, statuses: Collection[Status]
) -> list[Memory]:
    """All of one lobe in these statuses, by id."""
    marks = ",".join("?" * len(statuses))
    sql = f"SELECT {COLUMNS} FROM memory WHERE lobe = ? AND status IN ({marks}) ORDER BY id"
    return [memory_of(row) for row in rows(store, sql, (str(lobe), *statuses))]


def same_statements(
    store: sqlite3.Connection, lobe: LobeAddress, hashes: Iterable[str]
) -> dict[str, list[tuple[str, Status]]]:
    """Content hash → id and status of each memory of the lobe that says just that."""
    found: dict[str, list[tuple[str, Status]]] = {}
    for batch in batches(hashes):
        sql = f"""
            SELECT content_hash, id, status FROM memory
            WHERE lobe = ? AND content_hash IN ({",".join("?" * len(batch))}) ORDER BY id
        """
        for content_hash, id, status in rows(store, sql, (str(lobe), *batch)):
            found.setdefault(content_hash, []).append((id, status))
    return found


def known_refs(
    store: sqlite3.Connection, lobe: LobeAddress, source: str, refs: Iterable[str]
) -> dict[str, list[str]]:
    """What a source calls it → ids, of what came from there into this lobe and was neither rejected
    nor deleted."""
    found: dict[str, list[str]] = {}
    for batch in batches(refs):
        sql = f"""
            SELECT ref, id FROM memory
            WHERE source = ? AND ref <> '' AND ref IN ({",".join("?" * len(batch))})
              AND lobe = ? AND status NOT IN ('rejected', 'deleted')
        """
        for ref, id in rows(store, sql, (source, *batch, str(lobe))):
            found.setdefault(ref, []).append(id)
    return found


def proposed_since(store: sqlite3.Connection, *, person: str, session: str, since: datetime) -> int:
    """How many agents proposed for this person since then, or in this session where one is named;
    whatever became of them."""
    if session:
        sql = "SELECT count(*) FROM memory WHERE session = ? AND author = 'agent' AND created >= ?"
        return int(rows(store, sql, (session, since.isoformat()))[0][0])
    # Naming every status lets the index of the queue find what is young.
    sql = f"""
        SELECT count(*) FROM memory WHERE status IN ({",".join("?" * len(EVERY))})
        AND created >= ? AND person = ? AND author = 'agent'
    """
    return int(rows(store, sql, (*EVERY, since.isoformat(), person))[0][0])


# What belongs to them --------------------------------------------------------------------------


def links(store: sqlite3.Connection, ids: Iterable[str]) -> list[Link]:
    """The links that begin or end at one of these, each once."""
    found: dict[Link, None] = {}
    for batch in batches(ids):
        marks = ",".join("?" * len(batch))
        for side in ("memory", "other"):
            sql = f"SELECT kind, memory, other, since FROM memory_link WHERE {side} IN ({marks})"
            for kind, memory, other, since in rows(store, f"{sql} ORDER BY kind, memory", batch):
                one = Link(cast("LinkKind", kind), memory, other, datetime.fromisoformat(since))
                found[one] = None
    return list(found)


def given(store: sqlite3.Connection, id: str) -> tuple[Given, ...]:
    """What whoever proposed it had been given by then, the newest last."""
    sql = "SELECT thing, reason, tokens FROM memory_given WHERE memory = ? ORDER BY place"
    return tuple(Given(*row) for row in rows(store, sql, (id,)))


def versions(store: sqlite3.Connection, id: str) -> list[Version]:
    """What became of one memory, the first version first."""
    return versions_of(store, [id]).get(id, [])


def versions_of(store: sqlite3.Connection, ids: Iterable[str]) -> dict[str, list[Version]]:
    """`versions` of many; one that isn't there has no entry."""
    found: dict[str, list[Version]] = {}
    for batch in batches(ids):
        sql = f"""
            SELECT memory, version, statement, content_hash, status, act, actor, reason, at
            FROM memory_version WHERE memory IN ({",".join("?" * len(batch))})
            ORDER BY memory, version
        """
        for row in rows(store, sql, batch):
            one = Version(*row[:8], at=datetime.fromisoformat(row[8]))
            found.setdefault(one.memory, []).append(one)
    return found


def tombstones_for(
    store: sqlite3.Connection, lobe: LobeAddress, hashes: Iterable[str], *, since: datetime
) -> dict[str, list[Tombstone]]:
    """Content hash → the tombstones of the lobe since then, the newest first."""
    found: dict[str, list[Tombstone]] = {}
    for batch in batches(hashes):
        sql = f"""
            SELECT id, content_hash, cause, actor, at FROM memory_tombstone
            WHERE lobe = ? AND at >= ? AND content_hash IN ({",".join("?" * len(batch))})
            ORDER BY at DESC
        """
        for id, content_hash, cause, actor, at in rows(
            store, sql, (str(lobe), since.isoformat(), *batch)
        ):
            moment = datetime.fromisoformat(at)
            stone = Tombstone(id, lobe, content_hash, cause, actor, moment)
            found.setdefault(content_hash, []).append(stone)
    return found


def counts(
    store: sqlite3.Connection, lobes: Iterable[str] | None = None, *, since: str = ""
) -> dict[Stage, int]:
    """Stage → how many, since a day (`2026-11-30`), in these lobes or in all."""
    found: dict[Stage, int] = {}
    named: list[tuple[str, ...]] = [()] if lobes is None else list(batches(lobes))
    for batch in named:
        these = f"AND lobe IN ({','.join('?' * len(batch))})" if batch else ""
        sql = f"""
            SELECT stage, sum(count) FROM proposal_count WHERE day >= ? {these} GROUP BY stage
        """
        for stage, count in rows(store, sql, (since, *batch)):
            found[stage] = found.get(stage, 0) + int(count)
    return found


# What is compared ------------------------------------------------------------------------------

_COMPARED = "lobe = ? AND status IN ('active', 'disputed', 'proposed')"


class Compared(NamedTuple):
    """What a new one of its lobe is compared with; `in_use`: retrievable, not just proposed."""

    id: str
    statement: str
    in_use: bool


_COMPARED_BY = "SELECT id, statement, status <> 'proposed' FROM memory"


def compared(store: sqlite3.Connection, lobe: LobeAddress) -> list[Compared]:
    """All that a new one of the lobe is compared with."""
    found = rows(store, f"{_COMPARED_BY} WHERE {_COMPARED}", (str(lobe),))
    return [Compared(id, statement, bool(in_use)) for id, statement, in_use in found]


def compared_of(store: sqlite3.Connection, lobe: LobeAddress, ids: Iterable[str]) -> list[Compared]:
    """The same, for those of `ids` that are among them."""
    found: list[Compared] = []
    for batch in batches(ids):
        these = f"id IN ({','.join('?' * len(batch))})"
        sql = f"{_COMPARED_BY} WHERE {these} AND +{_COMPARED}"
        for id, statement, in_use in rows(store, sql, (*batch, str(lobe))):
            found.append(Compared(id, statement, bool(in_use)))
    return found


class Mark(NamedTuple):
    """How far the changes of memories have come, in one store: a restored one is another."""

    made: str
    epoch: int
    seq: int


def change_mark(store: sqlite3.Connection) -> Mark:
    sql = "SELECT created, epoch, (SELECT max(seq) FROM memory_change) FROM home"
    made, epoch, seq = rows(store, sql)[0]
    return Mark(made, int(epoch), int(seq or 0))


def changed_since(store: sqlite3.Connection, seen: Mark) -> list[str] | None:
    """The memories that came, went, moved, or have another status or other words since then;
    None where nobody can tell."""
    now = change_mark(store)
    if now[:2] != seen[:2] or now.seq < seen.seq:
        return None
    sql = "SELECT memory FROM memory_change WHERE seq > ?"
    return [row[0] for row in rows(store, sql, (seen.seq,))]
