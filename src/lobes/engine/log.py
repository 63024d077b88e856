"""The engine's log: 0600, one megabyte and the one before, never a query or a text of a pack."""

from __future__ import annotations

import os
import sys
from pathlib import Path

LIMIT = 1 << 20


def open_log(path: Path) -> int:
    """A descriptor that appends to the log, which is moved aside first when it is full."""
    rotate(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0)
    return os.open(path, flags, 0o600)


def rotate(path: Path) -> bool:
    """Move a log over the limit aside, keeping one; whether it moved."""
    try:
        if path.stat().st_size <= LIMIT:
            return False
        os.replace(path, path.with_name(f"{path.name}.1"))
    except OSError:  # no log yet, or another process moved it first
        return False
    return True


def keep_short(path: Path) -> None:
    """Rotate the log that this process writes to, and go on in the fresh one."""
    if not rotate(path):
        return
    fresh = open_log(path)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(fresh, stream.fileno())
    os.close(fresh)


def name_of(error: BaseException) -> str:
    """Type and place of an error, without its message, which may quote a query or a pack."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return type(error).__name__
    file = Path(trace.tb_frame.f_code.co_filename).name
    return f"{type(error).__name__} at {file}:{trace.tb_lineno}"
