"""The window's corner is dragged: nothing breaks, and what stood there stands there again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.pty import Terminal

STORM = [(1, 1), (300, 80), (20, 5), (80, 24), (39, 10), (40, 9), (150, 50), (2, 60), (100, 10)]


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    path = tmp_path / "texts.json"
    path.write_text(json.dumps([f"Space {n}" for n in range(40)]), encoding="ascii")
    shown = Terminal(["-m", "tests.e2e.poisoned", str(path)], size=(120, 40))
    shown.until("Space 0")
    shown.settle()
    yield shown
    shown.close()


def shaken(terminal: Terminal, times: int) -> None:
    for _ in range(times):
        for columns, lines in STORM:
            terminal.resize(columns, lines)
            terminal.read(0.02)


@pytest.mark.parametrize("key", ["", "?", ":", "ctrl+o", "D", "2", "6", "7"])
def test_one_cell_and_back_leaves_the_frame_as_it_was(terminal: Terminal, key: str) -> None:
    """TE-14, also with a dialog open."""
    if key:
        terminal.press(key)
    terminal.settle(0.3)
    before = terminal.lines()
    terminal.resize(1, 1)
    terminal.settle()
    terminal.resize(120, 40)
    terminal.until(lambda: terminal.lines() == before)
    terminal.press("ctrl+q")
    assert terminal.ended() == 0
    assert terminal.modes() == terminal.found_modes


@pytest.mark.parametrize("key", ["", pytest.param("?", marks=pytest.mark.slow)])
def test_a_storm_of_sizes_ends_in_the_frame_of_the_last_one(terminal: Terminal, key: str) -> None:
    if key:
        terminal.press(key)
    terminal.settle(0.3)
    before = terminal.lines()
    shaken(terminal, 3)
    terminal.resize(120, 40)
    terminal.until(lambda: terminal.lines() == before)
    terminal.press("ctrl+q")
    assert terminal.ended() == 0
