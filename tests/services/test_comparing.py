"""What a statement is compared with is what its lobe holds now, whoever wrote it, and no question
reads more of the lobe than what changed since the last one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from decided import claim, do, remember_all
from homes import AHome, opened_home
from lobes.domain.memories import Memory, Status, statement_hash
from lobes.domain.resources import resources
from lobes.services import known_to
from lobes.services.authority import facts_for
from lobes.services.comparing import Neighbourhood, Related
from lobes.services.known_to import KnownTo
from lobes.services.review_evidence import evidence
from lobes.store import read_memories
from remembered import a_memory, change, remember

ASKED = "The uploader waits thirty seconds"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[AHome]:
    with opened_home(tmp_path / "home") as made:
        made.a_space("prj_a", {})
        made.a_space("prj_b", {})
        yield made


def near(words: Neighbourhood, home: AHome, asked: str = ASKED) -> set[str]:
    with home.lobes.reading() as store:
        return set(words.ids_near(store, a_memory(home, "space/prj_a", asked)))


def said(home: AHome, number: int, *, status: Status = "active", lobe: str = "prj_a") -> Memory:
    text = f"The uploader waits {number} seconds"
    return remember(home, f"space/{lobe}", text, status=status)


def test_each_change_is_seen_at_the_next_question(home: AHome) -> None:
    words = Neighbourhood()
    one, other = said(home, 1), said(home, 2, status="rejected")
    assert near(words, home) == {one.id}
    three = said(home, 3, status="proposed")
    assert near(words, home) == {one.id, three.id}
    change(home, other, status="proposed")
    assert near(words, home) == {one.id, three.id, other.id}
    change(home, one, status="archived")
    assert near(words, home) == {three.id, other.id}
    text = "Lanterns glow amber"
    change(home, three, statement=text, content_hash=statement_hash(text))
    assert near(words, home) == {other.id}
    assert near(words, home, "Amber lanterns glow") == {three.id}


def test_a_moved_memory_leaves_one_lobe_for_the_other(home: AHome) -> None:
    words, one = Neighbourhood(), said(home, 1)
    elsewhere = said(home, 2, lobe="prj_b")
    assert near(words, home) == {one.id}
    change(home, elsewhere, lobe=one.lobe)
    change(home, one, lobe=elsewhere.lobe)
    assert near(words, home) == {elsewhere.id}


def test_what_another_program_erased_or_a_restore_brought_is_followed(home: AHome) -> None:
    words, one = Neighbourhood(), said(home, 1)
    two = said(home, 2)
    assert near(words, home) == {one.id, two.id}
    home.execute("DELETE FROM memory WHERE id = ?", two.id)
    three = said(home, 3)
    assert near(words, home) == {one.id, three.id}
    # Another store in its place, whose changes are counted as far or farther.
    home.execute("UPDATE home SET epoch = epoch + 1")
    home.execute("DELETE FROM memory_change WHERE memory <> ?", three.id)
    four = said(home, 4)
    home.execute("DELETE FROM memory_change WHERE memory = ?", four.id)
    assert near(words, home) == {one.id, three.id, four.id}


def test_what_a_unit_rolled_back_is_not_taken_for_known(home: AHome) -> None:
    """Its number is given again, to what another one writes."""
    words, one = Neighbourhood(), said(home, 1)
    near(words, home)
    mine = a_memory(home, "space/prj_a", "The uploader waits nine seconds")
    with home.lobes.database().begin() as unit:
        unit.memories.put(mine, act="add", actor="user:ada")
        words.took(unit.reader, mine)
        assert mine.id in words.ids_near(unit.reader, a_memory(home, "space/prj_a", ASKED))
    two = said(home, 2)
    assert near(words, home) == {one.id, two.id}
    lobe = words._lobes[one.lobe]  # pyright: ignore[reportPrivateUsage]
    assert len(lobe.used) + len(lobe.waiting) == 2


def test_what_a_unit_writes_counts_when_the_same_is_asked_in_it_again(home: AHome) -> None:
    """Of two that contradict each other one unit would put both in use."""
    words, asked = Neighbourhood(), said(home, 1, status="proposed")
    other = replace(a_memory(home, "space/prj_a", "The uploader waits 2 seconds"), status="active")
    with home.lobes.database().begin() as unit:
        things = resources("memory", (asked.id, other.id))
        facts = facts_for(unit.reader, home.me, "prj_a", things=things)
        known = KnownTo(unit.reader, words, home.me, facts)
        assert not known.is_opposed(asked)
        unit.memories.put(other, act="add", actor="user:ada")
        words.took(unit.reader, other)
        assert known.is_opposed(asked)


def test_a_question_reads_what_changed_and_no_more(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """10,000 memories were 40 ms a decision."""
    words = Neighbourhood()
    for number in range(60):
        said(home, number)
    near(words, home)
    looked: list[int] = []
    real = read_memories.rows

    def counted(store: sqlite3.Connection, sql: str, values: tuple[object, ...] = ()) -> object:
        found = real(store, sql, values)
        looked.append(len(found))
        return found

    monkeypatch.setattr(read_memories, "rows", counted)
    near(words, home)
    quiet = sum(looked)
    looked.clear()
    with closing(sqlite3.connect(home.folders.store)) as store, store:
        store.execute("UPDATE memory SET written_status = 'archived' WHERE statement LIKE '% 7 %'")
    near(words, home)
    assert sum(looked) <= quiet + 1  # of one that changed: its number
    assert quiet <= 20  # the mark and the closest


def test_a_memory_that_comes_back_is_held_against_what_is_closest_and_no_more(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 5,000 in use each decision compared all, for a second; the same words are found though
    many others are as close."""
    asked = said(home, 1, status="archived")
    for number in range(90):
        said(home, 1000 + number)
    compared: list[int] = []
    real = known_to.relations

    def counted(memory: Memory, others: Sequence[Memory]) -> tuple[Related, ...]:
        compared.append(len(others))
        return real(memory, others)

    monkeypatch.setattr(known_to, "relations", counted)
    left = do(home, "restore", asked.id).left
    assert [one.error.reason for one in left] == ["conflict_since"]
    twin = said(home, 1)
    left = do(home, "restore", asked.id, confirmed=True).left
    assert [one.error.reason for one in left] == ["duplicate_since"]
    change(home, twin, status="archived")
    assert not do(home, "restore", asked.id, confirmed=True).left
    assert max(compared) <= known_to.CLOSEST + 1


@pytest.mark.parametrize("what", ["waits and is alike", "came into use since"])
def test_one_decision_among_thousands_reads_a_few(
    home: AHome, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """Of 10,000 that were alike each was read whole to find that none is in use: 0.3 s an item; and
    so was all that came into use since, for each item anew."""
    asked = remember_all(home, [ASKED])[0]
    if what == "waits and is alike":
        remember_all(home, [f"The uploader waits {number} seconds" for number in range(200)])
    else:
        remember_all(home, [claim(number) for number in range(200)], status="active")
    read: list[object] = []

    def counted(*values: Any, **more: Any) -> Memory:
        read.append(values)
        return Memory(*values, **more)

    monkeypatch.setattr(read_memories, "Memory", counted)
    assert evidence(home.lobes, home.me, asked).stale is None
    assert not do(home, "accept", asked).left
    assert 0 < len(read) < 60


def test_nobody_waits_while_it_is_looked_up_who_may_read_what(home: AHome) -> None:
    """An agent's proposal stood still for as long as a person's queue was looked through."""
    words, one = Neighbourhood(), said(home, 1)
    with home.lobes.reading() as store, ThreadPoolExecutor(1) as other:

        def fitting(ids: Sequence[str]) -> Sequence[str]:
            assert other.submit(near, words, home).result(timeout=10) == {one.id}
            return ids

        asked = a_memory(home, "space/prj_a", ASKED)
        assert words.ids_near(store, asked, fitting=fitting) == [one.id]
