"""Who may do what, and which lobes a Space may draw on, decided for every Space of a big home."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import partial

from tests.bench.building import many_spaces
from tests.bench.homes import open_home
from tests.bench.rows import Figure, median
from tests.bench.timing import Stopwatch

from lobes.access.authorize import authorize
from lobes.access.facts import Resource
from lobes.access.resolve import resolve
from lobes.domain.actors import Ai, person_of
from lobes.domain.ids import Slug
from lobes.services.authority import facts_for
from lobes.store.read import connect, rows

GROUP = "Resolving"
_PLAIN = """
    SELECT id, owner, group_id, permission, status, is_private, cross_space, config_ok
    FROM space ORDER BY id
"""


def measure() -> Iterator[Figure]:
    yield _authorized(1_000, 20e-6)
    yield from _resolved(1_000, 0.005, runs=101)
    yield from _resolved(10_000, 0.050, runs=41)


def _resolved(count: int, most: float, *, runs: int) -> list[Figure]:
    folders, (asking, *_) = many_spaces(count)
    with open_home(folders) as (lobes, caller):
        given, loaded, plain = Stopwatch(), Stopwatch(), Stopwatch()
        with closing(connect(folders.store)) as bare, lobes.reading() as store:
            for _ in range(runs):
                facts = facts_for(store, caller, asking)
                # Fresh each time: facts remember their answers.
                given.time(partial(resolve, caller.actor, asking, facts))
                loaded.time(lambda: resolve(caller.actor, asking, facts_for(store, caller, asking)))
                plain.time(lambda: rows(bare, _PLAIN))
            decided = resolve(caller.actor, asking, facts_for(store, caller, asking))
    assert len(decided) == count + 1
    assert len({one.reason for one in decided}) >= 8
    what = f"{count:,} Spaces, {{}}, {runs} runs"
    reference = f"the same rows of SQLite, untouched: {plain}"
    budget = f"p95 ≤ {most * 1000:.0f} ms"
    is_met = given.p95 <= most
    # The reference has the same p95: it only walks over the rows.
    cause = "" if is_met else "; what is above that is garbage collection over the facts"
    known, read = what.format("facts given"), what.format("facts loaded from SQLite")
    return [
        Figure(GROUP, known, str(given), budget, reference, is_met, f"{given.cpu}{cause}"),
        Figure(GROUP, read, str(loaded), "", reference, None, loaded.cpu),
    ]


VERBS = ("read_meta", "read_content", "edit_content", "change_permission")


def _authorized(count: int, most: float, *, runs: int = 21) -> Figure:
    """Every Space of a big home, four verbs each, as its person and as an agent of one Space."""
    folders, (asking, *_) = many_spaces(count)
    with open_home(folders) as (lobes, caller), lobes.reading() as store:
        facts = facts_for(store, caller, asking)
    agent = Ai(person_of(caller.actor), "editor", Slug(asking))
    spaces = [Resource("space", one) for one in facts.spaces]
    asked = [
        (actor, verb, one) for actor in (caller.actor, agent) for verb in VERBS for one in spaces
    ]

    def each() -> None:
        for actor, verb, one in asked:
            authorize(actor, verb, one, facts)

    def walked() -> None:
        for _ in asked:
            pass

    taken, bare = Stopwatch(), Stopwatch()
    for _ in range(runs):
        taken.time(each)
        bare.time(walked)
    call = taken.p50 / len(asked)
    return Figure(
        GROUP,
        f"authorize, facts given, {count:,} Spaces × {len(VERBS)} verbs × 2 actors, {runs} runs",
        f"{call * 1e6:.1f} µs a call",
        f"≤ {most * 1e6:.0f} µs",
        f"the same loop with nothing in it: {bare.p50 / len(asked) * 1e6:.2f} µs",
        call <= most,
        f"CPU {median(taken.cpus) / len(asked) * 1e6:.1f} µs",
    )
