"""A memory that is given in an answer counts as used; nothing else changes by it, and no read waits
for the store."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from homes import AHome
from lobes.clock import utc_now
from lobes.domain.actors import parse_actor
from lobes.domain.errors import NotFound
from lobes.domain.memories import Memory, shown_hash
from lobes.mcp.calls import Asked, Session
from lobes.mcp.limits import Limits
from lobes.mcp.retrieval import read
from lobes.mcp.retrieval import search as mcp_search
from lobes.services.installation import Caller
from lobes.store import unit_of_work
from lobes.store.database import open_database
from lobes.store.uses import note_uses
from remembered import remember

STRANGER = Caller(parse_actor("user:bob"), "cli", is_present=True)


@pytest.fixture
def world(home: AHome) -> AHome:
    home.a_space("prj_a", {"a.md": "# A\n\nharbour crane\n"})
    home.a_space("prj_b", {"b.md": "# B\n\nledger\n"})
    home.execute("INSERT INTO person VALUES ('bob', 'Bob', 0, '2026-01-01T00:00:00+00:00')")
    home.index()
    return home


def a_write(home: AHome) -> None:
    """Whatever commits to the store next."""
    with home.lobes.database().begin() as unit:
        unit.commit()


def counted(home: AHome) -> dict[str, int]:
    return dict(home.rows("SELECT id, use_count FROM memory WHERE use_count > 0"))


def stored(home: AHome, memory: Memory) -> Memory:
    with home.lobes.database().begin() as unit:
        found = unit.memories.get(memory.id)
    assert found is not None
    return found


def test_an_answer_counts_with_the_next_write_and_changes_nothing_else(world: AHome) -> None:
    given = remember(world, "space/prj_a", "zephyr cap")
    other = remember(world, "space/prj_a", "ledger of the harbour")
    world.settle()
    before, head = stored(world, given), world.rows("SELECT seq FROM sqlite_sequence")
    answer = world.ask("zephyr cap", "prj_a", limit=1)
    assert [hit.id for hit in answer.items] == [given.id]
    assert counted(world) == {}
    a_write(world)
    assert counted(world) == {given.id: 1}
    now = stored(world, given)
    assert now.last_retrieved is not None
    assert now.last_retrieved > before.updated
    assert replace(now, last_retrieved=None, use_count=0) == before
    assert shown_hash(now) == shown_hash(before)
    assert len(world.rows("SELECT * FROM memory_version WHERE memory = ?", given.id)) == 1
    assert world.rows("SELECT seq FROM sqlite_sequence") == head
    a_write(world)
    assert counted(world) == {given.id: 1}, "counted once"
    assert stored(world, other).last_retrieved is None


def test_a_read_under_a_write_of_somebody_else_waits_for_nothing(world: AHome) -> None:
    given = remember(world, "space/prj_a", "zephyr cap")
    world.settle()
    with world.lobes.database().begin():
        assert world.ask("zephyr", "prj_a").items[0].id == given.id
    assert counted(world) == {}, "that unit was rolled back"
    a_write(world)
    assert counted(world) == {given.id: 1}


def test_whoever_may_not_read_counts_nothing(world: AHome) -> None:
    remember(world, "space/prj_a", "zephyr cap")
    remember(world, "personal/ada", "zephyr of health", category="health")
    world.settle()
    with pytest.raises(NotFound):
        world.ask("zephyr", "prj_a", by=STRANGER)
    agent = world.agent("prj_b")
    with pytest.raises(NotFound):
        world.ask("zephyr", "prj_a", by=agent)
    waits = remember(world, "space/prj_a", "zephyr that waits", status="proposed")
    world.settle()
    world.ask("zephyr", "prj_a", by=world.agent("prj_a"))
    a_write(world)
    names = dict(world.rows("SELECT id, statement FROM memory"))
    assert [names[id] for id in counted(world)] == ["zephyr cap"]
    assert waits.id not in counted(world)


def test_an_agent_counts_what_its_page_holds_and_what_it_reads(world: AHome) -> None:
    every = [remember(world, "space/prj_a", f"zephyr {word}") for word in ("cap", "hat", "bag")]
    world.settle()
    asked = Asked(world.lobes, world.agent("prj_a"), Session("s", Limits()), "client", "search")
    page: Any = mcp_search(asked, {"query": "zephyr", "limit": 2})
    a_write(world)
    assert counted(world) == {one["id"]: 1 for one in page["items"]}
    (left,) = {one.id for one in every} - set(counted(world))
    read(asked, {"id": left})
    a_write(world)
    assert counted(world) == {one.id: 1 for one in every}


def test_two_contesting_ones_are_given_together_and_both_count(world: AHome) -> None:
    one = remember(world, "space/prj_a", "zephyr cap is 5")
    other = remember(world, "space/prj_a", "zephyr cap is 6", disputes=one)
    world.settle()
    world.ask("zephyr", "prj_a", limit=1)
    a_write(world)
    assert counted(world) == {one.id: 1, other.id: 1}


NOTING = """
import sys
from pathlib import Path
from lobes.clock import utc_now
from lobes.store.uses import note_uses
print("ready", flush=True)
sys.stdin.read(1)
for _ in range(300):
    note_uses(Path(sys.argv[1]), [sys.argv[2]], utc_now())
"""


def test_two_processes_lose_no_use_to_the_units_that_count_them(world: AHome) -> None:
    given = remember(world, "space/prj_a", "zephyr cap")
    words = [sys.executable, "-c", NOTING, str(world.folders.store), given.id]
    pipe = subprocess.PIPE
    readers = [subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True) for _ in range(2)]
    for one in readers:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in readers:
        assert one.stdin is not None
        one.stdin.write("x")
        one.stdin.flush()
    while any(one.poll() is None for one in readers):
        a_write(world)
    for one in readers:
        assert one.wait() == 0
        for stream in (one.stdin, one.stdout):
            assert stream is not None
            stream.close()
    a_write(world)
    a_write(world)
    assert counted(world) == {given.id: 600}


def test_a_use_counts_once_though_another_process_writes_before_it_is_forgotten(
    world: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lock of the store is gone by then."""
    given = remember(world, "space/prj_a", "zephyr cap")
    other = open_database(world.folders.store, backups=world.folders.backups, clock=utc_now)
    forget = unit_of_work.forget_taken

    def slowly(*taken: Any) -> None:
        monkeypatch.setattr(unit_of_work, "forget_taken", forget)
        with other.begin() as unit:
            unit.commit()
        forget(*taken)

    note_uses(world.folders.store, [given.id], utc_now())
    monkeypatch.setattr(unit_of_work, "forget_taken", slowly)
    a_write(world)
    a_write(world)
    other.close()
    assert counted(world) == {given.id: 1}
