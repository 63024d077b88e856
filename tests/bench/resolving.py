"""Which lobes a Space may draw on, decided for every Space of a big home."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing

from lobes.access.resolve import resolve
from lobes.domain.lobes import LobeConfig, parse_subscription
from lobes.services.authority import facts_for
from lobes.store.read import connect, rows
from tests.bench.building import add_spaces
from tests.bench.homes import fresh_folders, open_home
from tests.bench.rows import Figure, median, ms, p95

GROUP = "Resolving"
RUNS = 101
_PLAIN = """
    SELECT id, owner, group_id, permission, status, is_private, cross_space, config_ok
    FROM space ORDER BY id
"""


def measure() -> list[Figure]:
    return [*_resolved(1_000, 0.005), *_resolved(10_000, 0.050)]


def configs(count: int) -> list[LobeConfig]:
    """Half of them as they come, the others private, Ask first, Closed, tagged or turned away.

    The first one asks: it subscribes to a tag and to a Space, excludes one and mutes one.
    """
    first = LobeConfig(
        subscriptions=(parse_subscription("tag:craft"), parse_subscription("space:prj_00007")),
        excluded_from=("prj_00009",),
        muted=("space/prj_00011",),
    )
    kinds = (
        LobeConfig(is_private=True),
        LobeConfig(cross_space="ask"),
        LobeConfig(cross_space="deny", tags=("craft",)),
        LobeConfig(tags=("craft", "law")),
        LobeConfig(excluded_from=("prj_00000",)),
    )
    others = [LobeConfig() if n % 2 else kinds[n // 2 % len(kinds)] for n in range(1, count)]
    return [first, *others]


def _resolved(count: int, most: float) -> list[Figure]:
    with fresh_folders() as folders, open_home(folders) as (lobes, caller):
        asking = add_spaces(lobes, configs(count))[0]
        given: list[float] = []
        loaded: list[float] = []
        plain: list[float] = []
        with closing(connect(folders.store)) as bare, lobes.reading() as store:
            for _ in range(RUNS):
                facts = facts_for(store, caller, asking)
                # Fresh each time: facts remember their answers.
                given.append(_timed(lambda facts=facts: resolve(caller.actor, asking, facts)))
                loaded.append(
                    _timed(lambda: resolve(caller.actor, asking, facts_for(store, caller, asking)))
                )
                plain.append(_timed(lambda: rows(bare, _PLAIN)))
            decided = resolve(caller.actor, asking, facts_for(store, caller, asking))
    assert len(decided) == count + 1
    assert len({one.reason for one in decided}) >= 8
    return _rows(count, most, given, loaded, plain)


def _rows(
    count: int, most: float, given: list[float], loaded: list[float], plain: list[float]
) -> list[Figure]:
    reference = f"the same rows of SQLite, untouched: p50 {ms(median(plain))}"
    return [
        Figure(
            GROUP,
            f"{count:,} Spaces, facts given, {RUNS} runs",
            f"p50 {ms(median(given))}, p95 {ms(p95(given))}",
            f"p95 ≤ {most * 1000:.0f} ms",
            reference,
            p95(given) <= most,
        ),
        Figure(
            GROUP,
            f"{count:,} Spaces, facts loaded from SQLite, {RUNS} runs",
            f"p50 {ms(median(loaded))}, p95 {ms(p95(loaded))}",
            "",
            reference,
        ),
    ]


def _timed(do: Callable[[], object]) -> float:
    started = time.perf_counter()
    do()
    return time.perf_counter() - started
