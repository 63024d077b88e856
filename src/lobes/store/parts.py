"""A folder that is made whole beside its place, then renamed to it: nobody sees half of one.

A process that is killed meanwhile leaves its part behind, hidden. One that nobody has written into
for an hour is such a leftover, and goes.
"""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from pathlib import Path

from lobes.store.writing import sync_folder, sync_folders, writing_errors

LEFT_BEHIND = timedelta(hours=1)
_NAME = re.compile(r"\.(?P<of>.+)\.[0-9a-f]{8}\.lobes-part")


@contextmanager
def part_of(place: Path, *, now: datetime) -> Generator[Path]:
    """An empty folder beside `place`, gone at the end unless `settle` has renamed it."""
    for one in left_behind(place.parent, now=now, of=place.name):
        shutil.rmtree(one, ignore_errors=True)
    part = place.with_name(f".{place.name}.{secrets.token_hex(4)}.lobes-part")
    with writing_errors():
        part.mkdir(mode=0o700)
    try:
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


def settle(part: Path, place: Path) -> None:
    """From now on it is there, also after a power loss."""
    with writing_errors():
        sync_folders(part)
        part.rename(place)
        sync_folder(place.parent)


def left_behind(folder: Path, *, now: datetime, of: str = "") -> list[Path]:
    """The parts in this folder, or those of one name, that nobody goes on with."""
    found: list[Path] = []
    for path in sorted(folder.glob(".*.lobes-part")):
        named = _NAME.fullmatch(path.name)
        is_ours = named is not None and of in ("", named["of"]) and not path.is_symlink()
        if is_ours and _last_written(path) < (now - LEFT_BEHIND).timestamp():
            found.append(path)
    return found


def _last_written(folder: Path) -> float:
    last = 0.0
    for one in (folder, *folder.rglob("*")):
        with suppress(OSError):  # a process that still writes renames its files
            last = max(last, one.lstat().st_mtime)
    return last
