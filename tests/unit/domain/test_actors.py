"""Actors are a closed set; a ceiling only ever narrows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.actors import (
    PRESETS,
    Ai,
    Human,
    Job,
    Preset,
    ceiling,
    is_human,
    name_of,
    parse_actor,
    person_of,
    smaller,
)
from lobes.domain.errors import Invalid
from lobes.domain.ids import parse_slug
from lobes.domain.verbs import BARRED_TO_AI, VERBS

ME, SPACE = parse_slug("me"), parse_slug("site")
presets = st.sampled_from(PRESETS)


def test_the_presets_grow_and_hold_what_the_specification_lists() -> None:
    assert ceiling("reader") == {"read_meta", "read_content", "propose"}
    assert ceiling("proposer") - ceiling("reader") == {"read_chat", "converse"}
    assert ceiling("editor") - ceiling("proposer") == {"add_content", "edit_content"}
    assert ceiling("reader") < ceiling("proposer") < ceiling("editor")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_ceiling_holds_the_entry_gate_and_nothing_barred(preset: Preset) -> None:
    assert "read_meta" in ceiling(preset)
    assert not ceiling(preset) & BARRED_TO_AI
    assert ceiling(preset) <= set(VERBS)


def test_the_bar_is_the_one_of_the_specification() -> None:
    wanted = "change_permission use_terminal review promote share confirm_reach export erase"
    assert set(wanted.split()) == BARRED_TO_AI


def test_the_verbs_and_their_classes_are_those_of_the_specification() -> None:
    kinds = {"data": 11, "listed": 3, "owner": 3}
    assert {kind: sum(v.kind == kind for v in VERBS.values()) for kind in kinds} == kinds
    assert {v.name for v in VERBS.values() if v.kind == "listed"} == {
        "change_permission",
        "review",
        "promote",
    }
    assert {v.name for v in VERBS.values() if v.kind == "owner"} == {
        "share",
        "confirm_reach",
        "erase",
    }
    assert {v.name: v.also_by for v in VERBS.values() if v.also_by} == {
        "add_content": ("edit_content",)
    }
    assert all(name == verb.name and verb.description for name, verb in VERBS.items())


@given(presets, presets)
def test_the_smaller_preset_is_inside_both(one: Preset, other: Preset) -> None:
    assert ceiling(smaller(one, other)) == ceiling(one) & ceiling(other)
    assert smaller(one, other) == smaller(other, one)


@given(presets)
def test_an_actor_reads_back_as_it_is_named(preset: Preset) -> None:
    for actor in (Human(ME), Ai(ME, preset, SPACE)):
        assert parse_actor(name_of(actor)) == actor


def test_who_stands_behind_an_actor() -> None:
    for actor in (Human(ME), Ai(ME, "reader", SPACE), Job(ME, "editor", SPACE)):
        assert person_of(actor) == ME
        assert is_human(actor) is isinstance(actor, Human)
    assert name_of(Job(ME, "editor", SPACE)) == "job:me/editor@site"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "me",
        "user:",
        "user:Me",
        "user:me ",
        "USER:me",
        "system:me",
        "job:me/editor@site",
        "ai:me/editor",
        "ai:me/admin@site",
        "ai:me/Editor@site",
        "ai:me/editor@Site",
        "ai:me/editor@site@site",
        "ai:me/editor@site\n",
        "ai:/editor@site",
        "ai:user:me/editor@site",
    ],
)
def test_what_is_no_actor_is_refused(text: str) -> None:
    """A job is never taken from a text: only the program starts one."""
    with pytest.raises(Invalid):
        parse_actor(text)
