"""Lobe, the part about people: named, changed, taken out; the effect first, then one save."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource
from tests.tui.sample_access import ACCESS
from tests.tui.test_home import choose, config, lobe_of, saved, source_of, text, worked_out

from lobes.domain.permission_change import PermissionChange
from lobes.domain.permissions import Permission
from lobes.domain.resources import Resource
from lobes.domain.roles import role_verbs
from lobes.services.group_changes import NewGroup, add_group, join_group, remove_group
from lobes.services.people import add_person
from lobes.services.permissions import save_permission, show_permission
from lobes.services.spaces import list_spaces
from lobes.tui.widgets.dialog import Dialog

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from homes import AHome
    from lobes.tui.app import LobesApp

SIZE = (120, 40)
A = Resource("space", "prj_a")


@pytest.fixture
def known(home: AHome) -> AHome:
    """ada owns prj_a and prj_b and the team core; bob and mei are known."""
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.a_space("prj_b", {"b.md": "# B\n"})
    for id, name in (("bob", "[red]Bob"), ("mei", "Mei Tanaka")):
        add_person(home.lobes, home.me, id, name=name)
    add_group(home.lobes, home.me, NewGroup("core", "team", "Core"))
    join_group(home.lobes, home.me, "core", "mei")
    return home


def named(home: AHome) -> dict[str, str]:
    people = show_permission(home.lobes, home.me, A).people
    return {one.subject: one.role or ",".join(one.verbs) for one in people}


def give(home: AHome, subject: str, verbs: Sequence[str] = role_verbs("viewer")) -> None:
    change = PermissionChange("restricted", tuple((verb, subject) for verb in verbs))
    save_permission(home.lobes, home.me, A, change)


async def press(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await settled(pilot)


async def answer(pilot: Pilot[None], label: str) -> None:
    dialog = pilot.app.screen
    assert isinstance(dialog, Dialog)
    dialog.guard.release()
    labels = [button.label for button in dialog._buttons]
    steps = (labels.index(label) - dialog.row.chosen) % len(labels)
    await press(pilot, *["right"] * steps, "enter")


def words(app: LobesApp) -> str:
    return " ".join(text(app).replace("│", " ").split())


def question(app: LobesApp) -> str:
    """The text of the dialog that is open."""
    dialog = app.screen
    assert isinstance(dialog, Dialog)
    return " ".join(dialog.text.text_of_lines().split())


async def test_somebody_is_named_seen_first_saved_and_taken_back(known: AHome) -> None:
    """`p`, whom, which role; the save asks, because somebody gains; `z` and `Z`."""
    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        await press(pilot, "p")
        await choose(pilot, "bob")
        assert "[red]Bob in Prj_A" in text(app)
        assert "Prj_A is in no group" in words(app)
        await answer(pilot, "Viewer")
        await worked_out(pilot, app, screen)
        assert named(known) == {}, "nothing is stored before ctrl+s"
        assert "+ [red]Bob now reads" in words(app)
        assert "Who gains anything [red]Bob" in words(app)
        await press(pilot, "ctrl+s")
        assert question(app) == "[red]Bob now reads. Save?"
        await answer(pilot, "Save")
        await until(pilot, lambda: named(known) == {"user:bob": "viewer"})
        await press(pilot, "z")
        assert named(known) == {}
        await press(pilot, "Z")
        assert named(known) == {"user:bob": "viewer"}


async def test_a_role_is_the_next_one_by_space_and_goes_by_minus(known: AHome) -> None:
    give(known, "user:bob")
    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        assert screen.listing.select("named:user:bob")
        await press(pilot, "space", "space")
        await worked_out(pilot, app, screen)
        assert "editor" in text(app)
        assert "was viewer" in text(app)
        await press(pilot, "left", "left")
        assert "not saved" not in text(app)
        await press(pilot, "minus")
        await worked_out(pilot, app, screen)
        assert "goes" in text(app)
        assert "− [red]Bob no longer reads" in words(app)
        await press(pilot, "minus")
        assert "not saved" not in text(app), "the same key brings it back"
        await press(pilot, "minus")
        await worked_out(pilot, app, screen)
        await saved(pilot, app)
        assert named(known) == {}


async def test_single_rights_are_given_and_taken(known: AHome) -> None:
    give(known, "user:bob")
    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        await press(pilot, "V")
        assert "Choose somebody who is named." in text(app)
        assert screen.listing.select("named:user:bob")
        await settled(pilot)
        await press(pilot, "V")
        assert "erase" not in text(app), "what only an owner holds is not offered"
        await choose(pilot, "review")
        await worked_out(pilot, app, screen)
        await saved(pilot, app)
        held = show_permission(known.lobes, known.me, A).people[0]
        assert (held.role, held.verbs) == ("viewer", ("review",))
        assert "viewer +1" in text(app)


async def test_only_me_rests_what_is_named_and_takes_it_from_nobody(known: AHome) -> None:
    give(known, "user:bob")
    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        assert screen.listing.select("seen")
        await press(pilot, "space")
        await worked_out(pilot, app, screen)
        assert "[Only me]" in text(app)
        assert "Whoever is named stays outside while only its owner sees it." in words(app)
        await saved(pilot, app)
        assert named(known) == {"user:bob": "viewer"}
        assert show_permission(known.lobes, known.me, A).is_dormant


async def test_what_my_group_gives_already_is_said_when_somebody_is_named(known: AHome) -> None:
    known.execute("UPDATE space SET group_id = 'core' WHERE id = 'prj_a'")
    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        await press(pilot, "p")
        await choose(pilot, "mei")
        assert "Everyone in Core may read and change it already." in words(app)
        await answer(pilot, "Viewer")
        await worked_out(pilot, app, screen)
        assert "Mei Tanaka gains nothing by it" in words(app)
        assert "Who gains anything no one" in words(app)


async def test_a_removed_group_is_void_and_can_only_be_taken_out(known: AHome) -> None:
    give(known, "group:core")
    remove_group(known.lobes, known.me, "core")
    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        assert screen.listing.select("named:group:core")
        await settled(pilot)
        assert "unknown group" in text(app)
        await press(pilot, "space")
        assert "There is nobody of this name" in text(app)
        await press(pilot, "minus")
        await worked_out(pilot, app, screen)
        await saved(pilot, app)
        assert named(known) == {}


async def test_what_agents_may_is_a_gain_that_is_asked_for(known: AHome) -> None:
    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        assert screen.listing.select("agents_may")
        await press(pilot, "space")
        assert screen.listing.select("agents_see")
        await press(pilot, "space")
        await worked_out(pilot, app, screen)
        await press(pilot, "ctrl+s")
        asked = question(app)
        assert "Agents now work as editor at most." in asked
        assert "Agents now see what is confidential. Save?" in asked
        await answer(pilot, "Save")
        await until(pilot, lambda: config(known, "prj_a").agent_preset == "editor")
        assert config(known, "prj_a").agents_see_confidential


async def test_what_waits_for_a_person_is_set_with_what_that_changes(known: AHome) -> None:
    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        assert screen.listing.select("proposals")
        await press(pilot, "left")
        await worked_out(pilot, app, screen)
        assert "What you type now waits in Review too" in words(app)
        await press(pilot, "left", "j", "space")
        assert "2 changes not saved" in text(app)
        await worked_out(pilot, app, screen)
        assert "What changes outside now waits in Review" in words(app)
        await press(pilot, "ctrl+s")
        asked = question(app)
        assert "Agents now have plain proposals accepted by the policy. Save?" in asked
        await answer(pilot, "Save")
        await until(pilot, lambda: config(known, "prj_a").write_policy == "none")
        assert config(known, "prj_a").hold_external_changes
        await settled(pilot)
        await press(pilot, "z")
        await until(pilot, lambda: config(known, "prj_a").write_policy == "risky")
        assert not config(known, "prj_a").hold_external_changes


async def test_the_space_is_put_into_a_group_after_a_word_on_whom_it_opens_to(
    known: AHome,
) -> None:
    def group() -> str | None:
        rows = list_spaces(known.lobes, known.me)
        return next(one.group for one in rows if one.id == "prj_a")

    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        assert screen.listing.select("group")
        await press(pilot, "space")
        await choose(pilot, "core")
        await until(pilot, lambda: "It opens to Mei Tanaka." in words(app))
        await answer(pilot, "Put it there")
        assert group() == "core"
        await until(pilot, lambda: "Group Core" in words(app))
        await press(pilot, "z")
        assert not group()


async def test_who_sees_it_and_the_lobe_are_saved_as_one_and_undone_as_one(known: AHome) -> None:
    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        await press(pilot, "space", "p")
        await choose(pilot, "bob")
        await answer(pilot, "Editor")
        await worked_out(pilot, app, screen)
        assert "2 changes not saved" in frame(app)[1]
        await saved(pilot, app)
        assert config(known, "prj_a").is_private
        assert named(known) == {"user:bob": "editor"}
        await press(pilot, "z")
        assert not config(known, "prj_a").is_private
        assert named(known) == {}


async def test_a_kept_draft_takes_back_nothing_that_others_saved_meanwhile(known: AHome) -> None:
    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        await press(pilot, "p")
        await choose(pilot, "bob")
        await answer(pilot, "Viewer")
        give(known, "user:mei")
        screen.reload()
        await settled(pilot)
        await worked_out(pilot, app, screen)
        assert "1 change not saved" in frame(app)[1]
        await saved(pilot, app)
        assert named(known) == {"user:bob": "viewer", "user:mei": "viewer"}


async def test_a_permission_that_cannot_be_read_is_only_replaced_whole(known: AHome) -> None:
    known.execute("UPDATE space SET permission = '{broken' WHERE id = 'prj_a'")
    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        assert "can't be read: its owner only" in text(app)
        await press(pilot, "p")
        assert "Choose Seen by: it is replaced whole." in text(app)
        assert screen.listing.select("seen")
        await press(pilot, "space")
        await worked_out(pilot, app, screen)
        assert "What couldn't be read is replaced whole" in words(app)
        await saved(pilot, app)
        assert show_permission(known.lobes, known.me, A).stored == ""


async def test_a_group_lobe_is_muted_like_any_other(known: AHome) -> None:
    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        assert screen.listing.select("source:team/core")
        await settled(pilot)
        await press(pilot, "m")
        await worked_out(pilot, app, screen)
        await saved(pilot, app)
        assert config(known, "prj_a").muted == ("team/core",)


async def test_every_kind_of_source_can_be_chosen_and_goes_again(known: AHome) -> None:
    app = make(source_of(known, "prj_a"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        for kind, wanted in (("team", "core"), ("user", "[red]bob"), ("space", "prj_b")):
            await press(pilot, "+")
            await choose(pilot, wanted)
            await worked_out(pilot, app, screen)
            assert any(one.type == kind for one in screen.draft.config.subscriptions)  # pyright: ignore[reportOptionalMemberAccess]
        await saved(pilot, app)
        kept = config(known, "prj_a").subscriptions
        assert [f"{one.type}:{one.id}" for one in kept] == [
            "team:core",
            "user:bob",
            "space:prj_b",
        ]
        assert screen.listing.select("add:user:bob")
        await settled(pilot)
        await press(pilot, "minus")
        await worked_out(pilot, app, screen)
        assert "goes" in text(app)
        await saved(pilot, app)
        assert [one.type for one in config(known, "prj_a").subscriptions] == ["team", "space"]


# Where it is others' to decide, and the many -----------------------------------------------------


async def test_who_may_not_decide_is_told_so_and_sees_nobody() -> None:
    source = FixedSource(current="prj_initech")
    source.view = replace(source.view, access=None)
    app = make(source)
    async with running(app, SIZE) as pilot:
        await lobe_of(pilot, app)
        assert "Who sees it is for its owner to say." in text(app)
        assert "Mei" not in text(app)
        await press(pilot, "p")
        assert not isinstance(app.screen, Dialog)


async def test_a_name_that_imitates_markup_or_a_line_stays_a_name() -> None:
    """Data is never markup and never a line of its own."""
    evil = replace(ACCESS.known[0], name="[bold]Mei[/]\n─── Save? ──\x1b[2J")
    source = FixedSource(current="prj_initech")
    access = replace(ACCESS, known=(evil, *ACCESS.known[1:]))
    source.view = replace(source.view, access=access)
    app = make(source)
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        assert screen.listing.select("named:user:mei")
        await settled(pilot)
        assert "[bold]Mei" in text(app)
        assert "\x1b" not in text(app)
        assert {len(line) for line in frame(app)} == {SIZE[0]}


async def test_two_hundred_who_are_named_are_scrolled_and_each_can_be_found() -> None:
    many = frozenset(f"user:p{n:03}" for n in range(200))
    source = FixedSource(current="prj_initech")
    known = tuple(replace(ACCESS.known[0], subject=one, name=one) for one in sorted(many))
    permission = Permission("restricted", (("read_content", many), ("read_meta", many)))
    access = replace(ACCESS, permission=permission, known=known)
    source.view = replace(source.view, access=access)
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        screen = await lobe_of(pilot, app)
        await press(pilot, "p")
        await press(pilot, *"p123")
        assert "user:p123" in text(app)
        await press(pilot, "escape")
        assert screen.listing.select("named:user:p199")
        await settled(pilot)
        assert "user:p199" in text(app)
