"""An effect that is told before it is saved is what holds once it is saved."""

from __future__ import annotations

import random
from collections.abc import Sequence
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
