"""What holds a proposal back is judged when it is opened and decided, by what whoever looks may
read: not by what there was, or by what somebody else could read, when it came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, replace

import pytest

from decided import asked, claim, do, done, get, reasons, remember, remember_all, statuses
from homes import AHome
from lobes.access.facts import Resource
from lobes.domain.actors import Human
from lobes.domain.ids import Slug
from lobes.domain.memories import Memory, Wait
from lobes.domain.permission_change import PermissionChange
from lobes.domain.permissions import Permission
from lobes.domain.reviewing import NeedsChoice
from lobes.services import known_to
from lobes.services.comparing import Related
from lobes.services.group_changes import NewGroup, add_group, join_group
from lobes.services.installation import Caller
from lobes.services.memories import Where, list_memories
from lobes.services.people import add_person
from lobes.services.permissions import save_permission
from lobes.services.review_evidence import evidence
from lobes.services.review_queue import queue
from lobes.services.reviewing import decide
from lobes.services.space_groups import place_space
from proposed import policy, said, typed

BOB = Caller(Human(Slug("bob")), "cli", is_present=True)
FRIDAY = "Deploys happen on Fridays."


@pytest.fixture
def one(home: AHome) -> AHome:
    """bob reviews what is proposed in prj_a, and isn't its owner."""
    home.a_space("prj_a", {})
    add_person(home.lobes, home.me, "bob")
    add_group(home.lobes, home.me, NewGroup("grp_own", "team"))
    join_group(home.lobes, home.me, "grp_own", "bob")
    place_space(home.lobes, home.me, "prj_a", "grp_own")
    review = PermissionChange(grant=(("review", "user:bob"),))
    save_permission(home.lobes, home.me, Resource("space", "prj_a"), review)
    return home


def private(home: AHome, text: str) -> str:
    kept = Permission("private")
    return remember(home, text, status="active", author="user", permission=kept, waits_for=())


@pytest.mark.parametrize("act", ["delete", "archive", "edit"])
def test_a_proposal_whose_contradiction_is_gone_is_accepted(one: AHome, act: str) -> None:
    there = typed(one, "Deploys happen on Tuesdays.").id
    new = typed(one, FRIDAY)
    assert new.waits_for == ("conflict",)
    error = do(one, "accept", new.id).left[0].error
    assert (type(error), error.reason) == (NeedsChoice, "needs_choice")
    more = {"text": "Reviews happen at noon."} if act == "edit" else {}
    done(do(one, act, there, **more))
    found = evidence(one.lobes, one.me, new.id)
    assert (found.flags, found.brakes, found.stale) == ((), (), None)
    done(do(one, "accept", new.id))
    assert get(one, new.id).status == "active"


def test_what_contradicts_it_is_found_behind_twenty_that_are_nearer(one: AHome) -> None:
    """It was accepted, though checking it again would have found what it contradicts."""
    nearer = [f"{FRIDAY[:-1]}, clerk {claim(number)}" for number in range(20)]
    remember_all(one, nearer, status="active", waits_for=())
    old = "Deploys happen on Tuesdays, as the plan of the last year has it."
    remember(one, old, status="active", waits_for=())
    new = remember(one, FRIDAY)
    assert evidence(one.lobes, one.me, new).brakes == ("conflict",)
    assert reasons(do(one, "accept", new)) == {new: "needs_choice"}
    done(do(one, "recheck", new))
    assert get(one, new).waits_for == ("inferred", "conflict")


def test_what_is_merged_into_one_whose_contradiction_is_gone_is_merged(one: AHome) -> None:
    there = typed(one, "Deploys happen on Tuesdays.").id
    new = typed(one, FRIDAY).id
    other = typed(one, "Reviews happen at noon.").id
    (target,) = asked(one, new)
    assert reasons(do(one, "merge", other, target=target)) == {other: "needs_choice"}
    done(do(one, "delete", there))
    done(do(one, "merge", other, target=target))
    assert statuses(one, other, new) == ["superseded", "active"]


def test_what_contradicts_what_waits_says_so_and_what_to_do(one: AHome) -> None:
    """There is nothing in use that it could supersede or dispute."""
    first = said(one, "Deploys happen on Tuesdays.").id
    second = said(one, FRIDAY)
    assert "conflict" in second.waits_for
    error = do(one, "accept", second.id).left[0].error
    assert error.reason == "needs_recheck"
    assert "waits" in error.message
    assert "recheck" in error.hint
    done(do(one, "reject", first))
    done(do(one, "accept", second.id))


def test_a_copy_that_is_gone_holds_nothing_back_from_a_batch_once_checked(one: AHome) -> None:
    there = typed(one, "Retries of the uploader wait thirty seconds.").id
    new = typed(one, "The uploader retries wait thirty seconds.")
    assert new.waits_for == ("near_copy",)
    done(do(one, "delete", there))
    assert evidence(one.lobes, one.me, new.id).brakes == ()
    done(do(one, "accept", new.id))


def test_accepting_what_contradicts_what_only_the_reviewer_may_read_asks(one: AHome) -> None:
    policy(one, "risky")
    private(one, "Deploys happen on Tuesdays.")
    new = said(one, FRIDAY, by=one.agent("prj_a", preset="proposer")).id
    hidden = remember(one, FRIDAY, waits_for=("inferred",), person="bob")
    for id in (new, hidden):
        found = evidence(one.lobes, one.me, id)
        assert "conflict" in found.flags
        assert "conflict" in found.brakes
        assert found.replaced is not None
        assert reasons(do(one, "accept", id)) == {id: "needs_choice"}


def test_a_reviewer_is_held_back_by_nothing_that_they_may_not_read(one: AHome) -> None:
    """Neither by a contradiction nor by the very same words, older or newer, nor told of it."""
    private(one, "Deploys happen on Tuesdays.")
    new = typed(one, FRIDAY)
    assert "conflict" in new.waits_for
    private(one, "Deploys happen on Wednesdays.")
    private(one, FRIDAY)
    (row,) = queue(one.lobes, BOB).items
    assert (row.row.waits_for, row.brakes) == ((), ())
    found = evidence(one.lobes, BOB, new.id)
    assert (found.flags, found.brakes, found.stale, found.neighbours) == ((), (), None, ())
    assert found.shown == row.shown == queue(one.lobes, one.me).items[0].shown
    done(decide(one.lobes, BOB, "accept", asked(one, new.id)))


def test_checking_it_again_leaves_no_trace_of_what_the_reviewer_may_not_read(one: AHome) -> None:
    private(one, "Deploys happen on Tuesdays.")
    plain = remember(one, FRIDAY)
    done(decide(one.lobes, BOB, "recheck", asked(one, plain)))
    assert get(one, plain).waits_for == ("inferred",)
    done(do(one, "recheck", plain))
    assert get(one, plain).waits_for == ("inferred", "conflict")


def test_the_counters_of_a_lobe_are_its_owners_alone(one: AHome) -> None:
    """They are of all that came, and so of what a reviewer may not know of."""
    typed(one, "Reviews happen at noon.")
    before = queue(one.lobes, BOB).counters
    assert (before.waiting, sum(astuple(before))) == (0, 0)
    secret = typed(one, "The salary of Marit is 5000 EUR a month.", given="restricted").id
    assert queue(one.lobes, BOB, space="prj_a").counters.proposed == 0
    done(do(one, "accept", secret, confirmed=True))
    private(one, FRIDAY)
    assert queue(one.lobes, BOB).counters == before
    counted = queue(one.lobes, one.me).counters
    assert (counted.at_once, counted.accepted) == (1, 1)
    open_one = said(one, "Lanterns glow amber at dusk.").id
    assert queue(one.lobes, BOB).counters == replace(before, waiting=1)
    assert [each.id for each in queue(one.lobes, BOB).items] == [open_one]


def test_what_stands_beside_an_item_tells_nothing_of_what_its_reader_may_not_read(
    one: AHome,
) -> None:
    private(one, "Deploys happen on Tuesdays.")
    beside = remember(one, FRIDAY, status="active", waits_for=("inferred", "conflict"))
    new = remember(one, "Deploys do happen on Fridays.")
    (shown,) = evidence(one.lobes, BOB, new).neighbours
    assert (shown.memory.id, shown.memory.waits_for) == (beside, ("inferred",))
    assert evidence(one.lobes, one.me, new).replaced is not None


def test_a_reviewers_list_compares_nothing_and_tells_of_no_others(
    one: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each of 10,000 rows was held against its lobe for whoever isn't its owner: 8 s a look. What
    the list leaves out, opening one says, as far as what it is about may be read."""
    waits: tuple[Wait, ...] = ("inferred", "conflict", "replaces")
    private(one, "Deploys happen on Tuesdays.")
    open_one = remember(one, "Deploys happen on Wednesdays.", status="active", author="user")
    new = remember(one, FRIDAY, replaces=open_one, waits_for=waits)
    kept = private(one, "Lanterns glow amber.")
    other = remember(one, "Lanterns glow green.", replaces=kept, waits_for=waits)
    compared: list[str] = []
    real = known_to.relations

    def counted(memory: Memory, others: Sequence[Memory]) -> tuple[Related, ...]:
        compared.append(memory.id)
        return real(memory, others)

    monkeypatch.setattr(known_to, "relations", counted)
    rows = {each.id: each.row for each in queue(one.lobes, BOB).items}
    assert (rows[new].waits_for, rows[new].replaces) == (("inferred", "replaces"), open_one)
    assert (rows[other].waits_for, rows[other].replaces) == (("inferred",), "")
    listed = {each.memory.id: each for each in list_memories(one.lobes, BOB, Where()).items}
    assert listed[new].flags == ("inferred", "replaces")
    assert listed[other].flags == ("inferred",)
    assert compared == []
    assert {each.row.waits_for for each in queue(one.lobes, one.me).items} == {waits}
    again = remember(one, "Deploys do happen on Fridays.", waits_for=("inferred", "near_copy"))
    assert queue(one.lobes, BOB).items[0].brakes == ()
    assert "near_copy" in evidence(one.lobes, BOB, again).brakes
    left = decide(one.lobes, BOB, "accept", asked(one, again, new)).left
    assert {each.error.reason for each in left} == {"needs_look"}
