"""Why and why not over a real home: both directions, every kind of target, and nobody's secrets."""

from __future__ import annotations

import pytest

from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Invalid, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import Subscription
from lobes.services.explaining import Explained, explain
from lobes.services.group_changes import NewGroup, add_group
from lobes.services.installation import Caller
from lobes.services.lobe_changes import save
from lobes.services.space_groups import place_space

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


def test_a_group_is_called_by_name_and_by_none_to_who_may_not_know_of_it(world: AHome) -> None:
    """bob may read prj_a and prj_b, but isn't in the group that prj_a subscribes to."""
    add_group(world.lobes, world.me, NewGroup("prj_b", "team", "The Crew"))
    place_space(world.lobes, world.me, "prj_b", "prj_b")
    world.execute("UPDATE space SET permission = ? WHERE id = 'prj_a'", PUBLIC % '["user:bob"]')
    save(world.lobes, world.me, "prj_a", LobeChange(subscribe=(Subscription("team", "prj_b"),)))
    mine = by(world, "user:ada", "prj_a", "team/prj_b")["team/prj_b"]
    assert mine.sentence == "You belong to The Crew, so Prj_A draws on its lobe."
    his = by(world, "user:bob", "prj_a", "prj_b")["space/prj_b"]
    assert (his.reason, his.sentence) == ("subscribed", "Prj_A subscribes to a group.")
