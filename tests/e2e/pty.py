"""A real terminal for a real process: a pty, and a screen that is read back cell for cell."""

from __future__ import annotations

import os
import select
import signal
import sys
import termios
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pexpect
import pyte
from wcwidth import wcwidth

KEYS = {
    "down": "\x1b[B",
    "up": "\x1b[A",
    "enter": "\r",
    "esc": "\x1b",
    "tab": "\t",
    "ctrl+c": "\x03",
    "ctrl+o": "\x0f",
    "ctrl+q": "\x11",
    "ctrl+r": "\x12",
    "ctrl+s": "\x13",
    "f1": "\x1bOP",
    "pagedown": "\x1b[6~",
    "pageup": "\x1b[5~",
    "right": "\x1b[C",
    "left": "\x1b[D",
}


def _hear_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Terminal:
    """One process on a pty of this size. `raw` keeps every byte that it sent."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        size: tuple[int, int] = (120, 40),
        environ: dict[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        env = {
            "PATH": os.environ["PATH"],
            "HOME": os.environ.get("HOME", "/"),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "TEXTUAL_ANIMATIONS": "none",
            **(environ or {}),
        }
        self.size = size
        self.raw = b""
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.process = pexpect.spawn(
            sys.executable,
            list(words),
            dimensions=(size[1], size[0]),
            env=env,
            cwd=str(cwd) if cwd else None,
            timeout=30,
            # As a shell starts it; whoever runs the tests in the background ignores the signal.
            preexec_fn=_hear_interrupts,
        )
        self.process.delaybeforesend = None
        # The program needs a while to start, so these are still the modes that it finds.
        self.found_modes = self.modes()

    def modes(self) -> list[Any]:
        """Flags, speeds and control characters of the terminal, as the kernel has them."""
        return termios.tcgetattr(self.process.child_fd)

    def resize(self, columns: int, lines: int) -> None:
        """What happens when the person drags the window's corner."""
        self.size = (columns, lines)
        self.screen.resize(lines, columns)
        self.process.setwinsize(lines, columns)

    def read(self, seconds: float = 0.05) -> bool:
        """Take what has come; whether anything had."""
        ready, _, _ = select.select([self.process.child_fd], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.process.child_fd, 65536)
        except OSError:
            return False
        self.raw += data
        # pyte knows no private-mode queries with a dollar sign; they draw nothing.
        self._stream.feed(data.replace(b"\x1b[?2026$p", b"").replace(b"\x1b[?2048$p", b""))
        return bool(data)

    def lines(self) -> list[str]:
        """What stands on each row; a half that is left of a wide character is blank."""
        rows = (self.screen.buffer[row] for row in range(self.size[1]))
        return ["".join(self._cells(row)) for row in rows]

    def _cells(self, row: Mapping[int, Any]) -> Iterator[str]:
        taken = False
        for place in range(self.size[0]):
            data = row[place].data
            if not taken:
                yield data or " "
            taken = not taken and wcwidth(data[:1]) == 2

    def text(self) -> str:
        return "\n".join(self.lines())

    def until(self, holds: str | Callable[[], bool], seconds: float = 30.0) -> None:
        """Read until the text is on the screen, or fail with what is on it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read()
            if holds in self.text() if isinstance(holds, str) else holds():
                return
        raise AssertionError(f"never came: {holds}\n{self.text()}")

    def without(self, text: str, seconds: float = 30.0) -> None:
        """Read until the text is no longer on the screen."""
        self.until(lambda: text not in self.text(), seconds)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.process.send(KEYS.get(key, key))

    def dismiss(self, text: str) -> None:
        """Press `esc` until the text is gone: a dialog takes no key in its first moments."""
        for _ in range(20):
            self.press("esc")
            self.settle(0.2)
            if text not in self.text():
                return
        raise AssertionError(f"it stays: {text}\n{self.text()}")

    def paste(self, text: str) -> None:
        """As a terminal hands over what the person pastes: between its two marks."""
        self.process.send(f"\x1b[200~{text}\x1b[201~")

    def settle(self, silence: float = 0.15, *, patience: float = 10.0) -> None:
        """Read until nothing has come for so many seconds."""
        end = time.monotonic() + patience
        while time.monotonic() < end and self.read(silence):
            pass

    def hold_over(self, seconds: float) -> None:
        """Keep reading while a dialog's first moments pass, in which it takes no key."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read()

    def ended(self, seconds: float = 15.0) -> int | None:
        """Read to the end; the exit code, or None while it still runs."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if not self.read() and not self.process.isalive():
                while self.read(0):
                    pass
                return self.process.exitstatus
        return None

    def hang_up(self, seconds: float = 10.0) -> bool:
        """Close the terminal under the process; whether it ended, within `seconds`."""
        ended = os.pidfd_open(self.process.pid)
        try:
            os.close(self.process.child_fd)
            ready, _, _ = select.select([ended], [], [], seconds)
            return bool(ready)
        finally:
            os.close(ended)
            with suppress(ProcessLookupError):
                os.kill(self.process.pid, signal.SIGKILL)
            os.waitpid(self.process.pid, 0)
            self.process.closed = True

    def close(self) -> None:
        if self.process.closed:
            return
        if self.process.isalive():
            self.process.terminate(force=True)
        self.process.close()
