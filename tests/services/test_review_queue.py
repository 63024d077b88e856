"""The queue, its counters and the evidence of one item: what a person goes by, and who may."""

from __future__ import annotations

from datetime import timedelta

import pytest

from decided import asked, do, done, get, remember, remember_all, statuses
from homes import AHome
from lobes.domain.errors import Forbidden, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.domain.memories import Provenance, shown_hash
from lobes.services.review_evidence import evidence
from lobes.services.review_groups import groups
from lobes.services.review_queue import queue
from lobes.services.reviewing import undo
from lobes.services.scoped_deletion import Scope, count_scope, delete_scope


@pytest.fixture
def two(home: AHome) -> AHome:
    """A home with two Spaces, of which one is closed."""
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.a_space("prj_b", {"b.md": "# B\n"}, LobeChange(cross_space="deny"))
    return home


# The queue --------------------------------------------------------------------------------------


def test_what_waits_is_there_newest_first_bound_to_what_is_shown(two: AHome) -> None:
    first = remember(two, "One.", waits_for=("conflict",))
    second = remember(two, "Two.", lobe="personal/ada")
    remember(two, "Active.", status="active")
    found = queue(two.lobes, two.me)
    assert [one.id for one in found.items] == [second, first]
    assert [one.shown for one in found.items] == [
        shown_hash(get(two, id)) for id in (second, first)
    ]
    assert [one.brakes for one in found.items] == [(), ("conflict",)]
    assert found.oldest == get(two, first).created
    assert found.counters.waiting == 2
    assert [one.id for one in queue(two.lobes, two.me, space="prj_a").items] == [first]
    assert queue(two.lobes, two.me, space="prj_b").items == ()


def test_each_says_how_many_wait_from_its_session(two: AHome) -> None:
    many = remember_all(two, ["One.", "Two.", "Three."])
    other = remember(two, "Four.", provenance=Provenance(session="s2"))
    alone = remember(two, "Five.", provenance=Provenance())
    items = queue(two.lobes, two.me).items
    by_id = {one.id: one for one in items}
    assert [by_id[id].in_session for id in (*many, other, alone)] == [3, 3, 3, 1, 0]


def test_a_secret_is_masked_in_the_list(two: AHome) -> None:
    id = remember(two, "Plain.")
    done(do(two, "edit", id, text="deploy with ghp_16C7e42F292c6912E7710c838347Ae178B4a"))
    (item,) = queue(two.lobes, two.me).items
    assert "ghp_" not in item.statement
    assert "secret" in item.brakes
    assert "ghp_" not in evidence(two.lobes, two.me, id).memory.statement


def test_what_was_decided_is_told_with_its_reason(two: AHome) -> None:
    good, bad, back = remember_all(two, ["One.", "Two.", "Three."])
    done(do(two, "accept", good))
    done(do(two, "reject", bad, reason="too_vague"))
    undo(two.lobes, two.me, do(two, "reject", back))
    found = queue(two.lobes, two.me, "decided")
    assert [(one.id, one.row.act, one.row.reason, one.row.by) for one in found.items] == [
        (bad, "reject", "too_vague", "user:ada"),
        (good, "accept", "", "user:ada"),
    ]
    assert found.counters.waiting == 1


def test_the_counters_say_what_became_of_what_came(two: AHome) -> None:
    words = ("Apples ripen.", "Bread rises.", "Cider ferments.", "Dogs bark.", "Eggs break.")
    ids = remember_all(two, words)
    done(do(two, "accept", *ids[:2]))
    done(do(two, "merge", ids[2], target=ids[0]))
    gone = done(do(two, "reject", *ids[3:]))
    counted = queue(two.lobes, two.me).counters
    assert (counted.accepted, counted.merged, counted.rejected, counted.waiting) == (2, 1, 2, 0)
    undo(two.lobes, two.me, gone)
    counted = queue(two.lobes, two.me).counters
    assert (counted.rejected, counted.waiting) == (0, 2)
    old = (two.lobes.clock() - timedelta(days=2)).date().isoformat()
    two.execute("UPDATE proposal_count SET day = ?", old)
    assert queue(two.lobes, two.me).counters.accepted == 0


def test_nobody_sees_what_they_may_not_review(two: AHome) -> None:
    two.execute("INSERT INTO person VALUES ('bob', 'Bob', 0, '2026-01-01')")
    two.execute("UPDATE space SET owner = 'bob' WHERE id = 'prj_b'")
    mine = remember(two, "Mine.")
    remember(two, "Bob's.", lobe="space/prj_b")
    with two.lobes.database().begin() as unit:
        unit.memories.count(get(two, mine).lobe._replace(id="prj_b"), "came", 7)
        unit.commit()
    found = queue(two.lobes, two.me)
    assert [one.id for one in found.items] == [mine]
    assert (found.counters.waiting, found.counters.proposed) == (1, 0)
    with pytest.raises(NotFound):
        queue(two.lobes, two.me, space="prj_b")
    agent = two.agent("prj_a", preset="editor")
    assert queue(two.lobes, agent).items == ()
    with pytest.raises(Forbidden):
        queue(two.lobes, agent, space="prj_a")


# Groups -----------------------------------------------------------------------------------------


def test_variants_of_one_claim_are_one_group(two: AHome) -> None:
    first = remember(two, "Folder locks come before file locks in every sync run.")
    copies = remember_all(
        two,
        [
            "Folder locks come before the file locks in every sync run.",
            "In every sync run, folder locks come before file locks.",
        ],
        waits_for=("inferred", "near_copy"),
    )
    remember_all(two, ["Releases freeze from December on.", "Invoices go out on the third."])
    elsewhere = remember(
        two, "Folder locks come before file locks in every sync run!", lobe="space/prj_b"
    )
    items = queue(two.lobes, two.me).items
    (group,) = groups(items)
    assert set(group) == {first, *copies}
    assert elsewhere not in group
    (target,) = asked(two, first)
    done(do(two, "merge", *copies, target=target))
    assert groups(queue(two.lobes, two.me).items) == ()
    assert statuses(two, first, *copies) == ["active", "superseded", "superseded"]


# One item ---------------------------------------------------------------------------------------


def test_the_evidence_shows_what_it_would_replace_and_what_goes_with_it(two: AHome) -> None:
    old = remember(two, "Sync retries back off up to 60 seconds.", status="active", author="user")
    copy = remember(two, "Sync retries back off up to 60 seconds now.", status="active")
    new = remember(two, "Sync retries back off to at most 5 minutes.", replaces=old)
    found = evidence(two.lobes, two.me, new)
    assert found.replaced is not None
    assert found.replaced.id == old
    assert [(line.sign, line.text) for line in found.diff] == [
        ("-", "Sync retries back off up to 60 seconds."),
        ("+", "Sync retries back off to at most 5 minutes."),
    ]
    assert [one.id for one in found.also_retire] == [copy]
    assert {one.memory.id for one in evidence(two.lobes, two.me, old).neighbours} == {copy, new}
    assert found.brakes == ("conflict", "retires_yours")  # the copy stays in use beside it
    assert [one.act for one in found.history] == ["add"]
    assert (found.stale, found.shown) == (None, shown_hash(get(two, new)))
    assert "memory.read" in {one.event for one in two.lobes.audit.rows(10)}


def test_what_came_in_the_way_is_told_when_it_is_opened(two: AHome) -> None:
    first, second = remember_all(two, ["The port is 8080.", "The port  is 8080."])
    assert evidence(two.lobes, two.me, second).stale is None
    done(do(two, "accept", first))
    found = evidence(two.lobes, two.me, second)
    assert found.stale == "duplicate_since"
    assert found.stale_by is not None
    assert found.stale_by.id == first


def test_who_would_read_it_is_answered_by_the_rules(two: AHome) -> None:
    id = remember(two, "The port is 8080.")
    found = evidence(two.lobes, two.me, id).readers
    assert (found.you, found.agents, found.people, found.is_whole) == (True, "proposer", (), True)
    assert [(one.space, one.reason) for one in found.not_spaces] == [("prj_b", "closed")]
    two.a_space("prj_c", {"c.md": "# C\n"})
    found = evidence(two.lobes, two.me, id).readers
    assert [(one.space, one.reason) for one in found.spaces] == [("prj_c", "sibling")]
    secret = remember(two, "Confidential.", level="confidential")
    assert evidence(two.lobes, two.me, secret).readers.agents is None


def test_a_personal_one_is_read_where_its_category_is_inherited(two: AHome) -> None:
    id = remember(two, "Magnesium helps.", lobe="personal/ada", category="health")
    found = evidence(two.lobes, two.me, id).readers
    assert {one.reason for one in found.not_spaces} == {"not_inherited"}
    assert (found.spaces, found.agents) == ((), None)
    other = remember(two, "Short answers.", lobe="personal/ada", category="communication")
    assert {one.space for one in evidence(two.lobes, two.me, other).readers.spaces} == {
        "prj_a",
        "prj_b",
    }


def test_of_a_group_it_names_the_members(two: AHome) -> None:
    two.execute("INSERT INTO person VALUES ('bob', 'Bob', 0, '2026-01-01')")
    row = "('core', 'team', 'Core', NULL, '2026-01-01', NULL)"
    two.execute(f"INSERT INTO person_group VALUES {row}")
    for person, role in (("ada", "owner"), ("bob", "member")):
        two.execute("INSERT INTO membership VALUES ('core', ?, ?, '2026-01-01')", person, role)
    id = remember(two, "Reviews take a day.", lobe="team/core")
    found = evidence(two.lobes, two.me, id).readers
    assert (found.people, {one.reason for one in found.spaces}) == (("bob",), {"member"})


def test_no_evidence_for_who_may_not_review(two: AHome) -> None:
    id = remember(two, "The port is 8080.")
    with pytest.raises(Forbidden):
        evidence(two.lobes, two.agent("prj_a", preset="editor"), id)
    for never in (two.lobes.new_id(), "' OR 1=1 --", ""):
        with pytest.raises(NotFound):
            evidence(two.lobes, two.me, never)


# A scope ----------------------------------------------------------------------------------------


def test_a_scope_is_counted_first_and_nothing_beyond_it_goes(two: AHome) -> None:
    theirs = [*remember_all(two, ["One.", "Two."]), remember(two, "Three.", status="active")]
    mine = remember(two, "Four.", author="user")
    other_session = remember(two, "Five.", provenance=Provenance(session="s2"))
    elsewhere = remember(two, "Six.", lobe="space/prj_b")
    counted = count_scope(two.lobes, two.me, Scope("prj_a", author="agent", session="s1"))
    assert (set(counted.ids), counted.statuses) == (set(theirs), (("active", 1), ("proposed", 2)))
    late = remember(two, "Seven.")
    done(delete_scope(two.lobes, two.me, counted))
    assert set(statuses(two, *theirs)) == {"deleted"}
    assert set(statuses(two, mine, other_session, elsewhere, late)) == {"proposed"}
    (record,) = two.audited("memory.deleted")
    assert len(record["resources"]) == 3
