"""The first run: a choice, one page of questions, and nothing is stored before it is confirmed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource

from lobes.config.folders import folders_under
from lobes.domain.errors import Invalid, Unavailable
from lobes.services.lobes import lobe_view
from lobes.services.spaces import list_spaces
from lobes.tui.app import LobesApp
from lobes.tui.home import Home
from lobes.tui.outcomes import Beginning
from lobes.tui.widgets.toast import Toast


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


async def test_nothing_is_stored_before_the_second_page_is_confirmed() -> None:
    source = FixedSource(fresh=True)
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        assert "Sample Spaces" in text(app)
        await pilot.press("3")
        await settled(pilot)
        assert "Name       ada" in text(app)
        assert "My Spaces  [Open]  Ask   Closed" in text(app)
        assert source.count("begin") == 0
        await pilot.press("escape")
        await settled(pilot)
        assert "Sample Spaces" in text(app)
        await pilot.press("3")
        await settled(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: "PROJECTS" in text(app))
        assert source.begun == Beginning("empty", "ada", "open")


async def test_the_name_and_how_spaces_draw_on_each_other_are_asked_once() -> None:
    source = FixedSource(fresh=True)
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("enter")
        await settled(pilot)
        await pilot.press("backspace", "backspace", "backspace", *"eve", "tab", "right", "l")
        await settled(pilot)
        assert "Open   Ask  [Closed]" in text(app)
        assert "New Spaces neither draw on others nor answer." in text(app)
        await pilot.press("enter")
        await until(pilot, lambda: source.count("search") > 0)
        assert source.begun == Beginning("sample", "eve", "deny")
        assert app.current_mode == "search"
        assert "⌂ own" in text(app), "the first screen shows reasons"


@pytest.mark.parametrize("ascii", [False, True])
async def test_a_folder_is_shown_whole_before_it_is_added(ascii: bool) -> None:
    source = FixedSource(fresh=True)
    app = make(source, ascii=ascii)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("2")
        await settled(pilot)
        await pilot.press(*"clients")
        await until(pilot, lambda: "agent_instructions" in text(app))
        page = text(app)
        assert "never read: secrets" in page
        assert "Nothing in the folder is changed." in page
        assert "[Project]  Area" in page
        await pilot.press("tab", "right", "tab", "tab", "right", "tab", "right")
        await settled(pilot)
        assert source.count("begin") == 0
        await pilot.press("enter")
        await until(pilot, lambda: "PROJECTS" in text(app))
        begun = source.begun
        assert begun is not None
        assert begun.folder is not None
        assert (begun.folder.folder, begun.kind, begun.default, begun.private) == (
            "~/clients",
            "area",
            "ask",
            True,
        )


async def test_enter_on_a_folder_that_was_not_looked_at_only_looks() -> None:
    source = FixedSource(fresh=True)
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("2")
        await settled(pilot)
        await pilot.press("x", "enter")
        await until(pilot, lambda: "agent_instructions" in text(app))
        assert source.count("begin") == 0


async def test_a_folder_that_is_not_there_is_said_in_place_and_a_home_that_fails_too() -> None:
    source = FixedSource(fresh=True)
    source.fail["look_at"] = Invalid("There is no such folder.")
    app = make(source)
    async with running(app, (80, 24)) as pilot:
        await pilot.press("2")
        await settled(pilot)
        await pilot.press(*"nix", "enter")
        await until(pilot, lambda: "There is no such folder." in text(app))
        await pilot.press("escape")
        await settled(pilot)
        source.fail["begin"] = Unavailable("A folder of Lobes can't be made.")
        await pilot.press("3")
        await settled(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: "can't be made" in app.screen.query_one(Toast).text)
        del source.fail["begin"]
        await pilot.press("enter")
        await until(pilot, lambda: "PROJECTS" in text(app))
        assert source.begun is not None
        assert source.begun.choice == "empty"


# Over the services ---------------------------------------------------------------------------


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[Home]:
    source = Home(folders_under(tmp_path / "home"))
    assert source.open().fresh
    yield source
    if source._opened is not None:
        source._opened[0].engine.stop()
    source.close()


def test_the_name_becomes_the_owner_and_the_default_holds_for_new_spaces(fresh: Home) -> None:
    fresh.begin(Beginning("empty", "Ada Lovelace", "ask"))
    lobes, caller = fresh._home
    assert (lobes.owner, lobes.default_cross_space) == ("ada-lovelace", "ask")
    (inbox,) = list_spaces(lobes, caller)
    assert lobe_view(lobes, caller, inbox.id).config.cross_space == "ask"


def test_a_name_without_a_letter_makes_no_home(fresh: Home, tmp_path: Path) -> None:
    with pytest.raises(Invalid):
        fresh.begin(Beginning("empty", "!!", "open"))
    assert not (tmp_path / "home").exists()


def test_a_folder_is_added_as_it_was_confirmed(fresh: Home, tmp_path: Path) -> None:
    folder = tmp_path / "acme"
    folder.mkdir()
    (folder / "README.md").write_text("# Acme\n")
    shown = fresh.look_at(str(folder))
    assert not (tmp_path / "home").exists(), "to look leaves nothing"
    done = fresh.begin(Beginning("folder", "ada", "deny", shown, "area", private=True))
    lobes, caller = fresh._home
    config = lobe_view(lobes, caller, done.space).config
    assert (config.is_private, config.cross_space) == (True, "deny")
    assert list_spaces(lobes, caller)[0].kind == "area"
    assert sorted(path.name for path in folder.iterdir()) == ["README.md"]


@pytest.mark.parametrize("width", [40, 60, 66])
async def test_nothing_is_cut_off_unsaid_in_a_narrow_terminal(width: int) -> None:
    app = make(FixedSource(current="", fresh=True))
    async with running(app, (width, 20)):
        words = " ".join(" ".join(frame(app)).split())
        assert "kept apart on purpose." in words
        assert "No account, no network." in words
        assert "q quit" in words
        for about in ("two clients", "README and notes"):
            assert about in words or "…" in words
