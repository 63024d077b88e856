"""Where a fault of Lobes arose, in a log that can be shown to anybody.

Kinds of exceptions, and places in our own code; never a message, a value or a path outside the
package, because those may hold a pack's words or a person's folders.
"""

from __future__ import annotations

import os
import platform
import sys
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from lobes import __version__
from lobes.config.folders import Folders

_PACKAGE = "lobes"
LOGS_KEPT = 5
LONGEST = 64 * 1024
"""Bytes after which a process's log begins anew: a fault in a loop must not fill the disk."""


def write_fault(error: BaseException, folders: Folders) -> Path | None:
    """Add to this process's log, for its owner alone; its path, None where the state folder takes
    no file. The logs of older processes go, all but the newest."""
    path = folders.log / f"fault-{os.getpid()}.log"
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW
    try:
        folders.log.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.is_symlink() or (path.exists() and path.stat().st_size > LONGEST):
            path.unlink()
        with open(os.open(path, flags, 0o600), "a", encoding="ascii", errors="replace") as file:
            file.write(report(error))
        _drop_old(folders.log)
    except OSError:
        return None
    return path


def report(error: BaseException) -> str:
    """The text of the log for one fault: what may be shown to anybody."""
    return "\n".join([_where_it_runs(), *fault_lines(error)]) + "\n"


def fault_lines(error: BaseException) -> Iterator[str]:
    """Each exception of the chain, newest first, with its frames in our code, outermost first."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        yield f"{type(link).__module__}.{type(link).__qualname__}"
        for frame, line in traceback.walk_tb(link.__traceback__):
            module = str(frame.f_globals.get("__name__", ""))
            if module == _PACKAGE or module.startswith(f"{_PACKAGE}."):
                yield f"  {module}:{frame.f_code.co_qualname}:{line}"
        link = link.__cause__ or link.__context__


def _drop_old(log: Path) -> None:
    found = sorted(log.glob("fault-*.log"), key=lambda one: one.stat().st_mtime, reverse=True)
    for path in found[LOGS_KEPT:]:
        with suppress(FileNotFoundError):  # another process drops them too
            path.unlink()


def _where_it_runs() -> str:
    return f"lobes {__version__}, Python {platform.python_version()}, {sys.platform}"
