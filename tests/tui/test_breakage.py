"""A fault of ours is said in a dialog that can be closed, and the session goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource
from textual.pilot import Pilot

from lobes.config.fault_log import LOGS_KEPT, report, write_fault
from lobes.config.folders import folders_under
from lobes.tui.app import LobesApp
from lobes.tui.breakage import Survival
from lobes.tui.screens.breakage import Breakage
from lobes.tui.screens.spaces import SpacesScreen
from lobes.tui.views import chrome, spaces

SAID = "Something broke in Lobes. Nothing was decided."
SECRET = "the text of a memory in /home/ada/clients"


@pytest.fixture(autouse=True)
def surviving(monkeypatch: pytest.MonkeyPatch, faults_fail_the_test: None) -> None:
    monkeypatch.setattr(Survival, "survives", True)


async def told(pilot: Pilot[None], app: LobesApp) -> None:
    """The dialog stands and takes keys."""
    await until(pilot, lambda: isinstance(app.screen, Breakage))
    assert isinstance(app.screen, Breakage)
    app.screen.guard.release()
    text = " ".join("\n".join(frame(app)).split())
    assert SAID in text.replace(" │ │ ", " ")
    assert SECRET not in text


async def goes_on(pilot: Pilot[None], app: LobesApp, key: str = "escape") -> None:
    await pilot.press(key)
    await until(pilot, lambda: not isinstance(app.screen, Breakage))
    await pilot.press("6")
    await until(pilot, lambda: app.current_mode == "lobe")
    await pilot.press("1")
    await until(pilot, lambda: app.current_mode == "spaces")
    await pilot.press("down")
    await settled(pilot)
    assert app.return_code is None


@pytest.mark.parametrize("key", ["escape", "enter", "q"])
async def test_a_fault_in_a_handler(monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    def breaks(self: SpacesScreen) -> None:
        raise KeyError(SECRET)

    monkeypatch.setattr(SpacesScreen, "action_view", breaks, raising=False)
    app = make()
    async with running(app, (120, 40)) as pilot:
        await pilot.press("f")
        await told(pilot, app)
        await goes_on(pilot, app, key)


async def test_a_fault_in_a_message_of_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Textual would stop to hear the screen's messages: its keys would be dead."""

    def breaks(self: SpacesScreen, event: object) -> None:
        raise ValueError(SECRET)

    app = make()
    async with running(app, (120, 40)) as pilot:
        monkeypatch.setattr(SpacesScreen, "on_moved", breaks)
        await pilot.press("down")
        await told(pilot, app)
        monkeypatch.undo()
        monkeypatch.setattr(Survival, "survives", True)
        await goes_on(pilot, app)


async def test_a_fault_in_a_worker() -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        source.fail["archive"] = TypeError(SECRET)
        await pilot.press("A")
        await told(pilot, app)
        await goes_on(pilot, app)


async def test_a_fault_in_a_painter_is_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes again with every frame; a dialog each time would keep the person out."""

    def breaks(*_: object, **__: object) -> object:
        raise IndexError(SECRET)

    app = make()
    async with running(app, (120, 40)) as pilot:
        monkeypatch.setattr(spaces, "row", breaks)
        app.screen.refresh(layout=True)
        app.screen.query_one("#list").refresh()
        await told(pilot, app)
        await goes_on(pilot, app)
        assert not isinstance(app.screen, Breakage)


async def test_a_fault_in_a_timer() -> None:
    def breaks() -> None:
        raise RuntimeError(SECRET)

    app = make()
    async with running(app, (120, 40)) as pilot:
        app.set_timer(0.01, breaks)
        await told(pilot, app)
        await goes_on(pilot, app)


async def test_a_screen_that_can_not_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    from lobes.tui.screens.activity import ActivityScreen

    def breaks(self: ActivityScreen) -> object:
        raise RuntimeError(SECRET)

    monkeypatch.setattr(ActivityScreen, "body", breaks)
    app = make()
    async with running(app, (120, 40)) as pilot:
        await pilot.press("7")
        await told(pilot, app)
        await goes_on(pilot, app)


async def test_y_copies_a_report_without_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    copied: list[str] = []
    source = FixedSource()
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        monkeypatch.setattr(app, "copy", copied.append)
        source.fail["archive"] = TypeError(SECRET)
        await pilot.press("A")
        await told(pilot, app)
        await goes_on(pilot, app, "y")
    assert len(copied) == 1
    assert "builtins.TypeError" in copied[0]
    assert SECRET not in copied[0]


def failing(text: str) -> None:
    chrome.tabs("spaces", {}, text, None)  # pyright: ignore[reportArgumentType]


def test_the_log_holds_kinds_and_places_is_private_and_rotates(tmp_path: Path) -> None:
    folders = folders_under(tmp_path)
    folders.log.mkdir(parents=True)
    for number in range(LOGS_KEPT + 3):
        (folders.log / f"fault-{number + 9_000_000}.log").write_text("old")
    try:
        failing(SECRET)
    except TypeError as error:
        caught = error
    path = write_fault(caught, folders)
    assert path is not None
    assert write_fault(caught, folders) == path
    text = path.read_text()
    assert text == report(caught) * 2
    assert "lobes.tui.views.chrome:tabs" in text
    assert SECRET not in text
    assert str(Path.home()) not in text
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(list(folders.log.iterdir())) == LOGS_KEPT


def test_a_log_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    folders = folders_under(tmp_path / "home")
    path = write_fault(ValueError(), folders)
    assert path is not None
    path.unlink()
    target = tmp_path / "theirs"
    target.write_text("theirs")
    path.symlink_to(target)
    assert write_fault(ValueError(), folders) == path
    assert target.read_text() == "theirs"
