"""Explanations follow the decisions, tell what would change them to those who may, and no more."""

from __future__ import annotations

import inspect
import random
import re
from dataclasses import replace
from typing import get_args

import pytest
from oracle import EVERY_VERB
from worlds import (
    PEOPLE,
    SPACES,
    World,
    draw_actor,
    draw_world,
    every_resource,
    ulid,
)

import lobes.access.authorize as authorizing
import lobes.access.explain as explaining
from lobes.access.authorize import authorize
from lobes.access.explain import changer, levers, those_concerned, why
from lobes.access.facts import Facts, Resource
from lobes.access.resolve import Code, resolve
from lobes.domain.actors import Human, is_human
from lobes.domain.ids import Slug
from lobes.domain.permissions import Permission
from lobes.domain.reasons import CAUSES, REASONS, sentence
from lobes.services.authz_worlds import actor_of, facts_of, resource_of

SEEDS = range(40)


def drawn(seed: int) -> tuple[World, Facts, random.Random]:
    chance = random.Random(seed)
    world = draw_world(chance.choice)
    return world, facts_of(world), chance


@pytest.mark.parametrize("seed", SEEDS)
def test_a_lever_is_a_space_of_which_the_person_knows(seed: int) -> None:
    world, facts, _ = drawn(seed)
    for person in world["people"]:
        human = Human(Slug(person))
        for space in SPACES:
            for one in resolve(human, space, facts):
                for lever in levers(one, space):
                    asked = Resource("space", lever)
                    assert lever in facts.spaces
                    assert authorize(human, "read_meta", asked, facts).allowed


@pytest.mark.parametrize("seed", SEEDS)
def test_who_may_change_a_space_is_what_authorize_says_and_never_an_agent(seed: int) -> None:
    _, facts, chance = drawn(seed)
    for actor in [*map(actor_of, PEOPLE), *(actor_of(draw_actor(chance.choice)) for _ in range(4))]:
        may_change = changer(actor, facts)
        for space in [*SPACES, "nowhere"]:
            asked = Resource("space", space)
            allowed = authorize(actor, "change_permission", asked, facts).allowed
            assert may_change(space) == (allowed and is_human(actor))


def test_every_code_that_a_setting_decides_has_a_lever() -> None:
    """A code with no Space behind it says so by having nothing that would change it."""
    facts = drawn(0)[1]
    one = resolve(Human(Slug("me")), "alpha", replace(facts, superusers=frozenset({"me"})))[0]
    for code in get_args(Code):
        named = levers(one._replace(reason=code, by="beta"), "alpha")
        assert bool(named) == (code not in ("own", "once", "no_access")), code


@pytest.mark.parametrize("seed", SEEDS)
def test_why_tells_what_authorize_told_and_its_cause(seed: int) -> None:
    world, facts, chance = drawn(seed)
    for _ in range(20):
        actor = actor_of(draw_actor(chance.choice))
        for name in every_resource(world):
            verb, resource = chance.choice(EVERY_VERB), resource_of(name)
            found = why(actor, verb, resource, facts)
            assert found.told == authorize(actor, verb, resource, facts)
            assert found.cause == "" or found.cause in CAUSES
            if found.lobe is not None:
                assert not found.lobe.allowed
                assert found.told.rule == 4
            elif found.cause == explaining.NOT_SERVED:
                # The lobe isn't in the answer: the person behind the agent may not know it.
                assert not found.told.allowed


def test_every_cause_that_the_rules_give_has_a_sentence() -> None:
    source = inspect.getsource(authorizing)
    causes = set(re.findall(r'cause="([^"]+)"', source))
    assert len(causes) >= 8
    assert causes | {explaining.NOT_SERVED, explaining.PRESET_OF_ITS_SPACE} <= set(CAUSES)


def test_a_ceiling_says_which_of_both_presets_it_was() -> None:
    world = {
        "owner": "me",
        "people": ["me"],
        "spaces": {"alpha": {"owner": "me", "agents": "reader"}},
    }
    facts = facts_of(world)
    own, of_its_space = (
        why(actor_of(f"ai:me/{preset}@alpha"), "add_content", Resource("space", "alpha"), facts)
        for preset in ("reader", "editor")
    )
    assert own.told == of_its_space.told
    assert (own.cause, of_its_space.cause) == ("", explaining.PRESET_OF_ITS_SPACE)


def test_an_agents_refusal_names_the_resolvers_code() -> None:
    world = {
        "owner": "me",
        "people": ["me"],
        "spaces": {
            "initech": {"owner": "me"},
            "globex": {"owner": "me", "private": True},
        },
    }
    asked = Resource("space", "globex")
    found = why(actor_of("ai:me/reader@initech"), "read_content", asked, facts_of(world))
    assert found.told.reason == "not_found"
    assert found.lobe is not None
    assert (found.lobe.reason, found.lobe.by) == ("private", "globex")


@pytest.mark.parametrize("seed", SEEDS)
def test_those_concerned_are_those_whose_rights_differ(seed: int) -> None:
    world, before, chance = drawn(seed)
    space = chance.choice(SPACES)
    was = before.spaces[space]
    subjects = frozenset({"user:bob", "group:core"})
    permission = Permission("restricted", (("read_content", subjects), ("read_meta", subjects)))
    becomes = replace(was, standing=replace(was.standing, permission=permission))
    after = replace(before, spaces={**before.spaces, space: becomes})
    asked = Resource("space", space)
    turns = {turn.person: turn for turn in those_concerned(before, after, asked)}
    assert all(turn.gained or turn.lost for turn in turns.values())
    for person in world["people"]:
        human = Human(Slug(person))
        for verb in EVERY_VERB:
            had = authorize(human, verb, asked, before).allowed
            has = authorize(human, verb, asked, after).allowed
            turn = turns.get(person)
            assert (verb in (turn.gained if turn else ())) == (has and not had)
            assert (verb in (turn.lost if turn else ())) == (had and not has)


@pytest.mark.parametrize("code", REASONS)
def test_what_is_not_of_ones_own_doing_is_never_told_as_ones_own(code: str) -> None:
    reason = REASONS[code]
    if reason.others:
        text = sentence(code, a="A", b="B", by="ann", others=True)
        assert not re.search(r"\b[Yy]ou\b", text)
        assert text.endswith(".")


def small(**more: object) -> Facts:
    """`shut` is seen by its owner, `listed` by who is named; a team has the name of `shut`."""
    private = {"visibility": "private", "grants": {"read_meta": ["user:bob"]}}
    named = {"visibility": "restricted", "grants": {"read_meta": ["user:cyd"]}}
    spaces = {
        "shut": {"owner": "me", "permission": private},
        "listed": {"owner": "me", "permission": named},
    }
    people = ["me", "bob", "cyd"]
    teams = {"shut": {"kind": "team", "members": ["me"]}}
    return facts_of({"owner": "me", "people": people, "spaces": spaces, "groups": teams, **more})


NOTE = resource_of(f"memory/{ulid(1)}")
OWN = {"owner": "me", "permission": {"visibility": "private"}}


@pytest.mark.parametrize(
    ("who", "what", "cause"),
    [
        ("bob", "space/shut", "private"),
        ("me", "space/shut", ""),
        ("bob", "space/listed", explaining.NOT_NAMED),
        ("bob", "group/shut", explaining.NOT_NAMED),
        ("bob", "home", explaining.NOT_NAMED),
    ],
)
def test_what_lies_dormant_is_told_as_private(who: str, what: str, cause: str) -> None:
    found = why(actor_of(who), "read_meta", resource_of(what), small())
    assert found.cause == cause


@pytest.mark.parametrize(
    ("item", "cause"),
    [
        ({"in": "space/shut"}, "private"),
        ({"in": "space/listed"}, explaining.NOT_NAMED),
        ({"in": "space/listed", **OWN}, "private"),
        ({"in": "team/shut"}, explaining.NOT_NAMED),
    ],
)
def test_a_thing_is_as_dormant_as_what_it_is_in(item: dict[str, object], cause: str) -> None:
    facts = small(items={str(NOTE): item})
    assert why(actor_of("bob"), "read_meta", NOTE, facts).cause == cause


def test_an_agents_refusal_of_a_groups_lobe_names_the_resolvers_code() -> None:
    world = {
        "owner": "me",
        "people": ["me"],
        "groups": {"core": {"kind": "team", "members": ["me"]}},
        "spaces": {
            "alpha": {"owner": "me", "mutes": ["team/core", "space/core"]},
            "core": {"owner": "me"},
        },
    }
    for what, lobe in (("group/core", "team/core"), ("space/core", "space/core")):
        asked = resource_of(what)
        found = why(actor_of("ai:me/reader@alpha"), "read_content", asked, facts_of(world))
        assert found.lobe is not None
        assert (str(found.lobe.lobe), found.lobe.reason) == (lobe, "muted")


def test_what_an_agent_may_do_has_no_preset_as_its_cause() -> None:
    world = {"owner": "me", "people": ["me"], "spaces": {"alpha": {"owner": "me"}}}
    agent, asked = actor_of("ai:me/editor@alpha"), Resource("space", "alpha")
    found = why(agent, "add_content", asked, facts_of(world))
    assert (found.told.allowed, found.cause) == (True, "")
