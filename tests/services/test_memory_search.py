"""Memories are found beside passages, in every kind of lobe, and never when they may not be."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.lobe_change import LobeChange
from lobes.domain.memories import STATUSES
from lobes.domain.permissions import parse_permission
from lobes.services.hits import Hit
from lobes.services.installation import Caller
from lobes.services.lobe_changes import save
from lobes.services.status import home_status
from remembered import LONG_AGO, change, remember

BOB = Caller(parse_actor("user:bob"), "cli", is_present=True)


@pytest.fixture
def world(home: AHome) -> AHome:
    """Two open Spaces and a private one of Ada's, and a team of hers with Bob in it."""
    home.a_space("prj_a", {"a.md": "# A\n\nharbour crane\n"})
    home.a_space("prj_b", {"b.md": "# B\n\nledger\n"})
    home.a_space("prj_lone", {"c.md": "# C\n\nledger\n"}, LobeChange(is_private=True))
    now = "2026-01-01T00:00:00+00:00"
    home.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'Bob', ?)", now)
    home.execute(
        "INSERT INTO person_group (id, kind, name, created) VALUES ('team_x', 'team', 'X', ?)", now
    )
    for person, role in (("ada", "owner"), ("bob", "member")):
        home.execute("INSERT INTO membership VALUES ('team_x', ?, ?, ?)", person, role, now)
    home.index()
    return home


def found(home: AHome, query: str = "zephyr", space: str = "prj_a", *, by: Caller | None = None,
          limit: int = 100) -> list[Hit]:  # fmt: skip
    """The memories that a search gives, by a word of the query or beside such a one."""
    items = home.ask(query, space, by=by, limit=limit).items
    return [one for one in items if one.kind == "memory"]


def ids(hits: list[Hit]) -> list[str]:
    return [one.id for one in hits]


@pytest.mark.parametrize(
    ("lobe", "reason", "space", "name"),
    [
        ("space/prj_a", "own", "prj_a", "Prj_A"),
        ("space/prj_b", "sibling", "prj_b", "Prj_B"),
        ("personal/ada", "personal", "", "ada"),
        ("team/team_x", "member", "", "X"),
    ],
)
def test_a_memory_is_found_in_every_kind_of_lobe(
    world: AHome, lobe: str, reason: str, space: str, name: str
) -> None:
    memory = remember(world, lobe, "Retry with zephyr back-off,\nup to a minute.")
    world.settle()
    (hit,) = found(world)
    assert (hit.id, hit.kind, hit.lobe, hit.reason) == (memory.id, "memory", lobe, reason)
    assert (hit.space, hit.name, hit.path) == (space, name, "")
    assert hit.text == memory.statement
    assert hit.title == "Retry with zephyr back-off, up to a minute."
    assert hit.memory is not None
    assert (hit.memory.status, hit.memory.author, hit.memory.kind) == ("active", "user", "decision")
    assert not hit.memory.is_contested


def test_its_subject_is_its_title_and_is_found(world: AHome) -> None:
    remember(world, "space/prj_a", "Sixty seconds.", subject="zephyr cap")
    world.settle()
    assert [one.title for one in found(world)] == ["zephyr cap"]


@pytest.mark.parametrize("lobe", ["space/prj_a", "personal/ada", "team/team_x"])
@pytest.mark.parametrize("status", sorted(set(STATUSES) - {"active", "disputed"}))
def test_only_what_is_active_is_found(world: AHome, lobe: str, status: str) -> None:
    """AZ-26."""
    remember(world, lobe, "zephyr", status=status)
    world.settle()
    assert found(world) == []


@pytest.mark.parametrize("status", sorted(set(STATUSES) - {"active", "disputed"}))
def test_what_leaves_is_gone_at_once_also_while_the_index_lags(world: AHome, status: str) -> None:
    """AZ-26."""
    memory = remember(world, "space/prj_a", "zephyr")
    other = remember(world, "space/prj_a", "zephyr too")
    world.settle()
    assert set(ids(found(world))) == {memory.id, other.id}
    world.execute("UPDATE memory SET written_status = ? WHERE id = ?", status, memory.id)
    assert ids(found(world)) == [other.id], "no outbox row: the index knows it still"
    world.execute("UPDATE memory SET written_status = 'active' WHERE id = ?", memory.id)
    assert set(ids(found(world))) == {memory.id, other.id}


def test_a_moved_memory_is_not_found_under_its_old_scope(world: AHome) -> None:
    """AZ-17."""
    memory = remember(world, "space/prj_b", "zephyr")
    world.settle()
    assert ids(found(world)) == [memory.id]
    world.execute("UPDATE memory SET lobe = 'space/prj_lone', space = 'prj_lone'")
    assert found(world) == [], "the index has it in the open Space still"
    world.execute("UPDATE memory SET lobe = 'space/prj_b', space = 'prj_b'")
    change(world, memory, lobe=memory.lobe._replace(id="prj_lone"))
    world.settle()
    assert found(world) == []
    assert ids(found(world, space="prj_lone")) == [memory.id]


def test_an_edited_memory_is_found_by_its_new_words_alone(world: AHome) -> None:
    memory = remember(world, "space/prj_a", "zephyr")
    world.settle()
    world.execute("UPDATE memory SET statement = 'crane' WHERE id = ?", memory.id)
    assert found(world) == []
    change(world, memory, statement="harbour crane", subject="")
    world.settle()
    assert [one.text for one in found(world, "harbour") if one.words] == ["harbour crane"]


def test_five_are_found_where_the_best_twenty_are_hidden(world: AHome) -> None:
    """AZ-20."""
    private = parse_permission('{"visibility": "private"}')
    for number in range(20):
        remember(world, "team/team_x", f"zephyr zephyr {number}", permission=private)
    shown = [remember(world, "team/team_x", f"zephyr and more {n} words") for n in range(5)]
    world.settle()
    world.execute("UPDATE space SET owner = 'bob' WHERE id = 'prj_a'")
    assert set(ids(found(world, by=BOB, limit=5))) == {one.id for one in shown}
    assert {one.words for one in found(world, by=BOB)} == {1, 2, 3, 4, 5}


def test_no_interference_of_what_is_left_out(world: AHome) -> None:
    """Before ranking, not after: the numbers are those of a store without them."""
    kept = [remember(world, "team/team_x", f"zephyr ledger {n}") for n in range(3)]
    kept.append(remember(world, "personal/ada", "zephyr preference"))
    world.settle()

    def told() -> object:
        return replace(world.ask("zephyr ledger", "prj_a", limit=100), took_ms=0.0)

    before = told()
    day = timedelta(days=1)
    now = world.lobes.clock()
    remember(world, "team/team_x", "zephyr zephyr", valid_to=now - day)
    remember(world, "team/team_x", "zephyr zephyr", valid_from=now + day)
    remember(world, "personal/ada", "zephyr zephyr ledger", category="health")
    lone = remember(world, "space/prj_lone", "zephyr")
    remember(world, "space/prj_a", "zephyr ledger", disputes=lone)
    world.settle()
    assert told() == before
    assert len(found(world)) == len(kept)


def test_what_is_not_valid_yet_or_no_more_is_left_out(world: AHome) -> None:
    now, day = world.lobes.clock(), timedelta(days=1)
    spans = {
        "past": (None, now - day), "future": (now + day, None),
        "now": (now - day, now + day), "open": (None, None),
    }  # fmt: skip
    made = {
        remember(world, "space/prj_a", f"zephyr {word}", valid_from=begin, valid_to=end).id: word
        for word, (begin, end) in spans.items()
    }
    world.settle()
    assert {made[one] for one in ids(found(world))} == {"now", "open"}


def test_a_personal_memory_counts_only_in_a_category_that_the_space_inherits(world: AHome) -> None:
    """Rule 5 of resolve, for the person too; rule 4 for agents."""
    made = {
        remember(
            world, "personal/ada", f"zephyr {category or 'none'}", category=category
        ).id: category
        for category in ("", "health", "communication_preferences")
    }
    world.settle()
    agent = world.agent("prj_a")
    for who in (world.me, agent):
        categories = {made[one] for one in ids(found(world, by=who))}
        assert categories == {"", "communication_preferences"}
    config = json.loads(world.rows("SELECT lobe_config FROM space WHERE id = 'prj_a'")[0][0])
    config["inherit_categories"] = ["health"]
    world.execute("UPDATE space SET lobe_config = ? WHERE id = 'prj_a'", json.dumps(config))
    for who in (world.me, agent):
        assert {made[one] for one in ids(found(world, by=who))} == {"health"}
    config["inherit_categories"] = []
    world.execute("UPDATE space SET lobe_config = ? WHERE id = 'prj_a'", json.dumps(config))
    assert found(world) == []


def test_what_is_confidential_is_kept_from_agents(world: AHome) -> None:
    """Rule 14."""
    remember(world, "space/prj_a", "zephyr", level="confidential")
    world.settle()
    assert len(found(world)) == 1
    assert found(world, by=world.agent("prj_a")) == []


def test_a_memory_of_another_person_or_group_is_nobodys_business(world: AHome) -> None:
    remember(world, "personal/ada", "zephyr")
    remember(world, "team/team_x", "zephyr of the team")
    world.execute("UPDATE space SET owner = 'bob' WHERE id = 'prj_b'")
    world.settle()
    assert [one.lobe for one in found(world, space="prj_b", by=BOB)] == ["team/team_x"]
    world.execute("DELETE FROM membership WHERE person = 'bob'")
    assert found(world, space="prj_b", by=BOB) == []


# Disputes --------------------------------------------------------------------------------------


def test_a_disputed_memory_brings_its_other_side_directly_after_it(world: AHome) -> None:
    one = remember(world, "space/prj_a", "zephyr zephyr")
    other = remember(world, "personal/ada", "the cap is five minutes", disputes=one)
    remember(world, "space/prj_a", "zephyr between and after")
    world.settle()
    hits = found(world)
    at = ids(hits).index(one.id)
    assert ids(hits)[at + 1] == other.id
    told = {hit.id: hit.memory for hit in hits if hit.memory}
    assert [hit.id for hit in hits if told[hit.id].is_contested] == [one.id, other.id]
    assert (told[one.id].others, told[other.id].others) == ((other.id,), (one.id,))
    assert told[one.id].evidence == 0.6667, "contradicted once"


def test_the_other_side_comes_beyond_the_limit_too(world: AHome) -> None:
    one = remember(world, "space/prj_a", "zephyr zephyr")
    other = remember(world, "space/prj_b", "quite another word", disputes=one)
    world.settle()
    assert ids(found(world, limit=1)) == [one.id, other.id]
    assert [hit.words for hit in found(world, limit=1)] == [1, None]


def test_a_dispute_that_one_side_may_not_be_shown_of_shows_neither(world: AHome) -> None:
    one = remember(world, "space/prj_b", "zephyr")
    other = remember(world, "space/prj_a", "zephyr not", disputes=one)
    world.settle()
    assert {*ids(found(world))} == {one.id, other.id}
    save(world.lobes, world.me, "prj_b", LobeChange(is_private=True))
    assert found(world) == []
    assert len(found(world, space="prj_b")) == 2, "it draws on the other one still"
    save(world.lobes, world.me, "prj_b", LobeChange(is_private=False))
    world.execute("UPDATE memory SET written_status = 'archived' WHERE id = ?", other.id)
    assert found(world) == [], "contested by what is no longer said, until that is settled"


def test_three_that_contradict_each_other_come_together_once(world: AHome) -> None:
    one = remember(world, "space/prj_a", "zephyr one")
    two = remember(world, "space/prj_a", "two", disputes=one)
    three = remember(world, "space/prj_b", "three", disputes=two)
    world.settle()
    assert ids(found(world)) == [one.id, two.id, three.id]


# How much it counts ----------------------------------------------------------------------------


def test_an_older_memory_counts_less_and_stays(world: AHome) -> None:
    old = remember(world, "space/prj_a", "zephyr cap", created=LONG_AGO)
    new = remember(world, "space/prj_a", "zephyr cap")
    world.settle()
    hits = found(world)
    assert ids(hits) == [new.id, old.id]
    assert [one.memory.is_stale for one in hits if one.memory] == [False, True]
    assert world.rows("SELECT DISTINCT status FROM memory") == [("active",)]
    change(world, old, verified=world.lobes.clock())
    assert {one.score for one in found(world)} == {hits[0].score}


def test_scores_are_the_same_all_day_and_use_counts_nothing(world: AHome) -> None:
    memory = remember(world, "space/prj_a", "zephyr cap", created=LONG_AGO, author="agent")
    world.settle()
    before = found(world)
    world.execute("UPDATE memory SET use_count = 500, last_retrieved = created")
    assert found(world) == before
    (hit,) = before
    assert hit.memory is not None
    assert hit.score == round(hit.fused * hit.memory.freshness * hit.memory.evidence, 4)
    assert (hit.id, hit.memory.evidence) == (memory.id, 0.9)


# The index -------------------------------------------------------------------------------------


def everything(home: AHome) -> object:
    return [replace(home.ask(q, "prj_a", limit=100), took_ms=0.0) for q in ("zephyr", "crane cap")]


@pytest.mark.parametrize("how", ["all of it", "one lobe", "compared"])
def test_an_index_made_again_gives_the_same(world: AHome, how: str) -> None:
    made = {
        lobe: remember(world, lobe, f"zephyr cap of {lobe}", subject="retries")
        for lobe in ("space/prj_a", "personal/ada", "team/team_x")
    }
    gone = remember(world, "personal/ada", "zephyr zephyr crane")
    world.settle()
    change(world, gone, status="archived")
    change(world, made["team/team_x"], subject="the crane")
    world.settle()
    before = everything(world)
    engine = world.lobes.engine
    if how == "compared":
        # Rows were missed: each lobe is compared with the store.
        with closing(sqlite3.connect(world.folders.store)) as store, store:
            store.execute("DELETE FROM memory_version")
            store.execute("UPDATE memory SET written_status = 'archived' WHERE id = ?", (gone.id,))
            store.execute("UPDATE sqlite_sequence SET seq = seq + 5 WHERE name = 'outbox'")
            store.execute("DELETE FROM outbox")
    else:
        engine.rebuild([] if how == "all of it" else ["personal/ada"])
    world.settle()
    assert everything(world) == before
    assert len(found(world)) == 3


def test_a_lobe_goes_from_the_index_with_its_last_memory_and_comes_with_the_next(
    world: AHome,
) -> None:
    """field "delete_all, then search": no free page of its tables keeps what was in it."""
    memory = remember(world, "personal/ada", "zephyr")
    world.settle()
    folder = world.folders.index / "lobes" / "personal-ada"
    assert folder.is_dir()
    gone = change(world, memory, status="archived")
    world.settle()
    assert not folder.exists()
    assert found(world) == []
    change(world, gone, status="active")
    world.settle()
    assert folder.is_dir()
    assert [hit.document for hit in found(world)] == [memory.id]
    world.lobes.engine.rebuild()
    world.settle()
    assert [hit.document for hit in found(world)] == [memory.id]


def test_a_secret_in_a_memory_is_masked(world: AHome) -> None:
    remember(world, "space/prj_a", "zephyr token = ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4o5p6q7r8")
    world.settle()
    (hit,) = found(world)
    assert "ghp_" not in f"{hit.text} {hit.snippet} {hit.title}"


def test_status_counts_what_is_retrieved_and_may_be_known(world: AHome) -> None:
    remember(world, "personal/ada", "zephyr")
    remember(world, "personal/ada", "zephyr of health", category="health")
    remember(world, "team/team_x", "zephyr")
    private = parse_permission('{"visibility": "private"}')
    remember(world, "team/team_x", "zephyr", permission=private)
    remember(world, "space/prj_a", "zephyr", status="proposed")
    remember(world, "space/prj_a", "zephyr", level="confidential")
    callers = (world.me, BOB, world.agent("prj_a"))
    assert [home_status(world.lobes, who).memories for who in callers] == [5, 1, 3]
