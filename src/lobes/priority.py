"""Work in the background gives way to screens and answers; it loads nothing heavy."""

from __future__ import annotations

import os
import sys
import threading

_NICE = 10
"""A waking thread of ordinary weight then goes first at once; above 10, work that holds the
interpreter is itself kept waiting so long that the screen waits with it."""


def give_way() -> None:
    """From here on this thread yields the processor to the others of the machine.

    On Linux a thread has a priority of its own; elsewhere the whole process would lose it, so
    nothing changes there.
    """
    if sys.platform == "linux":
        try:
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        except OSError:  # a sandbox may forbid it, and all works without
            return
