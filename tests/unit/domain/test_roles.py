"""A role is its verbs and nothing else; what is shown is what is stored."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.actors import ceiling
from lobes.domain.errors import Invalid
from lobes.domain.permissions import Permission
from lobes.domain.roles import ROLES, collapsed, parse_right, role_verbs
from lobes.domain.verbs import VERBS

LISTED = [verb.name for verb in VERBS.values() if verb.kind != "owner"]


def of(*verbs: str, subject: str = "user:bob") -> Permission:
    return Permission("restricted", tuple((verb, frozenset({subject})) for verb in sorted(verbs)))


def test_each_role_holds_the_one_before_and_data_verbs_alone() -> None:
    for smaller, larger in itertools.pairwise(ROLES):
        assert set(role_verbs(smaller)) < set(role_verbs(larger))
    assert {VERBS[verb].kind for role in ROLES for verb in role_verbs(role)} == {"data"}
    assert all("read_meta" in role_verbs(role) for role in ROLES)


def test_an_editor_is_the_same_for_a_person_and_for_an_agent() -> None:
    assert set(role_verbs("editor")) == ceiling("editor")


@pytest.mark.parametrize("role", ROLES)
def test_a_role_is_spelled_out_and_found_again(role: str) -> None:
    (held,) = collapsed(of(*parse_right(role)))
    assert held == ("user:bob", role, ())


def test_what_goes_beyond_the_role_is_shown_by_itself() -> None:
    (held,) = collapsed(of(*parse_right("viewer"), "export", "review"))
    assert held == ("user:bob", "viewer", ("export", "review"))


def test_to_edit_is_to_add() -> None:
    """AZ-06: without add_content in any list it is an editor all the same."""
    (held,) = collapsed(of(*(verb for verb in role_verbs("editor") if verb != "add_content")))
    assert held == ("user:bob", "editor", ())


@given(st.sets(st.sampled_from(LISTED)))
def test_nothing_listed_is_lost_by_showing_it(verbs: set[str]) -> None:
    shown = [
        verb
        for held in collapsed(of(*verbs))
        for verb in (*(role_verbs(held.role) if held.role else ()), *held.verbs)
    ]
    assert len(shown) == len(set(shown))
    implied = {"add_content"} if "edit_content" in verbs else set()
    assert verbs <= set(shown) <= verbs | implied


@pytest.mark.parametrize("text", ["", "Viewer", "viewer ", "owner", "read", "READ_META", "*"])
def test_what_is_no_right_is_refused(text: str) -> None:
    """AZ-24."""
    with pytest.raises(Invalid) as refused:
        parse_right(text)
    assert refused.value.reason == "unknown_verb"


@pytest.mark.parametrize("verb", ["share", "confirm_reach", "erase"])
def test_what_nobody_but_the_owner_holds_can_not_be_given(verb: str) -> None:
    with pytest.raises(Invalid) as refused:
        parse_right(verb)
    assert refused.value.reason == "owner_only"
