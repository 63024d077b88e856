"""The same app again: after the shell had the terminal, and at the next start."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.e2e.pty import Terminal
from tests.e2e.test_terminal_ends import as_found


def state_of(pid: int) -> str:
    """The process's state as the kernel names it: `T` is stopped."""
    return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0]


def wait(shown: Terminal, holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        shown.read()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="a process's state is read there")
def test_ctrl_z_gives_the_terminal_to_the_shell_and_fg_comes_back(samples: Path) -> None:
    shown = Terminal(["-m", "lobes", "--home", str(samples)])
    try:
        shown.until("Notidian")
        shown.press("\x1a")
        wait(shown, lambda: state_of(shown.process.pid) == "T")
        wait(shown, lambda: shown.raw.rfind(b"\x1b[?1049l") > shown.raw.rfind(b"\x1b[?1049h"))
        assert shown.modes() == shown.found_modes
        seen = len(shown.raw)
        os.kill(shown.process.pid, signal.SIGCONT)
        wait(shown, lambda: b"\x1b[?1049h" in shown.raw[seen:])
        wait(shown, lambda: b"Spaces" in shown.raw[seen:])
        shown.press("\x11")
        assert shown.ended() == 0
        as_found(shown)
    finally:
        shown.close()


def test_mode_filter_and_cursor_are_there_at_the_next_start(samples: Path) -> None:
    first = Terminal(["-m", "lobes", "--home", str(samples)])
    try:
        first.until("Notidian")
        first.press("/")
        first.until(lambda: first.lines()[2].startswith(" filter"))
        first.press("writ")
        first.until(lambda: "PROJECTS" not in first.text())
        first.press("enter")
        first.hold_over(0.5)  # the field gives the focus back before the digit counts as a key
        first.press("7")
        first.until("▌7 Activity")
        first.press("\x11")
        assert first.ended() == 0
    finally:
        first.close()
    state = samples / "state" / "terminal.json"
    assert state.stat().st_mode & 0o777 == 0o600
    again = Terminal(["-m", "lobes", "--home", str(samples)])
    try:
        again.until("▌7 Activity")
        again.press("1")
        again.until("▌◇ Writing")
        assert "PROJECTS" not in again.text()
        os.kill(again.process.pid, signal.SIGTERM)
        assert again.ended() is not None
        assert '"part": "writ"' in state.read_text("utf-8")
    finally:
        again.close()
