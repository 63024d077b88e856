"""How long a person waits in the queue of memories, an agent when it proposes, and an import.

The statements are drawn: some twelve words each, a third of them from a few hundred, so that each
has neighbours, as those of one project have.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

from tests.bench.agents import HELLO, Server
from tests.bench.homes import fresh_folders, open_home
from tests.bench.rows import Figure, median, ms, p95
from tests.bench.starts import program

from lobes.classify import VERSION
from lobes.config.folders import Folders
from lobes.domain.ids import LobeAddress
from lobes.domain.memories import Memory, Provenance, Status, statement_hash
from lobes.mcp.limits import PROPOSALS
from lobes.services.decisions import Asked, Decided
from lobes.services.importing import import_memories
from lobes.services.installation import Caller, Installation
from lobes.services.review_evidence import evidence
from lobes.services.review_queue import Item, queue
from lobes.services.reviewing import decide, undo
from lobes.services.space_adding import new_space
from lobes.store.memories import Change

GROUP = "Memories"
MANY = 10_000
IMPORTED = 5_000
BULK = 500
OPENED, DECIDED, SESSIONS = 7, 60, 4
SPACE = "prj_many"
_THINGS = """
    uploader ledger exporter scheduler gateway crane harbour invoice archive mirror cache worker
    printer scanner router kettle boiler van trailer greenhouse orchard library studio workshop
"""
_DOINGS = """
    waits retries sends keeps writes reads checks signs counts moves cleans opens closes restarts
    reports compresses rotates mirrors paints waters labels measures forwards drops
"""
_TIMES = """
    nightly weekly yearly hourly early late twice always seldom Mondays Tuesdays Fridays January
    March June October winter summer
"""


def measure() -> Iterator[Figure]:
    yield from _reviewed()
    yield from _proposed()
    yield from (_imported(is_alike=False), _imported(is_alike=True))


def statement(chance: random.Random, number: int) -> str:
    thing, doing, when = (chance.choice(some.split()) for some in (_THINGS, _DOINGS, _TIMES))
    own = " ".join(_word(chance) for _ in range(3))
    of = f"w{number % 331}eb"
    return f"The {own} {thing} of {of} {doing} {chance.randrange(2, 90)} {_word(chance)} {when}."


def _word(chance: random.Random) -> str:
    return "".join(chance.choice(pair) for pair in ("bdfgklmnprst", "aeiou") * 3)


def alike(chance: random.Random, number: int) -> str:
    """One sentence, in which a thing and two numbers differ."""
    thing, wait = chance.choice(_THINGS.split()), chance.randrange(90)
    return f"The {thing} service of batch {number} waits {wait} seconds before it retries."


def filled(lobes: Installation, caller: Caller, status: Status) -> None:
    """A Space that holds many memories in this status, all of one lobe."""
    new_space(lobes, caller, SPACE)
    # Long enough ago that they are no flood.
    chance, before = random.Random(4), lobes.clock() - timedelta(days=2)
    came = Provenance("mcp", "a session", "a client", "propose_memory")
    sample = Memory(
        id="",
        lobe=LobeAddress("space", SPACE),
        statement="",
        kind="observation",
        memory_class="project",
        epistemic="agent_inference",
        status=status,
        author="agent",
        person="me",
        content_hash="",
        classifier=VERSION,
        created=before,
        updated=before,
        provenance=came,
        waits_for=("policy",) if status == "proposed" else (),
    )
    for start in range(0, MANY, 1000):
        with lobes.database().begin() as unit:
            texts = [statement(chance, number) for number in range(start, start + 1000)]
            made = [
                replace(sample, id=lobes.new_id(), statement=one, content_hash=statement_hash(one))
                for one in texts
            ]
            unit.memories.put_all([Change(one, "propose", "ai:me/reader") for one in made])
            unit.commit()


# A person ----------------------------------------------------------------------------------------


def _reviewed() -> Iterator[Figure]:
    with fresh_folders() as folders, open_home(folders) as (lobes, caller):
        filled(lobes, caller, "proposed")
        took: list[float] = []
        for _ in range(OPENED):
            started = time.perf_counter()
            items = queue(lobes, caller).items
            took.append(time.perf_counter() - started)
        assert len(items) == MANY
        what = f"queue of {MANY:,} proposals: opened, {OPENED} times"
        yield _row(what, ms(median(took)), "≤ 0.3 s", median(took) <= 0.3)
        yield _one_by_one(lobes, caller, items[: DECIDED + 1])
        yield _in_bulk(lobes, caller)


def _one_by_one(lobes: Installation, caller: Caller, items: tuple[Item, ...]) -> Figure:
    """A decision, and the evidence of what stands under the cursor then."""
    took: list[float] = []
    evidence(lobes, caller, items[0].id)
    for item, following in pairwise(items):
        started = time.perf_counter()
        decided = decide(lobes, caller, "accept", (_asked(item),))
        evidence(lobes, caller, following.id)
        took.append(time.perf_counter() - started)
        assert decided.done, decided
    figure = f"p50 {ms(median(took))}, p95 {ms(p95(took))}"
    what = f"decision → the evidence of the next one, {DECIDED} of {MANY:,}"
    return _row(what, figure, "p95 ≤ 50 ms", p95(took) <= 0.05)


def _in_bulk(lobes: Installation, caller: Caller) -> Figure:
    free = [
        one for one in queue(lobes, caller).items if not one.brakes or one.brakes == ("policy",)
    ]
    some = tuple(_asked(one) for one in free[:BULK])
    started = time.perf_counter()
    decided = decide(lobes, caller, "accept", some)
    took = time.perf_counter() - started
    assert len(decided.done) == BULK, (len(decided.done), decided.left[:3])
    note = f"taken back by one undo in {ms(_undone(lobes, caller, decided))}"
    what = f"{BULK} accepted at once, of {MANY:,}"
    return replace(_row(what, ms(took), "≤ 2 s", took <= 2), note=note)


def _undone(lobes: Installation, caller: Caller, decided: Decided) -> float:
    started = time.perf_counter()
    undone = undo(lobes, caller, decided)
    assert len(undone.done) == len(decided.done)
    return time.perf_counter() - started


def _asked(item: Item) -> Asked:
    return Asked(item.id, item.shown, confirmed=True)


# An agent ----------------------------------------------------------------------------------------


def _proposed() -> Iterator[Figure]:
    """The index is left alone: what waits isn't in it, and neighbours are found by the store."""
    with fresh_folders() as folders, open_home(folders) as (lobes, caller):
        filled(lobes, caller, "active")
        firsts: list[float] = []
        others: list[float] = []
        for session in range(SESSIONS):
            first, *more = _session(folders, session)
            firsts.append(first)
            others += more
    what = f"`propose_memory` by an agent, {MANY:,} memories, neighbours included"
    figure = f"p50 {ms(median(others))}, p95 {ms(p95(others))}"
    note = f"{len(others)} calls; the first one of a session, which reads the words of the lobe, "
    note += f"{ms(median(firsts))}"
    yield replace(_row(what, figure, "p95 ≤ 100 ms", p95(others) <= 0.1), note=note)


def _session(folders: Folders, number: int) -> Iterator[float]:
    chance = random.Random(f"session {number}")
    home = str(folders.data.parent)
    with Server([*program(), "--home", home, "mcp", "--space", SPACE]) as server:
        server.ask("initialize", **HELLO)
        server.say("notifications/initialized")
        for call in range(PROPOSALS):
            given = {
                "statement": statement(chance, call),
                "kind": "observation",
                "derived_from_external": False,
            }
            started = time.perf_counter()
            done = server.ask("tools/call", name="propose_memory", arguments=given)
            yield time.perf_counter() - started
            assert '"pending"' in done["content"][0]["text"], done


# An import ---------------------------------------------------------------------------------------


def _imported(*, is_alike: bool) -> Figure:
    chance, make = random.Random(7), alike if is_alike else statement
    with fresh_folders() as folders, open_home(folders) as (lobes, caller):
        new_space(lobes, caller, SPACE)
        path = _exported(folders.data.parent, [make(chance, n) for n in range(IMPORTED)])
        cpu, started = time.process_time(), time.perf_counter()
        done = import_memories(lobes, caller, SPACE, path)
        took, cpu = time.perf_counter() - started, time.process_time() - cpu
    assert done.proposed + done.repeats == IMPORTED, done
    what = f"{IMPORTED:,} statements imported{', all of them nearly alike' if is_alike else ''}"
    return replace(_row(what, f"{took:.1f} s", "≤ 30 s", took <= 30), note=f"CPU {cpu:.1f} s")


def _exported(folder: Path, statements: list[str]) -> Path:
    """A file as the reference memory server keeps it, ten statements of each thing."""
    path = folder / "memory.jsonl"
    lines = [
        {
            "type": "entity",
            "name": f"thing {start}",
            "entityType": "thing",
            "observations": statements[start : start + 10],
        }
        for start in range(0, len(statements), 10)
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    return path


def _row(what: str, figure: str, budget: str, met: bool) -> Figure:
    return Figure(GROUP, what, figure, budget, met=met)
