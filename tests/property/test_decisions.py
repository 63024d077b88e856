"""Any decisions in any order on a real store: what the index is told, the tombstones and the links
always say what the statuses say, and nothing gets into use but by an act that brings it there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from decided import claim, do, get, remember
from homes import AHome, opened_home
from lobes.domain.memories import RETRIEVABLE
from lobes.services.decisions import Decided
from lobes.services.reviewing import undo

USE_BEGINS = {
    "accept": {"accept"},
    "merge": {"accept"},
    "supersede": {"accept"},
    "dispute": {"accept"},
    "restore": {"restore"},
    "delete": {"reinstate"},
}
SINGLE = ["accept", "reject", "reopen", "archive", "restore", "recheck", "delete"]


class Decisions(RuleBasedStateMachine):
    """Each example on a Space of its own."""

    home: AHome
    spaces: Iterator[int] = iter(range(1_000_000))
    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        name = f"prj_{next(self.spaces)}"
        self.home.a_space(name, {})
        self.lobe = f"space/{name}"
        self.all: list[str] = []
        self.edits = 0
        self.done: list[Decided] = []
        self.deleted: set[str] = set()

    @rule(target=ids, status=st.sampled_from(["proposed", "active"]), same=st.booleans())
    def add(self, status: str, same: bool) -> str:
        text = "The same." if same and status == "proposed" else claim(len(self.all))
        id = remember(self.home, text, lobe=self.lobe, status=status)
        self.all.append(id)
        return id

    def decide(self, act: str, *ids: str, **more: Any) -> None:
        before = {id: get(self.home, id) for id in self.all}
        decided = do(self.home, act, *ids, confirmed=True, **more)
        for one in decided.left:
            assert one.error.message
        if decided.done:
            self.done.append(decided)
        used = {id for id in self.all if get(self.home, id).is_retrievable}
        for id in used - {id for id, one in before.items() if one.is_retrievable}:
            acts = self.home.rows(
                "SELECT act FROM memory_version WHERE memory = ? AND version > ?",
                id,
                before[id].version,
            )
            assert USE_BEGINS[act] & {row[0] for row in acts}
        if act == "delete":
            self.deleted.update(one.id for one in decided.done)

    @rule(act=st.sampled_from(SINGLE), id=ids)
    def one(self, act: str, id: str) -> None:
        self.decide(act, id)

    @rule(act=st.sampled_from(["supersede", "merge", "dispute", "settle"]), one=ids, other=ids)
    def two(self, act: str, one: str, other: str) -> None:
        if get(self.home, other).status != "deleted":
            self.decide(act, one, target=other)

    @rule(id=ids)
    def edit(self, id: str) -> None:
        self.edits += 1
        self.decide("edit", id, text=claim(5000 + self.edits))

    @rule(some=st.sets(ids, max_size=4), act=st.sampled_from(["accept", "reject", "delete"]))
    def many(self, some: set[str], act: str) -> None:
        if some:
            self.decide(act, *sorted(some))

    @rule()
    def take_back(self) -> None:
        if not self.done:
            return
        was = self.done.pop()
        before = {id: get(self.home, id).is_retrievable for id in self.all}
        undone = undo(self.home.lobes, self.home.me, was)
        then = {m.id: m for one in was.done for m, _ in one.changes if m is not None}
        for id in self.all:
            if get(self.home, id).is_retrievable and not before[id]:
                assert then[id].is_retrievable
        self.deleted -= {m.id for one in undone.done for m, _ in one.changes if m is not None}

    @invariant()
    def the_index_is_told_what_is_in_use(self) -> None:
        last = dict(
            self.home.rows("SELECT id, op FROM outbox WHERE lobe = ? ORDER BY seq", self.lobe)
        )
        for id in self.all:
            is_used = get(self.home, id).status in RETRIEVABLE
            assert (last.get(id) == "upsert") is is_used

    @invariant()
    def a_tombstone_follows_the_status(self) -> None:
        found = dict(
            self.home.rows("SELECT id, cause FROM memory_tombstone WHERE lobe = ?", self.lobe)
        )
        statuses = {id: get(self.home, id).status for id in self.all}
        assert found == {id: one for id, one in statuses.items() if one in ("rejected", "deleted")}

    @invariant()
    def what_was_deleted_stays_out(self) -> None:
        assert all(get(self.home, id).status == "deleted" for id in self.deleted)

    @invariant()
    def links_say_what_statuses_say(self) -> None:
        statuses = {id: get(self.home, id).status for id in self.all}
        links = [
            row
            for row in self.home.rows("SELECT kind, memory, other FROM memory_link")
            if row[1] in statuses
        ]
        followed = {other for kind, _, other in links if kind in ("supersedes", "merged")}
        assert {id for id, one in statuses.items() if one == "superseded"} <= followed
        disputing = {id for kind, *ends in links if kind == "disputes" for id in ends}
        assert {id for id, one in statuses.items() if one == "disputed"} == disputing
        for kind, memory, other in links:
            if kind == "supersedes":
                assert (statuses[memory] != "deleted", statuses[other]) == (True, "superseded")


@pytest.mark.slow
def test_any_decisions_in_any_order(tmp_path: Path) -> None:
    with ExitStack() as stack:
        folder = stack.enter_context(TemporaryDirectory(dir=tmp_path))
        Decisions.home = stack.enter_context(opened_home(Path(folder) / "home"))
        run_state_machine_as_test(
            Decisions,
            settings=settings(
                max_examples=15,
                stateful_step_count=20,
                deadline=None,
                suppress_health_check=list(HealthCheck),
            ),
        )
