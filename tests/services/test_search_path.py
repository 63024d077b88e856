"""One retrieval path: what the engine proposes is checked again in the snapshot of its text."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from between import after, between
from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.errors import NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import Subscription
from lobes.engine.protocol import Candidate, SearchReply
from lobes.services.lobe_changes import save
from lobes.services.space_changes import archive_space, restore_space, trash_space
from lobes.store import read

GRANTS_BOB = json.dumps(
    {
        "visibility": "restricted",
        "grants": {"read_meta": ["user:bob"], "read_content": ["user:bob"]},
    }
)
OWNER_ONLY = '{"visibility": "private"}'


@pytest.fixture
def two(home: AHome) -> AHome:
    home.a_space("prj_a", {"a.md": "# Harbour\n\nThe crane lifts zephyr crates.\n"})
    home.a_space("prj_b", {"b.md": "# Dock\n\nAnother zephyr crate stands here.\n"})
    home.index()
    assert {space for space, _ in home.found("zephyr", "prj_a")} == {"prj_a", "prj_b"}
    return home


LOSES: dict[str, Callable[[AHome], object]] = {
    "made private": lambda home: save(home.lobes, home.me, "prj_b", LobeChange(is_private=True)),
    "closed": lambda home: save(home.lobes, home.me, "prj_b", LobeChange(cross_space="deny")),
    "excluded": lambda home: save(home.lobes, home.me, "prj_a", LobeChange(exclude=("prj_b",))),
    "trashed": lambda home: trash_space(home.lobes, home.me, "prj_b"),
    "archived": lambda home: archive_space(home.lobes, home.me, "prj_b"),
    "permission broken and owned by another": lambda home: home.execute(
        "UPDATE space SET owner = 'bob', permission = '{}' WHERE id = 'prj_b'"
    ),
    "document moved": lambda home: home.execute(
        "UPDATE document SET space = 'prj_hidden' WHERE space = 'prj_b'"
    ),
    "document gone": lambda home: home.execute("DELETE FROM document WHERE space = 'prj_b'"),
    "text changed": lambda home: home.execute(
        "UPDATE passage SET content_hash = 'other', text = 'zephyr secret' WHERE document IN"
        " (SELECT id FROM document WHERE space = 'prj_b')"
    ),
}


@pytest.mark.parametrize("name", LOSES)
def test_a_right_lost_between_search_and_text_withholds_the_text(two: AHome, name: str) -> None:
    """AZ-16, AZ-17, DU-09."""
    two.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'Bob', '2026-01-01')")
    two.a_space("prj_hidden", {}, LobeChange(is_private=True))
    raced = between(two, after(lambda: LOSES[name](two)))
    answer = raced.ask("zephyr", "prj_a")
    assert [hit.space for hit in answer.items] == ["prj_a"]
    assert "secret" not in str(answer)


READS_SPACES = "FROM space WHERE (status"


def spaces_read(home: AHome, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often one search reads all Spaces."""
    said: list[str] = []
    connect = read.connect

    def traced(path: Path) -> sqlite3.Connection:
        store = connect(path)
        store.set_trace_callback(said.append)
        return store

    with monkeypatch.context() as patch:
        patch.setattr(read, "connect", traced)
        home.ask("zephyr", "prj_a")
    return sum(READS_SPACES in one for one in said)


def test_a_commit_of_another_connection_while_it_searched_has_all_rights_read_again(
    two: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AZ-16: also one that no right depends on; without a commit the first reading stands."""

    def commit() -> None:
        with closing(sqlite3.connect(two.folders.store)) as other, other:
            other.execute("UPDATE document SET mtime_ns = mtime_ns + 1")

    assert spaces_read(two, monkeypatch) == 1
    assert spaces_read(between(two, after(commit)), monkeypatch) == 2


def test_what_was_committed_while_it_searched_is_said_in_the_answer(two: AHome) -> None:
    """The reason of a source, too, is that of the snapshot that its text is from."""
    source = LobeChange(subscribe=(Subscription("space", "prj_b"),), cross_space="deny")
    raced = between(two, after(lambda: save(two.lobes, two.me, "prj_a", source)))
    reasons = {hit.space: hit.reason for hit in raced.ask("zephyr", "prj_a").items}
    assert reasons == {"prj_a": "own", "prj_b": "subscribed"}


def test_the_asking_space_lost_its_own_right_while_it_searched(two: AHome) -> None:
    """AZ-16, for the Space that asks."""
    raced = between(two, after(lambda: trash_space(two.lobes, two.me, "prj_a")))
    assert raced.ask("zephyr", "prj_a").items == ()


def test_an_agent_whose_space_lost_the_source_while_it_searched(two: AHome) -> None:
    """AZ-16, for an agent."""
    raced = between(
        two,
        after(lambda: save(two.lobes, two.me, "prj_a", LobeChange(exclude=("prj_b",)))),
    )
    assert {hit.space for hit in two.ask("zephyr", "prj_a", by=two.agent("prj_a")).items} == {
        "prj_a",
        "prj_b",
    }
    answer = raced.ask("zephyr", "prj_a", by=two.agent("prj_a"))
    assert [hit.space for hit in answer.items] == ["prj_a"]


def test_ids_that_the_store_does_not_know_and_stale_hashes_are_never_shown(two: AHome) -> None:
    """DU-09."""

    def happens(reply: SearchReply) -> SearchReply:
        first, *rest = reply.candidates
        unknown = Candidate("0" * 26, "hash", "space/prj_a", 1.0, 1, 1, 9.0, 1.0)
        stale = replace(first, content_hash="0" * 64)
        return replace(reply, candidates=(unknown, stale, *rest))

    whole = two.ask("zephyr", "prj_a").items
    shown = between(two, happens).ask("zephyr", "prj_a").items
    assert [hit.id for hit in shown] == [hit.id for hit in whole[1:]]


def test_an_id_that_the_index_names_twice_is_shown_once(two: AHome) -> None:
    """DU-09."""
    raced = between(
        two, lambda reply: replace(reply, candidates=(*reply.candidates, *reply.candidates))
    )
    ids = [hit.id for hit in raced.ask("zephyr", "prj_a").items]
    assert sorted(ids) == sorted(set(ids))
    assert ids == [hit.id for hit in two.ask("zephyr", "prj_a").items]


def test_a_candidate_from_a_lobe_that_was_not_asked_is_never_shown(two: AHome) -> None:
    """DU-09: the engine names a foreign lobe, or the right lobe for a foreign passage."""
    save(two.lobes, two.me, "prj_b", LobeChange(is_private=True))
    foreign = two.rows(
        "SELECT p.id, p.content_hash FROM passage p JOIN document d ON d.id = p.document"
        " WHERE d.space = 'prj_b'"
    )[0]
    for lobe in ("space/prj_a", "space/prj_b"):

        def happens(reply: SearchReply, lobe: str = lobe) -> SearchReply:
            made = Candidate(foreign[0], foreign[1], lobe, 1.0, 1, 1, 9.0, 1.0)
            return replace(reply, candidates=(made, *reply.candidates))

        assert {hit.space for hit in between(two, happens).ask("zephyr", "prj_a").items} == {
            "prj_a"
        }


def test_hidden_best_hits_use_up_no_slots(home: AHome) -> None:
    """AZ-20: the best 80 hits may not be read; five visible ones exist further down."""
    hidden = {
        f"hidden/{n}.md": f"# Quokka {n}\n\nquokka quokka quokka quokka.\n" for n in range(80)
    }
    visible = {
        f"seen/{n}.md": f"# Walk {n}\n\nOn a long walk along the coast we saw one quokka, {n}.\n"
        for n in range(6)
    }
    home.a_space("prj_a", hidden | visible)
    home.index()
    home.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'Bob', '2026-01-01')")
    home.execute("UPDATE space SET permission = ? WHERE id = 'prj_a'", GRANTS_BOB)
    home.execute("UPDATE document SET permission = ? WHERE path LIKE 'hidden/%'", OWNER_ONLY)
    bob = replace(home.me, actor=parse_actor("user:bob"))
    answer = home.ask("quokka", "prj_a", by=bob, limit=5)
    assert len(answer.items) == 5
    assert all(hit.path.startswith("seen/") for hit in answer.items)


def test_a_search_that_is_a_filter_is_a_text(two: AHome) -> None:
    """AG-11."""
    for query in (
        "' OR 1=1 --",
        'zephyr" OR lobe:prj_b',
        "zephyr; DROP TABLE space",
        "zephyr) UNION SELECT *",
        "id = 'x' AND true",
        "\x00",
        "*",
        '"',
        "\ud800",
        "(" * 500,
        "a" * 5000,
    ):
        save(two.lobes, two.me, "prj_b", LobeChange(is_private=True))
        assert {hit.space for hit in two.ask(query, "prj_a").items} <= {"prj_a"}
    assert two.rows("SELECT count(*) FROM space") == [(2,)]


def test_an_agent_asks_for_its_own_space_alone(two: AHome) -> None:
    """An agent bound to A gets for B what it gets for an unknown id, though A draws on B."""
    said: list[tuple[str, str]] = []
    for space in ("prj_b", "prj_unknown"):
        with pytest.raises(NotFound) as refused:
            two.ask("zephyr", space, by=two.agent("prj_a"))
        said.append((refused.value.message, refused.value.reason))
    assert said[0] == said[1]


def test_a_trashed_space_answers_nobody_and_comes_back(two: AHome) -> None:
    """AZ-26."""
    trash_space(two.lobes, two.me, "prj_b")
    assert {hit.space for hit in two.ask("zephyr", "prj_a").items} == {"prj_a"}
    with pytest.raises(NotFound):
        two.ask("zephyr", "prj_b")
    restore_space(two.lobes, two.me, "prj_b")
    assert {hit.space for hit in two.ask("zephyr", "prj_a").items} == {"prj_a", "prj_b"}


def test_an_archived_space_answers_itself_alone(two: AHome) -> None:
    """AZ-26."""
    archive_space(two.lobes, two.me, "prj_b")
    assert {hit.space for hit in two.ask("zephyr", "prj_a").items} == {"prj_a"}
    assert "prj_b" in {hit.space for hit in two.ask("zephyr", "prj_b").items}


def test_private_beats_a_subscription_and_a_tag(home: AHome) -> None:
    """AZ-12."""
    home.a_space(
        "prj_a", {"a.md": "zephyr here\n"}, LobeChange(subscribe=(Subscription("tag", "t"),))
    )
    home.a_space("prj_b", {"b.md": "zephyr there\n"}, LobeChange(tag=("t",), is_private=True))
    save(home.lobes, home.me, "prj_a", LobeChange(subscribe=(Subscription("space", "prj_b"),)))
    home.index()
    answer = home.ask("zephyr", "prj_a")
    assert {hit.space for hit in answer.items} == {"prj_a"}
    assert [(one.lobe, one.reason) for one in answer.withheld] == [("space/prj_b", "private")]
    save(home.lobes, home.me, "prj_b", LobeChange(is_private=False))
    assert {hit.space for hit in home.ask("zephyr", "prj_a").items} == {"prj_a", "prj_b"}


def test_exclusion_blocks_both_directions(two: AHome) -> None:
    """AZ-11."""
    save(two.lobes, two.me, "prj_a", LobeChange(exclude=("prj_b",)))
    assert {hit.space for hit in two.ask("zephyr", "prj_a").items} == {"prj_a"}
    assert {hit.space for hit in two.ask("zephyr", "prj_b").items} == {"prj_b"}


def test_what_an_agent_is_told_of_withheld_lobes(home: AHome) -> None:
    """No name, no count: one yes or no."""
    home.a_space("prj_a", {"a.md": "zephyr\n"}, LobeChange(cross_space="ask"))
    home.a_space("prj_b", {"b.md": "zephyr\n"})
    home.index()
    told = home.ask("zephyr", "prj_a", by=home.agent("prj_a"))
    assert told.withheld == ()
    assert told.more_with_approval
    assert "prj_b" not in str(told)
    person = home.ask("zephyr", "prj_a")
    assert [one.reason for one in person.withheld] == ["ask"]


def test_every_search_leaves_one_row_with_every_decision_and_no_text(two: AHome) -> None:
    two.ask("zephyr crates", "prj_a")
    (row,) = [one for one in two.audited("space.searched")][-1:]
    assert row["resources"] == ["space/prj_a"]
    assert "prj_b" in row["text"]
    assert "zephyr" not in str(row)
