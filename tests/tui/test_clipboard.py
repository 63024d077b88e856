"""Copying says what happened: a program answered, or the terminal was asked and says nothing."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from tests.tui.frames import make, running, settled, until
from tests.tui.sample import FixedSource
from textual.app import App

from lobes.tui.clipboard import MAX_COPIED, MAX_SENT, copy, tools
from lobes.tui.widgets.toast import Toast


def program(folder: Path, name: str, body: str) -> dict[str, str]:
    """A program of that name on a PATH of its own."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return {"PATH": f"{folder}:/usr/bin:/bin", "DISPLAY": ":7"}


def test_a_program_that_answers_is_a_copy(tmp_path: Path) -> None:
    environ = program(tmp_path, "xclip", f'echo "$@" > {tmp_path}/words; cat > {tmp_path}/got')
    done = copy("Zürich\n", environ, platform="linux")
    assert (done.said, done.to_send, done.is_warning) == ("Copied to the clipboard", "", False)
    assert (tmp_path / "got").read_text() == "Zürich\n"
    assert (tmp_path / "words").read_text() == "-selection clipboard\n"


def test_a_program_that_fails_leaves_it_to_the_next_and_then_to_the_terminal(
    tmp_path: Path,
) -> None:
    environ = program(tmp_path, "xclip", "exit 1")
    assert copy("a", environ, platform="linux").to_send == "a"
    program(tmp_path, "xsel", f"cat > {tmp_path}/got")
    assert copy("b", environ, platform="linux").said == "Copied to the clipboard"
    assert (tmp_path / "got").read_text() == "b"


def test_a_program_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lobes.tui.clipboard.PATIENCE", 0.1)
    environ = program(tmp_path, "xclip", "exec sleep 30")
    assert copy("a", environ, platform="linux").to_send == "a"


@pytest.mark.parametrize("name", ["SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"])
def test_over_ssh_only_the_terminal_is_on_the_persons_side(tmp_path: Path, name: str) -> None:
    environ = program(tmp_path, "xclip", "exit 0")
    done = copy("a", {**environ, name: "1"}, platform="linux")
    assert done.said == "Sent to the terminal; some terminals ignore it"
    assert done.to_send == "a"


def test_the_program_of_the_machine_comes_first() -> None:
    both = {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}
    assert [words[0] for words in tools(both, "linux")] == ["wl-copy", "xclip", "xsel"]
    assert [words[0] for words in tools({}, "darwin")] == ["pbcopy"]
    assert [words[0] for words in tools({"WSL_DISTRO_NAME": "u"}, "linux")] == ["clip.exe"]
    assert list(tools({}, "linux")) == []


def test_what_is_hidden_in_a_text_is_copied_as_it_is_and_named(tmp_path: Path) -> None:
    environ = program(tmp_path, "xclip", f"cat > {tmp_path}/got")
    done = copy("a\u202eb\x1b[2J\n", environ, platform="linux")
    assert done.said == "Copied to the clipboard, with 2 hidden characters"
    assert done.is_warning
    assert (tmp_path / "got").read_text() == "a\u202eb\x1b[2J\n"


def test_a_text_that_is_too_long_is_cut_between_characters_and_that_is_said(
    tmp_path: Path,
) -> None:
    done = copy("ü" * MAX_SENT, {"PATH": ""}, platform="linux")
    assert len(done.to_send.encode()) <= MAX_SENT
    assert set(done.to_send) == {"ü"}
    assert f"but for the last {MAX_SENT // 2:,} characters" in done.said
    environ = program(tmp_path, "xclip", f"cat > {tmp_path}/got")
    done = copy("x" * (MAX_COPIED + 5), environ, platform="linux")
    assert done.said == "Copied to the clipboard, but for the last 5 characters"
    assert (tmp_path / "got").stat().st_size == MAX_COPIED


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the terminal was asked to copy."""
    seen: list[str] = []
    monkeypatch.setattr(App, "copy_to_clipboard", lambda _, text: seen.append(text))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SSH_TTY", "/dev/pts/0")
    return seen


@pytest.mark.parametrize(
    ("keys", "copied"),
    [
        (["y"], "~/Sites/notidian"),
        (["tab", "y"], "Folder sync keeps both"),
        (["tab", "enter", "y"], "# Conflict copies\n\nBoth bodies **stay**.\n"),
        (["2", *"sync", "down", "y"], "decisions.md"),
        (["2", *"sync", "down", "tab", "y"], "A conflict never overwrites."),
        (["2", *"sync", "down", "tab", "tab", "y"], "In its place"),
        (["2", *"sync", "down", "enter", "y"], "# Conflict copies\n\nBoth bodies **stay**.\n"),
        (["6", "j", "j", "y"], "My Spaces Open [Ask] Closed"),
        (["6", "tab", "y"], "If you save"),
    ],
)
async def test_y_copies_in_every_list_and_pane(
    sent: list[str], keys: list[str], copied: str
) -> None:
    source = FixedSource()
    app = make(source)
    async with running(app, (160, 50)) as pilot:
        for key in keys:
            await pilot.press(key)
            if key in ("2", "6", "c", "enter"):
                await settled(pilot)
            if key == "c":
                await until(pilot, lambda: source.count("search") > 0)
        await until(pilot, lambda: bool(sent))
        assert sent[0].startswith(copied)
        said = "Sent to the terminal; some terminals ignore it"
        assert app.screen.query_one(Toast).text == said


def test_the_sequence_for_the_terminal_fits_the_least_that_terminals_take() -> None:
    assert len(base64.b64encode(b"x" * MAX_SENT)) <= 74_994
