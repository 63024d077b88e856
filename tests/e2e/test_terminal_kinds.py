"""Terminals that can less: no colour, sixteen colours, no UTF-8, none at all."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.pty import Terminal

_RGB = re.compile(rb"[;\[]([34]8);2;(\d+);(\d+);(\d+)")
_PALETTE = re.compile(rb"\x1b\[([\d;]*)m")


def painted(home: Path, environ: dict[str, str], *, words: tuple[str, ...] = ()) -> Terminal:
    """The app until its list stands and a dialog was open over it; it has ended."""
    shown = Terminal(["-m", "lobes", "--home", str(home), *words], environ=environ)
    try:
        shown.until("Notidian")
        shown.press("j")
        shown.settle()
        shown.press("6")
        shown.until("Who may draw on")
        shown.press("ctrl+q")
        assert shown.ended() == 0
        return shown
    finally:
        shown.close()


def colours(raw: bytes) -> set[tuple[int, int, int]]:
    return {(int(r), int(g), int(b)) for _, r, g, b in _RGB.findall(raw)}


@pytest.mark.parametrize("value", ["", pytest.param("1", marks=pytest.mark.slow)])
def test_no_color_paints_greys_alone(samples: Path, value: str) -> None:
    """Set at all is enough, also to nothing."""
    shown = painted(samples, {"NO_COLOR": value, "COLORTERM": "truecolor"})
    assert {one for one in colours(shown.raw) if len(set(one)) > 1} == set()


def test_with_colour_there_is_more_than_grey(samples: Path) -> None:
    shown = painted(samples, {"COLORTERM": "truecolor"})
    assert {one for one in colours(shown.raw) if len(set(one)) > 1}


def test_sixteen_colours_and_ascii_on_a_console(samples: Path) -> None:
    """TERM=linux: no 24-bit colour, no glyph that its font may lack."""
    shown = painted(samples, {"TERM": "linux"})
    assert colours(shown.raw) == set()
    codes = {part for found in _PALETTE.findall(shown.raw) for part in found.split(b";")}
    assert b"38" not in codes
    assert {char for char in shown.raw.decode() if ord(char) > 126} == set()


def test_a_locale_without_utf8_gets_ascii(samples: Path) -> None:
    shown = painted(samples, {"LANG": "C", "LC_ALL": "POSIX", "PYTHONUTF8": "1"})
    assert {char for char in shown.raw.decode() if ord(char) > 126} == set()


@pytest.mark.parametrize("piped", ["stdin", "stdout", "both"])
def test_a_pipe_is_no_terminal(tmp_path: Path, piped: str) -> None:
    """It says what works without one and ends; it never waits, and sends no escape."""
    import pty

    mine, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-m", "lobes", "--home", str(tmp_path)],
            stdin=subprocess.PIPE if piped != "stdout" else theirs,
            stdout=subprocess.PIPE if piped != "stdin" else theirs,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    finally:
        import os

        os.close(theirs)
        os.close(mine)
    assert done.returncode == 2
    assert b"lobes status" in done.stderr
    assert b"\x1b" not in (done.stdout or b"") + done.stderr
