"""Persons: who knows of whom, who may add one, and superusers."""

from __future__ import annotations

import pytest

from homes import AHome
from lobes.domain.actors import Human, parse_actor
from lobes.domain.errors import Conflict, Forbidden, Invalid, LobesError, NoPresence, NotFound
from lobes.domain.ids import Slug
from lobes.services import group_changes, groups, people
from lobes.services.group_changes import NewGroup
from lobes.services.installation import Caller
from lobes.services.spaces import list_spaces


def by(person: str, *, present: bool = True) -> Caller:
    return Caller(Human(Slug(person)), "cli", is_present=present)


@pytest.fixture
def three(home: AHome) -> AHome:
    for person in ("bob", "eve"):
        people.add_person(home.lobes, home.me, person)
    home.a_space("prj_a", {})
    return home


def known(home: AHome, who: Caller) -> list[str]:
    return [one.id for one in people.list_people(home.lobes, who)]


def test_a_person_knows_themself_and_whoever_is_in_a_group_with_them(three: AHome) -> None:
    assert known(three, three.me) == ["ada", "bob", "eve"]
    assert known(three, by("bob")) == ["bob"]
    group_changes.add_group(three.lobes, three.me, NewGroup("core", "team"))
    group_changes.join_group(three.lobes, three.me, "core", "bob")
    assert known(three, by("bob")) == ["ada", "bob"]
    assert known(three, by("eve")) == ["eve"]
    assert known(three, by("nobody")) == []
    with pytest.raises(NotFound):
        people.me(three.lobes, by("nobody"))


def test_nobody_else_is_called_me(three: AHome) -> None:
    """`me` is whoever asks: a right for a person of that name would be taken for one's own."""
    with pytest.raises(Invalid) as caught:
        people.add_person(three.lobes, three.me, "me")
    assert caught.value.reason == "bad_slug"
    assert known(three, three.me) == ["ada", "bob", "eve"]


def test_only_the_installations_owner_adds_persons(three: AHome) -> None:
    for who in (by("bob"), three.agent("prj_a", preset="editor")):
        with pytest.raises(LobesError):
            people.add_person(three.lobes, who, "cyd")
    assert "cyd" not in known(three, three.me)
    added = people.add_person(three.lobes, three.absent, "cyd", name="Cyd")
    assert (added.id, added.name) == ("cyd", "Cyd")
    with pytest.raises(Conflict):
        people.add_person(three.lobes, three.me, "cyd")
    assert [row["resources"] for row in three.audited("person.added")][-1] == ["home", "person/cyd"]


def test_a_superuser_is_made_by_a_present_person_alone(three: AHome) -> None:
    assert three.rows("SELECT id FROM person WHERE is_superuser") == []
    refused: tuple[tuple[Caller, type[LobesError]], ...] = (
        (three.absent, NoPresence),
        (by("bob"), NotFound),
        (three.agent("prj_a", preset="editor"), Forbidden),
    )
    for who, error in refused:
        with pytest.raises(error):
            people.set_superuser(three.lobes, who, "bob", is_superuser=True)
    with pytest.raises(NotFound):
        people.set_superuser(three.lobes, three.me, "nobody", is_superuser=True)
    assert people.set_superuser(three.lobes, three.me, "bob", is_superuser=True).is_superuser
    (row,) = three.audited("person.superuser_added")
    assert (row["actor"], row["resources"]) == ("user:ada", ["home", "person/bob"])
    with pytest.raises(Conflict):
        people.set_superuser(three.lobes, three.me, "bob", is_superuser=True)


def test_a_superuser_sees_all_and_their_agent_doesnt(three: AHome) -> None:
    people.set_superuser(three.lobes, three.me, "bob", is_superuser=True)
    group_changes.add_group(three.lobes, three.me, NewGroup("core", "team"))
    assert [row.id for row in list_spaces(three.lobes, by("bob"))] == ["prj_a"]
    assert [one.id for one in groups.list_groups(three.lobes, by("bob"))] == ["core"]
    agent = Caller(parse_actor("ai:bob/editor@prj_a"), "cli")
    assert list_spaces(three.lobes, agent) == ()
    assert groups.list_groups(three.lobes, agent) == ()
    with pytest.raises(NotFound):
        people.set_superuser(three.lobes, by("bob"), "eve", is_superuser=True)
    people.set_superuser(three.lobes, three.me, "bob", is_superuser=False)
    assert list_spaces(three.lobes, by("bob")) == ()


def test_who_is_a_superuser_is_told_to_the_owner_and_to_themself(three: AHome) -> None:
    people.set_superuser(three.lobes, three.me, "bob", is_superuser=True)
    group_changes.add_group(three.lobes, three.me, NewGroup("core", "team"))
    for person in ("bob", "eve"):
        group_changes.join_group(three.lobes, three.me, "core", person)

    def told(who: Caller) -> bool:
        return next(
            one for one in people.list_people(three.lobes, who) if one.id == "bob"
        ).is_superuser

    assert (told(three.me), told(by("bob")), told(by("eve"))) == (True, True, False)


def test_a_superuser_knows_whom_the_groups_that_they_may_read_name(three: AHome) -> None:
    """`group show` named members whom `person list` left out."""
    group_changes.add_group(three.lobes, three.me, NewGroup("core", "team"))
    group_changes.join_group(three.lobes, three.me, "core", "bob")
    people.set_superuser(three.lobes, three.me, "eve", is_superuser=True)
    named = [one.person for one in groups.show_group(three.lobes, by("eve"), "core").people]
    assert sorted([*named, "eve"]) == known(three, by("eve")) == ["ada", "bob", "eve"]
