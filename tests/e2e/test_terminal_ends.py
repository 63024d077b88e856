"""How it ends: by a key, by a signal, at work; soon, and with the terminal as it was found."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest
from tests.e2e.homes import lobes, sample_home
from tests.e2e.pty import Terminal

SOON = 1.0
"""Seconds from the key to the end of the process."""
PAIRS = (
    (b"\x1b[?1049h", b"\x1b[?1049l"),
    (b"\x1b[?25l", b"\x1b[?25h"),
    (b"\x1b[?1000h", b"\x1b[?1000l"),
    (b"\x1b[?1003h", b"\x1b[?1003l"),
    (b"\x1b[?1006h", b"\x1b[?1006l"),
    (b"\x1b[?2004h", b"\x1b[?2004l"),
    (b"\x1b[?1004h", b"\x1b[?1004l"),
    (b"\x1b[>", b"\x1b[<u"),
)


def as_found(terminal: Terminal) -> None:
    """Every mode that was taken was given back after it, and the kernel's are what they were."""
    for taken, given in PAIRS:
        assert terminal.raw.rfind(given) > terminal.raw.rfind(taken) >= 0, given
    assert terminal.modes() == terminal.found_modes
    assert b"Traceback" not in terminal.raw


def seconds_to_end(terminal: Terminal, key: str) -> float:
    started = time.monotonic()
    terminal.press(key)
    assert terminal.ended() == 0
    return time.monotonic() - started


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was_found(
    samples: Path, number: signal.Signals
) -> None:
    shown = Terminal(["-m", "lobes", "--home", str(samples)])
    try:
        shown.until("Notidian")
        assert shown.modes() != shown.found_modes
        os.kill(shown.process.pid, number)
        assert shown.ended() is not None
        as_found(shown)
    finally:
        shown.close()


def test_it_ends_soon_while_it_searches(samples: Path) -> None:
    shown = Terminal(["-m", "lobes", "--home", str(samples)])
    try:
        shown.until("Notidian")
        shown.press("2")
        shown.until("›")
        shown.press("how do we resolve sync conflicts")
        shown.read(0.3)
        assert seconds_to_end(shown, "ctrl+q") < SOON
        as_found(shown)
    finally:
        shown.close()


@pytest.mark.slow
@pytest.mark.parametrize("after", [0.0, 0.5, 1.5])
def test_it_ends_soon_while_it_indexes(tmp_path: Path, after: float) -> None:
    """A pack of 3,000 files that nothing has looked at yet: they are read while the app leaves."""
    pack = tmp_path / "pack"
    pack.mkdir()
    for number in range(3_000):
        (pack / f"n{number}.md").write_text(f"# Note {number}\n\n" + "some words here. " * 60)
    with sample_home(tmp_path / "home", indexed=False) as home:
        lobes(home, "space", "add", str(pack), "--yes")
        shown = Terminal(["-m", "lobes", "--home", str(home)])
        try:
            shown.until("Notidian")
            shown.hold_over(1.0 + after)
            assert seconds_to_end(shown, "ctrl+q") < SOON
            as_found(shown)
        finally:
            shown.close()
