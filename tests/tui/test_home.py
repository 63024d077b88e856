"""The screens over the real services: what a key does is in the store, and undo takes it back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.tui.frames import frame, make, running, settled, until

from decided import remember
from lobes.config.folders import folders_under
from lobes.domain.lobes import LobeConfig
from lobes.services.lobes import lobe_view
from lobes.services.manifests import waiting
from lobes.store.uses import NOTED
from lobes.tui.app import LobesApp
from lobes.tui.home import Home
from lobes.tui.screens.lobe import LobeScreen
from lobes.tui.widgets.dialog import Dialog

if TYPE_CHECKING:
    from textual.pilot import Pilot

    from homes import AHome

SIZE = (120, 40)


@pytest.fixture
def sample(a_home: Callable[..., AHome]) -> AHome:
    home = a_home(samples=True)
    home.index()
    return home


def source_of(home: AHome, space: str = "prj_notidian") -> Home:
    """The adapter over a home that is open already, so that no second engine starts."""
    source = Home(home.folders, first=space)
    source._opened = home.lobes, home.lobes.owner_at("tui", is_present=True)
    return source


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


def config(home: AHome, space: str) -> LobeConfig:
    return lobe_view(home.lobes, home.me, space).config


async def lobe_of(pilot: Pilot[None], app: LobesApp) -> LobeScreen:
    await pilot.press("6")
    await settled(pilot)
    screen = app.screen
    assert isinstance(screen, LobeScreen)
    return screen


async def choose(pilot: Pilot[None], words: str) -> None:
    """Pick a line of the picker that is open."""
    await settled(pilot)
    await pilot.press(*words)
    await settled(pilot)
    await pilot.press("enter")
    await settled(pilot)


async def worked_out(pilot: Pilot[None], app: LobesApp, screen: LobeScreen) -> None:
    await until(pilot, lambda: screen.draft is not None and screen.draft.effect is not None)


async def saved(pilot: Pilot[None], app: LobesApp) -> None:
    """Press ctrl+s, and answer the question of a save that widens."""
    await pilot.press("ctrl+s")
    await settled(pilot)
    if isinstance(app.screen, Dialog):
        app.screen.guard.release()
        await pilot.press("enter")
    await until(pilot, lambda: "not saved" not in text(app))


async def test_a_source_is_added_shown_saved_undone_and_removed(sample: AHome) -> None:
    app = make(source_of(sample, "area_writing"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        before = config(sample, "area_writing")
        await pilot.press("+")
        await choose(pilot, "notidian")
        await worked_out(pilot, app, screen)
        assert "+ Notidian" in text(app)
        assert config(sample, "area_writing") == before, "nothing is stored before ctrl+s"
        await saved(pilot, app)
        kept = config(sample, "area_writing").subscriptions
        assert [one.id for one in kept if one not in before.subscriptions] == ["prj_notidian"]
        await pilot.press("z")
        await settled(pilot)
        assert config(sample, "area_writing") == before


async def test_a_tag_is_subscribed_to_and_the_source_goes_again(sample: AHome) -> None:
    app = make(source_of(sample, "prj_notidian"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        await pilot.press("+")
        await choose(pilot, "no space carries")
        await pilot.press(*"prose", "enter")
        await settled(pilot)
        assert "#prose" in text(app)
        assert screen.listing.select("add:tag:prose")
        await settled(pilot)
        await pilot.press("-")
        await settled(pilot)
        assert "not saved" not in text(app)


async def test_mute_takes_a_lobe_away_and_says_so_before_it_is_saved(sample: AHome) -> None:
    app = make(source_of(sample, "prj_notidian"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        assert screen.listing.select("source:space/area_writing")
        await settled(pilot)
        await pilot.press("m")
        await worked_out(pilot, app, screen)
        assert " −  Writing" in text(app)
        await saved(pilot, app)
        assert config(sample, "prj_notidian").muted == ("space/area_writing",)
        await pilot.press("z")
        await settled(pilot)
        assert config(sample, "prj_notidian").muted == ()


async def test_never_with_holds_both_ways(sample: AHome) -> None:
    app = make(source_of(sample, "area_internal"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        await pilot.press("X")
        await choose(pilot, "writing")
        await worked_out(pilot, app, screen)
        await saved(pilot, app)
        assert "∅ Writing" in text(app)
        for one, other in (("area_internal", "area_writing"), ("area_writing", "area_internal")):
            view = lobe_view(sample.lobes, sample.me, one)
            reason = next(s.reason for s in view.sources if s.lobe == f"space/{other}")
            assert reason == "excluded"


async def test_tags_are_edited_and_stored(sample: AHome) -> None:
    app = make(source_of(sample, "prj_notidian"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        await pilot.press("t")
        await settled(pilot)
        await pilot.press("ctrl+u", *"#alpha beta", "enter")
        await worked_out(pilot, app, screen)
        await saved(pilot, app)
        assert {"alpha", "beta"} <= set(config(sample, "prj_notidian").tags)


async def test_inherited_categories_are_edited_told_and_stored(sample: AHome) -> None:
    app = make(source_of(sample, "prj_notidian"))
    async with running(app, SIZE) as pilot:
        screen = await lobe_of(pilot, app)
        assert screen.listing.select("inherits")
        await settled(pilot)
        assert "all but the sensitive ones   enter edits" in text(app)
        for typed, bad in (
            ("Health!", True),
            ("none health", True),
            ("development, health", False),
        ):
            await pilot.press("enter")
            await settled(pilot)
            await pilot.press("ctrl+u", *typed, "enter")
            await settled(pilot)
            assert (screen.draft is not None and screen.draft.changes == 0) is bad
        await worked_out(pilot, app, screen)
        shown = text(app)
        assert "development, health   was all but the" in shown
        assert "Notidian now inherits health" in " ".join(shown.split())
        assert "no longer inherits all but the" in " ".join(shown.split())
        await saved(pilot, app)
        assert config(sample, "prj_notidian").inherit_categories == ("development", "health")
        await pilot.press("space")
        await settled(pilot)
        await pilot.press("ctrl+u", *"default", "enter")
        await worked_out(pilot, app, screen)
        await saved(pilot, app)
        assert config(sample, "prj_notidian").inherit_categories is None


async def test_archive_restore_and_the_trash_have_their_undo(sample: AHome) -> None:
    app = make(source_of(sample, "area_writing"))

    def status() -> str:
        return str(sample.rows("SELECT status FROM space WHERE id = 'area_writing'")[0][0])

    async with running(app, SIZE) as pilot:
        await pilot.press("A")
        await until(pilot, lambda: status() == "archived")
        await pilot.press("z")
        await until(pilot, lambda: status() == "active")
        await until(pilot, lambda: "Restored Writing" in text(app))
        screen = app.screen
        assert screen.listing.select("area_writing")  # type: ignore[attr-defined]
        await settled(pilot)
        await pilot.press("D")
        await until(pilot, lambda: isinstance(app.screen, Dialog))
        dialog = app.screen
        assert isinstance(dialog, Dialog)
        dialog.guard.release()
        await pilot.press("tab", "enter")
        await until(pilot, lambda: status() == "deleted")
        await pilot.press("z")
        await until(pilot, lambda: status() == "active")


async def test_a_changed_space_yaml_binds_only_after_trust(sample: AHome) -> None:
    file = sample.root("prj_notidian") / "space.yaml"
    text_now = file.read_text(encoding="utf-8")
    assert "network: ask-on-first-use" in text_now
    widened = text_now.replace("network: ask-on-first-use", "network: allow")
    file.write_text(widened, encoding="utf-8")
    sample.index("prj_notidian")
    app = make(source_of(sample))

    def waits() -> bool:
        return waiting(sample.lobes, sample.me, "prj_notidian") is not None

    async with running(app, SIZE) as pilot:
        assert waits()
        assert "space.yaml changed" in text(app)
        await pilot.press("t")
        await settled(pilot)
        dialog = app.screen
        assert isinstance(dialog, Dialog)
        assert "network" in text(app)
        dialog.guard.release()
        await pilot.press("tab", "enter")
        await until(pilot, lambda: not waits())
        assert "space.yaml changed" not in text(app)


async def test_the_stricter_space_yaml_is_named_in_the_form(sample: AHome) -> None:
    file = sample.root("area_internal") / "space.yaml"
    text_now = file.read_text(encoding="utf-8")
    assert "cross_space_retrieval: open" in text_now
    stricter = text_now.replace("cross_space_retrieval: open", "cross_space_retrieval: ask")
    file.write_text(stricter, encoding="utf-8")
    sample.index("area_internal")
    app = make(source_of(sample, "area_internal"))
    async with running(app, SIZE) as pilot:
        await lobe_of(pilot, app)
        assert "space.yaml asks for Ask" in text(app)


def test_a_first_look_at_a_folder_makes_no_home(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "README.md").write_text("# Mine\n", encoding="utf-8")
    folders = folders_under(tmp_path / "home")
    source = Home(folders)
    assert source.open().fresh
    found = source.look_at(str(folder))
    assert found.roles == (("README.md", "identity"),)
    source.close()
    assert [one.name for one in tmp_path.iterdir()] == ["mine"]


def test_a_memory_counts_as_given_when_it_is_opened_and_not_at_every_key(sample: AHome) -> None:
    id = remember(sample, "Zephyrs blow from the west.", lobe="space/prj_notidian", status="active")
    sample.settle()
    source = source_of(sample)
    noted = sample.folders.store.with_name(NOTED)
    for typed in ("zeph", "zephyr", "zephyrs"):
        source.search("prj_notidian", typed)
    assert any(one.id == id for one in source.search("prj_notidian", "zephyrs blow").answers)
    assert not noted.exists()
    source.note_read(id)
    assert id in noted.read_text()
