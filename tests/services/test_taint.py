"""What came from outside stays known as that: whatever is made of it comes from outside too."""

from __future__ import annotations

import pytest

from decided import asked, do, done, get, remember
from homes import AHome
from lobes.domain.ids import derived_id
from lobes.domain.memories import Epistemic, Provenance
from lobes.services.reviewing import undo
from proposed import policy, said, typed

FROM_A_PAGE = "The web page says the proxy timeout must be 90 seconds everywhere."
OURS = "Our proxy runs in the north rack beside the switch."
BOTH = "Our proxy runs in the north rack; the web page says its timeout must be 90 seconds."


@pytest.fixture
def one(home: AHome) -> AHome:
    home.a_space("prj_a", {})
    policy(home, "none")
    return home


def from_outside(home: AHome, text: str = FROM_A_PAGE) -> str:
    id = said(home, text, is_external=True).id
    done(do(home, "accept", id))
    return id


def test_new_words_of_a_merge_are_as_far_from_us_as_the_farthest_of_what_they_are_made_of(
    one: AHome,
) -> None:
    page, ours = from_outside(one), typed(one, OURS).id
    (target,) = asked(one, ours)
    decided = done(do(one, "merge", page, target=target, text=BOTH))
    kept = get(one, ours)
    assert (kept.status, kept.is_external, kept.epistemic) == ("active", True, "agent_inference")
    assert "outside" in kept.waits_for
    done(undo(one.lobes, one.me, decided))
    assert (get(one, ours).is_external, get(one, ours).statement) == (False, OURS)


def test_one_from_outside_among_many_that_are_merged_is_enough(one: AHome) -> None:
    plain = [typed(one, f"Lantern {name} glows.").id for name in ("amber", "blue")]
    page, ours = from_outside(one), typed(one, OURS).id
    (target,) = asked(one, ours)
    done(do(one, "merge", *plain, page, target=target, text=BOTH))
    assert get(one, ours).is_external


def test_a_merge_that_keeps_the_words_keeps_where_they_are_from(one: AHome) -> None:
    page, ours = from_outside(one), typed(one, OURS).id
    (target,) = asked(one, ours)
    done(do(one, "merge", page, target=target))
    kept = get(one, ours)
    assert (kept.is_external, kept.epistemic) == (False, "personal_observation")


@pytest.mark.parametrize(
    ("mine", "other", "then"),
    [
        ("decision", "professional_advice", "professional_advice"),
        ("agent_inference", "personal_observation", "agent_inference"),
        ("external_evidence", "unresolved_uncertainty", "unresolved_uncertainty"),
    ],
)
def test_what_is_made_of_two_is_known_no_better_than_the_weaker(
    one: AHome, mine: Epistemic, other: Epistemic, then: Epistemic
) -> None:
    used = {"status": "active", "waits_for": (), "provenance": Provenance()}
    ours = remember(one, OURS, epistemic=mine, **used)
    theirs = remember(one, "Lanterns glow amber at dusk.", epistemic=other, **used)
    (target,) = asked(one, ours)
    done(do(one, "merge", theirs, target=target, text=BOTH))
    assert (get(one, ours).epistemic, get(one, ours).is_external) == (then, False)


FISH = "Fish like deep water in autumn months."


@pytest.mark.parametrize("named", ["{}", "memory/{}"])
def test_what_rests_on_a_memory_from_outside_comes_from_outside(one: AHome, named: str) -> None:
    page = from_outside(one)
    found = said(one, FISH, evidence=("notes/fish.md", named.format(page)))
    assert (found.outcome, found.waits_for) == ("pending", ("outside",))
    kept = get(one, found.id)
    assert kept.is_external
    assert kept.provenance.evidence == ("notes/fish.md", named.format(page))
    typed_one = typed(one, "Lanterns glow amber at dusk.", evidence=(named.format(page),))
    assert (typed_one.outcome, get(one, typed_one.id).is_external) == ("pending", True)
    done(do(one, "accept", found.id))
    rests = said(one, "Boats leave the harbour at noon.", evidence=(found.id,))
    assert get(one, rests.id).is_external, "and so does what rests on that"


def test_evidence_of_our_own_or_kept_from_who_proposes_makes_no_difference(one: AHome) -> None:
    ours = typed(one, OURS).id
    outside = Provenance(is_external=True)
    hidden = remember(one, FROM_A_PAGE, status="active", level="confidential", provenance=outside)
    for text, evidence in (
        (FISH, ours),
        ("Boats leave the harbour at noon.", hidden),
        ("Lanterns glow amber at dusk.", derived_id("x")),
    ):
        found = said(one, text, evidence=(evidence,))
        assert (found.outcome, get(one, found.id).is_external) == ("active", False)
