"""A search through the services, with the real engine: authorized, resolved, found, checked again.

The parts of each search are timed beside it, so that a budget that is missed has a cause.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any, cast

from lobes.access.resolve import resolve
from lobes.engine.protocol import Engine, SearchReply, SearchRequest
from lobes.services.authority import facts_for
from lobes.services.installation import Caller, Installation
from lobes.services.search import search
from lobes.store.read import rows
from lobes.store.read_spaces import space_names
from tests.bench.building import PASSAGES, Built, built_home, questions
from tests.bench.homes import open_home
from tests.bench.rows import Figure, median, ms, p95

GROUP = "Asking"
ASKED = 200
WARMING = 30
LIMIT = 10


class TimedEngine:
    """The engine, and the seconds that its last search took."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.seconds = 0.0

    def search(self, request: SearchRequest) -> SearchReply:
        started = time.perf_counter()
        reply = self._engine.search(request)
        self.seconds += time.perf_counter() - started
        return reply

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


def measure() -> list[Figure]:
    found: list[Figure] = []
    for spaces, most in ((10, 0.040), (1000, 0.100)):
        found += _asked(built_home(spaces), most)
    what = "1,000,000 passages, 10 lobes"
    budget = "p95 ≤ 120 ms, filtered recall ≥ 0.95"
    note = "building its index takes most of an hour; `tests.bench.building` makes it"
    return [*found, Figure(GROUP, what, "not measured", budget, note=note)]


def _asked(built: Built, most: float) -> list[Figure]:
    asked = questions(built.folders, ASKED + WARMING)
    with (
        open_home(built.folders) as (plain, caller),
        closing(_reference(plain)) as table,
    ):
        timed = TimedEngine(plain.engine)
        lobes = replace(plain, engine=cast("Engine", timed))
        wholes: list[float] = []
        engines: list[float] = []
        facts: list[float] = []
        fts: list[float] = []
        for number, query in enumerate(asked):
            timed.seconds = 0.0
            whole = _timed(partial(_search, lobes, caller, query, built))
            own = _timed(partial(_decide, lobes, caller, built.spaces[0]))
            bare = _timed(partial(_fts, table, query))
            if number >= WARMING:
                wholes.append(whole)
                engines.append(timed.seconds)
                facts.append(own)
                fts.append(bare)
    rest = median(wholes) - median(engines) - median(facts)
    name = f"{built.passages:,} passages, {len(built.spaces):,} lobes"
    return [
        Figure(
            GROUP,
            f"search, {name}, {ASKED} questions",
            f"p50 {ms(median(wholes))}, p95 {ms(p95(wholes))}",
            f"p95 ≤ {most * 1000:.0f} ms",
            f"SQLite FTS5, the same passages: p50 {ms(median(fts))}, p95 {ms(p95(fts))}",
            p95(wholes) <= most,
            f"p50 of the parts: facts and resolve {ms(median(facts))}, engine "
            f"{ms(median(engines))} (p95 {ms(p95(engines))}), second check, text and audit "
            f"{ms(rest)}; vectors of the passages drawn by hash",
        )
    ]


def _search(lobes: Installation, caller: Caller, query: str, built: Built) -> None:
    answer = search(lobes, caller, query, space=built.spaces[0], limit=LIMIT)
    assert len(answer.items) == LIMIT, query
    assert len(answer.drawn_on) == len(built.spaces) + 1, "all lobes and the person's own"
    assert not answer.degraded


def _decide(lobes: Installation, caller: Caller, space: str) -> None:
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        space_names(store)
    resolve(caller.actor, space, facts)


def _reference(lobes: Installation) -> sqlite3.Connection:
    """FTS5 over the same passages, in memory: what words alone would cost without any rule."""
    table = sqlite3.connect(":memory:")
    table.execute("CREATE VIRTUAL TABLE found USING fts5(title, heading, text)")
    with lobes.reading() as store:
        sql = """SELECT d.title, p.heading, p.text
                 FROM passage p JOIN document d ON d.id = p.document"""
        table.executemany("INSERT INTO found VALUES (?, ?, ?)", rows(store, sql))
    table.execute("INSERT INTO found(found) VALUES ('optimize')")
    table.commit()
    assert table.execute("SELECT count(*) FROM found").fetchone() == (PASSAGES,)
    return table


def _fts(table: sqlite3.Connection, query: str) -> None:
    words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", query))
    sql = f"SELECT text FROM found WHERE found MATCH ? ORDER BY rank LIMIT {LIMIT}"
    assert len(rows(table, sql, (words,))) == LIMIT, query


def _timed(do: Callable[[], object]) -> float:
    started = time.perf_counter()
    do()
    return time.perf_counter() - started
