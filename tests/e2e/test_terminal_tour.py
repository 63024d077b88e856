"""Every mode and everything that lies over a screen, by the keyboard alone, on a real terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.emitted import foreign, hidden, sets_a_title
from tests.e2e.pty import Terminal

MODES = {
    "2": "2 Search",
    "3": "3 Review",
    "4": "4 Lessons",
    "5": "5 Shares",
    "6": "6 Lobe",
    "7": "7 Activity",
    "1": "1 Spaces",
}
OVER = {"?": "Keys in Spaces", ":": "Commands", "ctrl+o": "Open a Space", "!": "Problems"}


@pytest.fixture
def terminal(samples: Path) -> Iterator[Terminal]:
    shown = Terminal(["-m", "lobes", "--home", str(samples)])
    yield shown
    shown.close()


def test_every_mode_and_overlay_is_reached_without_a_mouse(terminal: Terminal) -> None:
    terminal.until("Notidian")
    for key, name in MODES.items():
        terminal.press(key)
        terminal.until(f"▌{name}")
        if key == "2":
            # Digits are text in the question; `esc` leaves it.
            terminal.press("esc")
            terminal.settle()
    for key, title in OVER.items():
        terminal.press(key)
        terminal.until(title)
        terminal.dismiss(title)
    terminal.press("q")
    assert terminal.ended() == 0
    assert foreign(terminal.raw) == []
    assert hidden(terminal.raw) == set()
    assert not sets_a_title(terminal.raw)
    assert terminal.modes() == terminal.found_modes


def test_a_dialog_opens_once_however_often_its_key_is_pressed(terminal: Terminal) -> None:
    terminal.until("Notidian")
    terminal.press("??")
    terminal.until("Keys in Spaces")
    terminal.press("?")
    terminal.settle()
    terminal.dismiss("Keys in Spaces")
    terminal.press("q")
    assert terminal.ended() == 0


def test_keys_before_the_first_frame_do_no_harm(samples: Path) -> None:
    """What was typed ahead is handled or dropped; the app stands and quits."""
    shown = Terminal(["-m", "lobes", "--home", str(samples)])
    try:
        shown.press("j", "enter", "enter", "D", "\x1b", "2", "7")
        shown.until("Lobes")
        shown.settle(0.5)
        shown.press("ctrl+q")
        assert shown.ended() == 0
        assert "Traceback" not in shown.raw.decode("utf-8")
    finally:
        shown.close()
