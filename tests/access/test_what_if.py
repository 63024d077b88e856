"""An effect that is told before it is saved is what holds once it is saved."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from worlds import (
    ITEMS,
    PEOPLE,
    SPACES,
    World,
    draw_permission,
    draw_space,
    draw_world,
    every_resource,
)

from lobes.access.authorize import authorize
from lobes.access.facts import Facts
from lobes.access.resolve import resolve
from lobes.access.what_if import with_config, with_permission
from lobes.domain.actors import Ai, Human
from lobes.domain.ids import Slug, parse_address
from lobes.services.authz_worlds import config_of, facts_of, permission_of, resource_of

KEPT = ("owner", "group", "permission", "archived", "manifest", "once")


def chance(seed: int) -> Any:
    drawn = random.Random(seed)

    def pick(choices: Sequence[Any]) -> Any:
        return choices[drawn.randrange(len(choices))]

    return pick


def all_answers(facts: Facts, world: World) -> list[object]:
    """Who draws on what, and who may do what, for every person and an agent of each Space."""
    found: list[object] = []
    for person in PEOPLE:
        actors = [Human(Slug(person)), *(Ai(Slug(person), "editor", Slug(one)) for one in SPACES)]
        for actor in actors:
            for what in every_resource(world):
                for verb in ("read_meta", "read_content", "edit_content", "change_permission"):
                    decision = authorize(actor, verb, resource_of(what), facts)
                    found.append((actor, what, verb, decision.allowed, decision.reason))
        found += [resolve(Human(Slug(person)), space, facts) for space in SPACES]
    return found


@pytest.mark.parametrize("seed", range(12))
def test_a_lobe_that_would_change_decides_as_one_that_has(seed: int) -> None:
    pick = chance(seed)
    world = draw_world(pick)
    space = pick(SPACES)
    was = world["spaces"][space]
    becomes = {**draw_space(pick), **{key: was[key] for key in KEPT if key in was}}
    saved = {**world, "spaces": {**world["spaces"], space: becomes}}
    # What a tag reaches is in the facts where the Space subscribes to it already.
    becomes["subscribes"] = [
        one
        for one in becomes["subscribes"]
        if one in was["subscribes"] or not one.startswith("tag")
    ]
    told = with_config(
        facts_of(world), space, config_of(becomes), manifest_says=becomes.get("manifest")
    )
    assert all_answers(told, world) == all_answers(facts_of(saved), world)


@pytest.mark.parametrize("seed", range(12))
def test_a_permission_that_would_change_decides_as_one_that_has(seed: int) -> None:
    pick = chance(seed)
    world = draw_world(pick)
    space = pick(SPACES)
    becomes = {**world["spaces"][space], "permission": draw_permission(pick)}
    saved = {**world, "spaces": {**world["spaces"], space: becomes}}
    told = with_permission(facts_of(world), resource_of(f"space/{space}"), permission_of(becomes))
    assert all_answers(told, world) == all_answers(facts_of(saved), world)


@pytest.mark.parametrize("seed", range(12))
def test_a_permission_of_a_document_of_its_own_decides_as_one_that_has(seed: int) -> None:
    pick = chance(seed)
    world = draw_world(pick)
    name = pick(ITEMS)
    item = {**world["items"][name], "in": f"space/{pick(SPACES)}"}
    owner = world["spaces"][parse_address(item["in"]).id]["owner"]
    item |= {"owner": owner, "permission": draw_permission(pick)}
    bare = {key: value for key, value in item.items() if key not in ("owner", "permission")}
    before = {**world, "items": {**world["items"], name: bare}}
    saved = {**world, "items": {**world["items"], name: item}}
    told = with_permission(facts_of(before), resource_of(name), permission_of(item))
    assert all_answers(told, before) == all_answers(facts_of(saved), before)
    none = with_permission(facts_of(saved), resource_of(name), None)
    assert all_answers(none, before) == all_answers(facts_of(before), before)


def test_a_thing_of_another_owner_keeps_its_owner() -> None:
    shut = {"visibility": "private"}
    note = {"in": "space/a", "owner": "bob", "permission": shut}
    world: World = {"owner": "me", "people": PEOPLE, "spaces": {"a": {"owner": "me"}}}
    before = {**world, "items": {ITEMS[0]: note}}
    named = {"visibility": "restricted", "grants": {"read_meta": ["user:ann"]}}
    saved = {**world, "items": {ITEMS[0]: {**note, "permission": named}}}
    told = with_permission(
        facts_of(before), resource_of(ITEMS[0]), permission_of(saved["items"][ITEMS[0]])
    )
    assert told.items == facts_of(saved).items


def test_a_space_without_a_permission_is_as_public_as_one_that_never_had_any() -> None:
    bare: World = {"owner": "me", "people": PEOPLE, "spaces": {"a": {"owner": "me"}}}
    shut = {"owner": "me", "permission": {"visibility": "private"}}
    before = {**bare, "spaces": {"a": shut}}
    told = with_permission(facts_of(before), resource_of("space/a"), None)
    assert told.spaces == facts_of(bare).spaces


def test_a_lobe_that_cannot_be_read_would_be_private() -> None:
    world: World = {"owner": "me", "people": PEOPLE, "spaces": {"a": {"owner": "me"}}}
    config = replace(config_of(world["spaces"]["a"]), sound=False)
    assert not facts_of(world).spaces["a"].is_private
    assert with_config(facts_of(world), "a", config, manifest_says=None).spaces["a"].is_private


@pytest.mark.parametrize(("was", "becomes"), [(["x"], []), ([], ["x"]), (["x"], ["x"]), ([], [])])
def test_a_tag_brings_the_space_while_it_is_there(was: list[str], becomes: list[str]) -> None:
    asking = {"owner": "me", "subscribes": ["tag:x"], "cross_space": "ask"}
    world: World = {
        "owner": "me",
        "people": PEOPLE,
        "spaces": {"a": asking, "b": {"owner": "me", "tags": was}},
    }
    wanted = {"owner": "me", "tags": becomes}
    saved = {**world, "spaces": {**world["spaces"], "b": wanted}}
    told = with_config(facts_of(world), "b", config_of(wanted), manifest_says=None)
    assert all_answers(told, world) == all_answers(facts_of(saved), world)
    reason = {str(one.lobe): one.reason for one in resolve(Human(Slug("me")), "a", told)}
    assert reason["space/b"] == ("subscribed" if becomes else "ask")
