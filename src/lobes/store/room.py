"""Whether a folder of Lobes' own can still be written, and how much room its disk has left."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from lobes.domain.errors import LobesError
from lobes.store.writing import writing_errors

FEW_BYTES = 50_000_000
"""Below this a migration's backup or a rebuilt index may not fit any more."""

_PROBE = b"\0" * 4096


def bytes_left(folder: Path) -> int:
    """What this user may still write on the folder's disk; `OSError` where nobody can tell."""
    found = os.statvfs(folder)
    return found.f_bavail * found.f_frsize


def write_fault(folder: Path) -> LobesError | None:
    """Why nothing can be written into the folder, found by trying; None where it can.

    The file that is tried has no name where the system can do that, and never stays.
    """
    try:
        with writing_errors(), tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(_PROBE)
            probe.flush()
            os.fsync(probe.fileno())
    except LobesError as error:
        return error
    return None
