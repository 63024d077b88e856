"""The theme in force: chosen, kept, and followed while its file changes. Once the app runs, files
are read in threads alone."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App

from lobes.domain.errors import LobesError
from lobes.tui import themes
from lobes.tui.part import AppPart
from lobes.tui.theme_watch import ThemeMoved, ThemeWatch

if TYPE_CHECKING:
    from textual.theme import Theme


class Theming(AppPart):
    """Mixed into the app."""

    themes_folder: Path | None = None
    """Where the person's own themes are."""
    bad_theme: LobesError | None = None
    """Why the theme of the settings was not taken."""
    _theme_watch: ThemeWatch | None = None

    def begin_with_theme(self, name: str, folder: Path | None) -> None:
        """The theme before the first frame; a broken one is said once the home is open."""
        self.themes_folder = folder
        try:
            chosen = themes.find(name, folder)
        except LobesError as error:
            self.bad_theme, chosen = error, themes.shipped()
        self.register_theme(chosen)
        # Before the style sheet is read once: the watcher would have it read a second time.
        self.set_reactive(App.theme, chosen.name)

    def follow_theme(self) -> None:
        """What changes in the person's own file of the theme shows from now on."""
        if self.themes_folder is not None and self._theme_watch is None:
            self._theme_watch = ThemeWatch(self._shell, self.themes_folder)
            self._theme_watch.start()

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return themes.OF_TEXTUAL | themes.variable_defaults()

    def use_theme(self, name: str) -> None:
        """Switch, and keep the choice. A file that can't be taken leaves the theme as it is."""
        find = partial(themes.find, name, self.themes_folder)
        self._shell.jobs.start("preferences", find, self._choose_theme)

    def next_theme(self) -> None:
        """Switch to the one behind the present one; what is wrong with one in between is said."""
        folder = self.themes_folder
        self._shell.jobs.start(
            "preferences",
            lambda: themes.after(self.theme, folder),  # once an earlier switch has been made
            lambda found: self._choose_theme(*found),
        )

    def _choose_theme(self, theme: Theme, broken: str = "") -> None:
        self._show_theme(theme)
        said = f"Theme {theme.name}"
        self._shell.say(f"{said}. {broken}" if broken else said, "warning" if broken else "success")
        keep = partial(self._shell.source.set_preference, "theme", theme.name)
        self._shell.jobs.start("preferences", keep)

    def _show_theme(self, theme: Theme) -> None:
        """A theme of the same name replaces the one in force, which only the style sheet shows."""
        self.register_theme(theme)
        self.theme = theme.name
        self.refresh_css(animate=False)
        if self._theme_watch is not None:
            self._theme_watch.name = theme.name

    def on_theme_moved(self, event: ThemeMoved) -> None:
        event.stop()
        if event.name != self.theme:
            return
        if isinstance(event.found, LobesError):
            self._shell.report(event.found)
        else:
            self._show_theme(event.found)
