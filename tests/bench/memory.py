"""What stays in memory: the engine with 100,000 passages, the engine while it builds, the app."""

from __future__ import annotations

from collections.abc import Iterator

import psutil
from tests.bench.building import Built, built_home, questions
from tests.bench.homes import fresh_folders, open_home
from tests.bench.paint import memory_of
from tests.bench.rows import Figure
from tests.bench.starts import samples

from lobes.services.search import search

GROUP = "Memory"
SEARCHES = 100
RUNS = 3
_MIB = 2**20


def measure() -> Iterator[Figure]:
    for lobes in (10, 1000):
        built = built_home(lobes)
        yield _steady(built)
        yield _building(built)
    yield _app()


def _name(built: Built) -> str:
    return f"{built.passages:,} passages, {len(built.spaces):,} lobes"


def _steady(built: Built) -> Figure:
    asked = questions(built.folders, SEARCHES)
    with open_home(built.folders) as (lobes, caller):
        for query in asked:
            search(lobes, caller, query, space=built.spaces[0])
        resident = psutil.Process(lobes.engine.status().pid).memory_info().rss
    return _row(f"engine after {SEARCHES} searches, {_name(built)}", resident, 700)


def _building(built: Built) -> Figure:
    note = (
        f"the peak of a process that does what the engine's thread does, in {built.seconds:.0f} s"
    )
    return _row(f"engine while it builds, {_name(built)}", built.peak, 1126, note=note)


def _app() -> Figure:
    with fresh_folders() as folders, open_home(folders) as (lobes, caller):
        samples(lobes, caller)
        ours = memory_of(folders, RUNS)
    reference = f"a bare Textual app: {memory_of(None, RUNS) / _MIB:,.0f} MiB"
    return _row("terminal app, sample home, settled", ours, 120, reference=reference)


def _row(what: str, resident: int, most: int, *, reference: str = "", note: str = "") -> Figure:
    """`most` in MiB."""
    return Figure(
        GROUP,
        what,
        f"{resident / _MIB:,.0f} MiB",
        "≤ 1.1 GiB" if most > 1024 else f"≤ {most} MiB",
        reference,
        resident <= most * _MIB,
        note,
    )
