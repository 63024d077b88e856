"""A search through the services, with the real engine: authorized, resolved, found, checked again.

The parts of each search are timed beside it, so that a budget that is missed has a cause.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any, cast

from tests.bench.building import Built, built_home, questions
from tests.bench.homes import open_home
from tests.bench.rights import GROUPS, SPEAKER, Rights, with_rights
from tests.bench.rows import Figure, ms
from tests.bench.timing import Stopwatch

from lobes.access.resolve import resolve
from lobes.domain.actors import Human
from lobes.domain.errors import Unavailable
from lobes.domain.ids import parse_slug
from lobes.engine.protocol import Engine, SearchReply, SearchRequest
from lobes.services.authority import facts_for
from lobes.services.installation import Caller, Installation
from lobes.services.search import search
from lobes.store.read import rows
from lobes.store.read_spaces import space_names

GROUP = "Asking"
ASKED = 200
WARMING = 30
LIMIT = 10
_LONGEST = 300.0


class TimedEngine:
    """The engine, with a stopwatch at its searches."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.watch = Stopwatch()

    def search(self, request: SearchRequest) -> SearchReply:
        replies: list[SearchReply] = []
        self.watch.time(lambda: replies.append(self._engine.search(request)))
        return replies[0]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def measure() -> Iterator[Figure]:
    for spaces, most in ((10, 0.040), (1000, 0.100)):
        yield from both(built_home(spaces), most)


def both(built: Built, most: float) -> Iterator[Figure]:
    """As its owner of a home without rights, then as somebody who reads others' Spaces."""
    yield asked(built, most)
    with with_rights(built) as rights:
        yield asked(built, most, rights=rights)


def asked(built: Built, most: float, *, group: str = GROUP, rights: Rights | None = None) -> Figure:
    """`most` seconds are the budget of 95 of 100 searches."""
    texts = questions(built.folders, ASKED + WARMING)
    with (
        open_home(built.folders) as (plain, owner),
        closing(_reference(plain, built.passages)) as table,
    ):
        caller = owner if rights is None else _speaker(owner)
        timed = TimedEngine(plain.engine)
        lobes = replace(plain, engine=cast("Engine", timed))
        whole, facts, fts = Stopwatch(), Stopwatch(), Stopwatch()
        first = _first(plain, caller, texts[0], built)
        for number, query in enumerate(texts):
            if number == WARMING:
                for watch in (whole, facts, fts, timed.watch):
                    watch.reset()
            whole.time(partial(_search, lobes, caller, query, built, rights))
            facts.time(partial(_decide, lobes, caller, built.spaces[0]))
            fts.time(partial(_fts, table, query))
    engine, rest = timed.watch, whole.p50 - timed.watch.p50 - facts.p50
    name = f"{built.passages:,} passages, {len(built.spaces):,} lobes"
    if rights is not None:
        name += (
            f" of two owners in nested groups, {len(rights.closed)} documents in {rights.lobes} of "
            "them withheld, asked by neither owner"
        )
    return Figure(
        group,
        f"search, {name}, {ASKED} questions",
        str(whole),
        f"p95 ≤ {most * 1000:.0f} ms",
        f"SQLite FTS5 in memory, the same passages: {fts}",
        whole.p95 <= most,
        f"{whole.cpu} in the face; p50 of the parts: facts and resolve {ms(facts.p50)}, engine "
        f"{ms(engine.p50)} (p95 {ms(engine.p95)}), second check, text and audit {ms(rest)}; "
        f"vectors of the passages drawn by hash; the engine's first answer took {ms(first)}",
    )


def _first(lobes: Installation, caller: Caller, query: str, built: Built) -> float:
    """Seconds until a new engine answers: reading a million vectors may outlast its deadline."""
    started = time.perf_counter()
    while time.perf_counter() - started < _LONGEST:
        try:
            if not search(lobes, caller, query, space=built.spaces[0], limit=LIMIT).degraded:
                break
        except Unavailable:
            continue
    return time.perf_counter() - started


def _speaker(owner: Caller) -> Caller:
    return replace(owner, actor=Human(parse_slug(SPEAKER)))


def _search(
    lobes: Installation, caller: Caller, query: str, built: Built, rights: Rights | None
) -> None:
    answer = search(lobes, caller, query, space=built.spaces[0], limit=LIMIT)
    assert len(answer.items) == LIMIT, query
    groups = 0 if rights is None else len(GROUPS)
    assert len(answer.drawn_on) == len(built.spaces) + 1 + groups, "all, and the person's own"
    assert not answer.degraded
    if rights is not None:
        assert rights.closed.isdisjoint(one.document for one in answer.items), query


def _decide(lobes: Installation, caller: Caller, space: str) -> None:
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        space_names(store)
    resolve(caller.actor, space, facts)


def _reference(lobes: Installation, passages: int) -> sqlite3.Connection:
    """FTS5 over the same passages, in memory: what words alone would cost without any rule."""
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE found USING fts5(title, heading, text)")
    with lobes.reading() as store:
        sql = """SELECT d.title, p.heading, p.text
                 FROM passage p JOIN document d ON d.id = p.document"""
        table.executemany("INSERT INTO found VALUES (?, ?, ?)", rows(store, sql))
    table.execute("INSERT INTO found(found) VALUES ('optimize')")
    table.commit()
    assert table.execute("SELECT count(*) FROM found").fetchone() == (passages,)
    return table


def _fts(table: sqlite3.Connection, query: str) -> None:
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
    sql = f"SELECT text FROM found WHERE found MATCH ? ORDER BY rank LIMIT {LIMIT}"
    assert rows(table, sql, (words,)), query
