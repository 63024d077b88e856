"""A theme file that changes shows at once; one that breaks leaves the last good one in force."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.tui.sample import NOW, FixedSource
from textual.pilot import Pilot

from lobes.tui import theme_watch, themes
from lobes.tui.app import LobesApp
from lobes.tui.widgets.toast import Toast

PAPER = (themes.folder() / "lobes-paper.toml").read_text(encoding="utf-8")
GROUND, OTHER = "#FBF9F4", "#102030"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(theme_watch, "EVERY", 0.01)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text(PAPER, encoding="utf-8")
    return path


def app_of(path: Path, theme: str = "mine") -> LobesApp:
    source = FixedSource()
    return LobesApp(source, clock=lambda: NOW, theme=theme, themes_folder=path.parent, live=False)


def ground(app: LobesApp) -> str:
    return app.screen.styles.background.hex


async def shows(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    while not holds():
        await pilot.pause(0.01)


def replace(path: Path, text: str) -> None:
    """As an editor saves: another file in the place of the first."""
    draft = path.with_suffix(".new")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def a_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def large(path: Path) -> None:
    replace(path, PAPER + "#" * themes.LARGEST)


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no TOML": (lambda path: replace(path, "name = ["), "it can't be read as TOML"),
    "no colour": (lambda path: replace(path, PAPER.replace(GROUND, "x")), "is no colour"),
    "removed": (lambda path: path.unlink(), "it is gone"),
    "a loop": (a_loop, "it is a link to itself"),
    "a pipe": (a_pipe, "it is no plain file"),
    "too large": (large, "it is too large"),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_the_last_good_one_stays_when_the_file_breaks(mine: Path, fault: str) -> None:
    spoil, said = FAULTS[fault]
    app = app_of(mine)
    async with app.run_test(size=(120, 40), notifications=False) as pilot:
        await shows(pilot, lambda: app.is_open)
        replace(mine, PAPER.replace(GROUND, OTHER))
        await shows(pilot, lambda: ground(app) == OTHER)
        spoil(mine)
        await shows(pilot, lambda: said in app.screen.query_one(Toast).text)
        assert "The theme in use stays." in app.screen.query_one(Toast).text
        assert ground(app) == OTHER
        mine.unlink(missing_ok=True)
        replace(mine, PAPER)
        await shows(pilot, lambda: ground(app) == GROUND)
        app.stopping.set()


async def test_the_next_theme_is_one_that_can_be_taken(mine: Path) -> None:
    """Two presses are two steps; a broken one in between is named, not put in force."""
    mine.with_name("broken.toml").write_text("name = [", encoding="utf-8")
    app = app_of(mine, "lobes-contrast")
    async with app.run_test(size=(120, 40), notifications=False) as pilot:
        await shows(pilot, lambda: app.is_open)
        await pilot.press("f9", "f9")
        await shows(pilot, lambda: app.theme == "mine")
        said = app.screen.query_one(Toast).text
        assert said.startswith("Theme mine. The theme file broken.toml was not taken:")
        await pilot.press("f9")
        await shows(pilot, lambda: app.theme == "lobes-night")
        assert app.screen.query_one(Toast).text == "Theme lobes-night"
        app.stopping.set()


async def test_a_theme_in_force_changes_without_a_key(mine: Path) -> None:
    app = app_of(mine)
    async with app.run_test(size=(120, 40), notifications=False) as pilot:
        await shows(pilot, lambda: app.is_open)
        assert ground(app) == GROUND
        replace(mine, PAPER.replace(GROUND, OTHER))
        await shows(pilot, lambda: ground(app) == OTHER)
        assert not app.screen.query_one(Toast).text
        app.stopping.set()


async def test_a_file_of_the_name_of_a_shipped_theme_goes_before_it(tmp_path: Path) -> None:
    app = app_of(tmp_path / "x.toml", "lobes-night")
    async with app.run_test(size=(120, 40), notifications=False) as pilot:
        await shows(pilot, lambda: app.is_open)
        text = PAPER.replace("lobes-paper", "lobes-night")
        replace(tmp_path / "lobes-night.toml", text)
        await shows(pilot, lambda: ground(app) == GROUND)
        assert app.theme == "lobes-night"
        assert not app.screen.query_one(Toast).text
        app.stopping.set()


async def test_a_broken_file_at_the_start_is_said_and_the_shipped_one_shown(mine: Path) -> None:
    mine.write_text("name = [", encoding="utf-8")
    app = app_of(mine)
    async with app.run_test(size=(120, 40), notifications=False) as pilot:
        await shows(pilot, lambda: "mine.toml" in app.screen.query_one(Toast).text)
        assert app.theme == themes.DEFAULT
        app.stopping.set()


@pytest.mark.parametrize("name", ["../mine", "/etc/passwd", "..", "a\0b", ""])
def test_the_name_of_a_theme_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    (tmp_path / "mine.toml").write_text(PAPER, encoding="utf-8")
    own = tmp_path / "themes"
    own.mkdir()
    with pytest.raises(themes.Invalid, match="no theme of that name"):
        themes.find(name, own)


async def test_what_changed_between_the_start_and_the_first_look_shows(mine: Path) -> None:
    app = app_of(mine)
    replace(mine, PAPER.replace(GROUND, OTHER))
    async with app.run_test(size=(120, 40), notifications=False) as pilot:
        await shows(pilot, lambda: ground(app) == OTHER)
        assert app.theme == "mine"
        assert not app.screen.query_one(Toast).text
        app.stopping.set()
