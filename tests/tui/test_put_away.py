"""Spaces put away in batches, over the real store: one act, one record, one undo."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource

from lobes.services.space_changes import (
    Edit,
    archive_space,
    edit_space,
    restore_space,
    trash_space,
)
from lobes.tui.app import LobesApp
from lobes.tui.home import Home
from lobes.tui.live import StoreMoved
from lobes.tui.screens.lobe import LobeScreen
from lobes.tui.screens.spaces import SpacesScreen
from lobes.tui.widgets.dialog import Dialog

if TYPE_CHECKING:
    from homes import AHome

SIZE = (120, 40)


@pytest.fixture
def many(a_home: Callable[..., AHome]) -> AHome:
    home = a_home()
    for letter in "abcdef":
        home.a_space(f"prj_{letter}", {"a.md": "# A\n\nword\n"})
    home.index()
    return home


def app_of(home: AHome) -> LobesApp:
    source = Home(home.folders, first="prj_a")
    source._opened = home.lobes, home.lobes.owner_at("tui", is_present=True)
    return make(source)


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


def said(app: LobesApp, cells: int = 64) -> str:
    """What the list's pane says, as one line of words."""
    return " ".join(" ".join(line[:cells] for line in frame(app)).split())


def screen_of(app: LobesApp) -> SpacesScreen:
    assert isinstance(app.screen, SpacesScreen)
    return app.screen


def those(home: AHome, status: str) -> list[str]:
    sql = "SELECT id FROM space WHERE status = ? ORDER BY id"
    return [str(row[0]) for row in home.rows(sql.replace("?", f"'{status}'"))]


async def test_marked_spaces_are_archived_with_one_record_and_one_undo(many: AHome) -> None:
    app = app_of(many)
    async with running(app, SIZE) as pilot:
        await pilot.press("v", "j", "j", "A")
        await until(pilot, lambda: len(those(many, "archived")) == 3)
        assert "Archived 3 Spaces   z undoes" in text(app)
        assert len(many.audited("space.archived")) == 1
        await pilot.press("z")
        await until(pilot, lambda: not those(many, "archived"))
        assert len(many.audited("space.restored")) == 1
        await pilot.press("Z")
        await until(pilot, lambda: len(those(many, "archived")) == 3)


async def test_one_that_somebody_archived_meanwhile_is_named_the_rest_is_done(
    many: AHome,
) -> None:
    """Marks + filter + refresh + bulk action with one refused item: count, undo, audit."""
    app = app_of(many)
    async with running(app, SIZE) as pilot:
        await pilot.press("/", *"prj_", "enter", "*")
        screen = screen_of(app)
        screen.others_wrote()
        await settled(pilot)
        assert "6 marked" in text(app)
        archive_space(many.lobes, many.me, "prj_c")
        await pilot.press("A")
        await until(pilot, lambda: len(those(many, "archived")) == 6)
        assert "Archived 5 Spaces. 1 of 6 couldn't be archived" in text(app)
        newest = many.audited("space.archived")[0]
        assert sorted(map(len, (one["resources"] for one in many.audited("space.archived")))) == [
            1,
            5,
        ]
        assert newest["answer"] == "owner"
        await pilot.press("z")
        await until(pilot, lambda: those(many, "archived") == ["prj_c"])


async def test_the_trash_is_shown_and_left_in_a_batch(many: AHome) -> None:
    app = app_of(many)
    async with running(app, SIZE) as pilot:
        await pilot.press("x", "j", "x", "D")
        await until(pilot, lambda: isinstance(app.screen, Dialog))
        dialog = app.screen
        assert isinstance(dialog, Dialog)
        assert "Move 2 Spaces to the trash?" in text(app)
        dialog.guard.release()
        await pilot.press("tab", "enter")
        await until(pilot, lambda: len(those(many, "deleted")) == 2)
        await pilot.press("f")
        await settled(pilot)
        assert "Nothing is archived" in text(app)
        await pilot.press("f")
        await settled(pilot)
        assert "It is in the trash. A brings it back." in text(app)
        await pilot.press("*", "A")
        await until(pilot, lambda: not those(many, "deleted"))
        assert "Restored 2 Spaces   z undoes" in text(app)
        assert "The trash is empty." in text(app)
        await pilot.press("z")
        await until(pilot, lambda: len(those(many, "deleted")) == 2)
        assert len(many.audited("space.trashed")) == 2


async def test_a_key_before_the_first_spaces_stand_puts_none_away() -> None:
    source = FixedSource()
    app = make(source)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.press("A", "x", "v", "*", "D")
        await settled(pilot)
        assert source.count("archive") + source.count("trash") == 0


async def test_the_filter_holds_in_every_view_and_says_what_it_leaves() -> None:
    app = make()
    async with running(app, SIZE) as pilot:
        await pilot.press("/", *"in")
        await settled(pilot)
        assert "3 of 7" in text(app)
        await pilot.press("enter", "f")
        await settled(pilot)
        assert "0 of 0" in text(app)
        await pilot.press("f", "f")
        await settled(pilot)
        assert "3 of 7" in text(app)


async def test_the_space_that_another_process_put_away_is_struck_and_its_text_gone_at_once(
    many: AHome,
) -> None:
    """The row stays for one refresh; the whole file that was open is not read on."""
    app = app_of(many)
    async with running(app, SIZE) as pilot:
        await pilot.press("j", "tab", "enter")
        screen = screen_of(app)
        screen.zoom.begin("prj_b", "a.md", head=lambda file: screen._named("a.md"))
        await settled(pilot)
        assert screen.zoom.is_on
        archive_space(many.lobes, many.me, "prj_b")
        screen.others_wrote()
        await settled(pilot)
        assert "† " in text(app)
        assert "it is not here any more" in text(app)
        assert "word" not in text(app)
        assert screen.chosen is None
        assert screen.listing.cursor == "prj_b"
        screen.others_wrote()
        await settled(pilot)
        assert "† " not in text(app)
        assert screen.listing.cursor == "prj_c"


async def test_what_changed_while_a_dialog_asked_about_it_is_not_put_away(many: AHome) -> None:
    app = app_of(many)
    async with running(app, SIZE) as pilot:
        await pilot.press("D")
        await until(pilot, lambda: isinstance(app.screen, Dialog))
        dialog = app.screen
        assert isinstance(dialog, Dialog)
        archive_space(many.lobes, many.me, "prj_a")
        app.post_message(StoreMoved(store=True))
        below = app.screen_stack[0]
        assert isinstance(below, SpacesScreen)
        await until(pilot, lambda: "prj_a" not in below._by_id)
        dialog.guard.release()
        await pilot.press("tab", "enter")
        await until(pilot, lambda: "It couldn't be trashed" in text(app))
        assert those(many, "archived") == ["prj_a"]


async def test_undo_leaves_in_the_trash_what_another_process_put_there_since(many: AHome) -> None:
    app = app_of(many)
    async with running(app, SIZE) as pilot:
        await pilot.press("A")
        await until(pilot, lambda: those(many, "archived") == ["prj_a"])
        trash_space(many.lobes, many.me, "prj_a")
        await pilot.press("z")
        await until(pilot, lambda: "is in the trash since" in text(app))
        assert those(many, "deleted") == ["prj_a"]


@pytest.mark.parametrize("page", ["2", "6"])
async def test_a_space_put_into_the_trash_elsewhere_leaves_no_text_in_search_or_lobe(
    many: AHome, page: str
) -> None:
    app = app_of(many)
    async with running(app, SIZE) as pilot:
        await pilot.press(page)
        await settled(pilot)
        if page == "2":
            await pilot.press(*"word", "enter")
            await until(pilot, lambda: "a.md" in text(app))
            await pilot.press("enter")
            await settled(pilot)
            assert app.screen.has_class("-zoom")
        trash_space(many.lobes, many.me, "prj_a")
        app.post_message(StoreMoved(store=True))
        await until(pilot, lambda: "is in the trash." in said(app))
        assert not app.screen.has_class("-zoom")
        assert "a.md" not in text(app)
        assert "Who may draw on" not in text(app)
        assert "1, then f twice, shows it" in said(app)
        assert "prj_a" not in text(app).replace("a.md", "")


@pytest.mark.parametrize("page", ["2", "6"])
async def test_an_open_space_that_another_process_archived_is_named_with_what_to_press(
    many: AHome, page: str
) -> None:
    """No raw id; the mark and the words stay until it is restored elsewhere, which shows too."""
    app = app_of(many)
    async with running(app, SIZE) as pilot:
        await pilot.press(page)
        await settled(pilot)
        if page == "2":
            await pilot.press(*"word", "enter")
            await until(pilot, lambda: "a.md" in text(app))
        assert "archived" not in text(app)
        archive_space(many.lobes, many.me, "prj_a")
        app.post_message(StoreMoved(store=True))
        words = "Prj_A is archived: no other Space draws on it. 1, then f, shows it; A there"
        await until(pilot, lambda: words in said(app))
        assert "archived" in frame(app)[1]
        if page == "2":
            await until(pilot, lambda: "a.md" in text(app))
        assert "prj_a" not in text(app)
        await pilot.press("escape", "7", page)
        await settled(pilot)
        assert "Prj_A" in frame(app)[1]
        assert "archived" in frame(app)[1]
        restore_space(many.lobes, many.me, "prj_a")
        app.post_message(StoreMoved(store=True))
        await until(pilot, lambda: "archived" not in frame(app)[1])


async def test_the_open_space_that_another_process_renamed_has_its_new_name_on_line_2(
    many: AHome,
) -> None:
    app = app_of(many)
    async with running(app, SIZE) as pilot:
        await pilot.press("6")
        await settled(pilot)
        assert "Prj_A" in frame(app)[1]
        edit_space(many.lobes, many.me, "prj_a", Edit(name="Alpha"))
        app.post_message(StoreMoved(store=True))
        await until(pilot, lambda: "Alpha" in frame(app)[1])


@pytest.mark.parametrize("page", ["2", "6"])
async def test_an_open_space_that_is_nowhere_any_more_is_named_as_gone(
    many: AHome, page: str
) -> None:
    app = app_of(many)
    async with running(app, SIZE) as pilot:
        await pilot.press(page)
        await settled(pilot)
        many.execute("DELETE FROM document WHERE space = 'prj_a'")
        many.execute("DELETE FROM space WHERE id = 'prj_a'")
        app.post_message(StoreMoved(store=True))
        gone = "is not here any more: it was put away elsewhere. 1 shows your Spaces, ctrl+o"
        await until(pilot, lambda: gone in said(app))
        assert "Who may draw on" not in text(app)


async def test_never_with_offers_no_space_that_was_put_away_but_ends_one_that_was(
    many: AHome,
) -> None:
    archive_space(many.lobes, many.me, "prj_b")
    app = app_of(many)
    async with running(app, SIZE) as pilot:
        await pilot.press("6")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, LobeScreen)
        assert screen.draft is not None
        assert "prj_b" not in screen._others(screen.draft)
        assert "prj_b" in screen._others(screen.draft, also=("prj_b",))
        assert "prj_c" in screen._others(screen.draft)
