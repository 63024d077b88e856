"""The file of the theme is watched: a change shows at once, a fault leaves the last good one.

The look is a `stat` in a worker; only a file that differs is read, and only one that is a plain,
small file is opened at all.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

from lobes.domain.errors import LobesError
from lobes.tui import themes

if TYPE_CHECKING:
    from textual.theme import Theme

    from lobes.tui.app import LobesApp

EVERY = 0.5
"""Seconds between two looks."""

Seen = tuple[int, ...] | str
"""What a look saw: the file's identity, size and time, or why there was none."""


class ThemeMoved(Message):
    """The file says something else now: a theme, or what is wrong with it."""

    def __init__(self, name: str, found: Theme | LobesError) -> None:
        super().__init__()
        self.name = name
        self.found = found


class ThemeWatch:
    """Watches the file of the theme that is in force, in the person's own folder."""

    def __init__(self, app: LobesApp, folder: Path) -> None:
        self._app = app
        self._folder = folder
        self.name = app.theme

    def start(self) -> None:
        self._app.run_worker(
            self._watch,
            name="theme",
            group="theme",
            exclusive=True,
            exit_on_error=False,
            thread=True,
        )

    def _watch(self) -> None:
        name, known = "", ""
        while not self._app.stopping.wait(EVERY):
            # A first look compares with the theme in force: the file may have changed since that
            # was read.
            name, known = self.name, known if name == self.name else ""
            now = seen(self._folder / f"{name}.toml")
            if now == known:
                continue
            known, found = now, self._found(name)
            if found != self._app.get_theme(name):
                self._app.post_message(ThemeMoved(name, found))

    def _found(self, name: str) -> Theme | LobesError:
        try:
            if name in themes.SHIPPED:
                return themes.find(name, self._folder)
            return themes.own_theme(name, self._folder)
        except LobesError as error:
            return error


def seen(path: Path) -> Seen:
    """What the file is now, without opening it; a link counts as what it leads to."""
    try:
        is_ = os.stat(path)
    except OSError as error:
        return type(error).__name__ + str(error.errno)
    return is_.st_dev, is_.st_ino, is_.st_size, is_.st_mtime_ns
