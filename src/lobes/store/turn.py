"""The turn of a process at the store: who waits goes before who has just written.

SQLite's waiters try again at random and ever more rarely, so that processes that write without a
pause can starve another one. Here one at a time stands in front, with a lock on the store's folder
(no file of its own, dropped by the kernel on any death); only it asks SQLite, and whoever wants to
write again must get in front again. It is a courtesy: SQLite's own lock is what keeps units apart.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

_AGAIN = 0.001
MOST = 2.0
"""Seconds; a process that was stopped while it stood in front mustn't keep the others out."""


class Front:
    """The place in front, held from the making (or without it after `MOST`) until `leave`."""

    def __init__(self, folder: Path) -> None:
        self._handle = _stand_in(folder)

    def leave(self) -> None:
        """Let the next one in front; safe to call again."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)


if sys.platform == "win32":

    def _stand_in(folder: Path) -> int | None:
        """Windows locks no folders: its processes wait as SQLite lets them."""
        return None
else:
    import fcntl

    def _stand_in(folder: Path) -> int | None:
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            return None
        until = time.monotonic() + MOST
        while time.monotonic() < until:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(_AGAIN)
            except OSError:  # a file system without such locks
                break
            else:
                return handle
        os.close(handle)
        return None
