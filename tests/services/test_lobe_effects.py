"""What a change of a lobe brings to everybody: shown to who makes it, told to who is concerned."""

from __future__ import annotations

import json

import pytest

from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import Subscription
from lobes.services.explaining import explain
from lobes.services.installation import Caller
from lobes.services.lobe_changes import preview, save
from lobes.services.lobe_effects import Effect
from lobes.services.notices import list_notices


def caller(who: str) -> Caller:
    return Caller(parse_actor(who), "cli", is_present=who.startswith("user:"))


BOB = caller("user:bob")
DRAW_ON_A = LobeChange(subscribe=(Subscription("space", "prj_a"),))


def permit(home: AHome, space: str, *people: str) -> None:
    subjects = [f"user:{one}" for one in people]
    grants = {"read_meta": subjects, "read_content": subjects}
    permission = json.dumps({"visibility": "restricted", "grants": grants})
    home.execute("UPDATE space SET permission = ? WHERE id = ?", permission, space)


@pytest.fixture
def world(home: AHome) -> AHome:
    """ada owns prj_a and prj_b; bob owns prj_open, which ada may know, and prj_dark, which she
    may not. Both of bob's draw on prj_a."""
    for space in ("prj_a", "prj_b", "prj_open", "prj_dark"):
        home.a_space(space, {"a.md": "# A\n"})
    home.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'bob', '2026-01-01')")
    for space in ("prj_open", "prj_dark"):
        home.execute("UPDATE space SET owner = 'bob' WHERE id = ?", space)
    permit(home, "prj_a", "bob")
    permit(home, "prj_open", "ada")
    for space in ("prj_open", "prj_dark"):
        save(home.lobes, BOB, space, DRAW_ON_A)
    return home


def named(effect: Effect) -> set[str]:
    pairs = (*effect.gains, *effect.loses, *effect.changes)
    return {one.space for one in pairs} | {one.lobe.partition("/")[2] for one in pairs}


def told(home: AHome, who: Caller) -> list[tuple[str, str]]:
    """Every notice, by event: those of one change are told at one moment."""
    return sorted((one.event, one.sentence) for one in list_notices(home.lobes, who).items)


def test_spaces_of_others_are_in_the_effect_where_they_may_be_known(world: AHome) -> None:
    effect = preview(world.lobes, world.me, "prj_a", LobeChange(is_private=True))
    assert {(one.space, one.lobe) for one in effect.loses} == {
        ("prj_b", "space/prj_a"),
        ("prj_open", "space/prj_a"),
    }
    assert effect.gains == ()
    assert "prj_dark" not in named(effect)
    save(world.lobes, world.me, "prj_a", LobeChange(is_private=True))
    back = preview(world.lobes, world.me, "prj_a", LobeChange(is_private=False))
    assert {one.space for one in back.gains} == {"prj_b", "prj_open"}


def test_both_directions_change_their_codes(world: AHome) -> None:
    change = LobeChange(cross_space="ask", subscribe=(Subscription("space", "prj_open"),))
    effect = preview(world.lobes, world.me, "prj_a", change)
    assert {(one.space, one.lobe) for one in effect.gains} == {("prj_a", "space/prj_open")}
    assert {(one.space, one.lobe) for one in effect.loses} == {
        ("prj_a", "space/prj_b"),
        ("prj_b", "space/prj_a"),
    }
    shifts = {
        (one.space, one.lobe): (one.before.reason, one.after.reason) for one in effect.changes
    }
    assert shifts[("prj_a", "space/prj_b")] == ("sibling", "ask")
    assert shifts[("prj_b", "space/prj_a")] == ("sibling", "ask")
    assert ("prj_open", "space/prj_a") not in shifts


def test_the_effect_is_what_the_owner_of_the_other_space_then_gets(world: AHome) -> None:
    for change in (
        LobeChange(is_private=True),
        LobeChange(exclude=("prj_open",)),
        LobeChange(cross_space="deny"),
        LobeChange(no_exclude=("prj_open",), is_private=False),
    ):
        effect = preview(world.lobes, world.me, "prj_a", change)
        before = {one.lobe: one for one in explain(world.lobes, BOB, "prj_open")}["space/prj_a"]
        save(world.lobes, world.me, "prj_a", change)
        after = {one.lobe: one for one in explain(world.lobes, BOB, "prj_open")}["space/prj_a"]
        lost = any(one.space == "prj_open" for one in effect.loses)
        gained = any(one.space == "prj_open" for one in effect.gains)
        assert lost == (before.allowed and not after.allowed)
        assert gained == (after.allowed and not before.allowed)


def test_who_is_concerned_is_told_also_of_what_the_changer_may_not_know(world: AHome) -> None:
    save(world.lobes, world.me, "prj_a", LobeChange(is_private=True))
    assert told(world, BOB) == [
        ("lobe.withheld", "Prj_A no longer answers Prj_Dark: ada changed its lobe."),
        ("lobe.withheld", "Prj_A no longer answers Prj_Open: ada changed its lobe."),
    ]
    save(world.lobes, world.me, "prj_a", LobeChange(is_private=False))
    assert [event for event, _ in told(world, BOB)] == ["lobe.answers"] * 2 + ["lobe.withheld"] * 2


def test_the_owner_of_what_is_drawn_on_is_told(world: AHome) -> None:
    assert told(world, world.me) == [
        ("lobe.drawn_on", "bob lets another Space draw on Prj_A."),
        ("lobe.drawn_on", "bob lets another Space draw on Prj_A."),
    ]
    unsubscribe = LobeChange(unsubscribe=(Subscription("space", "prj_a"),))
    save(world.lobes, BOB, "prj_open", unsubscribe)
    assert told(world, world.me)[2:] == [("lobe.left", "A Space of bob no longer draws on Prj_A.")]


def test_what_concerns_nobody_else_tells_nobody(world: AHome) -> None:
    before = world.rows("SELECT count(*) FROM notice")
    save(world.lobes, world.me, "prj_b", LobeChange(is_private=True, tag=("t",)))
    save(world.lobes, world.me, "prj_a", LobeChange(tag=("t",)))
    assert world.rows("SELECT count(*) FROM notice") == before


def test_the_owner_is_told_of_a_change_that_somebody_else_made(world: AHome) -> None:
    verbs = ("read_meta", "read_content", "change_permission")
    permission = {"visibility": "restricted", "grants": {verb: ["user:bob"] for verb in verbs}}
    world.execute("UPDATE space SET permission = ? WHERE id = 'prj_b'", json.dumps(permission))
    save(world.lobes, BOB, "prj_b", LobeChange(cross_space="deny"))
    news = [one for one in told(world, world.me) if one[0] != "lobe.drawn_on"]
    assert news == [
        ("lobe.changed", "bob changed how Prj_B answers other Spaces."),
        ("lobe.withheld", "Prj_B no longer answers Prj_A: bob changed its lobe."),
    ]
