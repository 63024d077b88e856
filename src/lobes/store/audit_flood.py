"""Alike denials of many short processes: beyond what a minute may have, only their number is kept.

What one process repeats is counted in it (`audit_repeats`); a command that is refused ends before
there is anything to count. So whoever appends looks at what the file holds of the last minute. No
row is ever changed: the number stands beside the chain until its minute is over, and goes into it
then, as a row that whoever appends next writes.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

from lobes.store.audit_repeats import DENIED, LIMITS, WINDOW

_LOOKED_BACK = 2_000
"""Rows of the file that are looked at; a minute with more of them folds later."""
_CREATE = """
    CREATE TABLE IF NOT EXISTS flood (
        actor TEXT, verb TEXT, channel TEXT, answer TEXT, since TEXT NOT NULL,
        count INTEGER NOT NULL, PRIMARY KEY (actor, verb, channel, answer)
    ) WITHOUT ROWID
"""
_IS_THERE = "SELECT 1 FROM sqlite_schema WHERE name = 'flood'"
_RECENT = f"""
    SELECT actor, verb, channel, answer, count(*) FROM audit
    WHERE seq > (SELECT coalesce(max(seq), 0) - {_LOOKED_BACK} FROM audit)
    AND event = '{DENIED}' AND counts = '{{}}' AND at > ? AND at <= ? GROUP BY 1, 2, 3, 4
"""

Row = tuple[str, ...]
"""As the file has it: at, event, actor, verb, resources, decisions, channel, correlation, answer,
counts."""


class _Kind(NamedTuple):
    actor: str
    verb: str
    channel: str
    answer: str


class _Flood(NamedTuple):
    since: str
    more: int


def folded(store: sqlite3.Connection, rows: Sequence[Row]) -> list[Row]:
    """What is written of `rows`, and the numbers of floods whose minute is over. Inside the
    caller's transaction. The rows are one process's, which counted its own repeats."""
    now = rows[-1][0]
    is_there = bool(store.execute(_IS_THERE).fetchall())
    floods = dict(_floods(store)) if is_there else {}
    if not floods and not any(map(_is_denial, rows)):
        return list(rows)
    kept = list(_ended(floods, now))
    recent = _recent(store, now)
    for row in rows:
        kind = _Kind(row[2], row[3], row[6], row[8])
        if not _is_denial(row):
            kept.append(row)
        elif (flood := floods.get(kind)) is not None:
            floods[kind] = flood._replace(more=flood.more + 1)
        elif recent[kind] >= LIMITS[DENIED]:
            floods[kind] = _Flood(now, 1)
        else:
            kept.append(row)
    if floods or is_there:
        _keep(store, floods)
    return kept


def _is_denial(row: Row) -> bool:
    """One denial; a row that counts several stays."""
    return row[1] == DENIED and row[9] == "{}"


def _floods(store: sqlite3.Connection) -> Iterator[tuple[_Kind, _Flood]]:
    for row in store.execute("SELECT actor, verb, channel, answer, since, count FROM flood"):
        yield _Kind(*row[:4]), _Flood(*row[4:])


def _ended(floods: dict[_Kind, _Flood], now: str) -> Iterator[Row]:
    """A row for each flood whose minute is over. It goes on until it was quiet for one."""
    for kind, flood in list(floods.items()):
        if _is_within(flood.since, now):
            continue
        del floods[kind]
        if flood.more:
            floods[kind] = _Flood(now, 0)
            counts = f'{{"repeated":{flood.more}}}'
            yield (now, DENIED, kind.actor, kind.verb, "[]", "[]", kind.channel, "", kind.answer,
                   counts)  # fmt: skip


def _is_within(since: str, now: str) -> bool:
    """Not where the clock has jumped back before it."""
    return since <= now < _later(since)


def _later(at: str) -> str:
    return (datetime.fromisoformat(at) + WINDOW).isoformat()


def _recent(store: sqlite3.Connection, now: str) -> Counter[_Kind]:
    start = (datetime.fromisoformat(now) - WINDOW).isoformat()
    return Counter({_Kind(*row[:4]): row[4] for row in store.execute(_RECENT, (start, now))})


def _keep(store: sqlite3.Connection, floods: dict[_Kind, _Flood]) -> None:
    store.execute(_CREATE)
    store.execute("DELETE FROM flood")
    store.executemany(
        "INSERT INTO flood VALUES (?, ?, ?, ?, ?, ?)",
        [(*kind, *flood) for kind, flood in floods.items()],
    )
