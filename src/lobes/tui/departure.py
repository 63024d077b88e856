"""The app's end by a signal: the first asks it to leave, one more ends the process at once.

Python itself takes the signals, not the event loop: while the app leaves, the loop may be gone
already, or stand still before a closed terminal that takes no more bytes. Nothing else would end
the process then.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import termios
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

SIGNALS = (signal.SIGTERM, signal.SIGHUP)

PATIENCE = 3.0
"""Seconds that leaving may take after a signal: work in the background ends within one."""

RESTORE = (
    b"\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l"  # the mouse
    b"\x1b[?2004l\x1b[?1004l\x1b[<u"  # pasted text, focus, keys
    b"\x1b[?1049l\x1b[?25h"  # the first screen, the cursor
)


class Departure:
    """Made before the app runs, so that it knows the terminal's modes as they were."""

    def __init__(self) -> None:
        self._leaving = False
        self._modes: list[Any] | None = None
        with contextlib.suppress(OSError, termios.error):
            self._modes = termios.tcgetattr(sys.stdin.fileno())

    def listen(self, leave: Callable[[], None]) -> None:
        """From now on a signal calls `leave`, in the main thread between two steps of Python."""

        def signalled(number: int, frame: FrameType | None) -> None:
            if self._leaving:
                self._end(number)
            self._leaving = True
            watch = threading.Timer(PATIENCE, self._end, (number,))
            watch.daemon = True
            watch.start()
            leave()

        for number in SIGNALS:
            signal.signal(number, signalled)

    def begin(self) -> None:
        """The app leaves by itself: the next signal is the second one."""
        self._leaving = True

    def _end(self, number: int) -> None:
        """Give back what the terminal still takes, and end without waiting for any thread."""
        with contextlib.suppress(OSError):
            os.set_blocking(1, False)
            os.write(1, RESTORE)
        if self._modes is not None:
            with contextlib.suppress(OSError, termios.error):
                termios.tcsetattr(0, termios.TCSANOW, self._modes)
        with contextlib.suppress(OSError):
            # The open file is shared with the shell, which expects a write to wait.
            os.set_blocking(1, True)
        os._exit(128 + number)
