"""To the clipboard: by a program of the machine where the person sits, else by the terminal.

A program answers, so "copied" is true; a terminal never does (OSC 52), so nothing is promised.
Over ssh only the terminal is on the person's side. Blocks for a moment: for threads only.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lobes.domain.display import is_hidden
from lobes.tui.cells import plural

MAX_COPIED = 1_000_000
"""Bytes that a program is given."""

MAX_SENT = 56_000
"""Bytes that fit the 74,994 characters of base64 that terminals take at least (xterm's own limit
is 100,000)."""

PATIENCE = 2.0
"""Seconds that a program may take."""

_SSH = ("SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY")


@dataclass(frozen=True, slots=True)
class Copied:
    """What there is to say, whether it is a warning, and what the terminal must still be sent."""

    said: str
    is_warning: bool = False
    to_send: str = ""


def copy(text: str, environ: Mapping[str, str], *, platform: str = sys.platform) -> Copied:
    """Hand `text` to the first program that takes it; `to_send` holds it where none did."""
    data, left = _within(text, MAX_COPIED)
    if any(_takes(words, data, environ) for words in tools(environ, platform)):
        return _said("Copied to the clipboard", text, left)
    data, left = _within(text, MAX_SENT)
    sent = data.decode("utf-8", "replace")
    done = _said("Sent to the terminal; some terminals ignore it", text, left)
    return Copied(done.said, done.is_warning, sent)


def tools(environ: Mapping[str, str], platform: str) -> Iterator[Sequence[str]]:
    """The programs that may reach the person's clipboard, the likeliest first."""
    if any(environ.get(name) for name in _SSH):
        return
    if platform == "darwin":
        yield ["pbcopy"]
    if environ.get("WAYLAND_DISPLAY"):
        yield ["wl-copy"]
    if environ.get("DISPLAY"):
        yield ["xclip", "-selection", "clipboard"]
        yield ["xsel", "--clipboard", "--input"]
    if platform == "win32" or environ.get("WSL_DISTRO_NAME"):
        yield ["clip.exe"]


def _takes(words: Sequence[str], data: bytes, environ: Mapping[str, str]) -> bool:
    """Whether the program took it. Those of X11 and Wayland go on in the background to serve it,
    so their output must not be ours to wait for."""
    program = shutil.which(words[0], path=environ.get("PATH"))
    if program is None:
        return False
    if words[0] == "clip.exe":
        data = data.decode("utf-8", "replace").encode("utf-16")
    try:
        done = subprocess.run(
            [program, *words[1:]],
            input=data,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
            start_new_session=True,
            env={**os.environ, **environ},
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _within(text: str, limit: int) -> tuple[bytes, int]:
    """The first bytes of the text, whole characters only, and how many characters are left out."""
    data = text.encode("utf-8", "surrogateescape")
    if len(data) <= limit:
        return data, 0
    taken = data[:limit].decode("utf-8", "ignore")
    return taken.encode("utf-8"), len(text) - len(taken)


def _said(words: str, text: str, left: int) -> Copied:
    """The words, with what a person would not see: what is left out, what is hidden in it."""
    hidden = sum(is_hidden(char) for char in text if char not in "\n\t")
    if left:
        words += f", but for the last {plural(left, 'character')}"
    if hidden:
        words += f", with {plural(hidden, 'hidden character')}"
    return Copied(words, is_warning=bool(left or hidden))
