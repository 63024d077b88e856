"""The person's own editor: what it wrote counts, and one that can't be started leaves the screen.

The driver of these tests has no terminal to lend, so the suspension is Textual's own generator over
a driver that says it can.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.frames import frame, make, running, settled, until
from tests.tui.sample import FixedSource
from textual.drivers.headless_driver import HeadlessDriver

from lobes.tui.app import LobesApp


@pytest.fixture(autouse=True)
def lent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the terminal went through."""
    seen: list[str] = []
    monkeypatch.setattr(HeadlessDriver, "can_suspend", property(lambda _: True))
    for name in ("suspend", "resume"):
        monkeypatch.setattr(
            HeadlessDriver, f"{name}_application_mode", lambda _, name=name: seen.append(name)
        )
    monkeypatch.delenv("VISUAL", raising=False)
    return seen


class Editable(FixedSource):
    file: Path

    def pack_file(self, space: str, path: str = "") -> Path:
        self._asked("pack_file", space, path)
        return self.file


def source_of(folder: Path) -> Editable:
    source = Editable()
    source.file = folder / "current.md"
    source.file.write_text("before\n")
    return source


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


@pytest.mark.parametrize("command", ["/nowhere/vim", "/opt/my editor/run", "'unclosed"])
async def test_an_editor_that_can_not_be_started_leaves_the_screen_intact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lent: list[str], command: str
) -> None:
    monkeypatch.setenv("EDITOR", command)
    source = source_of(tmp_path)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: "EDITOR can't be started." in text(app))
        assert "Nothing was changed: EDITOR can't be started." in text(app)
        assert lent in ([], ["suspend", "resume"]), "what was lent came back"
        await pilot.press("escape", "j")
        await settled(pilot)
        assert "Initech ──" in text(app)
        assert source.count("edited") == 0


def editor(folder: Path, body: str) -> str:
    path = folder / "ed"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o700)
    return str(path)


async def test_an_editor_that_wrote_and_then_failed_is_taken_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", editor(tmp_path, 'echo after > "$1"; exit 1'))
    source = source_of(tmp_path)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: source.count("edited") > 0)
        assert "ed ended with 1; the file was changed." in text(app)


async def test_an_editor_that_failed_without_writing_says_only_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", editor(tmp_path, "exit 3"))
    source = source_of(tmp_path)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: "ended with 3" in text(app))
        assert "changed" not in text(app).split("ended with 3")[1].split("\n")[0]
        assert source.count("edited") == 0


async def test_a_source_edited_from_search_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", editor(tmp_path, 'echo after > "$1"'))
    source = source_of(tmp_path)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2", *"sync")
        await until(pilot, lambda: source.count("search") > 0)
        before = source.count("search")
        await pilot.press("down", "e")
        await until(pilot, lambda: source.count("search") > before)
        assert source.count("edited") == 1
