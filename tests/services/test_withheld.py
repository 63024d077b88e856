"""A document that is closer than its Space is in no list, count, name, text or search of others."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from between import after, between
from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.errors import NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.domain.permission_change import PermissionChange
from lobes.domain.resources import Resource
from lobes.services.finding import find_named
from lobes.services.indexing import index_space
from lobes.services.installation import Caller
from lobes.services.lobe_changes import save
from lobes.services.lobes import list_lobes
from lobes.services.permissions import save_permission
from lobes.services.search import search
from lobes.services.sensitivity import raise_to
from lobes.services.skipped import skipped_files
from lobes.services.spaces import list_spaces, pack_text, show_pack, show_space, state_text
from lobes.services.status import home_status
from lobes.services.withheld import is_hidden

BOB = Caller(parse_actor("user:bob"), "cli", is_present=True)
AGENT = Caller(parse_actor("ai:bob/reader@prj_b"), "cli")


@pytest.fixture
def shared(home: AHome) -> AHome:
    """Bob reads prj_a; `current.md`, the newest file and the one with a role, is private."""
    home.a_space(
        "prj_a",
        {
            "a.md": "# A\n\nzephyr crane\n",
            "b.md": "# B\n\nharbour crane\n",
            "current.md": "# Current\n\nzephyr zephyr\n\n## Two\n\nzephyr\n",
        },
    )
    home.a_space("prj_b", {"c.md": "# C\n\nother\n"})
    home.index()
    home.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'Bob', '2026-01-01')")
    grants = {verb: ["user:bob"] for verb in ("read_meta", "read_content")}
    text = json.dumps({"visibility": "restricted", "grants": grants})
    home.execute("UPDATE space SET permission = ? WHERE id = 'prj_a'", text)
    home.execute("UPDATE space SET owner = 'bob' WHERE id = 'prj_b'")
    home.execute("UPDATE document SET mtime_ns = 9000000000000000000 WHERE path = 'current.md'")
    withhold(home)
    return home


def withhold(home: AHome, visibility: str = "private") -> None:
    ((id,),) = home.rows("SELECT id FROM document WHERE path = 'current.md'")
    change = PermissionChange(visibility=visibility)  # type: ignore[arg-type]
    save_permission(home.lobes, home.me, Resource("document", id), change)


def counts(home: AHome, who: Caller) -> dict[str, object]:
    row = next(one for one in list_spaces(home.lobes, who) if one.id == "prj_a")
    pack = show_pack(home.lobes, who, "prj_a")
    shown = pack.row
    lobe = next(one for one in list_lobes(home.lobes, who) if one.space == "prj_a")
    status = home_status(home.lobes, who)
    return {
        "list": (row.documents, row.passages),
        "show": (shown.documents, shown.passages),
        "lobe": lobe.documents,
        "status": (status.documents, status.passages),
        "is the newest": row.changed == shown.changed == 9000000000000000000,
        "pack": [one.path for one in pack.pack],
    }


def test_lists_and_counts_know_nothing_of_it(shared: AHome) -> None:
    assert counts(shared, BOB) == {
        "list": (2, 2),
        "show": (2, 2),
        "lobe": 2,
        "status": (3, 3),
        "is the newest": False,
        "pack": ["a.md", "b.md"],
    }
    assert counts(shared, shared.me)["list"] == (3, 4)
    assert "current_state" in show_space(shared.lobes, BOB, "prj_a").missing_roles
    withhold(shared, "inherit")
    assert counts(shared, BOB)["list"] == (3, 4)


READS: dict[str, Callable[[AHome, str], object]] = {
    "peek and reader": lambda home, path: pack_text(home.lobes, BOB, "prj_a", path),
    "preview": lambda home, path: pack_text(home.lobes, BOB, "prj_a", path, limit=100),
}


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_its_text_is_read_by_no_way_and_looks_like_a_file_that_never_was(
    shared: AHome, read: Callable[[AHome, str], object]
) -> None:
    said: set[tuple[str, ...]] = set()
    for path in ("current.md", "never.md"):
        with pytest.raises(NotFound) as refused:
            read(shared, path)
        said.add((refused.value.message, refused.value.hint, refused.value.reason))
    assert len(said) == 1
    read(shared, "a.md")


def test_it_is_neither_a_state_nor_a_name(shared: AHome) -> None:
    assert state_text(shared.lobes, BOB, "prj_a") is None
    assert state_text(shared.lobes, shared.me, "prj_a") is not None
    assert [one.path for one in find_named(shared.lobes, BOB, "current")] == []
    assert [one.path for one in find_named(shared.lobes, shared.me, "current")] == ["current.md"]


def test_it_takes_no_slot_and_is_counted_in_no_answer(shared: AHome) -> None:
    """AZ-20."""
    answer = search(shared.lobes, BOB, "zephyr", space="prj_a", limit=1)
    assert [hit.path for hit in answer.items] == ["a.md"]
    assert answer.words_found == 1
    owners = search(shared.lobes, shared.me, "zephyr", space="prj_a", limit=10)
    assert owners.words_found == 3


def test_an_agent_reads_no_more_than_its_person(shared: AHome) -> None:
    from lobes.domain.lobe_change import LobeChange
    from lobes.domain.lobes import Subscription
    from lobes.services.lobe_changes import save

    change = LobeChange(subscribe=(Subscription("space", "prj_a"),))
    save(shared.lobes, BOB, "prj_b", change)
    assert shared.found("zephyr", "prj_b", by=AGENT) == {("prj_a", "a.md")}
    assert [one.path for one in find_named(shared.lobes, AGENT, "current")] == []
    with pytest.raises(NotFound):
        pack_text(shared.lobes, AGENT, "prj_a", "current.md")


def test_withheld_between_the_candidates_and_their_texts_it_is_left_out_and_asked_again(
    shared: AHome,
) -> None:
    """AZ-16."""
    withhold(shared, "inherit")
    assert ("prj_a", "current.md") in shared.found("zephyr", "prj_a", by=BOB)
    raced = between(shared, after(lambda: withhold(shared)))
    found = raced.ask("zephyr", "prj_a", by=BOB)
    assert found.items == shared.ask("zephyr", "prj_a", by=BOB).items
    assert found.words_found == 1


def test_what_is_confidential_is_in_no_search_count_or_list_of_an_agent(home: AHome) -> None:
    home.a_space("prj_a", {"a.md": "# A\n\nzephyr\n", "s.md": "# S\n\nzephyr zephyr crane\n"})
    home.index()
    home.execute(
        "INSERT INTO document_sensitivity (document, level, classifier)"
        " SELECT id, 'confidential', 1 FROM document WHERE path = 's.md'"
        " ON CONFLICT (document) DO UPDATE SET level = 'confidential'"
    )
    agent = home.agent("prj_a")
    answer = home.ask("zephyr", "prj_a", by=agent, limit=1)
    assert ([hit.path for hit in answer.items], answer.words_found) == (["a.md"], 1)
    (row,) = list_spaces(home.lobes, agent)
    assert (row.documents, row.passages) == (1, 1)
    assert home.ask("zephyr", "prj_a").words_found == 2


# What is not read ---------------------------------------------------------------------------------


def test_a_withheld_file_that_cant_be_read_any_more_is_no_line_of_what_was_left_out(
    shared: AHome,
) -> None:
    """Its owner is told; for bob there is neither the file, nor a count of it."""
    shared.write("prj_a", "current.md", b"\xff\xfe not text any more")
    shared.write("prj_a", "other.md", b"\xff\xfe no text either")
    shared.index()
    mine, bobs = (show_pack(shared.lobes, who, "prj_a").skipped for who in (shared.me, BOB))
    assert [path for path, _ in mine] == ["current.md", "other.md"]
    assert [path for path, _ in bobs] == ["other.md"]
    (all_of_mine,), (all_of_bobs,) = (skipped_files(shared.lobes, who) for who in (shared.me, BOB))
    assert (all_of_mine.count, all_of_bobs.count) == (2, 1)
    assert all_of_bobs.examples == (("prj_a", "other.md"),)


def test_a_run_by_somebody_it_is_withheld_from_neither_tells_of_it_nor_forgets_it(
    shared: AHome,
) -> None:
    """What the owner was told of the file stands until somebody looks at it who may."""
    grants = {verb: ["user:bob"] for verb in ("read_meta", "read_content", "edit_content")}
    text = json.dumps({"visibility": "restricted", "grants": grants})
    shared.execute("UPDATE space SET permission = ? WHERE id = 'prj_a'", text)
    shared.write("prj_a", "current.md", b"\xff\xfe not text any more")
    shared.index()
    report = index_space(shared.lobes, BOB, "prj_a")
    assert (report.indexed, report.unchanged, report.removed, report.skipped) == (0, 2, 0, ())
    assert [path for path, _ in show_pack(shared.lobes, shared.me, "prj_a").skipped] == [
        "current.md"
    ]


def test_a_folder_that_holds_nothing_but_what_is_withheld_is_not_named() -> None:
    assert is_hidden("plans", {"plans/a.md"}, {"b.md", "plansb.md"})
    assert not is_hidden("plans", {"plans/a.md"}, {"plans/b.md"})
    assert not is_hidden("plan", {"plans/a.md"}, set())
    assert not is_hidden("b.md", {"plans/a.md"}, {"b.md"})


def test_an_agents_run_counts_no_file_that_is_too_sensitive_for_it(home: AHome) -> None:
    """An editor's `index` where one file is confidential: it is neither counted nor touched."""
    home.a_space("prj_a", {"a.md": "# A\n\nzephyr\n", "card.md": "# Card\n\nzephyr\n"})
    home.index()
    save(home.lobes, home.me, "prj_a", LobeChange(agent_preset="editor"))
    ((card,),) = home.rows("SELECT id FROM document WHERE path = 'card.md'")
    raise_to(home.lobes, home.me, Resource("document", card), "confidential")
    agent = home.agent("prj_a", preset="editor")
    home.write("prj_a", "card.md", "# Card\n\nanother\n")
    report = index_space(home.lobes, agent, "prj_a")
    assert (report.indexed, report.unchanged, report.removed, report.skipped) == (0, 1, 0, ())
    (mine,) = home.rows("SELECT count(*) FROM document")
    assert (index_space(home.lobes, home.me, "prj_a").indexed, mine[0]) == (1, 2)
