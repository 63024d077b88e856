"""What must hold in every world, drawn by hypothesis: no example here is chosen by hand."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest
from comparison import authorize_difference, resolve_difference
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from oracle import EVERY_VERB
from worlds import (
    GROUPS,
    ITEMS,
    PEOPLE,
    SPACES,
    SUBJECTS,
    World,
    draw_actor,
    draw_world,
    every_lobe,
    every_resource,
    resource_behind,
)

import lobes.access.authorize as core
from lobes.access.authorize import RULES, authorize
from lobes.access.resolve import resolve
from lobes.domain.actors import Human, is_human, person_of
from lobes.domain.verbs import BARRED_TO_AI
from lobes.services.authz_worlds import actor_of, facts_of, resource_of

drawn = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    return draw_world(lambda choices: draw(st.sampled_from(choices)))


@st.composite
def actors(draw: st.DrawFn) -> str:
    return draw_actor(lambda choices: draw(st.sampled_from(choices)))


spaces = st.sampled_from(SPACES)
verbs = st.sampled_from(EVERY_VERB)


def lobes(world: World, who: str, space: str) -> dict[str, Any]:
    return {str(one.lobe): one for one in resolve(actor_of(who), space, facts_of(world))}


def allowed(world: World, who: str) -> set[tuple[str, str]]:
    """All that the actor may do, over every verb and thing."""
    facts, actor = facts_of(world), actor_of(who)
    return {
        (verb, what)
        for what in every_resource(world)
        for verb in EVERY_VERB
        if authorize(actor, verb, resource_of(what), facts).allowed
    }


def drawn_on(world: World, who: str) -> set[tuple[str, str]]:
    """Every lobe that any Space may draw on for the actor."""
    return {
        (space, lobe)
        for space in SPACES
        for lobe, one in lobes(world, who, space).items()
        if one.allowed
    }


# Against the oracle ------------------------------------------------------------------------------


@drawn
@given(worlds(), actors(), spaces, verbs)
def test_both_functions_answer_like_the_oracle(
    world: World, who: str, space: str, verb: str
) -> None:
    """AZ-19"""
    assert resolve_difference(resolve, world, who, space) is None
    cases = [(who, verb, what) for what in every_resource(world)]
    assert authorize_difference(authorize, world, cases) is None


# Of resolve --------------------------------------------------------------------------------------


@drawn
@given(worlds(), actors(), spaces)
def test_every_allowed_lobe_is_one_the_speaker_may_read(world: World, who: str, space: str) -> None:
    """AZ-19"""
    actor = actor_of(who)
    human = facts_of(world if is_human(actor) else world | {"superusers": []})
    for lobe, one in lobes(world, who, space).items():
        if one.allowed:
            thing = resource_of(resource_behind(lobe))
            assert authorize(Human(person_of(actor)), "read_content", thing, human).allowed


@drawn
@given(worlds(), actors(), spaces)
def test_each_lobe_stands_once_and_only_allowed_ones_weigh(
    world: World, who: str, space: str
) -> None:
    got = resolve(actor_of(who), space, facts_of(world))
    assert len({one.lobe for one in got}) == len(got)
    assert all((one.weight > 0) is one.allowed and 0 <= one.weight <= 1 for one in got)


@drawn
@given(worlds(), actors(), spaces)
def test_the_list_is_what_the_entry_gate_lets_through(world: World, who: str, space: str) -> None:
    """list = {x : authorize(read_meta, x)}; a guest lobe stands on the recipient's side alone."""
    actor = actor_of(who)
    facts = facts_of(world if is_human(actor) else world | {"superusers": []})
    human = Human(person_of(actor))
    gate = authorize(human, "read_meta", resource_of(f"space/{space}"), facts)
    assume(gate.allowed)
    plain = facts_of(world | {"superusers": []})
    wanted = set()
    for lobe in every_lobe(world):
        kind, _, name = lobe.partition("/")
        mine = kind != "guest" or world["shares"][name]["recipient"] == human.person
        thing = resource_of(resource_behind(lobe))
        asked = plain if kind == "guest" else facts  # no superuser opens another's guest lobe
        if mine and authorize(human, "read_meta", thing, asked).allowed:
            wanted.add(lobe)
    assert set(lobes(world, who, space)) == wanted


@drawn
@given(worlds(), actors(), spaces, spaces)
def test_an_exclusion_on_one_side_blocks_both(world: World, who: str, a: str, b: str) -> None:
    """AZ-11"""
    assume(a != b)
    world["spaces"][a] |= {"excludes": [b], "lobe": None}
    for here, there in ((a, b), (b, a)):
        one = lobes(world, who, here).get(f"space/{there}")
        assert one is None or one.reason in ("excluded", "no_access")


@drawn
@given(worlds(), actors(), spaces, spaces)
def test_private_beats_every_way_in(world: World, who: str, a: str, b: str) -> None:
    """AZ-12"""
    assume(a != b)
    sources = [f"space:{b}", "tag:craft", "team:core", "user:ann", "user:bob"]
    world["spaces"][a] |= {"subscribes": sources, "once": [b], "cross_space": "open", "lobe": None}
    world["spaces"][b] |= {"private": True, "tags": ["craft"], "group": "core"}
    one = lobes(world, who, a).get(f"space/{b}")
    assert one is None or not one.allowed


# Monotony ----------------------------------------------------------------------------------------


@drawn
@given(worlds(), actors(), st.sampled_from([*(f"space/{name}" for name in SPACES), *ITEMS]))
def test_widening_the_visibility_takes_nothing_away(world: World, who: str, what: str) -> None:
    space, _, name = what.partition("/")
    thing = world["spaces"][name] if space == "space" else world["items"][what]
    permission = thing.get("permission")
    grants = permission["grants"] if isinstance(permission, dict) else {}
    before: set[tuple[str, str]] = set()
    for visibility in ("private", "restricted", "public"):
        thing["permission"] = {"visibility": visibility, "grants": grants}
        after = allowed(world, who)
        assert before <= after
        before = after


def exclude(world: World, a: str, b: str, pick: Callable[..., Any]) -> None:
    if world["spaces"][a].get("lobe") != "broken":
        world["spaces"][a]["excludes"] = [*world["spaces"][a]["excludes"], b]


def make_private(world: World, a: str, b: str, pick: Callable[..., Any]) -> None:
    world["spaces"][a]["private"] = True


def hide(world: World, a: str, b: str, pick: Callable[..., Any]) -> None:
    permission = world["spaces"][a]["permission"]
    grants = permission["grants"] if isinstance(permission, dict) else {}
    world["spaces"][a]["permission"] = {"visibility": "private", "grants": grants}


def drop_a_grant(world: World, a: str, b: str, pick: Callable[..., Any]) -> None:
    permission = world["spaces"][a]["permission"]
    if isinstance(permission, dict) and permission["grants"]:
        del permission["grants"][pick(sorted(permission["grants"]))]


def unsubscribe(world: World, a: str, b: str, pick: Callable[..., Any]) -> None:
    world["spaces"][a]["subscribes"] = world["spaces"][a]["subscribes"][1:]


def mute(world: World, a: str, b: str, pick: Callable[..., Any]) -> None:
    world["spaces"][a]["mutes"] = [*world["spaces"][a]["mutes"], f"space/{b}"]


def close(world: World, a: str, b: str, pick: Callable[..., Any]) -> None:
    world["spaces"][a]["cross_space"] = "deny"


def end_a_share(world: World, a: str, b: str, pick: Callable[..., Any]) -> None:
    world["shares"][pick(sorted(world["shares"]))]["live"] = False


def archive(world: World, a: str, b: str, pick: Callable[..., Any]) -> None:
    world["spaces"][a]["archived"] = True


TIGHTER = [
    exclude,
    make_private,
    hide,
    drop_a_grant,
    unsubscribe,
    mute,
    close,
    end_a_share,
    archive,
]


@pytest.mark.parametrize("tighten", TIGHTER, ids=lambda one: one.__name__)
@settings(drawn, max_examples=25)
@given(worlds(), actors(), spaces, spaces, st.data())
def test_tightening_never_opens_anything(
    tighten: Callable[..., None], world: World, who: str, a: str, b: str, data: st.DataObject
) -> None:
    was_allowed, was_drawn = allowed(world, who), drawn_on(world, who)
    after = copy.deepcopy(world)
    tighten(after, a, b, lambda choices: data.draw(st.sampled_from(choices)))
    assert allowed(after, who) <= was_allowed
    assert drawn_on(after, who) <= was_drawn


@drawn
@given(worlds(), actors(), spaces)
def test_a_lobe_that_nobody_can_read_any_more_opens_nothing(
    world: World, who: str, space: str
) -> None:
    """What it muted and what it inherited can't be told any more. An approval is a person's own."""
    world["spaces"][space] |= {"lobe": None, "once": []}
    was_allowed, was_drawn = allowed(world, who), drawn_on(world, who)
    after = copy.deepcopy(world)
    after["spaces"][space]["lobe"] = "broken"
    assert allowed(after, who) <= was_allowed
    assert drawn_on(after, who) <= was_drawn


@drawn
@given(worlds(), st.sampled_from(PEOPLE), spaces, st.sampled_from(["ai", "job"]))
def test_a_lower_preset_never_opens_anything(
    world: World, person: str, space: str, kind: str
) -> None:
    ladder = [
        allowed(world, f"{kind}:{person}/{p}@{space}") for p in ("reader", "proposer", "editor")
    ]
    assert ladder[0] <= ladder[1] <= ladder[2]


@drawn
@given(worlds(), st.sampled_from(PEOPLE), spaces, st.sampled_from(["ai", "job"]))
def test_an_agent_never_may_what_its_speaker_may_not(
    world: World, person: str, space: str, kind: str
) -> None:
    """Ceiling ∩ speaker ∩ lobes; a superuser's agent counts as if the speaker were none."""
    agent = allowed(world, f"{kind}:{person}/editor@{space}")
    assert agent <= allowed(world | {"superusers": []}, person)
    assert not {verb for verb, _ in agent} & BARRED_TO_AI


@drawn
@given(worlds(), actors(), spaces, st.sampled_from(["read_meta", "review", "export"]))
def test_a_grant_to_one_changes_nothing_for_another(
    world: World, who: str, space: str, verb: str
) -> None:
    person = person_of(actor_of(who))
    after = copy.deepcopy(world)
    permission = after["spaces"][space]["permission"]
    assume(isinstance(permission, dict))
    others = [one for one in SUBJECTS if one.startswith("user:") and one != f"user:{person}"]
    permission["grants"][verb] = [*permission["grants"].get(verb, []), others[0]]
    assert allowed(after, who) == allowed(world, who)


# Renaming ----------------------------------------------------------------------------------------

NEW_NAMES = dict(
    zip(
        [*PEOPLE, *SPACES, *GROUPS],
        ["zoe", "me", "x-1", "a_b", "beta", "alpha", "0", "zz", "eng", "core", "q"],
        strict=True,
    )
)


def renamed(text: str) -> str:
    pattern = r"(?<![\w-])(" + "|".join(NEW_NAMES) + r")(?![\w-])"
    return re.sub(pattern, lambda found: NEW_NAMES[found.group()], text)


@drawn
@given(worlds(), actors(), spaces, verbs)
def test_renaming_every_id_changes_no_answer(world: World, who: str, space: str, verb: str) -> None:
    other: World = json.loads(renamed(json.dumps(world)))
    facts, renamed_facts = facts_of(world), facts_of(other)
    for what in every_resource(world):
        one = authorize(actor_of(who), verb, resource_of(what), facts)
        two = authorize(actor_of(renamed(who)), verb, resource_of(renamed(what)), renamed_facts)
        assert one == two
    before = {renamed(lobe): one[1:5] for lobe, one in lobes(world, who, space).items()}
    after = {lobe: one[1:5] for lobe, one in lobes(other, renamed(who), renamed(space)).items()}
    assert before == after


# Faults ------------------------------------------------------------------------------------------


class Injected(Exception):
    pass


def failing(_ask: object) -> None:
    raise Injected


@pytest.mark.parametrize("place", range(len(RULES)), ids=lambda n: RULES[n].__name__)
@settings(drawn, max_examples=25, suppress_health_check=list(HealthCheck))
@given(world=worlds(), who=actors(), verb=verbs)
def test_a_fault_inside_any_rule_denies(
    monkeypatch: pytest.MonkeyPatch, place: int, world: World, who: str, verb: str
) -> None:
    """AZ-21: whatever reaches the rule is denied; whatever an earlier rule decided stays."""
    things = [resource_of(what) for what in every_resource(world)]
    actor = actor_of(who)
    facts = facts_of(world)
    before = [authorize(actor, verb, thing, facts) for thing in things]
    broken: Sequence[Any] = (*RULES[:place], failing, *RULES[place + 1 :])
    facts = facts_of(world)
    with monkeypatch.context() as patch:
        patch.setattr(core, "RULES", broken)
        after = [authorize(actor, verb, thing, facts) for thing in things]
    for thing, was, now in zip(things, before, after, strict=True):
        if now != was:
            assert not now.allowed
        if now.reason == "internal_error":
            assert now.fault == "Injected"
        reached = was.rule > place and was.rule != 5 and was.cause != "unknown"
        if is_human(actor) and thing.kind == "space" and reached:
            assert now.reason == "internal_error"


@pytest.mark.parametrize("field", ["spaces", "items", "groups", "shares", "links", "superusers"])
@drawn
@given(world=worlds(), who=actors(), verb=verbs)
def test_a_fault_inside_the_facts_allows_nothing_new(
    field: str, world: World, who: str, verb: str
) -> None:
    """AZ-21: facts that raise when asked deny, and never let the fault out."""

    class Raising(dict[str, Any]):
        def get(self, *_: object) -> Any:
            raise Injected

        __getitem__ = __contains__ = __iter__ = items = values = get  # type: ignore[assignment]

    facts = facts_of(world)
    broken = replace(facts, **{field: Raising(x=1)})
    for what in every_resource(world):
        now = authorize(actor_of(who), verb, resource_of(what), broken)
        if now.allowed:
            assert authorize(actor_of(who), verb, resource_of(what), facts).allowed
