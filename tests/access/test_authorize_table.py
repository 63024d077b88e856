"""Each row of the authorize table by hand: who, verb, thing, and what is answered by which rule."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest
from worlds import BROKEN_PERMISSIONS, World, ulid

from lobes.access.authorize import Decision, authorize
from lobes.access.facts import Facts, Resource, ShareFacts, SpaceFacts, Standing
from lobes.domain.actors import Human
from lobes.domain.permissions import Permission
from lobes.domain.verbs import BARRED_TO_AI, VERBS
from lobes.services.authz_worlds import actor_of, facts_of, permission_of, resource_of

SHARE, OVER, DOC, NOTE, OWN, SICK, CHAT = (ulid(n) for n in range(1, 8))

WORLD: World = {
    "owner": "me",
    "people": ["me", "ann", "bob", "cyd", "sue"],
    "superusers": ["sue"],
    "groups": {
        "core": {"kind": "team", "owners": ["ann"], "members": ["bob"], "parent": "eng"},
        "eng": {"kind": "department"},
    },
    "spaces": {
        "public": {"owner": "ann", "group": "core"},
        "listed": {
            "owner": "ann",
            "group": "core",
            "permission": {
                "visibility": "restricted",
                "grants": {
                    "read_meta": ["user:cyd"],
                    "edit_content": ["user:cyd"],
                    "review": ["user:cyd"],
                    "erase": ["user:cyd"],
                },
            },
        },
        "hidden": {
            "owner": "ann",
            "group": "core",
            "permission": {"visibility": "private", "grants": {"read_meta": ["user:cyd"]}},
        },
        "mine": {"owner": "me"},
        "second": {"owner": "me"},
        "closed": {"owner": "me", "cross_space": "deny"},
    },
    "shares": {
        SHARE: {"owner": "ann", "recipient": "me"},
        OVER: {"owner": "ann", "recipient": "me", "live": False},
    },
    "items": {
        f"document/{DOC}": {"in": "space/public"},
        f"memory/{NOTE}": {"in": "personal/me", "category": "taste"},
        f"memory/{SICK}": {"in": "personal/me", "category": "health"},
        f"document/{OWN}": {
            "in": "space/public",
            "owner": "ann",
            "permission": {"visibility": "restricted", "grants": {"read_meta": ["user:bob"]}},
        },
        f"session/{CHAT}": {
            "in": "space/public",
            "owner": "bob",
            "permission": {"visibility": "private", "grants": {}},
        },
    },
}
FACTS = facts_of(WORLD)


def ask(who: str, verb: str, what: str, facts: Facts = FACTS) -> Decision:
    return authorize(actor_of(who), verb, resource_of(what), facts)


ROWS = [
    # 0: what is no verb
    ("ann", "fly", "space/public", False, "unknown_verb", 0),
    # 1 and 2: the bar stands before everything, also for a superuser's agent
    ("ai:sue/editor@public", "review", "space/public", False, "ai_bar", 1),
    ("job:sue/editor@public", "erase", "space/nowhere", False, "ai_bar", 1),
    ("sue", "erase", "space/hidden", True, "superuser", 2),
    ("sue", "read_content", f"document/{OWN}", True, "superuser", 2),
    ("sue", "read_meta", "person/me", False, "not_found", 6),
    ("sue", "read_content", f"memory/{NOTE}", False, "not_found", 5),
    ("sue", "read_meta", "home", False, "not_found", 6),
    ("sue", "read_meta", "space/nowhere", False, "not_found", 6),
    # 3: the ceiling
    ("ai:ann/reader@public", "read_chat", "space/public", False, "ceiling", 3),
    ("ai:ann/proposer@public", "edit_content", "space/public", False, "ceiling", 3),
    ("ai:ann/editor@public", "execute", "space/public", False, "ceiling", 3),
    ("ai:ann/editor@public", "write_meta", "space/public", False, "ceiling", 3),
    ("ai:sue/editor@public", "write_meta", "space/hidden", False, "ceiling", 3),
    ("ai:ann/reader@public", "add_content", "space/nowhere", False, "ceiling", 3),
    # 4: outside its Space
    ("ai:me/editor@mine", "read_content", "space/second", True, "owner", 7),
    ("ai:me/editor@mine", "propose", "space/second", False, "not_found", 4),
    ("ai:me/editor@mine", "read_content", "space/closed", False, "not_found", 4),
    ("ai:me/editor@mine", "read_meta", "space/public", False, "not_found", 4),
    ("ai:me/reader@mine", "read_content", "person/me", True, "owner", 7),
    ("ai:me/reader@mine", "read_content", f"memory/{NOTE}", True, "owner", 7),
    ("ai:me/reader@mine", "read_content", f"memory/{SICK}", False, "not_found", 4),
    ("ai:me/reader@nowhere", "read_meta", "space/mine", False, "not_found", 4),
    ("ai:sue/reader@mine", "read_meta", "space/mine", False, "not_found", 6),
    # 5: the entry gate
    ("cyd", "read_content", "space/public", False, "not_found", 5),
    ("cyd", "erase", "space/public", False, "not_found", 5),
    ("bob", "read_content", "space/hidden", False, "not_found", 5),
    # 6: strangers
    ("cyd", "read_meta", "space/public", False, "not_found", 6),
    ("cyd", "read_meta", "space/hidden", False, "not_found", 6),
    ("cyd", "read_meta", "space/nowhere", False, "not_found", 6),
    ("me", "read_meta", f"share/{OVER}", False, "not_found", 6),
    ("bob", "read_meta", "person/me", False, "not_found", 6),
    ("cyd", "read_meta", "group/core", False, "not_found", 6),
    # 7: the owner
    ("ann", "erase", "space/hidden", True, "owner", 7),
    ("ann", "change_permission", "space/listed", True, "owner", 7),
    ("ann", "change_permission", "group/core", True, "owner", 7),
    ("me", "export", "home", True, "owner", 7),
    # 8: of the owner only
    ("bob", "erase", "space/public", False, "owner_only", 8),
    ("cyd", "erase", "space/listed", False, "owner_only", 8),
    ("me", "share", f"share/{SHARE}", False, "owner_only", 8),
    # 9: private
    ("bob", "read_meta", "space/hidden", False, "not_found", 9),
    # 10: listed
    ("cyd", "review", "space/listed", True, "granted", 10),
    ("cyd", "promote", "space/listed", False, "not_granted", 10),
    ("bob", "review", "space/public", False, "not_granted", 10),
    # 11: guest lobes
    ("me", "read_meta", f"share/{SHARE}", True, "shared", 11),
    ("me", "read_content", f"share/{SHARE}", True, "shared", 11),
    ("me", "propose", f"share/{SHARE}", False, "share_is_read_only", 11),
    ("me", "read_meta", "space/listed", False, "not_found", 6),
    # 12: public
    ("bob", "use_terminal", "space/public", True, "public", 12),
    ("bob", "read_content", f"document/{DOC}", True, "public", 12),
    ("bob", "propose", "group/core", True, "public", 12),
    ("bob", "read_meta", "group/eng", True, "public", 12),
    # 13: by name
    ("cyd", "edit_content", "space/listed", True, "granted", 13),
    ("cyd", "add_content", "space/listed", True, "granted", 13),
    ("cyd", "write_meta", "space/listed", False, "not_granted", 13),
    ("bob", "add_content", "group/core", False, "not_granted", 13),
    ("bob", "read_meta", f"document/{OWN}", True, "granted", 13),
    ("bob", "read_content", f"document/{OWN}", False, "not_granted", 13),
    # an item answers the AND with its Space
    ("ann", "read_chat", f"session/{CHAT}", False, "not_found", 5),
    ("bob", "read_chat", f"session/{CHAT}", True, "owner", 7),
    ("cyd", "read_meta", f"document/{OWN}", False, "not_found", 6),
]


@pytest.mark.parametrize(("who", "verb", "what", "allowed", "reason", "rule"), ROWS)
def test_the_row_that_decides(
    who: str, verb: str, what: str, allowed: bool, reason: str, rule: int
) -> None:
    got = ask(who, verb, what)
    assert (got.allowed, got.reason, got.rule) == (allowed, reason, rule)


def test_every_rule_of_the_table_has_a_row() -> None:
    assert {row[5] for row in ROWS} == set(range(14))


def changed(space: str, permission: object) -> Facts:
    world = copy.deepcopy(WORLD)
    world["spaces"][space]["permission"] = permission
    return facts_of(world)


@pytest.mark.parametrize("stored", BROKEN_PERMISSIONS)
def test_a_broken_permission_is_for_the_owner_alone(stored: str) -> None:
    """AZ-01"""
    facts = changed("public", stored)
    for verb in VERBS:
        assert ask("ann", verb, "space/public", facts).reason == "owner"
        for who in ("bob", "cyd", "me", "ai:bob/editor@public"):
            assert not ask(who, verb, "space/public", facts).allowed
    assert not permission_of({"permission": stored}).sound


def test_no_permission_is_public_and_sound() -> None:
    """AZ-01: NULL is the default and is not flagged."""
    assert permission_of({"permission": None}).sound
    assert ask("bob", "read_content", "space/public", changed("public", None)).allowed


@pytest.mark.parametrize("kind", ["ai", "job"])
@pytest.mark.parametrize("verb", sorted(BARRED_TO_AI))
def test_an_agent_of_a_superuser_meets_the_bar(kind: str, verb: str) -> None:
    """AZ-03"""
    for what in ("space/public", "home", f"share/{SHARE}", "space/nowhere"):
        got = ask(f"{kind}:sue/editor@public", verb, what)
        assert (got.allowed, got.reason) == (False, "ai_bar")


def test_a_right_without_the_entry_gate_opens_nothing() -> None:
    """AZ-05: with edit_content but not read_meta, nothing is there."""
    facts = changed(
        "listed", {"visibility": "restricted", "grants": {"edit_content": ["user:cyd"]}}
    )
    for verb in VERBS:
        got = ask("cyd", verb, "space/listed", facts)
        assert not got.allowed
        assert verb == "read_meta" or got.reason == "not_found"


def test_editing_includes_adding_and_not_the_reverse() -> None:
    """AZ-06"""
    for held, may_edit in (("edit_content", True), ("add_content", False)):
        grants = {"read_meta": ["user:cyd"], held: ["user:cyd"]}
        facts = changed("listed", {"visibility": "restricted", "grants": grants})
        assert ask("cyd", "add_content", "space/listed", facts).allowed
        assert ask("cyd", "edit_content", "space/listed", facts).allowed is may_edit


def test_lists_sleep_while_private_and_wake_unchanged() -> None:
    """AZ-07"""
    grants = {"read_meta": ["user:cyd"], "review": ["user:cyd"]}

    def answers(visibility: str) -> dict[str, Decision]:
        facts = changed("listed", {"visibility": visibility, "grants": grants})
        return {verb: ask("cyd", verb, "space/listed", facts) for verb in VERBS}

    before = answers("restricted")
    assert before["review"].allowed
    assert not any(one.allowed for one in answers("private").values())
    assert answers("restricted") == before


@pytest.mark.parametrize("visibility", ["public", "restricted", "private"])
def test_the_owner_can_not_be_locked_out(visibility: str) -> None:
    """AZ-08"""
    grants = {verb: ["user:bob"] for verb in VERBS}
    facts = changed("listed", {"visibility": visibility, "grants": grants})
    for verb in VERBS:
        assert ask("ann", verb, "space/listed", facts).reason == "owner"


@pytest.mark.parametrize(
    "subject",
    ["group:cor", "group:core2", "group:cyd", "user:cy", "user:cyd2", "user:core", "group:all"],
)
def test_a_subject_matches_nobody_but_itself(subject: str) -> None:
    """AZ-09"""
    grants = {verb: [subject] for verb in VERBS}
    facts = changed("listed", {"visibility": "public", "grants": grants})
    assert ask("cyd", "read_meta", "space/listed", facts).reason == "not_found"


def test_a_person_and_a_group_of_one_name_stay_two() -> None:
    """AZ-09: `group:cyd` names the group's members, never the person cyd."""
    world = copy.deepcopy(WORLD)
    world["groups"]["cyd"] = {"kind": "team", "members": ["bob"]}
    world["spaces"]["mine"]["permission"] = {
        "visibility": "restricted",
        "grants": {"read_meta": ["group:cyd"]},
    }
    facts = facts_of(world)
    assert ask("bob", "read_meta", "space/mine", facts).allowed
    assert not ask("cyd", "read_meta", "space/mine", facts).allowed


@pytest.mark.parametrize(
    "alias", ["Ann", "ann ", " ann", "ＡＮＮ", "аnn", "ann\u0301", "a\u200bnn", ""]
)
def test_a_look_alike_is_not_the_person(alias: str) -> None:
    """AZ-10: no other spelling owns, is a member or is named."""
    facts = changed("public", {"visibility": "public", "grants": {"read_meta": ["user:ann"]}})
    for verb in VERBS:
        assert not ask(alias, verb, "space/public", facts).allowed


@pytest.mark.parametrize(
    "verb",
    ["", "Read_Meta", "READ_META", "read_meta ", " read_meta", "read-meta", "read_meta\n", "own"],
)
def test_a_misspelt_verb_is_denied_to_everybody(verb: str) -> None:
    """AZ-24"""
    for who in ("ann", "bob", "sue", "ai:ann/editor@public"):
        got = ask(who, verb, "space/public")
        assert (got.allowed, got.reason) == (False, "unknown_verb")


@pytest.mark.parametrize(
    ("actor", "verb", "resource", "facts"),
    [
        (Human("ann"), "read_meta", Resource("space", "public"), None),
        (Human("ann"), "read_meta", None, FACTS),
        (Human("ann"), ["read_meta"], Resource("space", "public"), FACTS),
        (None, "read_meta", Resource("space", "public"), FACTS),
        ("user:ann", "read_meta", Resource("space", "public"), FACTS),
        (Human("ann"), "read_meta", Resource("space", "public"), replace(FACTS, spaces=None)),
        (
            Human("bob"),
            "read_meta",
            Resource("space", "x"),
            Facts("me", spaces={"x": SpaceFacts("x", None)}),  # type: ignore[arg-type]
        ),
        (actor_of("ai:ann/admin@public"), "read_meta", Resource("space", "public"), FACTS),
    ],
)
def test_what_is_ill_typed_denies_as_an_error(
    actor: Any, verb: Any, resource: Any, facts: Any
) -> None:
    """AZ-21 and rule 0."""
    got = authorize(actor, verb, resource, facts)
    assert (got.allowed, got.reason) == (False, "internal_error")
    assert got.fault


def test_a_hidden_thing_and_an_unknown_one_answer_alike() -> None:
    """AZ-14, as far as the answer goes."""
    for who in ("cyd", "me", "ai:me/editor@mine", "job:cyd/reader@public"):
        for verb in VERBS:
            hidden = ask(who, verb, "space/hidden")
            absent = ask(who, verb, "space/nowhere")
            assert (hidden.allowed, hidden.reason) == (absent.allowed, absent.reason)


def test_the_true_cause_is_kept_for_the_owner() -> None:
    assert ask("bob", "read_meta", "space/hidden").cause == "private"
    assert ask("bob", "read_content", "space/hidden").cause == "private"


# What is missing, ill-typed or hidden ------------------------------------------------------------


def test_a_private_item_is_not_betrayed_by_the_denial_of_its_space() -> None:
    """Bob may use the Space but not know of ann's private note: no verb admits that it exists."""
    world = copy.deepcopy(WORLD)
    private = {"visibility": "private", "grants": {}}
    world["items"][f"memory/{ulid(50)}"] = {
        "in": "space/public",
        "owner": "ann",
        "permission": private,
    }
    facts = facts_of(world)
    for verb in VERBS:
        hidden = ask("bob", verb, f"memory/{ulid(50)}", facts)
        absent = ask("bob", verb, f"memory/{ulid(51)}", facts)
        assert (verb, hidden.reason) == (verb, absent.reason)


def test_a_superuser_does_not_open_the_record_of_a_share() -> None:
    for verb in VERBS:
        assert not ask("sue", verb, f"share/{SHARE}").allowed


def test_the_preset_of_the_space_bounds_its_agents() -> None:
    world = copy.deepcopy(WORLD)
    world["spaces"]["mine"]["agents"] = "reader"
    facts = facts_of(world)
    for verb in ("read_chat", "converse", "add_content", "edit_content"):
        assert ask("ai:me/editor@mine", verb, "space/mine", facts).reason == "ceiling"


def test_an_agent_does_not_reach_the_installation() -> None:
    """`home` holds the audit, which is never visible to an agent."""
    for verb in ("read_meta", "read_content"):
        assert ask("ai:me/editor@mine", verb, "home").reason == "not_found"


def test_a_personal_memory_without_category_is_not_inherited_by_a_space_that_inherits_none() -> (
    None
):
    world = copy.deepcopy(WORLD)
    world["spaces"]["mine"]["inherits"] = []
    world["items"][f"memory/{NOTE}"]["category"] = ""
    got = ask("ai:me/reader@mine", "read_content", f"memory/{NOTE}", facts_of(world))
    assert got.reason == "not_found"


def test_a_misspelt_visibility_in_the_facts_denies() -> None:
    grants = (("read_meta", frozenset({"user:cyd"})),)
    standing = Standing("ann", None, Permission("pubic", grants))  # type: ignore[arg-type]
    facts = replace(FACTS, spaces={"x": SpaceFacts("x", standing)})
    assert not ask("cyd", "read_meta", "space/x", facts).allowed


def test_subjects_given_as_text_never_match_by_substring() -> None:
    """AZ-09"""
    grants = (("read_meta", "user:cydney"),)
    standing = Standing("ann", None, Permission("restricted", grants))  # type: ignore[arg-type]
    facts = replace(FACTS, spaces={"x": SpaceFacts("x", standing)})
    assert not ask("cyd", "read_meta", "space/x", facts).allowed


def test_missing_links_deny() -> None:
    """The exclusions of a Space are in its links: without them nothing outside may be read."""
    facts = replace(FACTS, links={})
    assert not ask("ai:me/reader@mine", "read_content", "space/second", facts).allowed


def test_replaced_facts_are_asked_afresh() -> None:
    """No answer outlives its snapshot: the memo must not travel with `dataclasses.replace`."""
    before = facts_of(WORLD)
    assert ask("ai:me/reader@mine", "read_content", "space/second", before).allowed
    world = copy.deepcopy(WORLD)
    world["spaces"]["mine"]["excludes"] = ["second"]
    after = replace(before, links=facts_of(world).links)
    assert not ask("ai:me/reader@mine", "read_content", "space/second", after).allowed


def test_an_empty_id_names_nobody() -> None:
    assert ask("me", "read_meta", "person/").reason == "not_found"


def test_a_share_that_is_not_live_opens_nothing() -> None:
    facts = replace(FACTS, shares={SHARE: ShareFacts("ann", "me", False)})
    for verb in VERBS:
        assert ask("me", verb, f"share/{SHARE}", facts).reason == "not_found"
