"""A proposal in the wrong lobe waits in another one, as if it had been proposed there."""

from __future__ import annotations

import json

import pytest

from decided import asked, do, done, get, reasons, remember
from homes import AHome
from lobes.domain.errors import Forbidden, LobesError
from lobes.domain.ids import parse_address
from lobes.services.memories import list_memories
from lobes.services.reviewing import decide, undo
from lobes.store.read_memories import Where

PERSONAL = parse_address("personal/ada")
OTHER = parse_address("space/prj_b")
TOKEN = "Deploy with ghp_16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def two(home: AHome) -> AHome:
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.a_space("prj_b", {"b.md": "# B\n"})
    return home


def waiting(home: AHome, space: str) -> list[str]:
    page = list_memories(home.lobes, home.me, Where(statuses=("proposed",)), space=space)
    return [one.memory.id for one in page.items]


def test_it_waits_in_the_other_lobe_with_what_it_was_and_comes_back_by_undo(two: AHome) -> None:
    id = remember(two, "Short answers.")
    decided = done(do(two, "move", id, lobe=OTHER))
    moved = get(two, id)
    assert (moved.lobe, moved.status, moved.version) == (OTHER, "proposed", 2)
    assert (moved.person, moved.provenance.session) == ("ada", "s1")
    assert [waiting(two, space) for space in ("prj_a", "prj_b")] == [[], [id]]
    assert len(two.audited("memory.moved")) == 1
    done(undo(two.lobes, two.me, decided))
    assert get(two, id).lobe == parse_address("space/prj_a")


def test_it_is_held_against_what_the_other_lobe_has_in_use(two: AHome) -> None:
    """And what it would have replaced stays alone."""
    old = remember(two, "The sync retries for 5 minutes.", status="active")
    there = remember(two, "Retries wait 30 seconds.", lobe=str(OTHER), status="active")
    id = remember(two, "Retries wait 60 seconds.", replaces=old, waits_for=("replaces",))
    done(do(two, "move", id, lobe=OTHER))
    moved = get(two, id)
    assert moved.replaces == ""
    assert set(moved.waits_for) == {"conflict"}
    assert reasons(do(two, "accept", id)) == {id: "needs_choice"}
    done(do(two, "supersede", id, target=there))
    assert [get(two, one).status for one in (old, there)] == ["active", "superseded"]


def test_into_a_lobe_of_no_space_it_says_that_more_would_read_it(two: AHome) -> None:
    id = remember(two, "Short answers.")
    done(do(two, "move", id, lobe=PERSONAL))
    assert "wider_scope" in get(two, id).waits_for
    done(do(two, "move", id, lobe=OTHER))
    assert "wider_scope" not in get(two, id).waits_for


@pytest.mark.parametrize("level", ["restricted", "confidential"])
def test_what_is_sensitive_moves_to_a_space_and_into_nothing_wider(two: AHome, level: str) -> None:
    id = remember(two, "Short answers.", level=level)
    assert reasons(do(two, "move", id, lobe=PERSONAL)) == {id: "stays"}
    done(do(two, "move", id, lobe=OTHER))
    assert get(two, id).level == level


def test_a_secret_moves_into_nothing_wider(two: AHome) -> None:
    id = remember(two, "Plain.")
    done(do(two, "edit", id, text=TOKEN))
    two.execute("UPDATE memory SET level = 'internal' WHERE id = ?", id)
    assert reasons(do(two, "move", id, lobe=PERSONAL)) == {id: "stays"}


def test_only_what_waits_and_lies_elsewhere_is_moved_and_only_as_it_was_shown(two: AHome) -> None:
    used = remember(two, "One.", status="active")
    id = remember(two, "Two.")
    assert reasons(do(two, "move", used, lobe=OTHER)) == {used: "wrong_status"}
    assert reasons(do(two, "move", id, lobe=parse_address("space/prj_a"))) == {id: "same"}
    shown = asked(two, id)
    done(do(two, "edit", id, text="Two, in other words."))
    assert reasons(decide(two.lobes, two.me, "move", shown, lobe=OTHER)) == {id: "changed"}
    with pytest.raises(LobesError):
        do(two, "move", id)


def test_no_agent_moves_and_nobody_to_where_they_may_not_propose(two: AHome) -> None:
    id = remember(two, "Short answers.")
    for caller in (two.agent("prj_a", preset="editor"), two.absent):
        decided = decide(two.lobes, caller, "move", asked(two, id), lobe=PERSONAL)
        assert isinstance(decided.left[0].error, Forbidden)
    with pytest.raises(LobesError) as hidden:
        do(two, "move", id, lobe=parse_address("space/prj_never"))
    assert hidden.value.reason == "not_found"
    assert get(two, id).version == 1


def test_what_is_sensitive_moves_into_no_space_of_somebody_else(two: AHome) -> None:
    two.execute("INSERT INTO person VALUES ('bob', 'Bob', 0, '2026-01-01')")
    grants = {"read_meta": ["user:ada"], "propose": ["user:ada"]}
    text = json.dumps({"visibility": "restricted", "grants": grants})
    two.execute("UPDATE space SET owner = 'bob', permission = ? WHERE id = ?", text, OTHER.id)
    kept = remember(two, "Our margin is nine percent.", level="confidential")
    plain = remember(two, "The port is 8080.")
    assert reasons(do(two, "move", kept, lobe=OTHER)) == {kept: "stays"}
    assert get(two, kept).lobe != OTHER
    done(do(two, "move", plain, lobe=OTHER))


def test_nobody_moves_back_to_where_they_may_not_propose_any_more(two: AHome) -> None:
    two.execute("INSERT INTO person VALUES ('bob', 'Bob', 0, '2026-01-01')")
    id = remember(two, "Short answers.")
    decided = done(do(two, "move", id, lobe=OTHER))
    text = json.dumps({"visibility": "restricted", "grants": {"read_meta": ["user:ada"]}})
    two.execute("UPDATE space SET owner = 'bob', permission = ? WHERE id = 'prj_a'", text)
    (left,) = undo(two.lobes, two.me, decided).left
    assert isinstance(left.error, Forbidden)
    assert get(two, id).lobe == OTHER
