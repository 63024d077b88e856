"""Which terminal this is, and asking in it: what is typed is not shown, and nothing else is read.

Presence is bound to what is told here. Only the controlling terminal of this login counts, read
in the foreground: another one's device opened as stdin is not it, and no pipe is a terminal.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path
from typing import Any

from lobes.domain.presence import Terminal

STDIN = 0
PATIENCE = 120.0
"""Seconds that a question waits for an answer."""

_LONGEST = 1024
_START_FIELD = 19
"""Of `/proc/PID/stat`, behind the name in brackets: the 22nd field, in ticks since the boot."""


def terminal_here() -> Terminal | None:
    """The terminal on stdin, or None where none proves anything: a pipe, a process in the
    background, a login whose leader is gone."""
    try:
        if not os.isatty(STDIN) or os.tcgetpgrp(STDIN) != os.getpgrp():
            return None
        leader = os.getsid(0)
        device = f"{os.ttyname(STDIN)} {os.fstat(STDIN).st_rdev}"
    except OSError:
        return None
    started = _start_of(leader)
    return Terminal(device, leader, started) if started else None


def _start_of(process: int) -> str:
    """When a process started, as it can't be told of any other with its number; "" for none."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text("ascii", "replace").rpartition(")")[2]
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{boot} {fields.split()[_START_FIELD]}"
    except (OSError, IndexError):
        return _start_by_ps(process)


def _start_by_ps(process: int) -> str:
    """The same without `/proc`."""
    try:
        told = subprocess.run(
            ["ps", "-o", "lstart=", "-p", str(process)],
            capture_output=True,
            text=True,
            env={"PATH": "/bin:/usr/bin", "LC_ALL": "C", "TZ": "UTC"},
            timeout=5,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    return told.stdout.strip() if told.returncode == 0 else ""


def ask_hidden(question: str) -> str | None:
    """What was typed after the question, without its line end; None for nothing in two minutes,
    for the end of the input and for a terminal that would show it.

    What was typed before the question is dropped, so that no type-ahead answers it.
    """
    try:
        shown = termios.tcgetattr(STDIN)
    except termios.error:
        return None
    try:
        line = _typed_hidden(question, shown)
    except (OSError, termios.error):
        return None
    finally:
        # A terminal that was closed meanwhile has no modes to be given back.
        with suppress(termios.error):
            termios.tcsetattr(STDIN, termios.TCSAFLUSH, shown)
    if not line.endswith((b"\n", b"\r")):
        return None
    return line.rstrip(b"\r\n").decode("utf-8", "surrogateescape")


def _typed_hidden(question: str, shown: list[Any]) -> bytes:
    """The line as it was typed; nothing where it would be shown or nobody types. `shown` are the
    terminal's modes."""
    hidden = [*shown]
    hidden[3] = (hidden[3] & ~termios.ECHO) | termios.ICANON | termios.ISIG
    termios.tcsetattr(STDIN, termios.TCSAFLUSH, hidden)
    if termios.tcgetattr(STDIN)[3] & termios.ECHO:
        return b""
    tell(question, end="")
    ready, _, _ = select.select([STDIN], [], [], PATIENCE)
    line = os.read(STDIN, _LONGEST) if ready else b""
    tell("")
    return line


def tell(text: str, *, end: str = "\n") -> None:
    """A line to the person in this terminal, wherever stdout and stderr go."""
    try:
        with open("/dev/tty", "w", encoding="utf-8", errors="replace") as terminal:
            terminal.write(f"{text}{end}")
    except OSError:
        print(text, end=end, file=sys.stderr, flush=True)
