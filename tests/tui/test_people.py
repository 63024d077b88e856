"""People & groups: what its dialogs do is in the store, and `z` takes it back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource
from tests.tui.sample_people import ALONE

from lobes.services import group_changes, groups, people
from lobes.services.group_changes import NewGroup
from lobes.tui.app import LobesApp
from lobes.tui.home import Home
from lobes.tui.widgets.dialog import Dialog
from lobes.tui.widgets.picker import Picker

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from homes import AHome

SIZE = (120, 40)


@pytest.fixture
def known(home: AHome) -> AHome:
    """ada owns the team core; bob is known, and has a name that is no markup."""
    people.add_person(home.lobes, home.me, "bob", name="[red]Bob")
    group_changes.add_group(home.lobes, home.me, NewGroup("core", "team", "Core"))
    home.a_space("prj_a", {})
    return home


def app_of(home: AHome) -> LobesApp:
    source = Home(home.folders)
    source._opened = home.lobes, home.lobes.owner_at("tui", is_present=True)
    return make(source)


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


async def opened(app: LobesApp, pilot: Pilot[None]) -> None:
    app.show_people()
    await settled(pilot)
    assert isinstance(app.screen, Picker)


async def choose(app: LobesApp, pilot: Pilot[None], typed: str) -> None:
    await pilot.press(*typed)
    await settled(pilot)
    await pilot.press("enter")
    await settled(pilot)


async def answer(app: LobesApp, pilot: Pilot[None], label: str) -> None:
    """Press the button of this label."""
    screen = app.screen
    assert isinstance(screen, Dialog)
    screen.guard.release()
    labels = [button.label for button in screen._buttons]
    await pilot.press(*["right"] * labels.index(label), "enter")
    await settled(pilot)


def members(home: AHome) -> dict[str, str]:
    found = groups.show_group(home.lobes, home.me, "core").people
    return {one.person: one.role for one in found}


async def test_somebody_is_taken_in_seen_and_taken_out_again_by_undo(known: AHome) -> None:
    app = app_of(known)
    async with running(app, SIZE) as pilot:
        await opened(app, pilot)
        assert "[red]Bob" in text(app)
        await choose(app, pilot, "core")
        await until(pilot, lambda: "What its lobe holds" in text(app))
        assert "Members" in text(app)
        await answer(app, pilot, "Take in")
        await choose(app, pilot, "bob")
        await until(pilot, lambda: "An owner also decides" in text(app))
        await answer(app, pilot, "As owner")
        assert members(known) == {"ada": "owner", "bob": "owner"}
        await pilot.press("z")
        await settled(pilot)
        assert members(known) == {"ada": "owner"}
        await pilot.press("Z")
        await settled(pilot)
        assert members(known) == {"ada": "owner", "bob": "owner"}


async def test_a_group_is_made_removed_and_brought_back(known: AHome) -> None:
    app = app_of(known)
    async with running(app, SIZE) as pilot:
        await opened(app, pilot)
        await choose(app, pilot, "new group")
        await answer(app, pilot, "Department")
        await choose(app, pilot, "Eng & Co")
        assert [one.id for one in groups.list_groups(known.lobes, known.me)] == ["core", "eng-co"]
        await opened(app, pilot)
        await choose(app, pilot, "eng & co")
        await answer(app, pilot, "Remove")
        await until(pilot, lambda: "In it no longer: ada." in text(app))
        await answer(app, pilot, "Remove it")
        assert [one.id for one in groups.list_groups(known.lobes, known.me)] == ["core"]
        await pilot.press("z")
        await settled(pilot)
        assert [one.id for one in groups.list_groups(known.lobes, known.me)] == ["core", "eng-co"]


async def test_the_last_owner_is_told_why_not(known: AHome) -> None:
    app = app_of(known)
    async with running(app, SIZE) as pilot:
        await opened(app, pilot)
        await choose(app, pilot, "core")
        await answer(app, pilot, "Take out")
        await choose(app, pilot, "ada")
        await until(pilot, lambda: "last owner" in text(app))
        assert members(known) == {"ada": "owner"}


async def test_a_person_is_made_known(known: AHome) -> None:
    app = app_of(known)
    async with running(app, SIZE) as pilot:
        await opened(app, pilot)
        await choose(app, pilot, "new person")
        await choose(app, pilot, "Mei Tanaka")
        assert people.list_people(known.lobes, known.me)[-1].id == "mei-tanaka"


async def test_where_nobody_else_is_known_the_list_offers_what_can_be_made() -> None:
    app = make(FixedSource(everybody=ALONE))
    async with running(app, (80, 24)) as pilot:
        await opened(app, pilot)
        assert all(word in text(app) for word in ("New group…", "New person…", "you"))
