"""Whether somebody committed to the store: the net under the notifies of the faces."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from lobes.domain.errors import Unavailable
from lobes.store import read


class Commits:
    """For one thread. A store that can't be read counts as moved: the index will say why."""

    def __init__(self, store: Path) -> None:
        self._path = store
        self._store: sqlite3.Connection | None = None
        self._seen: int | None = None

    def moved(self) -> bool:
        """Whether a commit came since the last look (60 to 90 µs)."""
        try:
            if self._store is None:
                self._store = read.connect(self._path)
            now = read.data_version(self._store)
        except (Unavailable, sqlite3.Error):
            self.close()
            return True
        moved, self._seen = now != self._seen, now
        return moved

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
        self._store = self._seen = None
