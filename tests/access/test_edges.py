"""What no generated world holds: facts that lack something, and whose setting it was."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from worlds import PEOPLE, SPACES, draw_world, ulid

from lobes.access.authorize import authorize
from lobes.access.facts import Facts, ItemFacts, Resource, SpaceFacts, Standing
from lobes.access.resolve import asking_for, between, drawing_on, resolve
from lobes.domain.actors import Ai, Human
from lobes.domain.ids import LobeAddress, Slug
from lobes.domain.permissions import Permission
from lobes.services.authz_worlds import actor_of, facts_of, resource_of

NOTE = Resource("memory", ulid(1))


def world(spaces: Mapping[str, Any], **more: object) -> Facts:
    return facts_of({"owner": "me", "people": ["me", "ann"], "spaces": spaces, **more})


def said(facts: Facts, who: str, verb: str, what: str) -> tuple[bool, str, int]:
    got = authorize(actor_of(who), verb, resource_of(what), facts)
    return got.allowed, got.reason, got.rule


def reasons(facts: Facts, who: str, space: str) -> dict[str, tuple[str, str]]:
    return {str(one.lobe): (one.reason, one.by) for one in resolve(actor_of(who), space, facts)}


@pytest.mark.parametrize("what", ["space/a", "space/b"])
def test_an_agent_whose_space_has_no_links_in_the_facts_is_denied(what: str) -> None:
    facts = world({"a": {"owner": "me"}, "b": {"owner": "me"}})
    assert said(facts, "ai:me/reader@a", "read_content", what)[0]
    bare = replace(facts, links={"b": facts.links["b"]})
    assert said(bare, "ai:me/reader@a", "read_content", what) == (False, "internal_error", 0)
    assert said(bare, "me", "read_content", what) == (True, "owner", 7)


def test_an_item_in_a_lobe_that_is_gone_is_not_there() -> None:
    facts = world({"a": {"owner": "me"}})
    facts = replace(facts, items={NOTE: ItemFacts(LobeAddress("space", "gone"))})
    assert said(facts, "me", "read_content", str(NOTE)) == (False, "not_found", 6)


def test_a_name_in_a_sleeping_list_names_nobody() -> None:
    asleep = {"visibility": "private", "grants": {"read_meta": ["user:ann"]}}
    facts = world({"a": {"owner": "me", "permission": asleep}})
    assert said(facts, "ann", "read_meta", "space/a") == (False, "not_found", 6)


@pytest.mark.parametrize(
    "permission",
    [
        Permission("pubic"),  # type: ignore[arg-type]
        Permission("public", (("read_meta", "user:ann"),)),  # type: ignore[arg-type]
        Permission("public", (("read_meta", ["user:ann"]),)),  # type: ignore[arg-type]
    ],
)
def test_an_ill_typed_permission_denies_its_owner_too(permission: Permission) -> None:
    facts = world({"a": {"owner": "me"}})
    broken = {"a": SpaceFacts("a", Standing("me", None, permission))}
    answer = said(replace(facts, spaces=broken), "me", "read_meta", "space/a")
    assert answer == (False, "internal_error", 0)


def test_all_means_the_persons_that_this_installation_knows() -> None:
    everybody = {"visibility": "restricted", "grants": {"read_meta": ["all"]}}
    facts = world({"a": {"owner": "me", "permission": everybody}})
    assert said(facts, "ann", "read_meta", "space/a") == (True, "granted", 13)
    assert said(facts, "ghost", "read_meta", "space/a") == (False, "not_found", 6)


def test_the_owner_of_the_installation_is_a_person_though_no_list_says_so() -> None:
    facts = replace(world({"a": {"owner": "me"}}), people=frozenset())
    assert said(facts, "me", "read_content", "person/me") == (True, "owner", 7)
    assert said(facts, "ghost", "read_content", "person/ghost")[0] is False
    assert said(replace(facts, owner=""), "", "read_content", "person/")[0] is False


def test_who_is_no_person_has_no_personal_lobe() -> None:
    listed = {"visibility": "restricted", "grants": {"read_meta": ["user:ghost"]}}
    facts = world({"a": {"owner": "me", "permission": listed}})
    assert reasons(facts, "ghost", "a") == {"space/a": ("no_access", "")}


def test_a_source_of_another_kind_that_is_called_alike_is_another_source() -> None:
    share = {ulid(9): {"owner": "ann", "recipient": "me"}}
    facts = world(
        {
            "a": {
                "owner": "me",
                "cross_space": "deny",
                "subscribes": ["tag:b", "team:crew", "team:nobody", "space:ann"],
            },
            "b": {"owner": "me"},
            "c": {"owner": "ann", "group": "crew"},
        },
        groups={"crew": {"kind": "department", "members": ["me"]}},
        shares=share,
    )
    found = reasons(facts, "me", "a")
    assert found["space/b"] == ("closed", "a")
    assert found["space/c"] == ("not_linked", "")
    assert found[f"guest/{ulid(9)}"][0] == "not_linked"


@pytest.mark.parametrize(
    ("mine", "theirs", "code", "side"),
    [
        ("ask", "open", "ask", "a"),
        ("open", "ask", "ask", "b"),
        ("ask", "deny", "closed", "b"),
        ("deny", "ask", "closed", "a"),
        ("deny", "deny", "closed", "a"),
    ],
)
def test_whose_setting_it_was_is_said(mine: str, theirs: str, code: str, side: str) -> None:
    facts = world(
        {"a": {"owner": "me", "cross_space": mine}, "b": {"owner": "me", "cross_space": theirs}}
    )
    assert reasons(facts, "me", "a")["space/b"] == (code, side)


def test_whose_exclusion_it_was_is_said() -> None:
    facts = world({"a": {"owner": "me", "excludes": ["b"]}, "b": {"owner": "me"}})
    assert reasons(facts, "me", "a")["space/b"] == ("excluded", "a")
    assert reasons(facts, "me", "b")["space/a"] == ("excluded", "a")


MODES = ("open", "ask", "deny")


@pytest.mark.parametrize(("mine", "theirs"), product(MODES, MODES))
@pytest.mark.parametrize("who", ["me", "ann"])
def test_whom_a_space_answers_is_what_resolve_says_of_each(
    mine: str, theirs: str, who: str
) -> None:
    facts = world(
        {
            "a": {"owner": "me", "cross_space": mine},
            "b": {"owner": "me", "cross_space": theirs, "group": "crew"},
            "linked": {
                "owner": "me",
                "cross_space": "deny",
                "subscribes": ["space:b", "space:hid"],
            },
            "away": {"owner": "me", "archived": True, "subscribes": ["space:b"]},
            "hers": {"owner": "ann", "subscribes": ["space:b"]},
            "hid": {"owner": "ann", "subscribes": ["space:b"]},
        },
        groups={"crew": {"kind": "team", "members": ["me", "ann"]}},
    )
    for target in facts.spaces:
        asked = LobeAddress("space", target)
        wanted = [
            own
            for own, about in facts.spaces.items()
            if own != target
            and about.is_live
            and any(o.lobe == asked and o.allowed for o in resolve(Human(Slug(who)), own, facts))
        ]
        assert drawing_on(Human(Slug(who)), target, facts) == wanted


def test_nobody_is_told_whom_a_space_answers_that_they_may_not_read() -> None:
    facts = world({"a": {"owner": "ann"}, "b": {"owner": "me", "subscribes": ["space:a"]}})
    assert drawing_on(Human(Slug("me")), "a", facts) == []
    assert drawing_on(Ai(Slug("me"), "reader", Slug("b")), "gone", facts) == []


def test_what_a_person_owns_may_be_asked_for_alone() -> None:
    facts = world(
        {"a": {"owner": "me"}, "b": {"owner": "me"}, "hers": {"owner": "ann", "group": "crew"}},
        groups={"crew": {"kind": "team", "members": ["me", "ann"]}},
    )
    me = Human(Slug("me"))
    assert [one for one, _ in asking_for(me, "a", facts)] == ["b", "hers"]
    assert [one for one, _ in asking_for(me, "a", facts, owned=True)] == ["b"]


def test_a_level_that_nobody_knows_is_an_error_and_denies() -> None:
    facts = world({"a": {"owner": "me"}})
    for level, wanted in (
        ("internal", (True, "owner", 7)),
        ("secret", (False, "internal_error", 0)),
    ):
        item = ItemFacts(LobeAddress("space", "a"), level=level)  # pyright: ignore[reportArgumentType]
        facts = replace(facts, items={NOTE: item})
        assert said(facts, "me", "read_content", str(NOTE)) == wanted


@pytest.mark.parametrize(("asking", "asked"), product((False, True), repeat=2))
def test_what_is_confidential_takes_both_spaces_consent_for_an_agent(
    asking: bool, asked: bool
) -> None:
    spaces = {
        "a": {"owner": "me", "agents_see_confidential": asking},
        "b": {"owner": "me", "agents_see_confidential": asked},
    }
    note = {str(NOTE): {"in": "space/b", "sensitivity": "confidential"}}
    facts = world(spaces, items=note)
    assert said(facts, "me", "read_content", str(NOTE))[0]
    wanted = (True, "owner", 7) if asking and asked else (False, "not_found", 14)
    assert said(facts, "ai:me/reader@a", "read_content", str(NOTE)) == wanted


@pytest.mark.parametrize("level", ["restricted", "confidential"])
def test_what_stays_with_its_owner_says_its_level_as_the_cause(level: str) -> None:
    facts = world(
        {"a": {"owner": "me", "group": "core", "permission": {"visibility": "public"}}},
        groups={"core": {"kind": "team", "members": ["ann"]}},
        items={str(NOTE): {"in": "space/a", "sensitivity": level}},
    )
    got = authorize(actor_of("ann"), "read_content", NOTE, facts)
    assert (got.allowed, got.cause) == (False, level)


def test_a_right_that_brings_another_counts_on_what_is_restricted_too() -> None:
    """AZ-06, on a document of its own permission in a group's Space."""
    rights = ("read_meta", "read_content", "edit_content")
    named = {"visibility": "restricted", "grants": {one: ["user:ann"] for one in rights}}
    facts = world(
        {"a": {"owner": "me", "group": "core", "permission": named}},
        groups={"core": {"kind": "team"}},
        items={
            str(NOTE): {
                "in": "space/a", "owner": "me", "permission": named, "sensitivity": "restricted"
            }
        },
    )  # fmt: skip
    assert said(facts, "ann", "edit_content", str(NOTE)) == (True, "granted", 13)
    assert said(facts, "ann", "add_content", str(NOTE)) == (True, "granted", 13)


@pytest.mark.parametrize("seed", range(6))
def test_between_says_of_each_space_what_resolve_says(seed: int) -> None:
    chance = random.Random(seed)
    facts = facts_of(draw_world(chance.choice))
    for person in PEOPLE:
        human = Human(Slug(person))
        known = [
            one
            for one in SPACES
            if authorize(human, "read_meta", Resource("space", one), facts).allowed
        ]
        rows = list(between(human, known, known, facts))
        assert len(rows) == len(known)
        for asking, row in zip(known, rows, strict=True):
            wanted = {one.lobe: one for one in resolve(human, asking, facts)}
            assert [wanted[LobeAddress("space", one)] for one in known] == list(row)


def test_between_tells_a_space_that_may_be_known_and_not_read() -> None:
    only_known = {"visibility": "restricted", "grants": {"read_meta": ["user:ann"]}}
    facts = world({"a": {"owner": "ann"}, "b": {"owner": "me", "permission": only_known}})
    ((own, other),) = between(Human(Slug("ann")), ["a"], ["a", "b"], facts)
    assert (own.reason, other.reason) == ("own", "no_access")
