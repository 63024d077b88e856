"""Grants to groups: nested members have them, nobody else, and nobody at all once it is gone."""

from __future__ import annotations

import pytest

from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Invalid, NotFound
from lobes.domain.permission_change import PermissionChange
from lobes.domain.resources import Resource
from lobes.domain.roles import parse_right
from lobes.services.group_changes import (
    NewGroup,
    add_group,
    join_group,
    leave_group,
    remove_group,
    restore_group,
)
from lobes.services.installation import Caller
from lobes.services.people import add_person
from lobes.services.permissions import PermissionEffect, save_permission, show_permission
from lobes.services.space_groups import place_space

SPACE = Resource("space", "prj_a")


def by(who: str) -> Caller:
    return Caller(parse_actor(f"user:{who}"), "cli", is_present=True)


@pytest.fixture
def grouped(home: AHome) -> AHome:
    """Bob is in team x of department xy; Eve is in no group that Ada has."""
    home.a_space("prj_a", {"a.md": "# A\n\nzephyr\n"})
    home.index()
    for person in ("bob", "eve", "x"):
        add_person(home.lobes, home.me, person)
    add_group(home.lobes, home.me, NewGroup("xy", "department"))
    add_group(home.lobes, home.me, NewGroup("x", "team", parent="xy"))
    join_group(home.lobes, home.me, "x", "bob")
    return home


def grant(home: AHome, subject: str, right: str = "viewer") -> PermissionEffect:
    change = PermissionChange(grant=tuple((verb, subject) for verb in parse_right(right)))
    return save_permission(home.lobes, home.me, SPACE, change)


def reads(home: AHome, who: str) -> bool:
    try:
        return bool(home.found("zephyr", "prj_a", by=by(who)))
    except NotFound:
        return False


@pytest.mark.parametrize("group", ["x", "xy"])
def test_a_grant_to_a_group_reaches_its_members_also_from_below(grouped: AHome, group: str) -> None:
    """AZ-09."""
    effect = grant(grouped, f"group:{group}")
    assert [turn.person for turn in effect.turns] == ["bob"]
    assert [reads(grouped, who) for who in ("bob", "eve", "x")] == [True, False, False]
    leave_group(grouped.lobes, grouped.me, "x", "bob")
    assert not reads(grouped, "bob")


def test_a_grant_to_a_person_is_none_to_a_group_of_that_name(grouped: AHome) -> None:
    """AZ-09: never `user:x` for `group:x`, nor the other way round."""
    effect = grant(grouped, "user:x")
    assert [turn.person for turn in effect.turns] == ["x"]
    assert not reads(grouped, "bob")


def test_a_removed_groups_grant_is_void_shown_so_and_back_with_it(grouped: AHome) -> None:
    grant(grouped, "group:x")
    remove_group(grouped.lobes, grouped.me, "x")
    assert not reads(grouped, "bob")
    (one,) = show_permission(grouped.lobes, grouped.me, SPACE).people
    assert (one.subject, one.trouble) == ("group:x", "unknown group")
    with pytest.raises(Invalid) as refused:
        grant(grouped, "group:x", "editor")
    assert refused.value.reason == "unknown_subject"
    restore_group(grouped.lobes, grouped.me, "x")
    (one,) = show_permission(grouped.lobes, grouped.me, SPACE).people
    assert one.trouble == ""
    assert reads(grouped, "bob")


def test_who_may_not_know_of_a_group_or_person_can_not_name_them(grouped: AHome) -> None:
    """The answer is the one for a name that nobody has."""
    grant(grouped, "user:eve")
    grant(grouped, "user:eve", "change_permission")
    said: set[str] = set()
    for subject in ("group:x", "group:nothing", "user:bob", "user:nobody"):
        change = PermissionChange(grant=(("read_meta", subject),))
        with pytest.raises(Invalid) as refused:
            save_permission(grouped.lobes, by("eve"), SPACE, change)
        said.add(refused.value.message.replace(subject.partition(":")[2], "…"))
    assert len(said) == 2


def test_on_a_public_space_it_is_said_what_its_group_may_already(grouped: AHome) -> None:
    place_space(grouped.lobes, grouped.me, "prj_a", "x")
    effect = grant(grouped, "user:bob")
    assert effect.turns == ()
    assert any("Everyone in x may already read" in note for note in effect.notes)
    effect = grant(grouped, "user:eve")
    assert [turn.person for turn in effect.turns] == ["eve"]


@pytest.mark.parametrize(
    ("subject", "finds"), [("user:bob", True), ("group:x", True), ("user:eve", False)]
)
def test_who_finds_a_public_space_is_not_said_to_find_nothing(
    grouped: AHome, subject: str, finds: bool
) -> None:
    place_space(grouped.lobes, grouped.me, "prj_a", "x")
    effect = grant(grouped, subject, "review")
    assert any("finds nothing" in note for note in effect.notes) is not finds


def test_widening_and_narrowing_name_the_members_of_the_spaces_group(grouped: AHome) -> None:
    place_space(grouped.lobes, grouped.me, "prj_a", "x")
    grant(grouped, "user:eve")
    for visibility, lost, gained in (
        ("restricted", {"bob"}, set[str]()),
        ("private", {"eve"}, set[str]()),
        ("public", set[str](), {"bob", "eve"}),
    ):
        change = PermissionChange(visibility=visibility)  # type: ignore[arg-type]
        effect = save_permission(grouped.lobes, grouped.me, SPACE, change)
        assert {turn.person for turn in effect.turns if turn.lost} == lost
        assert {turn.person for turn in effect.turns if turn.gained} == gained
