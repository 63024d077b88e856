"""Each row of the resolve table by hand, and the cases that break compartments elsewhere."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from worlds import World, ulid

from lobes.access.facts import Facts, GroupFacts, Links, SpaceFacts, Standing
from lobes.access.resolve import LobeDecision, resolve
from lobes.services.authz_worlds import actor_of, facts_of

GUEST, UNLINKED, OVER = ulid(1), ulid(2), ulid(3)
FROM_BOB = ulid(4)

WORLD: World = {
    "owner": "me",
    "people": ["me", "ann", "bob"],
    "groups": {
        "core": {"kind": "team", "members": ["me"], "parent": "eng"},
        "eng": {"kind": "department", "parent": "acme"},
        "acme": {"kind": "organization", "owners": ["ann"]},
        "else": {"kind": "team", "members": ["bob"]},
    },
    "spaces": {
        "a": {
            "owner": "me",
            "subscribes": [
                "space:closed-linked",
                "space:of-ann",
                "space:of-ann-private",
                "tag:craft",
                "team:core",
                f"guest:{GUEST}",
                "user:bob",
            ],
            "mutes": ["space/muted"],
            "excludes": ["kept-apart"],
            "once": ["asked-once", "of-ann-once"],
        },
        "open": {"owner": "me"},
        "kept-apart": {"owner": "me"},
        "turned-away": {"owner": "me", "excludes": ["a"]},
        "archived": {"owner": "me", "archived": True},
        "secret": {"owner": "me", "private": True, "tags": ["craft"]},
        "muted": {"owner": "me"},
        "asks": {"owner": "me", "cross_space": "ask"},
        "asked-once": {"owner": "me", "cross_space": "deny"},
        "closed": {"owner": "me", "cross_space": "deny"},
        "by-manifest": {"owner": "me", "manifest": "deny"},
        "closed-linked": {"owner": "me", "cross_space": "deny"},
        "tagged": {"owner": "me", "cross_space": "ask", "tags": ["craft"]},
        "broken": {"owner": "me", "lobe": "broken"},
        "of-ann": {"owner": "ann", "group": "core", "cross_space": "deny"},
        "of-core": {"owner": "ann", "group": "core"},
        "of-acme": {"owner": "ann", "group": "acme"},
        "of-ann-once": {"owner": "ann", "group": "acme"},
        "of-ann-private": {"owner": "ann", "group": "core", "private": True},
        "of-ann-tagged": {"owner": "ann", "group": "acme", "tags": ["craft"]},
        "of-ann-hidden": {"owner": "ann", "group": "else"},
        "known-only": {
            "owner": "ann",
            "permission": {"visibility": "restricted", "grants": {"read_meta": ["user:me"]}},
        },
    },
    "shares": {
        GUEST: {"owner": "ann", "recipient": "me"},
        UNLINKED: {"owner": "ann", "recipient": "me"},
        OVER: {"owner": "ann", "recipient": "me", "live": False},
        FROM_BOB: {"owner": "bob", "recipient": "me"},
    },
}


def answers(world: World, who: str = "me", space: str = "a") -> dict[str, LobeDecision]:
    return {str(one.lobe): one for one in resolve(actor_of(who), space, facts_of(world))}


ROWS: dict[str, tuple[str, int, float]] = {
    "space/known-only": ("no_access", 0, 0),
    "space/a": ("own", 1, 1.0),
    "space/kept-apart": ("excluded", 2, 0),
    "space/turned-away": ("excluded", 2, 0),
    "space/archived": ("inactive", 3, 0),
    "space/secret": ("private", 4, 0),
    "space/of-ann-private": ("private", 4, 0),
    "space/broken": ("private", 4, 0),
    "personal/me": ("personal", 5, 0.9),
    "space/muted": ("muted", 6, 0),
    "team/core": ("member", 7, 1 / 2),
    "department/eng": ("member", 7, 1 / 3),
    "organization/acme": ("member", 7, 1 / 4),
    "space/open": ("sibling", 8, 0.6),
    "space/closed-linked": ("subscribed", 9, 0.4),
    "space/tagged": ("subscribed", 9, 0.4),
    "space/of-ann": ("subscribed", 9, 0.4),
    "space/of-core": ("subscribed", 9, 0.4),
    f"guest/{GUEST}": ("shared", 9, 0.4),
    f"guest/{FROM_BOB}": ("shared", 9, 0.4),
    "space/asked-once": ("once", 10, 0.4),
    "space/asks": ("ask", 11, 0),
    "space/closed": ("closed", 12, 0),
    "space/by-manifest": ("closed", 12, 0),
    "space/of-acme": ("not_linked", 13, 0),
    "space/of-ann-once": ("not_linked", 13, 0),
    "space/of-ann-tagged": ("not_linked", 13, 0),
    f"guest/{UNLINKED}": ("not_linked", 13, 0),
}
ALLOWING = {"own", "personal", "member", "sibling", "subscribed", "shared", "once"}


def test_every_lobe_has_its_one_row() -> None:
    got = resolve(actor_of("me"), "a", facts_of(WORLD))
    assert {str(one.lobe): (one.reason, one.rule) for one in got} == {
        lobe: row[:2] for lobe, row in ROWS.items()
    }
    assert len(got) == len(ROWS)
    for one in got:
        assert one.weight == pytest.approx(ROWS[str(one.lobe)][2], abs=1e-9)
        assert one.allowed is (one.reason in ALLOWING)


def test_a_space_whose_lobe_nobody_can_read_draws_on_no_group() -> None:
    """Whether it mutes one can't be told; its own lobe and its person's are there."""
    found = answers(WORLD, space="broken")
    assert (found["team/core"].reason, found["team/core"].by) == ("closed", "broken")
    assert {lobe for lobe, one in found.items() if one.allowed} == {"space/broken", "personal/me"}


def test_every_rule_of_the_table_has_a_row() -> None:
    assert {row[1] for row in ROWS.values()} == set(range(14))


def test_the_own_lobe_comes_first_then_by_weight() -> None:
    got = resolve(actor_of("me"), "a", facts_of(WORLD))
    assert str(got[0].lobe) == "space/a"
    weights = [one.weight for one in got]
    assert weights == sorted(weights, reverse=True)


def test_what_decided_is_named() -> None:
    got = answers(WORLD)
    named = {
        "space/kept-apart": "a",
        "space/turned-away": "turned-away",
        "space/secret": "secret",
        "space/tagged": "#craft",
        "space/asks": "asks",
        "space/closed": "closed",
        f"guest/{GUEST}": "ann",
        "team/core": "core",
    }
    assert {lobe: got[lobe].by for lobe in named} == named


def altered(**spaces: dict[str, Any]) -> World:
    world = copy.deepcopy(WORLD)
    for name, fields in spaces.items():
        world["spaces"][name.replace("_", "-")] |= fields
    return world


def test_an_exclusion_on_one_side_keeps_both_apart() -> None:
    """AZ-11"""
    world = altered(open={"excludes": ["a"]})
    for who in ("me", "ai:me/reader@a", "job:me/editor@a"):
        assert answers(world, who, "a")["space/open"].reason == "excluded"
        assert answers(world, who, "open")["space/a"].reason == "excluded"


def test_private_beats_subscription_tag_share_approval_and_open() -> None:
    """AZ-12"""
    sources = ["space:open", "tag:craft", "team:core"]
    world = altered(
        a={"subscribes": sources, "once": ["open"]},
        open={"private": True, "tags": ["craft"], "group": "core"},
    )
    assert answers(world)["space/open"].reason == "private"
    assert answers(altered(open={"private": False}))["space/open"].reason == "sibling"


def test_a_private_space_still_draws_on_what_serves_it() -> None:
    assert answers(altered(a={"private": True}))["space/open"].reason == "sibling"


@pytest.mark.parametrize(
    ("a", "b", "code"),
    [
        ("open", "open", "sibling"),
        ("open", "ask", "ask"),
        ("ask", "open", "ask"),
        ("ask", "deny", "closed"),
        ("deny", "open", "closed"),
        ("deny", "deny", "closed"),
    ],
)
def test_the_stricter_side_decides(a: str, b: str, code: str) -> None:
    world = altered(a={"cross_space": a}, open={"cross_space": b})
    assert answers(world)["space/open"].reason == code


def test_a_subscription_to_a_sibling_does_not_lower_its_weight() -> None:
    world = altered(a={"subscribes": ["space:open"]})
    assert answers(world)["space/open"].weight == pytest.approx(0.6)


def test_another_persons_lobe_with_my_tag_is_not_pulled() -> None:
    """AZ-25"""
    world = altered(of_ann={"tags": ["craft"]}, a={"subscribes": ["tag:craft"]})
    assert answers(world)["space/of-ann"].reason == "not_linked"


def test_my_tag_does_not_pull_for_a_space_that_is_not_mine() -> None:
    """AZ-25, the other way round: ann's Space subscribes to the tag, and I ask in it."""
    world = altered(of_core={"subscribes": ["tag:craft"]})
    got = answers(world, "me", "of-core")
    assert got["space/tagged"].reason == "not_linked"
    assert got["space/of-ann-tagged"].reason == "not_linked"


def test_mutes_and_exclusions_do_not_reach_the_personal_lobe() -> None:
    world = altered(a={"mutes": ["personal/me"], "excludes": ["me"], "inherits": []})
    assert answers(world)["personal/me"].reason == "personal"


def test_muting_reaches_groups_and_guests() -> None:
    world = altered(a={"mutes": ["team/core", f"guest/{GUEST}"]})
    got = answers(world)
    assert got["team/core"].reason == got[f"guest/{GUEST}"].reason == "muted"
    assert got["department/eng"].reason == "member"


def test_a_mute_names_a_kind_of_lobe_too() -> None:
    """A muted team `open` is not the Space `open`."""
    assert answers(altered(a={"mutes": ["team/open"]}))["space/open"].reason == "sibling"


def test_a_superusers_agent_resolves_without_the_privilege() -> None:
    """AZ-03 for lobes: the superuser sees the hidden Space, their agent does not."""
    world = copy.deepcopy(WORLD) | {"superusers": ["me"]}
    assert "space/of-ann-hidden" in answers(world, "me")
    for who in ("ai:me/editor@a", "job:me/editor@a"):
        assert answers(world, who) == answers(WORLD, who)
        assert "space/of-ann-hidden" not in answers(world, who)


def test_who_may_not_know_the_space_gets_nothing() -> None:
    assert answers(WORLD, "bob") == {}
    assert answers(WORLD, "me", "nowhere") == {}
    assert answers(WORLD, "ai:bob/editor@a") == {}


def test_the_space_of_a_group_brings_it_nearer() -> None:
    """Rule 7 counts from the speaker or from A, whichever is nearer."""
    world = altered(a={"group": "acme"})
    assert answers(world)["organization/acme"].weight == pytest.approx(0.5)


def test_a_removed_person_draws_on_nothing_they_may_not_read() -> None:
    """Every lobe that resolve allows is one the speaker is authorized to read."""
    grants = {"read_meta": ["user:gone"]}
    world = altered(a={"permission": {"visibility": "restricted", "grants": grants}})
    assert "personal/gone" not in answers(world, "gone")


def test_a_subscription_names_the_kind_of_its_group() -> None:
    world = altered(a={"subscribes": ["department:core"]})
    assert answers(world)["space/of-core"].reason == "not_linked"


def test_a_tag_on_an_absent_space_is_nothing() -> None:
    facts = facts_of(WORLD)
    links = Links(config=facts.links["a"].config, tagged={"craft": frozenset({"absent"})})
    got = resolve(
        actor_of("me"), "a", Facts("me", facts.people, spaces=facts.spaces, links={"a": links})
    )
    assert "space/absent" not in {str(one.lobe) for one in got}


def test_a_group_owner_who_joined_nothing_is_not_linked() -> None:
    """Rule 13 for a group: its owner may read it, but belongs to none."""
    facts = Facts(
        "me",
        frozenset({"me"}),
        spaces={"a": SpaceFacts("a", Standing("me"))},
        groups={"g": GroupFacts("team", frozenset({"me"}))},
        links={"a": Links()},
    )
    got = {str(one.lobe): one.reason for one in resolve(actor_of("me"), "a", facts)}
    assert got["team/g"] == "not_linked"
