"""A person decides on memories: what each decision leaves, what holds it back, and its undo."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest

from decided import asked, claim, do, done, get, reasons, remember, remember_all, statuses
from homes import AHome
from lobes.domain.actors import Human
from lobes.domain.errors import Forbidden, LobesError, NoPresence, NotFound
from lobes.domain.ids import Slug
from lobes.domain.memories import Provenance, shown_hash
from lobes.domain.permissions import Permission
from lobes.domain.reviewing import NeedsChoice
from lobes.services.decisions import Asked
from lobes.services.installation import Caller
from lobes.services.reviewing import decide, undo

SECRET = "deploy with ghp_16C7e42F292c6912E7710c838347Ae178B4a"


@pytest.fixture
def one(home: AHome) -> AHome:
    """A home with one Space."""
    home.a_space("prj_a", {"a.md": "# A\n"})
    return home


def outbox(home: AHome) -> list[tuple[str, str]]:
    return home.rows("SELECT op, id FROM outbox WHERE lobe = 'space/prj_a' ORDER BY seq")


# One at a time ----------------------------------------------------------------------------------


def test_an_accepted_one_is_in_use_and_the_index_is_told_in_the_same_unit(one: AHome) -> None:
    id = remember(one, "Folder locks before file locks.")
    assert ("upsert", id) not in outbox(one)
    done(do(one, "accept", id))
    assert get(one, id).status == "active"
    assert ("upsert", id) in outbox(one)
    (record,) = one.audited("memory.accepted")
    assert (record["verb"], record["resources"]) == ("review", [f"memory/{id}"])
    assert "Folder" not in str(record)


def test_an_approval_names_what_was_shown(one: AHome) -> None:
    id = remember(one, "Folder locks before file locks.")
    left = decide(one.lobes, one.me, "accept", [Asked(id)])
    assert reasons(left) == {id: "not_shown"}


def test_what_changed_since_it_was_shown_is_left_with_the_change(one: AHome) -> None:
    id = remember(one, "Folder locks before file locks.")
    (shown,) = asked(one, id)
    done(do(one, "edit", id, text="Folder locks after file locks."))
    decided = decide(one.lobes, one.me, "accept", [shown])
    assert reasons(decided) == {id: "changed"}
    assert [(line.sign, line.text) for line in decided.left[0].changed] == [
        ("-", "Folder locks before file locks."),
        ("+", "Folder locks after file locks."),
    ]
    assert get(one, id).status == "proposed"


def test_a_corrected_memory_is_out_at_once_and_both_sides_know_each_other(one: AHome) -> None:
    old = remember(one, "Retries back off up to 60 seconds.", status="active")
    new = remember(one, "Retries back off up to 5 minutes.", replaces=old)
    done(do(one, "accept", new))
    assert statuses(one, new, old) == ["active", "superseded"]
    assert outbox(one)[-2:] == [("upsert", new), ("delete", old)]
    assert one.rows("SELECT kind, memory, other FROM memory_link") == [("supersedes", new, old)]


def test_near_copies_of_the_same_claim_go_with_it(one: AHome) -> None:
    old, copy = remember_all(one, ["Waits 60 s.", "It waits 60 s."], status="active")
    new = remember(one, "Waits 5 min.", waits_for=("conflict",))
    done(do(one, "supersede", new, target=old, also=(copy,)))
    assert statuses(one, new, old, copy) == ["active", "superseded", "superseded"]
    done(do(one, "delete", new))
    assert statuses(one, old, copy) == ["active", "active"]


def test_what_you_wrote_is_never_retired_by_accepting_something_else(one: AHome) -> None:
    """AG-06."""
    mine = remember(one, "Retries back off up to 60 seconds.", status="active", author="user")
    new = remember(one, "Retries back off up to 5 minutes.", replaces=mine)
    decided = do(one, "accept", new)
    error = decided.left[0].error
    assert isinstance(error, NeedsChoice)
    assert error.options == ("supersede", "reject")
    assert statuses(one, new, mine) == ["proposed", "active"]
    done(do(one, "supersede", new))
    assert statuses(one, new, mine) == ["active", "superseded"]


def test_a_conflict_is_not_accepted_but_chosen_about(one: AHome) -> None:
    there = remember(one, "The port is 8080.", status="active")
    new = remember(one, "The port is 9090.", waits_for=("inferred", "conflict"))
    error = do(one, "accept", new).left[0].error
    assert isinstance(error, NeedsChoice)
    assert error.options == ("supersede", "dispute", "reject")
    done(do(one, "dispute", new, target=there))
    assert statuses(one, new, there) == ["disputed", "disputed"]
    done(do(one, "supersede", there, target=new))
    assert statuses(one, new, there) == ["superseded", "active"]


def test_both_of_a_dispute_may_hold_after_all(one: AHome) -> None:
    first, second = remember_all(one, ["Blue.", "Green."], status="active")
    done(do(one, "dispute", first, target=second))
    done(do(one, "settle", second, target=first))
    assert statuses(one, first, second) == ["active", "active"]


def test_two_in_dispute_are_not_disputed_again(one: AHome) -> None:
    first, second = remember_all(one, ["Blue.", "Green."], status="active")
    done(do(one, "dispute", first, target=second))
    for mine, other in ((first, second), (second, first)):
        again = do(one, "dispute", mine, target=other)
        assert (again.done, reasons(again)) == ((), {mine: "wrong_status"})
    assert statuses(one, first, second) == ["disputed", "disputed"]


@pytest.mark.parametrize(
    "fields",
    [
        {"category": "health"},
        {"level": "restricted"},
        {"level": "confidential"},
        {"statement": "Call tenant\u200b 0 first."},
        {"waits_for": ("secret",)},
    ],
)
def test_what_is_sensitive_or_holds_something_hidden_takes_a_yes_of_its_own(
    one: AHome, fields: dict[str, object]
) -> None:
    text = str(fields.pop("statement", "Resting pulse fell to 58."))
    id = remember(one, text, **fields)
    assert reasons(do(one, "accept", id)) == {id: "needs_confirmation"}
    done(do(one, "accept", id, confirmed=True))


def test_what_changed_since_it_was_shown_is_told_without_the_secret_in_it(one: AHome) -> None:
    id = remember(one, f"Now {SECRET}.")
    (shown,) = asked(one, id, confirmed=True)
    done(do(one, "edit", id, text=f"Then {SECRET}."))
    (left,) = decide(one.lobes, one.me, "accept", [shown]).left
    assert [line.sign for line in left.changed] == ["-", "+"]
    assert not any("ghp_" in line.text for line in left.changed)


def test_what_is_in_use_gets_no_secret_and_nothing_hidden_without_a_yes(one: AHome) -> None:
    id = remember(one, "Deploy by hand.", status="active")
    for text in (SECRET, "Deploy\u200b by hand."):
        assert reasons(do(one, "edit", id, text=text)) == {id: "needs_confirmation"}
    done(do(one, "edit", id, text=SECRET, confirmed=True))
    done(do(one, "edit", id, text=f"{SECRET} twice"))


def test_of_a_secret_nothing_stands_in_the_record(one: AHome) -> None:
    id = remember(one, "Deploys are signed.")
    done(do(one, "edit", id, text=SECRET))
    assert (get(one, id).level, "secret" in get(one, id).waits_for) == ("confidential", True)
    rejected = do(one, "reject", id, reason=f"holds {SECRET}")
    done(rejected)
    assert one.rows("SELECT count(*) FROM memory_version WHERE reason LIKE '%ghp_%'") == [(0,)]
    assert "ghp_" not in str(one.audited("memory.rejected"))


def test_a_rejected_one_leaves_a_tombstone_and_can_be_reopened(one: AHome) -> None:
    id = remember(one, "Too vague.")
    done(do(one, "reject", id, reason="too_vague"))
    stones = one.rows("SELECT id, cause, actor FROM memory_tombstone")
    assert stones == [(id, "rejected", "user:ada")]
    assert one.rows("SELECT reason FROM memory_version WHERE act = 'reject'") == [("too_vague",)]
    done(do(one, "reopen", id))
    assert (get(one, id).status, one.rows("SELECT 1 FROM memory_tombstone")) == ("proposed", [])
    done(do(one, "accept", id))


def test_a_deleted_one_is_out_and_only_its_hash_is_kept(one: AHome) -> None:
    id = remember(one, "The port is 8080.", status="active")
    hash = get(one, id).content_hash
    done(do(one, "delete", id))
    stones = one.rows("SELECT id, content_hash, cause FROM memory_tombstone")
    assert stones == [(id, hash, "deleted")]
    assert outbox(one)[-1] == ("delete", id)
    for act in ("restore", "accept", "reopen", "archive", "edit"):
        assert reasons(do(one, act, id, text="x")) == {id: "not_found"}


def test_restore_brings_back_what_was_archived_and_nothing_else(one: AHome) -> None:
    """AZ-26."""
    kept, gone = remember_all(one, ["One.", "Two."], status="active")
    done(do(one, "archive", kept))
    done(do(one, "supersede", kept_again := remember(one, "Three."), target=gone))
    done(do(one, "restore", kept))
    assert reasons(do(one, "restore", gone)) == {gone: "wrong_status"}
    assert statuses(one, kept, gone, kept_again) == ["active", "superseded", "active"]


def test_what_came_back_meanwhile_is_not_restored_a_second_time(one: AHome) -> None:
    old = remember(one, "The port is 8080.", status="archived")
    remember(one, "The  port is 8080.", status="active")
    assert reasons(do(one, "restore", old)) == {old: "duplicate_since"}


def test_two_merged_are_one_with_the_new_words(one: AHome) -> None:
    kept = remember(one, "Both bodies survive.", status="active")
    gone = remember(one, "Both bodies survive a conflict.", waits_for=("near_copy",))
    done(do(one, "merge", gone, target=kept, text="Both bodies survive a sync conflict."))
    assert get(one, kept).statement == "Both bodies survive a sync conflict."
    assert statuses(one, kept, gone) == ["active", "superseded"]
    assert one.rows("SELECT kind, memory, other FROM memory_link") == [("merged", kept, gone)]


def test_what_is_kept_may_get_the_very_words_of_what_is_folded_in(one: AHome) -> None:
    kept = remember(one, "The port is 8080.", status="active")
    gone = remember(one, "The port is 9090.", status="active")
    done(do(one, "merge", gone, target=kept, text="The port is 9090."))
    assert get(one, kept).statement == "The port is 9090."
    assert statuses(one, kept, gone) == ["active", "superseded"]
    third = remember(one, "The port is 7070.", status="active")
    taken = do(one, "merge", third, target=kept, text=get(one, third).statement, also=())
    assert done(taken).done[0].id == third


def test_an_edit_is_a_new_version_and_the_old_words_are_kept(one: AHome) -> None:
    id = remember(one, "The port is 8080.", status="active")
    done(do(one, "edit", id, text="  The port is 9090. "))
    found = one.rows("SELECT version, statement, act FROM memory_version ORDER BY version")
    assert found == [(1, "The port is 8080.", "add"), (2, "The port is 9090.", "edit")]
    assert outbox(one)[-1] == ("upsert", id)


def test_until_when_it_holds_is_an_edit_too(one: AHome) -> None:
    id = remember(one, "The port is 8080.", status="active")
    now = one.lobes.clock()
    done(do(one, "edit", id, validity=(None, now)))
    assert get(one, id).valid_to == now
    assert not get(one, id).holds_at(now)
    assert reasons(do(one, "edit", id, validity=(now, now))) == {id: "bad_validity"}
    begin = now - timedelta(days=1)
    done(do(one, "edit", id, validity=(begin, None)))
    assert (get(one, id).valid_from, get(one, id).valid_to) == (begin, now)
    assert reasons(do(one, "edit", id)) == {id: "usage"}


def test_a_recheck_says_that_it_still_holds(one: AHome) -> None:
    id = remember(one, "The port is 8080.", status="active")
    assert get(one, id).verified is None
    done(do(one, "recheck", id))
    assert (get(one, id).verified is not None, get(one, id).status) == (True, "active")


# What has become of it since -------------------------------------------------------------------


def test_a_target_that_changed_is_told_until_it_was_looked_at_again(one: AHome) -> None:
    old = remember(one, "Waits 60 s.", status="active")
    new = remember(one, "Waits 5 min.", replaces=old)
    done(do(one, "edit", old, text="Waits 90 s."))
    assert reasons(do(one, "accept", new)) == {new: "target_changed"}
    done(do(one, "recheck", new))
    done(do(one, "accept", new))
    assert statuses(one, new, old) == ["active", "superseded"]


def test_a_target_that_was_replaced_is_followed_when_it_is_looked_at_again(one: AHome) -> None:
    old = remember(one, "Waits 60 s.", status="active")
    new = remember(one, "Waits 5 min.", replaces=old)
    done(do(one, "supersede", between := remember(one, "Waits 90 s."), target=old))
    assert reasons(do(one, "accept", new)) == {new: "target_changed"}
    done(do(one, "recheck", new))
    assert get(one, new).replaces == between
    done(do(one, "delete", between))
    done(do(one, "recheck", new))
    assert get(one, new).replaces == ""


def test_a_clock_that_was_put_back_hides_nothing_that_came_since(one: AHome) -> None:
    """DU-19: of what lies in the future nobody can say what came before it."""
    ahead = one.lobes.clock() + timedelta(days=1)
    old = remember(one, "Backs off up to 60 s.", status="active", author="agent")
    new = remember(one, "Backs off up to 5 min.", replaces=old, updated=ahead)
    other = remember(one, "The port is 8080.", updated=ahead)
    remember(one, "The port is 9090.", status="active")
    assert reasons(do(one, "accept", new)) == {new: "target_changed"}
    assert reasons(do(one, "accept", other)) == {other: "conflict_since"}
    done(do(one, "recheck", new))
    done(do(one, "accept", new))
    assert statuses(one, new, old) == ["active", "superseded"]


def test_nothing_takes_the_place_of_a_memory_of_another_lobe(one: AHome) -> None:
    one.a_space("prj_b", {"b.md": "# B\n"})
    here = remember(one, "The port is 8080.", status="active")
    there = remember(one, "The port is 9090.", status="active", lobe="space/prj_b")
    for act in ("supersede", "merge"):
        assert reasons(do(one, act, here, target=there)) == {here: "other_lobe"}
    assert statuses(one, here, there) == ["active", "active"]
    done(do(one, "dispute", here, target=there))


def test_the_same_that_came_into_use_since_is_told(one: AHome) -> None:
    first, second = remember_all(one, ["The port is 8080.", "The port  is 8080."])
    done(do(one, "accept", first))
    assert reasons(do(one, "accept", second)) == {second: "duplicate_since"}
    assert reasons(do(one, "accept", second, confirmed=True)) == {second: "duplicate_since"}


def test_what_was_rejected_since_in_the_same_words_is_told_and_can_be_meant(one: AHome) -> None:
    first, second = remember_all(one, ["The port is 8080.", "The port  is 8080."])
    done(do(one, "reject", first))
    assert reasons(do(one, "accept", second)) == {second: "suppressed_since"}
    done(do(one, "accept", second, confirmed=True))


def test_what_belongs_to_an_archived_space_waits_for_it(one: AHome) -> None:
    from lobes.services.space_changes import archive_space, trash_space

    id = remember(one, "The port is 8080.")
    archive_space(one.lobes, one.me, "prj_a")
    assert reasons(do(one, "accept", id)) == {id: "space_gone"}
    trash_space(one.lobes, one.me, "prj_a")
    assert reasons(do(one, "accept", id)) == {id: "not_found"}


def test_what_is_too_long_is_told(one: AHome) -> None:
    id = remember(one, "word " * 1000)
    assert reasons(do(one, "accept", id)) == {id: "over_limit"}


# Who --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("act", ["accept", "reject", "delete", "supersede", "edit", "archive"])
def test_no_agent_decides_and_nobody_who_is_not_there(one: AHome, act: str) -> None:
    id = remember(one, "The port is 8080.")
    wanted = asked(one, id)
    for caller, error in (
        (one.agent("prj_a", preset="editor"), Forbidden),
        (one.absent, NoPresence),
    ):
        decided = decide(one.lobes, caller, act, wanted, text="x")  # type: ignore[arg-type]
        assert isinstance(decided.left[0].error, error)
    assert get(one, id).version == 1
    denied = one.audited("access.denied")
    assert {record["answer"] for record in denied} == {"ai_bar", "no_presence"}


def test_an_id_that_never_was_is_not_found(one: AHome) -> None:
    decided = decide(one.lobes, one.me, "accept", [Asked(one.lobes.new_id(), "x")])
    assert isinstance(decided.left[0].error, NotFound)


def test_a_target_that_is_not_ones_own_stops_all_of_it(one: AHome) -> None:
    one.execute("INSERT INTO person VALUES ('bob', 'Bob', 0, '2026-01-01')")
    one.a_space("prj_b", {"b.md": "# B\n"})
    one.execute("UPDATE space SET owner = 'bob' WHERE id = 'prj_b'")
    hidden = remember(one, "Bob's.", lobe="space/prj_b", status="active")
    mine = remember(one, "Mine.")
    for target in (hidden, one.lobes.new_id()):
        with pytest.raises(NotFound) as caught:
            do(one, "supersede", mine, target=target)
        assert caught.value.message == "There is nothing with that name here."
    assert statuses(one, mine, hidden) == ["proposed", "active"]


def test_who_may_not_decide_on_a_memory_retires_it_by_accepting_no_other(one: AHome) -> None:
    """What a proposal names itself is decided upon too: its own permission is closer."""
    one.execute("INSERT INTO person VALUES ('bob', 'Bob', 0, '2026-01-01')")
    rights = {verb: ["user:bob"] for verb in ("read_meta", "read_content", "review")}
    one.execute(
        "UPDATE space SET permission = ?",
        json.dumps({"visibility": "restricted", "grants": rights}),
    )
    bob = Caller(Human(Slug("bob")), "cli", is_present=True)
    closer = remember(one, "Waits 60 s.", status="active", permission=Permission("private"))
    known = remember(one, "Port 8080.", status="active", author="agent")
    for old, act, more in ((closer, "accept", {}), (closer, "supersede", {})):
        new = remember(one, f"Waits {act} 90 s.", replaces=old)
        (left,) = decide(one.lobes, bob, act, asked(one, new), **more).left
        assert isinstance(left.error, NotFound)
        assert statuses(one, new, old) == ["proposed", "active"]
    new = remember(one, "Port 9090.", replaces=known)
    done(decide(one.lobes, bob, "accept", asked(one, new)))
    assert statuses(one, new, known) == ["active", "superseded"]


def test_of_two_who_decide_at_once_one_does_and_the_other_is_told(one: AHome) -> None:
    """AG-04."""
    for number in range(5):
        id = remember(one, claim(number))
        wanted = asked(one, id)
        with ThreadPoolExecutor(2) as pool:
            acts = [
                pool.submit(decide, one.lobes, one.me, act, wanted) for act in ("accept", "reject")
            ]
            both = [act.result() for act in acts]
        assert sorted(len(decided.done) for decided in both) == [0, 1]
        assert [reasons(decided) for decided in both if decided.left] == [{id: "changed"}]
        assert get(one, id).version == 2


# Many -------------------------------------------------------------------------------------------


def test_a_batch_takes_what_needs_no_look_and_names_the_rest(one: AHome) -> None:
    plain = remember_all(one, ["One.", "Two.", "Three."])
    old = remember(one, "Old.", status="active")
    braked = [
        remember(one, "Four.", waits_for=("conflict",)),
        remember(one, "Five.", provenance=Provenance(is_external=True)),
        remember(one, "Six.", waits_for=("outside",)),
        remember(one, "Seven.", category="finance"),
        remember(one, "Eight\u202e."),
        remember(one, "Nine.", level="restricted"),
        remember(one, "Ten.", replaces=old),
        remember(one, "Eleven.", waits_for=("near_copy",)),
    ]
    decided = do(one, "accept", *plain, *braked, confirmed=True)
    assert [each.id for each in decided.done] == plain
    assert reasons(decided) == dict.fromkeys(braked, "needs_look")
    (record,) = one.audited("memory.accepted")
    assert record["resources"] == [f"memory/{id}" for id in plain]
    assert "'done': 3, 'left': 8" in record["text"]


def test_of_the_same_twice_in_a_batch_one_is_taken(one: AHome) -> None:
    first, second = remember_all(one, ["The port is 8080.", "The port  is 8080."])
    decided = do(one, "accept", first, second)
    assert [each.id for each in decided.done] == [first]
    assert reasons(decided) == {second: "duplicate_since"}


def test_a_session_is_rejected_whole_and_taken_back_whole(one: AHome) -> None:
    ids = remember_all(one, [claim(number) for number in range(8)])
    decided = done(do(one, "reject", *ids, reason="wrong"))
    assert set(statuses(one, *ids)) == {"rejected"}
    undone = done(undo(one.lobes, one.me, decided))
    assert set(statuses(one, *ids)) == {"proposed"}
    assert one.rows("SELECT 1 FROM memory_tombstone") == []
    again = done(undo(one.lobes, one.me, undone))
    assert set(statuses(one, *ids)) == {"rejected"}
    assert len(again.done) == 8
    counted = one.rows("SELECT count FROM proposal_count WHERE stage = 'rejected'")
    assert counted == [(8,)]
    assert len(one.audited("memory.undone")) == 2


def test_a_group_of_variants_is_one_decision(one: AHome) -> None:
    ids = remember_all(one, [f"The port is 8080{'.' * number}" for number in range(8)])
    kept, *others = ids
    (target,) = asked(one, kept)
    decided = done(do(one, "merge", *others, target=target))
    assert statuses(one, *ids) == ["active"] + ["superseded"] * 7
    done(undo(one.lobes, one.me, decided))
    assert set(statuses(one, *ids)) == {"proposed"}
    assert one.rows("SELECT 1 FROM memory_link") == []
    done(do(one, "merge", *others, target=asked(one, kept)[0]))
    done(do(one, "delete", kept))
    assert set(statuses(one, *others)) == {"superseded"}


# Taking it back --------------------------------------------------------------------------------


def test_every_decision_is_taken_back_to_what_was(one: AHome) -> None:
    old, other, put_away, refused = (
        remember(one, "Old.", status="active"),
        remember(one, "Other.", status="active"),
        remember(one, "Put away.", status="archived"),
        remember(one, "Refused.", status="rejected"),
    )
    new = remember(one, "New.", replaces=old)
    every = (old, other, put_away, refused, new)
    decisions = [
        ("accept", new, {}),
        ("supersede", new, {"target": other, "also": (old,)}),
        ("dispute", new, {"target": old}),
        ("merge", new, {"target": old, "text": "Both."}),
        ("edit", old, {"text": "Newer."}),
        ("archive", old, {}),
        ("restore", put_away, {}),
        ("reopen", refused, {}),
        ("reject", new, {}),
        ("recheck", old, {}),
        ("delete", old, {}),
    ]

    def as_it_is() -> object:
        found = [replace(get(one, id), version=0, updated=get(one, old).created) for id in every]
        return found, one.rows("SELECT kind, memory, other FROM memory_link")

    for act, id, more in decisions:
        before = as_it_is()
        decided = done(do(one, act, id, **more))
        assert as_it_is() != before, act
        done(undo(one.lobes, one.me, decided))
        assert as_it_is() == before, act


def test_what_changed_since_is_not_taken_back(one: AHome) -> None:
    first, second = remember_all(one, ["One.", "Two."])
    decided = done(do(one, "accept", first, second))
    done(do(one, "edit", second, text="Two and a half."))
    undone = undo(one.lobes, one.me, decided)
    assert [each.id for each in undone.done] == [first]
    assert reasons(undone) == {second: "changed"}
    assert statuses(one, first, second) == ["proposed", "active"]


def test_what_others_lean_on_by_now_is_not_taken_back(one: AHome) -> None:
    kept = remember(one, "One.")
    decided = done(do(one, "accept", kept))
    done(do(one, "merge", gone := remember(one, "One, again."), target=kept))
    assert reasons(undo(one.lobes, one.me, decided)) == {kept: "changed"}
    assert statuses(one, kept, gone) == ["active", "superseded"]


def test_taking_back_a_deletion_makes_no_second_one(one: AHome) -> None:
    id = remember(one, "The port is 8080.", status="active")
    decided = done(do(one, "delete", id))
    remember(one, "The  port is 8080.", status="active")
    assert reasons(undo(one.lobes, one.me, decided)) == {id: "duplicate_since"}


def test_nobody_takes_back_what_they_may_not_decide(one: AHome) -> None:
    decided = done(do(one, "accept", id := remember(one, "One.")))
    for caller in (one.agent("prj_a", preset="editor"), one.absent):
        assert isinstance(undo(one.lobes, caller, decided).left[0].error, LobesError)
    assert get(one, id).status == "active"
    assert shown_hash(get(one, id))
