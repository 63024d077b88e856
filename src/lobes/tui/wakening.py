"""A signal wakes the event loop, whichever thread of the process took it.

Python runs a handler in the main thread, once that has a next step to do. While it waits in the
loop it has none, unless the kernel interrupted this very thread. After a stop it need not: all
threads come back at once, and the first of them takes `SIGCONT`. The app would then stand as it
was left, without a screen and without its keys, until something else happens.
"""

from __future__ import annotations

import asyncio
import os
import signal


def wake_on_signals(loop: asyncio.AbstractEventLoop) -> None:
    """From now on each signal that has a handler is a byte that the loop reads.

    Both ends stay open as long as the process: a signal may come when the loop is closed.
    """
    heard, told = os.pipe()
    for end in (heard, told):
        os.set_blocking(end, False)
    loop.add_reader(heard, os.read, heard, 4096)
    signal.set_wakeup_fd(told, warn_on_full_buffer=False)
