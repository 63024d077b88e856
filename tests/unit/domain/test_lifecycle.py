"""What an act on one memory does to those tied to it."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from lobes.domain.errors import Conflict, Invalid, LobesError, NotFound
from lobes.domain.ids import LobeAddress
from lobes.domain.lifecycle import Lives, Tie
from lobes.domain.memories import Memory, Status

NOW = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
LOBE = LobeAddress("space", "prj_a")


def memory(id: str, status: Status = "active") -> Memory:
    return Memory(
        id, LOBE, f"Statement {id}", "context", "project", "agent_inference", status, "agent",
        "ada", f"hash-{id}", NOW, NOW,
    )  # fmt: skip


def lives(*ties: Tie, **statuses: Status) -> Lives:
    return Lives({id: memory(id, status) for id, status in statuses.items()}, ties, now=NOW)


def statuses(found: Lives, *ids: str) -> dict[str, str]:
    return {id: found[id].status for id in ids}


def test_a_proposal_that_supersedes_is_accepted_and_the_old_one_out_of_use() -> None:
    found = lives(new="proposed", old="active")
    found.supersede("new", "old")
    assert statuses(found, "new", "old") == {"new": "active", "old": "superseded"}
    assert found.tied == {Tie("supersedes", "new", "old")}
    assert [step.act for step in found.steps] == ["accept", "supersede"]


def test_the_old_one_is_in_use_again_once_its_successor_goes() -> None:
    found = lives(Tie("supersedes", "new", "old"), new="active", old="superseded")
    found.delete("new")
    assert statuses(found, "new", "old") == {"new": "deleted", "old": "active"}
    assert found.untied == {Tie("supersedes", "new", "old")}


def test_a_link_of_a_chain_that_goes_leaves_the_chain_whole() -> None:
    chain = (Tie("supersedes", "b", "a"), Tie("supersedes", "c", "b"))
    found = lives(*chain, a="superseded", b="superseded", c="active")
    found.delete("b")
    assert statuses(found, "a", "b", "c") == {"a": "superseded", "b": "deleted", "c": "active"}
    assert found.tied == {Tie("supersedes", "c", "a")}
    found.delete("c")
    assert found["a"].status == "active"


def test_of_two_successors_one_may_go() -> None:
    both = (Tie("supersedes", "b", "a"), Tie("supersedes", "c", "a"))
    found = lives(*both, a="superseded", b="active", c="active")
    found.delete("b")
    assert found["a"].status == "superseded"


def test_two_in_dispute_are_settled_when_one_goes() -> None:
    for act in ("delete", "supersede"):
        found = lives(a="active", b="active", c="active")
        found.dispute("a", "b")
        assert statuses(found, "a", "b") == {"a": "disputed", "b": "disputed"}
        if act == "delete":
            found.delete("a")
        else:
            found.supersede("b", "a")
        assert found["b"].status == "active"
        assert not [tie for tie in found.tied if tie.kind == "disputes"]


def test_one_in_two_disputes_stays_disputed_until_both_are_over() -> None:
    found = lives(a="active", b="active", c="active")
    found.dispute("a", "b")
    found.dispute("a", "c")
    found.delete("b")
    assert statuses(found, "a", "c") == {"a": "disputed", "c": "disputed"}
    found.settle("c", "a")
    assert statuses(found, "a", "c") == {"a": "active", "c": "active"}


def test_a_dispute_is_one_link_whichever_way_it_is_said() -> None:
    found = lives(a="active", b="active")
    found.dispute("a", "b")
    found.dispute("b", "a")
    assert found.tied == {Tie("disputes", "a", "b")}


def test_what_was_folded_in_comes_back_only_if_it_had_been_in_use() -> None:
    found = lives(kept="active", used="active", variant="proposed")
    found.merge("used", "kept")
    found.merge("variant", "kept")
    found.delete("kept")
    assert statuses(found, "used", "variant") == {"used": "active", "variant": "superseded"}


@pytest.mark.parametrize(
    ("status", "act"),
    [
        ("superseded", "restore"),
        ("rejected", "restore"),
        ("deleted", "restore"),
        ("proposed", "archive"),
        ("disputed", "archive"),
        ("active", "accept"),
        ("deleted", "delete"),
        ("rejected", "accept"),
    ],
)
def test_what_no_arrow_leads_to_is_a_conflict(status: Status, act: str) -> None:
    """AZ-26: restore brings back what is archived, and nothing else."""
    with pytest.raises(Conflict) as caught:
        getattr(lives(a=status), act)("a")
    assert caught.value.reason == "wrong_status"


def test_nothing_supersedes_itself_or_what_is_not_there() -> None:
    with pytest.raises(Invalid):
        lives(a="active").supersede("a", "a")
    with pytest.raises(NotFound):
        lives(a="active").supersede("a", "b")


def test_an_act_that_fails_half_way_leaves_nothing_of_itself() -> None:
    found = lives(new="proposed", old="archived")
    with pytest.raises(Conflict), found.whole():
        found.supersede("new", "old")
    assert (found["new"].status, found.steps, found.tied) == ("proposed", [], frozenset())


class Everything(RuleBasedStateMachine):
    """Any acts in any order: the three things that keep holding, and how use begins."""

    ids = Bundle("ids")

    @initialize()
    def begin(self) -> None:
        self.now = 0
        self.memories: dict[str, Memory] = {}
        self.ties: frozenset[Tie] = frozenset()
        self.gone: set[str] = set()

    @rule(target=ids, status=st.sampled_from(["proposed", "active"]))
    def add(self, status: Status) -> str:
        id = f"m{len(self.memories)}"
        self.memories[id] = memory(id, status)
        return id

    def act(self, name: str, *ids: str) -> None:
        found = Lives(self.memories, self.ties, now=NOW)
        try:
            with found.whole():
                getattr(found, name)(*ids)
        except LobesError:
            assert not found.steps
            assert not found.tied
            assert not found.untied
            return
        for step in found.steps:
            if step.after.is_retrievable and not step.before.is_retrievable:
                assert step.act in {"accept", "restore", "reinstate"}
            if step.act == "reinstate":
                assert name == "delete"
        self.memories |= {step.after.id: step.after for step in found.steps}
        self.ties = (self.ties - found.untied) | found.tied
        if name == "delete":
            self.gone |= set(ids)

    @rule(name=st.sampled_from(["accept", "reject", "reopen", "archive", "restore"]), id=ids)
    def one(self, name: str, id: str) -> None:
        self.act(name, id)

    @rule(id=ids)
    def delete(self, id: str) -> None:
        self.act("delete", id)

    @rule(name=st.sampled_from(["supersede", "merge", "dispute", "settle"]), one=ids, other=ids)
    def two(self, name: str, one: str, other: str) -> None:
        self.act(name, one, other)

    @rule(id=ids)
    def edit(self, id: str) -> None:
        found = Lives(self.memories, self.ties, now=NOW)
        found.edit(id, replace(self.memories[id], statement="Other", status="active"))
        assert found[id].status == self.memories[id].status

    @invariant()
    def what_was_deleted_stays_out(self) -> None:
        assert all(self.memories[id].status == "deleted" for id in self.gone)

    @invariant()
    def what_is_superseded_has_a_successor_and_no_other_has(self) -> None:
        followed = {tie.other for tie in self.ties if tie.kind in ("supersedes", "merged")}
        superseded = {id for id, one in self.memories.items() if one.status == "superseded"}
        assert superseded <= followed
        for tie in self.ties:
            if tie.kind == "supersedes":
                assert self.memories[tie.other].status == "superseded"
                assert self.memories[tie.memory].status != "deleted"

    @invariant()
    def who_disputes_is_disputed_and_the_other_way_round(self) -> None:
        disputing = {id for tie in self.ties if tie.kind == "disputes" for id in tie[1:]}
        disputed = {id for id, one in self.memories.items() if one.status == "disputed"}
        assert disputing == disputed

    @invariant()
    def no_chain_runs_in_a_circle(self) -> None:
        for start in self.memories:
            seen, todo = set[str](), [start]
            while todo:
                for tie in self.ties:
                    if (
                        tie.kind == "supersedes"
                        and tie.memory == todo[-1]
                        and tie.other not in seen
                    ):
                        assert tie.other != start
                        seen.add(tie.other)
                        todo.insert(0, tie.other)
                todo.pop()


Everything.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestEverything = Everything.TestCase
