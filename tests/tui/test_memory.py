"""How the app was left is how it opens; a file that is broken, foreign or huge is left aside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import SPACES, FixedSource

from lobes.tui import memory
from lobes.tui.app import LobesApp
from lobes.tui.commands import commands, run
from lobes.tui.memory import Kept, Left
from lobes.tui.screens.activity import ActivityScreen
from lobes.tui.screens.page import PageScreen
from lobes.tui.screens.spaces import SpacesScreen

LEFT = Left(
    "prj_globex", "activity", {"spaces": Kept("active", "gl", "prj_globex")}, ("archive", "theme")
)


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


def test_what_is_kept_is_read_again_and_leaves_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "terminal.json"
    memory.write(path, LEFT)
    assert memory.read(path) == LEFT
    assert [one.name for one in tmp_path.iterdir()] == ["terminal.json"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"space": 3, "page": null, "lists": []}',
        b'{"lists": {"spaces": 1}}',
        b"[" * 60_000,
        b" " * (memory.LARGEST + 1),
        json.dumps({"space": "x" * 10_000}).encode(),
    ],
)
def test_a_broken_file_is_left_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "terminal.json"
    path.write_bytes(content)
    assert memory.read(path) == Left()


@pytest.mark.parametrize("kind", ["missing", "folder", "loop"])
def test_what_is_no_file_is_left_aside(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "terminal.json"
    if kind == "folder":
        path.mkdir()
    if kind == "loop":
        path.symlink_to(path)
    assert memory.read(path) == Left()


def test_the_file_of_an_older_version_still_names_the_space(tmp_path: Path) -> None:
    path = tmp_path / "terminal.json"
    path.write_text('{"space": "prj_globex"}', encoding="utf-8")
    assert memory.read(path) == Left("prj_globex")


async def test_space_filter_cursor_and_mode_are_taken_up_again() -> None:
    source = FixedSource(current="prj_globex", left=LEFT)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await until(pilot, lambda: app.current_mode == "activity")
        await pilot.press("1")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SpacesScreen)
        assert app.space_id == "prj_globex"
        assert (screen.part, screen.listing.cursor) == ("gl", "prj_globex")
        assert screen.listing.has_focus
        assert "Notidian" not in "\n".join(line[:60] for line in frame(app)[2:])


async def test_a_view_and_the_row_of_a_list_that_is_read_later_are_taken_up_again() -> None:
    left = Left("", "activity", {"activity": Kept("refused", "", "18399")})
    app = make(FixedSource(left=left))
    async with running(app, (120, 40)) as pilot:
        await until(pilot, lambda: app.current_mode == "activity")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, ActivityScreen)
        assert (screen.view, screen.listing.cursor) == ("refused", "18399")


@pytest.mark.parametrize(
    "left",
    [
        Left("prj_gone", "nowhere", {"spaces": Kept("no view", "", "prj_gone"), "x": Kept()}),
        Left("", "spaces", {"lobe": Kept("active", "part", "row")}),
    ],
)
async def test_what_is_gone_since_is_no_fault(left: Left) -> None:
    app = make(FixedSource(current=left.space, left=left))
    async with running(app, (120, 40)) as pilot:
        assert app.current_mode == "spaces"
        assert app.space_id == SPACES[0].id
        await pilot.press("6")
        await settled(pilot)
        assert app.current_mode == "lobe"


async def test_the_end_tells_how_the_app_was_left() -> None:
    source = FixedSource(left=Left("", "", {"activity": Kept("reads", "x", "1")}))
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("down", "/", *"in", "enter", "2")
        await settled(pilot)
        await pilot.press("ctrl+q")
        await pilot.pause()
    assert app.left is not None
    assert app.left.page == "search"
    assert app.left.lists["spaces"].part == "in"
    assert app.left.lists["spaces"].cursor == app.left.space
    assert app.left.lists["activity"] == Kept("reads", "x", "1"), "not shown: as it was"


async def test_the_commands_used_last_stand_first_again_in_the_next_session() -> None:
    source = FixedSource(left=Left(recent=("theme", "find")))
    app = make(source)
    async with running(app, (80, 24)):
        screen = app.screen
        assert isinstance(screen, PageScreen)
        ids = [one.id for one in commands(app, screen) if one.note == "Lobes"]
        assert ids[:2] == ["theme", "find"]
        run(app, screen, "copy")
        assert app.leaving().recent == ("copy", "theme", "find")


@pytest.mark.parametrize("kept", ["x", [1, {"a": 1}, "", "y" * 300], {"theme": 1}])
def test_recent_commands_that_are_no_list_of_words_are_left_out(
    tmp_path: Path, kept: object
) -> None:
    path = tmp_path / "left.json"
    path.write_text(json.dumps({"space": "prj_a", "recent": kept}))
    assert memory.read(path) == Left("prj_a")
