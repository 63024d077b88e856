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
from pathlib import Path

from lobes import __version__
from lobes.config.folders import Folders

_PACKAGE = "lobes"


def write_fault(error: BaseException, folders: Folders) -> Path | None:
    """Write the log, for its owner alone; its path, None where the state folder takes no file."""
    path = folders.log / f"fault-{os.getpid()}.log"
    text = "\n".join([_where_it_runs(), *fault_lines(error)]) + "\n"
    try:
        folders.log.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with open(os.open(path, flags, 0o600), "w", encoding="ascii", errors="replace") as file:
            file.write(text)
    except OSError:
        return None
    return path


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


def _where_it_runs() -> str:
    return f"lobes {__version__}, Python {platform.python_version()}, {sys.platform}"
