"""What went wrong with memories elsewhere, each under its symptom: duplicates, what is deleted or
replaced and comes back all the same."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from decided import do, done, get, remember_all
from homes import AHome, opened_home
from lobes.domain.errors import NotFound
from lobes.domain.memories import Provenance, Status
from lobes.services.importing import import_memories
from lobes.services.memories import show_memory
from lobes.services.reading import read_memory
from lobes.services.review_evidence import evidence
from lobes.services.review_queue import queue
from lobes.services.scoped_deletion import Scope, count_scope, delete_scope
from proposed import said, typed
from remembered import remember

SPACES = ("prj_a", "area_b")


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AHome]:
    with opened_home(tmp_path_factory.mktemp("field") / "home", cross_space="deny") as home:
        for space in SPACES:
            home.a_space(space, {"goals.md": "# Goals\n\nHarbour crane.\n"})
        home.index()
        yield home


@pytest.fixture
def home(one: AHome) -> AHome:
    for table in ("memory", "memory_tombstone", "proposal_count"):
        one.execute(f"DELETE FROM {table}")
    one.lobes.engine.rebuild()
    one.settle()
    return one


def found(home: AHome, query: str, space: str = "prj_a") -> list[str]:
    """The memories that a search gives to a person, and to an agent, which are the same."""
    mine, agents = asked_twice(home, query, space)
    assert mine == agents
    return mine


def at_once(home: AHome, query: str, space: str = "prj_a") -> set[str]:
    """What either of them gets while the index may not have heard of the last change."""
    mine, agents = asked_twice(home, query, space)
    return {*mine, *agents}


def asked_twice(home: AHome, query: str, space: str) -> tuple[list[str], list[str]]:
    mine, agents = (
        [hit.id for hit in home.ask(query, space, by=by, limit=100).items if hit.kind == "memory"]
        for by in (home.me, home.agent(space))
    )
    return mine, agents


def lobe_on_disk(home: AHome, space: str) -> Path:
    return home.folders.index / "lobes" / f"space-{space}" / "lex.db"


# Duplicates -------------------------------------------------------------------------------------


def test_a_later_session_rewrites_what_an_earlier_one_noted_under_another_title(
    home: AHome,
) -> None:
    """field "session 3 rewrites what session 1 noted": shown beside it, never written over it."""
    first = typed(home, "The uploader retries wait thirty seconds.", subject="retries")
    again = said(
        home, "The retries of the uploader wait thirty seconds.", subject="backoff", session="s3"
    )
    assert again.outcome == "pending"
    assert [(near.id, near.relation) for near in again.neighbours] == [(first.id, "near_copy")]
    looked = evidence(home.lobes, home.me, again.id)
    assert [near.memory.id for near in looked.neighbours] == [first.id]
    kept = get(home, first.id)
    assert (kept.status, kept.subject, kept.version) == ("active", "retries", 1)
    # Merged, or one for the other, or both kept: whichever a person chooses.
    done(do(home, "supersede", again.id, target=first.id, confirmed=True))
    assert get(home, first.id).status == "superseded"


def test_one_statement_as_a_fact_and_as_a_preference_is_one_memory(home: AHome) -> None:
    """field "I like X", and "one-sentence memory with secondary extraction"."""
    first = said(home, "I like tea without sugar.", kind="observation")
    for kind in ("preference", "summary"):
        assert said(home, "I like tea without sugar.", kind=kind, session=kind).id == first.id
    assert said(home, "I like tea, without sugar", kind="preference").id == first.id
    assert home.rows("SELECT count(*) FROM memory") == [(1,)]


# Deleted ----------------------------------------------------------------------------------------


def test_delete_all_then_search_finds_nothing(home: AHome) -> None:
    """field "delete_all, then search": list, search, evidence, index, also made again."""
    texts = [f"Zephyr number {number} of {word}" for number, word in enumerate("abcdefgh")]
    for space in SPACES:
        remember_all(home, texts, lobe=f"space/{space}", status="active", waits_for=())
    home.settle()
    assert len(found(home, "zephyr")) == 8
    assert b"zephyr" in lobe_on_disk(home, "prj_a").read_bytes()
    for space in SPACES:
        counted = count_scope(home.lobes, home.me, Scope(space, author="agent"))
        assert len(done(delete_scope(home.lobes, home.me, counted)).done) == 8
        assert at_once(home, "zephyr", space) == set()
        for id in counted.ids:
            with pytest.raises(NotFound):
                show_memory(home.lobes, home.me, id)
    home.settle()
    assert b"zephyr" not in lobe_on_disk(home, "prj_a").read_bytes()
    home.lobes.engine.rebuild()
    home.settle()
    for space in SPACES:
        assert found(home, "zephyr", space) == []
        assert found(home, "number of", space) == []
    assert not any(queue(home.lobes, home.me, view).items for view in ("waiting", "active"))


def test_a_deleted_source_leaves_nothing_that_was_derived_from_it(
    home: AHome, tmp_path: Path
) -> None:
    """field "delete an ingested source": in each Space by itself, in use or waiting."""
    path = tmp_path / "AGENTS.md"
    path.write_text("- Zephyr builds run at night\n- Zephyr tests run on each push\n")
    for space in SPACES:
        assert import_memories(home.lobes, home.me, space, path).proposed == 2
    used = [row[0] for row in home.rows("SELECT min(id) FROM memory GROUP BY lobe")]
    for id in used:
        done(do(home, "accept", id, confirmed=True))
    mine = typed(home, "Zephyr is the name of the release")
    home.settle()
    for space in SPACES:
        counted = count_scope(home.lobes, home.me, Scope(space, source="agents_md"))
        assert dict(counted.statuses) == {"active": 1, "proposed": 1}
        done(delete_scope(home.lobes, home.me, counted))
        home.settle()
        assert found(home, "zephyr", space) == ([mine.id] if space == "prj_a" else [])
    again = import_memories(home.lobes, home.me, "prj_a", path)
    assert (again.proposed, again.suppressed) == (0, 2)


def test_a_memory_that_is_deleted_while_it_is_indexed_is_finally_gone(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """field "delete while it is being indexed": neither refused nor waited for, and gone."""
    begun, go_on = threading.Event(), threading.Event()
    real = home.embedder.embed_documents

    def held(texts: Sequence[str]) -> NDArray[np.float32]:
        begun.set()
        assert go_on.wait(30)
        return real(texts)

    texts = [f"Zephyr number {number}" for number in range(20)]
    monkeypatch.setattr(home.embedder, "embed_documents", held)
    made = remember_all(home, texts, status="active", waits_for=())
    home.lobes.engine.notify()
    assert begun.wait(30)
    try:
        done(do(home, "delete", *made))
        assert at_once(home, "zephyr") == set()
    finally:
        go_on.set()
    home.settle()
    assert found(home, "zephyr") == []
    assert home.lobes.engine.status().problems == ()
    home.lobes.engine.rebuild()
    home.settle()
    assert found(home, "zephyr") == []


# Replaced ---------------------------------------------------------------------------------------


def test_what_was_superseded_is_absent_and_its_correction_outranks_it(home: AHome) -> None:
    """field "superseded_by set, exclude flag on", and "correction approved": out of results before
    the index has heard of it, and the new one where the old one was."""
    old = remember(home, "space/prj_a", "Zephyr ships on Mondays from the old harbour")
    for number in range(3):
        remember(home, "space/prj_a", f"Lantern {number} ships from the harbour")
    home.settle()
    query = "zephyr ships mondays old harbour"
    assert found(home, query)[0] == old.id
    new = said(home, "Zephyr ships on Fridays now", replaces=old.id)
    assert found(home, query)[0] == old.id
    done(do(home, "supersede", new.id, target=old.id, confirmed=True))
    assert old.id not in at_once(home, query)
    home.settle()
    assert found(home, query)[0] == new.id
    assert old.id not in found(home, query)
    tied = evidence(home.lobes, home.me, old.id).tied
    assert [(word, memory.id) for word, memory in tied] == [("superseded_by", new.id)]


@pytest.mark.parametrize("status", ["archived", "superseded", "rejected", "deleted", "proposed"])
def test_what_is_not_in_use_does_not_come_by_matching_better(home: AHome, status: Status) -> None:
    """field "stale item matches query words better than the new one"."""
    day = timedelta(days=1)
    now = home.lobes.clock()
    text = "Zephyr zephyr ships on Mondays"
    remember(home, "space/prj_a", text, status=status)
    ended = remember(home, "space/prj_a", f"{text} too", valid_to=now - day)
    new = remember(home, "space/prj_a", "Zephyr ships Fridays", provenance=Provenance("cli"))
    home.settle()
    assert found(home, "zephyr ships on mondays") == [new.id]
    assert show_memory(home.lobes, home.me, ended.id).flags == ("ended",)
    assert show_memory(home.lobes, home.me, new.id).flags == ()
    with pytest.raises(NotFound):
        read_memory(home.lobes, home.agent("prj_a"), ended.id)
