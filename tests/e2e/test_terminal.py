"""The program on a real terminal: it starts, answers, ends, and leaves the terminal as it was."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.pty import Terminal

RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home with the sample Spaces, indexed by words."""
    home = tmp_path_factory.mktemp("home")
    for words in (["init", "--sample", "--user", "ada"], ["index"]):
        subprocess.run(
            [sys.executable, "-m", "lobes", "--home", str(home), *words],
            check=True,
            capture_output=True,
            timeout=120,
        )
    yield home
    stop(home)


def stop(home: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "lobes", "--home", str(home), "engine", "stop"],
        check=False,
        capture_output=True,
        timeout=60,
    )


@pytest.fixture
def terminal(home: Path) -> Iterator[Terminal]:
    shown = Terminal(["-m", "lobes", "--home", str(home)])
    yield shown
    shown.close()


def restored(raw: bytes) -> None:
    """The alternate screen, the hidden cursor and the mouse were given back, in the end."""
    for off, on in zip(RESTORED, (b"\x1b[?1049h", b"\x1b[?25l", b"\x1b[?1000h"), strict=True):
        assert off in raw
        assert raw.rindex(off) > raw.rindex(on)


@pytest.mark.slow
def test_a_question_gets_answers_with_reasons_and_the_withheld_lobes(terminal: Terminal) -> None:
    terminal.until("Notidian")
    terminal.press("\x0f")
    terminal.until("Open a Space")
    terminal.press("notidian", "enter")
    terminal.until(lambda: "Open a Space" not in terminal.text())
    terminal.press("2")
    terminal.until("›")
    terminal.press("how do we resolve sync conflicts")
    terminal.until("⌂ own", 60)
    terminal.until("Withheld")
    assert "■ private" in terminal.text()
    terminal.press("\x03", "\x03")
    terminal.press("\x11")
    assert terminal.ended() == 0
    restored(terminal.raw)


@pytest.mark.slow
def test_a_file_saved_elsewhere_shows_up_in_the_list(home: Path, terminal: Terminal) -> None:
    terminal.until("Notidian")
    terminal.until("indexed", 60)
    before = documents(terminal)
    (home / "spaces" / "prj_notidian" / "fresh.md").write_text("# Fresh\n\nA new thing.\n")
    terminal.until(lambda: documents(terminal) == before + 1)
    terminal.press("q")
    assert terminal.ended() == 0


def documents(terminal: Terminal) -> int:
    words = terminal.lines()[1].split()
    return int(words[-2].replace(",", "")) if words[-1:] == ["documents"] else -1


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_gives_the_terminal_back(terminal: Terminal, number: signal.Signals) -> None:
    """A closed ssh session or a `kill` must not wreck the shell."""
    terminal.until("Notidian")
    os.kill(terminal.process.pid, number)
    assert terminal.ended() is not None
    restored(terminal.raw)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waiting on a process needs pidfd_open")
@pytest.mark.parametrize("after", [0.0, 0.2, 0.3, 0.4])
@pytest.mark.parametrize("key", ["q", "\x11"])
def test_no_process_stays_behind_when_the_terminal_closes_while_it_quits(
    terminal: Terminal, key: str, after: float
) -> None:
    """It stood before a terminal that took no more bytes, with nobody left to hear a signal."""
    terminal.until("Notidian")
    terminal.press(key)
    terminal.hold_over(after)
    assert terminal.hang_up()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waiting on a process needs pidfd_open")
def test_no_process_stays_behind_when_the_terminal_closes_at_work(terminal: Terminal) -> None:
    terminal.until("Notidian")
    assert terminal.hang_up()


@pytest.mark.slow
def test_the_first_run_makes_a_home_only_when_asked(tmp_path: Path) -> None:
    home = tmp_path / "new"
    shown = Terminal(["-m", "lobes", "--home", str(home)], size=(80, 24))
    try:
        shown.until("Sample Spaces")
        assert not home.exists()
        shown.press("3")
        shown.until("My Spaces")
        assert not home.exists()
        shown.press("enter")
        shown.until("◇ Inbox")
        shown.press("q")
        assert shown.ended() == 0
        assert (home / "data" / "lobes.db").exists()
    finally:
        shown.close()
        stop(home)


@pytest.mark.slow
def test_no_colour_still_shows_where_the_cursor_is(home: Path) -> None:
    shown = Terminal(["-m", "lobes", "--home", str(home)], environ={"NO_COLOR": ""})
    try:
        shown.until(lambda: any(line.startswith("▌◆") for line in shown.lines()))
        shown.press("q")
        assert shown.ended() == 0
    finally:
        shown.close()


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_without_a_terminal_it_says_what_works_without_one(tmp_path: Path, term: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "lobes", "--home", str(tmp_path)],
        env={**os.environ, "TERM": term},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert "lobes status" in done.stderr
    assert "\x1b" not in done.stdout + done.stderr


def test_a_dumb_terminal_is_refused(tmp_path: Path) -> None:
    shown = Terminal(["-m", "lobes", "--home", str(tmp_path)], environ={"TERM": "dumb"})
    try:
        assert shown.ended() == 2
        assert b"Lobes needs a terminal." in shown.raw
        assert b"\x1b[?1049h" not in shown.raw
    finally:
        shown.close()


def test_nothing_heavy_is_imported_before_the_first_frame() -> None:
    code = (
        "import sys, lobes.tui.start, lobes.tui.app, lobes.tui.home, lobes.tui.screens.spaces\n"
        "heavy = {'lancedb', 'onnxruntime', 'sqlmodel', 'sqlalchemy', 'pyarrow', 'numpy', 'yaml',"
        " 'pydantic', 'keyring', 'lobes.bootstrap', 'lobes.services'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.slow
def test_a_pack_file_is_edited_with_the_persons_own_editor(home: Path, tmp_path: Path) -> None:
    editor = tmp_path / "my editor.sh"
    editor.write_text('#!/bin/sh\nprintf "\\n## Next\\n\\nEdited just now.\\n" > "$2"\n')
    editor.chmod(0o700)
    command = f"'{editor}' --wait"
    shown = Terminal(["-m", "lobes", "--home", str(home)], environ={"EDITOR": command})
    try:
        shown.until("Writing")
        shown.press("G")
        shown.until(" Writing ──")
        shown.press("e")
        shown.until("taken over")
        shown.press("q")
        assert shown.ended() == 0
        restored(shown.raw)
    finally:
        shown.close()


@pytest.mark.slow
def test_without_an_editor_nothing_is_changed(terminal: Terminal) -> None:
    terminal.until("Pack ──")
    terminal.press("e")
    terminal.until("EDITOR isn't set.")
    terminal.press("q")
    assert terminal.ended() == 0


@pytest.mark.slow
def test_a_lobe_is_saved_after_its_effect_was_shown_and_undone(terminal: Terminal) -> None:
    terminal.until("Internal")
    terminal.press("G", "k")
    terminal.until(" Internal ──")
    terminal.press("\x0f")
    terminal.until("Open a Space")
    terminal.press("internal", "enter")
    terminal.until(lambda: "Open a Space" not in terminal.text())
    terminal.press("6")
    terminal.until("Who may draw on Internal")
    terminal.press(" ")
    terminal.until("1 change not saved")
    terminal.until("Who gains anything")
    terminal.press("\x13")
    terminal.until("Saved: Internal draws on")
    terminal.until("■ no Space reads it")
    terminal.press("z")
    terminal.until("Undone: the lobe of Internal is as it was")
    terminal.until(lambda: "■ no Space reads it" not in terminal.text())
    terminal.press("\x11")
    assert terminal.ended() == 0


@pytest.mark.slow
def test_a_folder_is_added_after_it_was_shown(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "acme"
    folder.mkdir()
    (folder / "README.md").write_text("# Acme\n\nA client of ours.\n")
    (folder / ".env").write_text("TOKEN=x\n")
    shown = Terminal(["-m", "lobes", "--home", str(home)])
    try:
        shown.until("Notidian")
        shown.press("+")
        shown.until("A folder of mine")
        shown.until("│ ~/")
        shown.press("\x15")
        # A key that a binding takes is handled after the text that came in the same read.
        shown.until(lambda: "│ ~/" not in shown.text())
        shown.press(str(folder))
        shown.until(str(folder)[-20:])
        shown.press("enter")
        shown.until("Nothing in it is changed.")
        shown.until("✓ README.md")
        shown.until("[ Not now ]")
        shown.hold_over(1.0)
        shown.press("tab")
        shown.until("[ Add it ]")
        shown.press("enter")
        shown.until("Added Acme: 1 file")
        shown.until("▌◆ Acme")
        shown.press("\x11")
        assert shown.ended() == 0
        assert (folder / "README.md").read_text() == "# Acme\n\nA client of ours.\n"
    finally:
        shown.close()
