"""Problems: what was said, how the index is, what a look found and which files are not read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import NOW, FixedSource

from lobes.config.folders import folders_under
from lobes.domain.errors import Unavailable
from lobes.domain.lobe_change import LobeChange
from lobes.services.skipped import skipped_files
from lobes.tui.app import LobesApp
from lobes.tui.glyphs import Glyphs
from lobes.tui.home import Home
from lobes.tui.live import Pace
from lobes.tui.paint import Look
from lobes.tui.screens.problems import Problems
from lobes.tui.values import Finding, Looked, NotRead
from lobes.tui.views.chrome import IndexState, index_state, rebuilding
from lobes.tui.widgets.toast import Toast

if TYPE_CHECKING:
    from homes import AHome

LOOK = Look(Glyphs(), NOW)
SKIPPED = {"a.md": b"# A\n", "b.md": b"\x00\x01binary", "c.md": b"\xff\x00"}
FOUND = Looked(
    (
        Finding("prj_x: its folder is gone.", "Bring the folder back, or trash the Space."),
        Finding("Journal mode wal.", note=True),
    ),
    (NotRead("It is over 8 MB.", 1_204, ("prj_x  big/\x1b[2Jdump.md",)),),
)


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


async def opened(app: LobesApp, pilot: object) -> None:
    screen = app.screen
    assert isinstance(screen, Problems)
    screen.guard.release()


async def test_findings_say_what_to_do_and_skipped_files_are_counted_by_reason() -> None:
    source = FixedSource(looked=FOUND)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        app.say("The disk is full.", "error")
        await pilot.press("!")
        await settled(pilot)
        page = text(app)
        assert "The disk is full." in page
        assert "prj_x: its folder is gone." in page
        assert "Bring the folder back, or trash the Space." in page
        assert "1,204  It is over 8 MB." in page
        assert "big/\\u{1b}[2Jdump.md" in page
        assert page.index("its folder is gone") < page.index("Journal mode")


async def test_it_opens_at_once_and_the_look_follows_and_can_be_repeated() -> None:
    hold = Event()
    source = FixedSource(looked=FOUND)
    source.gate = lambda name: None if name != "look_through" else (hold.wait(20) and None)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("!")
        while "looking…" not in text(app):
            await pilot.pause(0.01)
        assert "Nothing went wrong." in text(app)
        hold.set()
        await until(pilot, lambda: "its folder is gone" in text(app))
        await opened(app, pilot)
        await pilot.press("ctrl+r")
        await settled(pilot)
        assert source.count("look_through") == 2
        source.fail["look_through"] = Unavailable("The store is locked.")
        await pilot.press("tab", "enter")
        await until(pilot, lambda: "The store is locked." in text(app))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, Problems))


async def test_indexing_is_stopped_from_there() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        app.index = IndexState("ready", 412, 1_830, 85)
        app.screen.query_one("#keys").refresh()
        await pilot.pause()
        end = frame(app)[-1]
        assert end.endswith("words ✓  meaning ━─── 412/1,830  85/s  17 s ")
        await pilot.click(offset=(100, 39))
        await settled(pilot)
        await opened(app, pilot)
        await pilot.press("tab", "tab", "enter")
        await until(pilot, lambda: source.count("stop_indexing") == 1)
        assert app.screen.query_one(Toast).text == "Indexing stops"


@pytest.mark.parametrize(
    ("state", "width", "shown"),
    [
        (IndexState("ready", 412, 1_830, 5.9), 120, "words ✓  meaning ━─── 412/1,830  6/s  5 min"),
        (IndexState("ready", 412, 1_830, 0), 120, "words ✓  meaning ━─── 412/1,830"),
        (IndexState("ready", 412, 1_830, 85), 80, "meaning ━─── 412/1,830"),
        (IndexState("files", 12, 1_830), 80, "looking through files 12/1,830"),
        (IndexState("ready", 10, 10), 80, "✓ indexed"),
        (IndexState("off"), 80, "search is off"),
    ],
)
def test_the_state_of_the_index_is_said_with_the_time_that_is_left(
    state: IndexState, width: int, shown: str
) -> None:
    spans = index_state(state, width, LOOK)
    assert "".join(span.text for span in spans) == shown
    assert {span.action for span in spans} == {"problems"}


def test_a_rebuild_says_how_long_it_takes() -> None:
    pace = Pace()
    pace.of(IndexState("rebuilding", 0, 1_000), 100.0)
    state = pace.of(IndexState("rebuilding", 100, 1_000), 110.0)
    assert rebuilding(state) == "the index is being rebuilt, 2 min; nothing is lost"
    assert pace.of(IndexState("ready", 5, 5, 3.0), 111.0).rate == 3.0


async def test_what_is_wrong_with_the_settings_is_said_at_the_start() -> None:
    app = make()
    app.warnings = ("glyfs is no setting.", "theme must be text; lobes-night holds.")
    async with running(app, (120, 40)) as pilot:
        said = app.screen.query_one(Toast).text
        assert said == "glyfs is no setting. 1 more: ! shows it."
        await pilot.press("!")
        await settled(pilot)
        assert "theme must be text; lobes-night holds." in text(app)
        assert [fault for fault, _ in app.problems] == list(app.warnings)


# Over the services ---------------------------------------------------------------------------


def test_skipped_files_are_counted_by_reason_for_those_who_may_read_them(home: AHome) -> None:
    home.a_space("prj_a", SKIPPED, LobeChange(is_private=True))
    home.a_space("prj_b", {"b.md": b"\x00binary"})
    home.index()
    mine = skipped_files(home.lobes, home.me)
    assert sum(one.count for one in mine) == 3
    assert all(one.sentence and one.sentence != one.reason for one in mine)
    bound = skipped_files(home.lobes, home.agent("prj_b"))
    assert {space for one in bound for space, _ in one.examples} <= {"prj_b"}


def test_a_look_through_a_real_home(a_home: Callable[..., AHome]) -> None:
    home = a_home(samples=True)
    home.index()
    source = Home(home.folders)
    source._opened = home.lobes, home.lobes.owner_at("tui", is_present=True)
    found = source.look_through()
    assert any("Journal mode" in one.text for one in found.findings)
    assert found.findings == tuple(sorted(found.findings, key=lambda one: one.note))


def test_the_version_moves_with_a_write_of_another_connection(home: AHome) -> None:
    source = Home(home.folders)
    source._opened = home.lobes, home.lobes.owner_at("tui", is_present=True)
    before = source.version()
    assert source.version() == before
    home.a_space("prj_a", {"a.md": "# A\n"})
    assert source.version() != before
    source._opened = None
    source.close()


def test_a_home_that_is_not_there_has_no_version(tmp_path: Path) -> None:
    with pytest.raises(Unavailable):
        Home(folders_under(tmp_path)).version()
