"""Why and why not over a real home: both directions, every kind of target, and nobody's secrets."""

from __future__ import annotations

import pytest

from homes import AHome
from lobes.access.facts import Resource
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Forbidden, Invalid, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import Subscription
from lobes.services.explaining import Explained, Right, explain, explain_right
from lobes.services.installation import Caller
from lobes.services.lobe_changes import save

SPACES = ("prj_a", "prj_b", "area_c")
PUBLIC = '{"visibility": "restricted", "grants": {"read_meta": ["user:bob"], "read_content": %s}}'


def caller(who: str) -> Caller:
    return Caller(parse_actor(who), "cli", is_present=who.startswith("user:"))


@pytest.fixture
def world(home: AHome) -> AHome:
    """ada owns three Spaces; bob owns prj_bob and may read prj_b and know of area_c."""
    for space in (*SPACES, "prj_bob"):
        home.a_space(space, {"a.md": "# A\n"})
    home.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'bob', '2026-01-01')")
    home.execute("UPDATE space SET owner = 'bob' WHERE id = 'prj_bob'")
    home.execute("UPDATE space SET permission = ? WHERE id = 'prj_b'", PUBLIC % '["user:bob"]')
    home.execute("UPDATE space SET permission = ? WHERE id = 'area_c'", PUBLIC % "[]")
    return home


def by(home: AHome, who: str, space: str, target: str | None = None) -> dict[str, Explained]:
    return {one.lobe: one for one in explain(home.lobes, caller(who), space, target)}


def test_both_directions_each_with_its_own_answer(world: AHome) -> None:
    change = LobeChange(is_private=True, subscribe=(Subscription("space", "prj_b"),))
    save(world.lobes, world.me, "prj_a", change)
    there, back = explain(world.lobes, world.me, "prj_a", "prj_b")
    assert (there.asking, there.lobe, there.reason) == ("prj_a", "space/prj_b", "sibling")
    assert (back.asking, back.lobe, back.reason) == ("prj_b", "space/prj_a", "private")
    assert back.would_change == "turn Private off in Prj_A"
    assert explain(world.lobes, world.me, "prj_a", "space/prj_b") == (there, back)


def test_the_own_lobe_has_one_row(world: AHome) -> None:
    (own,) = explain(world.lobes, world.me, "prj_a", "prj_a")
    assert (own.reason, own.would_change) == ("own", "")


def test_a_lobe_that_is_no_space_has_one_direction(world: AHome) -> None:
    (own,) = explain(world.lobes, world.me, "prj_a", "personal/ada")
    assert (own.reason, own.would_change) == ("personal", "Inherits, in Lobe")


@pytest.mark.parametrize(
    "target", ["personal/bob", "personal/nobody", "team/none", f"guest/{'0' * 26}", "prj_none"]
)
def test_what_may_not_be_known_is_what_never_was(world: AHome, target: str) -> None:
    with pytest.raises(NotFound):
        explain(world.lobes, world.me, "prj_a", target)


def test_what_is_no_address_is_refused(world: AHome) -> None:
    with pytest.raises(Invalid):
        explain(world.lobes, world.me, "prj_a", "folder/x")


def test_what_would_change_it_is_for_those_who_may_change_it(world: AHome) -> None:
    save(world.lobes, world.me, "prj_b", LobeChange(is_private=True, cross_space="deny"))
    rows = by(world, "user:bob", "prj_bob")
    assert rows["space/prj_b"].reason == "private"
    assert rows["space/prj_b"].would_change == ""
    assert rows["space/area_c"].reason == "no_access"
    assert rows["space/area_c"].would_change == "ask its owner"
    assert "space/prj_a" not in rows
    # What bob himself may change he is told.
    save(world.lobes, world.me, "prj_b", LobeChange(is_private=False))
    assert by(world, "user:bob", "prj_bob")["space/prj_b"].would_change == "add it as a source"


def test_an_exclusion_names_whose_it_is(world: AHome) -> None:
    save(world.lobes, world.me, "prj_b", LobeChange(exclude=("prj_bob",)))
    told = by(world, "user:bob", "prj_bob")["space/prj_b"]
    assert told.reason == "excluded"
    assert told.sentence == "Prj_Bob and Prj_B are kept apart by the owner of Prj_B, both ways."
    assert told.would_change == ""
    with pytest.raises(NotFound):
        explain(world.lobes, world.me, "prj_b", "prj_bob")


def test_an_agent_is_told_no_setting_to_change(world: AHome) -> None:
    rows = by(world, "ai:ada/editor@prj_a", "prj_a")
    assert rows.keys() >= {"space/prj_a", "space/prj_b"}
    assert {one.would_change for one in rows.values()} == {""}


# Who may do what -------------------------------------------------------------------------------


def right(home: AHome, who: str, about: str, verb: str, space: str) -> Right:
    asked = Resource("space", space)
    return explain_right(home.lobes, caller(who), parse_actor(about), verb, asked)


def test_the_owner_sees_the_true_cause_and_the_other_what_they_may(world: AHome) -> None:
    private = '{"visibility": "private", "grants": {"read_content": ["user:bob"]}}'
    world.execute("UPDATE space SET permission = ? WHERE id = 'prj_b'", private)
    told = right(world, "user:ada", "user:bob", "read_content", "prj_b")
    assert (told.allowed, told.told, told.rule) == (False, "not_found", 5)
    assert (told.reason, told.sentence) == ("private", "Only its owner sees it.")
    world.execute("UPDATE space SET permission = ? WHERE id = 'area_c'", PUBLIC % "[]")
    stranger = right(world, "user:ada", "user:eve", "read_content", "area_c")
    assert stranger.sentence == "It isn't given to eve, nor to a group of theirs."
    own = right(world, "user:bob", "user:bob", "read_content", "prj_b")
    assert (own.reason, own.sentence) == ("not_found", "There is nothing with that name here.")


def test_not_found_is_the_same_for_hidden_and_unknown(world: AHome) -> None:
    for verb in ("read_meta", "read_content", "share", "review"):
        hidden = right(world, "user:bob", "user:bob", verb, "prj_a")
        unknown = right(world, "user:bob", "user:bob", verb, "prj_x")
        assert str(hidden).replace("prj_a", "prj_x") == str(unknown)


def test_an_agent_bound_elsewhere_and_why_for_its_person(world: AHome) -> None:
    save(world.lobes, world.me, "prj_b", LobeChange(is_private=True))
    told = right(world, "user:ada", "ai:ada/reader@prj_a", "read_content", "prj_b")
    assert (told.reason, told.told, told.rule) == ("private", "not_found", 4)
    assert told.sentence == "Prj_B is private, so Prj_A may not draw on it."
    assert told.would_change == "turn Private off in Prj_B"
    itself = right(world, "ai:ada/reader@prj_a", "ai:ada/reader@prj_a", "read_content", "prj_b")
    assert (itself.reason, itself.would_change) == ("not_found", "")


def test_nobody_asks_about_others_who_may_not_change_the_thing(world: AHome) -> None:
    with pytest.raises(Forbidden):
        right(world, "user:bob", "user:ada", "read_content", "prj_b")
    with pytest.raises(NotFound):
        right(world, "user:bob", "user:ada", "read_content", "prj_a")
    with pytest.raises(NotFound):
        right(world, "user:bob", "user:ada", "read_content", "prj_x")
    with pytest.raises((NotFound, Forbidden)):
        right(world, "ai:ada/editor@prj_a", "user:bob", "read_content", "prj_b")


def test_an_allowed_right_reads_for_both(world: AHome) -> None:
    assert right(world, "user:ada", "user:ada", "erase", "prj_a").sentence == "You own it."
    told = right(world, "user:ada", "user:bob", "read_content", "prj_b")
    assert (told.allowed, told.sentence) == (True, "This right was given to bob by name.")
    assert right(world, "user:ada", "ai:ada/reader@prj_a", "read_meta", "prj_a").allowed
    missing = right(world, "user:ada", "user:bob", "export", "prj_b")
    assert (missing.reason, missing.would_change) == ("not_granted", "give bob the right")


def test_an_unknown_right_is_denied(world: AHome) -> None:
    assert right(world, "user:ada", "user:ada", "conquer", "prj_a").reason == "unknown_verb"
