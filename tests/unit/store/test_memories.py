"""Memories: stored whole, versioned, and never in the index longer than they are retrievable."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event
from store_rows import START, new_store, opened, space

from lobes.access.authorize import authorize
from lobes.access.facts import Resource
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Conflict
from lobes.domain.ids import LobeAddress, Slug, derived_id
from lobes.domain.memories import (
    STATUSES,
    Link,
    Memory,
    Provenance,
    Status,
    Tombstone,
    Version,
    shown_hash,
    statement_hash,
)
from lobes.domain.permissions import Permission
from lobes.domain.sensitivity import Kept, Setting
from lobes.store import read_memories as reads
from lobes.store.database import Database
from lobes.store.facts import load_facts

LOBE = LobeAddress("space", "prj_a")
ME = "user:me"


def a_memory(name: str = "a", **changes: Any) -> Memory:
    text = changes.pop("statement", f"Retries wait {name} seconds.")
    return Memory(
        id=derived_id("memory", name),
        lobe=changes.pop("lobe", LOBE),
        statement=text,
        kind="decision",
        memory_class="project",
        epistemic="decision",
        status=changes.pop("status", "active"),
        author="user",
        person="me",
        content_hash=statement_hash(text),
        created=START,
        updated=START,
        **changes,
    )


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Database]:
    database = opened(new_store(tmp_path))
    with database.begin() as unit:
        for name in ("prj_a", "prj_b"):
            unit.spaces.add(replace(space(), id=Slug(name)))
        unit.commit()
    yield database
    database.close()


def put(store: Database, *memories: Memory) -> None:
    with store.begin() as unit:
        for one in memories:
            unit.memories.put(one, act="add", actor=ME)
        unit.commit()


def rows(store: Database, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(store.path)) as reader:
        return reader.execute(sql).fetchall()


def outbox(store: Database) -> list[tuple[str, str]]:
    return rows(store, "SELECT op, lobe FROM outbox WHERE kind = 'document' ORDER BY seq")


def test_what_was_put_is_read_back_whole(store: Database) -> None:
    later = START + timedelta(days=3)
    whole = a_memory(
        subject="http-retries",
        category="development_preferences",
        provenance=Provenance("mcp", "s1", "client", "propose_memory", "r1", ("a.md", "é"), True),
        confidence=0.25,
        verified=START,
        level="restricted",
        given="restricted",
        findings=(Kept("aws-access-key", True, 1, 1, "abcd"),),
        classifier=3,
        setting=Setting("internal", ME, "why", "2026-01-01", None, frozenset({("iban", "x")})),
        permission=Permission("private", ()),
        keep_until=later,
        valid_from=START,
        valid_to=later,
        waits_for=("outside", "secret"),
        replaces=derived_id("memory", "other"),
        last_retrieved=START,
        use_count=2,
    )
    put(store, whole)
    with store.begin() as unit:
        assert unit.memories.get(whole.id) == whole
        assert unit.memories.get(derived_id("memory", "none")) is None


def test_what_cannot_be_read_to_the_letter_is_taken_strictly(store: Database) -> None:
    put(store, a_memory(waits_for=("secret",)))
    with closing(sqlite3.connect(store.path)) as writer, writer:
        writer.execute("UPDATE memory SET level = 'Public', waits_for = '{', permission = '{}'")
    with store.begin() as unit:
        found = unit.memories.get(a_memory().id)
    assert found is not None
    assert (found.level, found.waits_for) == ("confidential", ("policy",))
    assert found.permission is not None
    assert not found.permission.sound


@pytest.mark.parametrize("status", STATUSES)
def test_only_what_is_retrievable_is_told_to_the_index(store: Database, status: Status) -> None:
    put(store, a_memory(status=status))
    told = [("upsert", "space/prj_a")] if status in ("active", "disputed") else []
    assert outbox(store) == told


def test_deleting_takes_it_out_of_the_index_in_the_same_commit(store: Database) -> None:
    """AZ-26."""
    put(store, a_memory())
    with store.begin() as unit:
        known = unit.memories.get(a_memory().id)
        assert known is not None
        unit.memories.save(known, replace(known, status="deleted"), act="delete", actor=ME)
        unit.commit()
    assert outbox(store) == [("upsert", "space/prj_a"), ("delete", "space/prj_a")]
    put(store, a_memory("b", status="proposed"))
    with store.begin() as unit:
        known = unit.memories.get(a_memory("b").id)
        assert known is not None
        unit.memories.save(known, replace(known, status="rejected"), act="reject", actor=ME)
        unit.commit()
    assert len(outbox(store)) == 2


def test_what_moves_leaves_the_one_lobe_for_the_other(store: Database) -> None:
    put(store, a_memory())
    with store.begin() as unit:
        known = unit.memories.get(a_memory().id)
        assert known is not None
        moved = replace(known, lobe=LobeAddress("space", "prj_b"))
        assert unit.memories.save(known, moved, act="move", actor=ME).version == 2
        unit.commit()
    assert outbox(store)[1:] == [("delete", "space/prj_a"), ("upsert", "space/prj_b")]
    assert rows(store, "SELECT space FROM memory") == [("prj_b",)]


def test_two_edits_of_one_state_give_one_winner_and_the_other_is_told(store: Database) -> None:
    """AG-04."""
    put(store, a_memory())
    with store.begin() as unit:
        seen = unit.memories.get(a_memory().id)
        unit.commit()
    assert seen is not None
    for statement in ("First.", "Second."):
        new = replace(seen, statement=statement, content_hash=statement_hash(statement))
        with store.begin() as unit:
            if statement == "First.":
                unit.memories.save(seen, new, act="edit", actor=ME)
                unit.commit()
                continue
            with pytest.raises(Conflict) as told:
                unit.memories.save(seen, new, act="edit", actor=ME)
            assert told.value.reason == "changed"
    assert rows(store, "SELECT statement, version FROM memory") == [("First.", 2)]
    with store.begin() as unit:
        assert [
            (one.version, one.act, one.statement) for one in unit.memories.versions(seen.id)
        ] == [
            (1, "add", seen.statement),
            (2, "edit", "First."),
        ]


def test_links_are_found_from_both_ends(store: Database) -> None:
    put(store, a_memory(), a_memory("b"))
    one, other = a_memory().id, a_memory("b").id
    with store.begin() as unit:
        unit.memories.link("supersedes", one, other)
        unit.memories.link("supersedes", one, other)
        assert (
            unit.memories.links(one)
            == unit.memories.links(other)
            == unit.memories.links(one, other)
        )
        assert len(unit.memories.links(other)) == 1
        unit.memories.unlink("supersedes", one, other)
        assert unit.memories.links(one) == []


def test_a_tombstone_keeps_the_hash_alone_and_ends_with_its_time(store: Database) -> None:
    gone = a_memory()
    stone = Tombstone(gone.id, LOBE, gone.content_hash, "rejected", ME, START)
    with store.begin() as unit:
        unit.memories.tombstone(stone)
        unit.memories.tombstone(replace(stone, cause="deleted"))
        unit.commit()
    with closing(sqlite3.connect(store.path)) as reader:
        asked = [gone.content_hash]
        found = reads.tombstones_for(reader, LOBE, asked, since=START)
        assert found == {gone.content_hash: [replace(stone, cause="deleted")]}
        later = START + timedelta(seconds=1)
        assert reads.tombstones_for(reader, LOBE, asked, since=later) == {}
        elsewhere = LobeAddress("space", "prj_b")
        assert reads.tombstones_for(reader, elsewhere, asked, since=START) == {}
        assert not any(gone.statement in line for line in reader.iterdump())


def test_an_import_asks_the_store_as_often_for_many_as_for_two(store: Database) -> None:
    """It holds the write lock for as long as that takes."""
    asked: list[int] = []
    for size in (2, 200):
        new = [a_memory(f"{size} {number}") for number in range(size)]
        past = [Version(one.id, 1, "", "", "active", "add", ME, "", START) for one in new]
        ties = [Link("disputes", a.id, b.id, START) for a, b in pairwise(new)]
        stones = [Tombstone(one.id, LOBE, one.content_hash, "rejected", ME, START) for one in new]
        statements: list[object] = []

        def note(*given: object, to: list[object] = statements) -> None:
            to.append(given)

        event.listen(Engine, "before_cursor_execute", note)
        try:
            with store.begin() as unit:
                unit.memories.bring_in(new, past, ties)
                unit.memories.tombstone(*stones)
                unit.commit()
        finally:
            event.remove(Engine, "before_cursor_execute", note)
        asked.append(len(statements))
    assert asked[0] == asked[1]


def test_counters_add_up_by_day_and_lobe(store: Database) -> None:
    with store.begin() as unit:
        unit.memories.count(LOBE, "came", 3)
        unit.memories.count(LOBE, "came")
        unit.memories.count(LobeAddress("space", "prj_b"), "repeat")
        unit.commit()
    with closing(sqlite3.connect(store.path)) as reader:
        assert reads.counts(reader) == {"came": 4, "repeat": 1}
        assert reads.counts(reader, ["space/prj_b"]) == {"repeat": 1}
        assert reads.counts(reader, [], since="2000-01-01") == {}
        assert reads.counts(reader, since="2999-01-01") == {}


def test_pages_come_in_order_and_miss_nothing(store: Database) -> None:
    many = [
        replace(a_memory(str(n), status="proposed"), created=START + timedelta(minutes=n // 2))
        for n in range(7)
    ]
    put(store, *many, a_memory("x"))
    with closing(sqlite3.connect(store.path)) as reader:
        where = reads.Where(lobes=(str(LOBE),), statuses=("proposed",))
        newest = reads.memory_page(reader, where, limit=3)
        older = reads.memory_page(reader, where, before=(newest[-1].created, newest[-1].id))
        ordered = sorted(many, key=lambda one: (one.created, one.id), reverse=True)
        assert [one.id for one in (*newest, *older)] == [one.id for one in ordered]
        assert reads.memory_ids(reader, where) == [one.id for one in ordered]
        assert reads.memory_ids(reader, reads.Where(person="nobody' OR 1=1 --")) == []


# Who may reach them ----------------------------------------------------------------------------


def decided(store: Database, actor: str, verb: str, memory: Memory, *, trash: bool = False) -> bool:
    with closing(sqlite3.connect(store.path)) as reader:
        resource = Resource("memory", memory.id)
        facts = load_facts(reader, asking=["prj_a"], things=[resource], trash=trash)
    return authorize(parse_actor(actor), verb, resource, facts).allowed


def test_without_a_permission_of_its_own_its_space_decides(store: Database) -> None:
    put(store, a_memory(status="proposed"))
    assert decided(store, "user:me", "review", a_memory())
    assert not decided(store, "user:bob", "read_meta", a_memory())
    assert decided(store, "ai:me/reader@prj_a", "read_content", a_memory())
    assert not decided(store, "ai:me/reader@prj_a", "review", a_memory())
    assert not decided(store, "ai:me/reader@prj_b", "edit_content", a_memory())


def test_a_closed_proposal_is_its_authors_and_once_accepted_its_spaces(store: Database) -> None:
    closed = replace(
        a_memory(status="proposed", permission=Permission("private", ())), person="bob"
    )
    put(store, closed, replace(a_memory("b"), permission=Permission("private", ()), person="bob"))
    assert not decided(store, "user:me", "read_meta", closed)
    assert decided(store, "user:me", "read_content", a_memory("b"))


def test_a_personal_memory_is_its_persons_alone_by_category(store: Database) -> None:
    lobe = LobeAddress("personal", "me")
    put(store, a_memory(lobe=lobe, category="style"), a_memory("b", lobe=lobe, category="health"))
    assert decided(store, "user:me", "read_content", a_memory("b"))
    assert decided(store, "ai:me/reader@prj_a", "read_content", a_memory())
    assert not decided(store, "ai:me/reader@prj_a", "read_content", a_memory("b"))
    assert not decided(store, "user:bob", "read_meta", a_memory())
    closed = a_memory("c", lobe=lobe, permission=Permission("private", ()))
    put(store, closed)
    assert decided(store, "user:me", "read_content", closed)


def test_what_was_deleted_is_not_there_unless_asked_for(store: Database) -> None:
    """AZ-26."""
    put(store, a_memory(status="deleted"))
    assert not decided(store, "user:me", "read_meta", a_memory())
    assert decided(store, "user:me", "review", a_memory(), trash=True)
    assert not decided(store, "user:bob", "review", a_memory(), trash=True)


def test_confidential_is_kept_from_agents(store: Database) -> None:
    put(store, a_memory(level="confidential"))
    assert not decided(store, "ai:me/editor@prj_a", "read_meta", a_memory())
    assert decided(store, "user:me", "read_content", a_memory())


# Hashes ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "same",
    ["Wait  30\nseconds é.", " Wait 30 seconds e\u0301.", "Wa\u200bit 30 sec\u00adonds é.\ufeff"],
)
def test_the_same_words_have_one_hash(same: str) -> None:
    assert statement_hash(same) == statement_hash("Wait 30 seconds é.")


@pytest.mark.parametrize(
    "other", ["Wait 3 0 seconds é.", "wait 30 seconds é.", "Wait 30 seconds é", ""]
)
def test_other_words_have_another_hash(other: str) -> None:
    assert statement_hash(other) != statement_hash("Wait 30 seconds é.")


@pytest.mark.parametrize(
    "changes",
    [
        {"statement": "Other."},
        {"kind": "pattern"},
        {"memory_class": "user"},
        {"lobe": LobeAddress("personal", "me")},
        {"level": "restricted"},
        {"replaces": "x"},
        {"valid_from": START},
        {"valid_to": START},
        {"version": 2},
    ],
)
def test_an_approval_holds_for_what_was_shown_alone(changes: dict[str, Any]) -> None:
    assert shown_hash(replace(a_memory(), **changes)) != shown_hash(a_memory())
    assert shown_hash(replace(a_memory(), use_count=9)) == shown_hash(a_memory())
