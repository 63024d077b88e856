"""Stopped, hung up or resized without end, while a dialog waits for its answer."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.pty import Terminal
from tests.e2e.test_terminal_again import state_of, wait
from tests.e2e.test_terminal_ends import as_found

ASKED = "to the trash?"
proc = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="a process's state is read there"
)


@pytest.fixture
def asked(samples: Path) -> Iterator[Terminal]:
    """The app with the question whether a Space goes to the trash, which takes keys."""
    shown = Terminal(["-m", "lobes", "--home", str(samples)])
    try:
        shown.until("Notidian")
        shown.hold_over(1.0)  # a deciding key counts once its row has stood for a moment
        shown.press("D")
        shown.until(ASKED)
        shown.hold_over(0.6)
        # What is read beside the question has come: from here on only the question changes a frame.
        shown.until(lambda: "Pack ─" in shown.text() and "✓ indexed" in shown.text())
        yield shown
    finally:
        shown.close()


def decided_nothing(shown: Terminal) -> None:
    """The question still stands whole, `esc` closes it, and every Space is there."""
    shown.until(ASKED)
    shown.dismiss(ASKED)
    shown.until("6 Spaces")
    shown.press("ctrl+q")
    assert shown.ended() == 0
    as_found(shown)


@proc
@pytest.mark.parametrize("times", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_stopped_from_outside_and_continued_at_another_size_the_question_stands(
    asked: Terminal, times: int
) -> None:
    """`kill -TSTP`, as a shell's job control sends it, then `fg` in a window of another size."""
    for size in ((80, 24), (100, 30), (120, 40))[-times:]:
        os.kill(asked.process.pid, signal.SIGTSTP)
        wait(asked, lambda: state_of(asked.process.pid) == "T")
        wait(asked, lambda: asked.raw.rfind(b"\x1b[?1049l") > asked.raw.rfind(b"\x1b[?1049h"))
        assert asked.modes() == asked.found_modes
        asked.resize(*size)
        seen = len(asked.raw)
        os.kill(asked.process.pid, signal.SIGCONT)
        wait(asked, lambda seen=seen: b"\x1b[?1049h" in asked.raw[seen:])
        asked.screen.reset()
        asked.settle(0.4)
        assert asked.modes() != asked.found_modes
    decided_nothing(asked)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="waiting on a process needs pidfd_open")
def test_no_process_stays_behind_when_the_terminal_closes_under_a_question(asked: Terminal) -> None:
    assert asked.hang_up()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_two_hundred_sizes_in_two_seconds_leave_the_question_as_it_was(
    asked: Terminal, seed: int
) -> None:
    """TE-14: one cell by one included, at no pace that a painter could keep."""
    before = asked.lines()
    pick = random.Random(seed)
    begun = time.monotonic()
    for number in range(200):
        size = (1, 1) if number % 20 == 0 else (pick.randint(1, 240), pick.randint(1, 70))
        asked.resize(*size)
        asked.read(0)
        while (left := begun + number * 0.01 - time.monotonic()) > 0:
            asked.read(left)
    asked.resize(120, 40)
    asked.until(lambda: asked.lines() == before)
    decided_nothing(asked)
