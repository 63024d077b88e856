"""Erasures that aren't done yet, one small file each, so that a crash in the middle is told.

The note is on the disk before the COMMIT that takes the rows out. A file that isn't one of ours
erases nothing.
"""

from __future__ import annotations

from pathlib import Path

from lobes.domain.erasing import Erasure, dump_erasure, parse_erasure
from lobes.store.writing import sync_folder, write_atomic, writing_errors

FOLDER = "erasing"
_MOST_BYTES = 64 << 20


def note(data: Path, erasure: Erasure) -> None:
    """Keep that it has to be done. `Unavailable` where it can't be, and then nothing is."""
    folder = data / FOLDER
    with writing_errors():
        folder.mkdir(mode=0o700, exist_ok=True)
    write_atomic(folder / f"{erasure.id}.json", dump_erasure(erasure).encode())
    with writing_errors():
        sync_folder(data)


def unfinished(data: Path) -> list[Erasure]:
    """Those that are noted, the oldest first."""
    found: list[Erasure] = []
    for path in sorted((data / FOLDER).glob("*.json")):
        try:
            text = path.read_text("utf-8") if path.stat().st_size <= _MOST_BYTES else ""
        except (OSError, UnicodeDecodeError):
            continue
        erasure = parse_erasure(text)
        if erasure is not None and path.stem == erasure.id:
            found.append(erasure)
    return found


def done(data: Path, erasure: Erasure) -> None:
    """Nothing of it is left to do."""
    with writing_errors():
        (data / FOLDER / f"{erasure.id}.json").unlink(missing_ok=True)
