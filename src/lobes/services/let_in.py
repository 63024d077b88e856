"""What of a file counts as read, while what is there now waits for a person."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from lobes.store.pack_texts import text_let_in

if TYPE_CHECKING:
    from lobes.store.found import ReadFile


def as_read(store: sqlite3.Connection, space: str, path: str) -> Callable[[ReadFile], ReadFile]:
    """What of a file counts as read: the text that was let in, while what is there now waits for a
    person or was rejected. Looked up before the file is."""
    kept = text_let_in(store, space, path)

    def read(file: ReadFile) -> ReadFile:
        if kept is None or not kept[0] or kept[0] == file.content_hash:
            return file
        return replace(file, text=kept[1], content_hash=kept[0])

    return read
