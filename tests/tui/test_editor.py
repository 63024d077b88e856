"""The person's own editor and pager: what comes back is shown, and whatever fails keeps the text.

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
    for name in ("VISUAL", "EDITOR", "PAGER"):
        monkeypatch.delenv(name, raising=False)
    return seen


def source_of(folder: Path) -> FixedSource:
    drafts = folder / "drafts"
    drafts.mkdir()
    return FixedSource(file="before\n", drafts=drafts)


def text(app: LobesApp) -> str:
    return "\n".join(frame(app))


def program(folder: Path, body: str) -> str:
    path = folder / "ed"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize("command", ["/nowhere/vim", "/opt/my editor/run", "'unclosed", ""])
async def test_an_editor_that_can_not_be_started_leaves_the_screen_intact(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lent: list[str], command: str
) -> None:
    monkeypatch.setenv("EDITOR", command)
    source = source_of(tmp_path)
    app = make(source)
    why = "EDITOR can't be started." if command else "EDITOR isn't set."
    async with running(app, (120, 40)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: why in text(app))
        assert f"Nothing was changed: {why}" in text(app)
        assert lent in ([], ["suspend", "resume"]), "what was lent came back"
        await pilot.press("escape", "j")
        await until(pilot, lambda: "Initech ──" in text(app))
        assert source.file == "before\n"


async def test_what_an_editor_wrote_is_taken_over_and_the_difference_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lent: list[str]
) -> None:
    monkeypatch.setenv("EDITOR", program(tmp_path, 'pwd > where; echo after > "$2"') + " --wait")
    source = source_of(tmp_path)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: "taken over  +1 −1" in text(app))
        assert "− before" in text(app)
        assert "+ after" in text(app)
        assert lent == ["suspend", "resume"]
        assert source.file == "after\n"
        assert source.drafts is not None
        assert (source.drafts / "where").read_text().strip() == str(source.drafts)
        await pilot.press("escape")
        await settled(pilot)
        assert "taken over" not in text(app)
        assert "Notidian ──" in text(app)


async def test_the_difference_goes_when_the_cursor_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", program(tmp_path, 'echo after > "$1"'))
    app = make(source_of(tmp_path))
    async with running(app, (120, 40)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: "+ after" in text(app))
        await pilot.press("j")
        await until(pilot, lambda: "Initech ──" in text(app))
        assert "+ after" not in text(app)


async def test_an_editor_that_fails_keeps_the_text_and_the_next_e_finds_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", program(tmp_path, 'echo after > "$1"; exit 1'))
    source = source_of(tmp_path)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: "ed ended with 1; your text is kept in Drafts." in text(app))
        assert source.file == "before\n"


async def test_an_editor_that_failed_without_writing_says_only_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", program(tmp_path, "exit 3"))
    app = make(source_of(tmp_path))
    async with running(app, (120, 40)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: "ed ended with 3. Nothing was changed." in text(app))
        assert "Drafts" not in text(app)


async def test_an_unchanged_text_is_said_to_be_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", program(tmp_path, "true"))
    app = make(source_of(tmp_path))
    async with running(app, (120, 40)) as pilot:
        await pilot.press("e")
        await until(pilot, lambda: "Nothing was changed." in text(app))
        assert "Drafts" not in text(app)


async def test_a_source_edited_from_search_is_asked_for_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", program(tmp_path, 'echo after > "$1"'))
    source = source_of(tmp_path)
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("2", *"sync")
        await until(pilot, lambda: source.count("search") > 0)
        before = source.count("search")
        await pilot.press("down", "e")
        await until(pilot, lambda: source.count("search") > before)
        assert ("open_draft", "prj_notidian", "decisions.md") in source.calls
        assert "+ after" in text(app)


async def test_the_pager_gets_the_text_through_the_display_gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lent: list[str]
) -> None:
    got = tmp_path / "got"
    monkeypatch.setenv("PAGER", program(tmp_path, f'cat > "{got}"; exit 0') + " -R")
    source = FixedSource(file="plain\n\x1b[2Jgone \u202eback\n")
    app = make(source)
    async with running(app, (120, 40)) as pilot:
        await pilot.press("|")
        await until(pilot, lambda: lent == ["suspend", "resume"])
        assert got.read_text() == "plain\n\\u{1b}[2Jgone \\u{202e}back\n"


async def test_without_a_pager_nothing_is_opened(lent: list[str]) -> None:
    app = make()
    async with running(app, (120, 40)) as pilot:
        await pilot.press("|")
        await until(pilot, lambda: "Nothing was opened: PAGER isn't set." in text(app))
        assert lent == [], "the terminal was lent to nothing"
