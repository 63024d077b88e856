"""Whether the home takes anything: said on every screen for as long as it doesn't."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.app import App

from lobes.tui.screens.page import PageScreen

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp


class Writing(App[Any] if TYPE_CHECKING else object):
    """Mixed into the app."""

    @property
    def _shell(self) -> LobesApp:
        return self  # pyright: ignore[reportReturnType]

    def writable(self) -> None:
        """Try whether the home takes anything: the banner comes, stays or goes."""
        self._shell.jobs.start(
            "writes", self._shell.source.can_write, self._written, failed=self.unwritable
        )

    def _written(self, _: None) -> None:
        self._shell.banner = ""
        if isinstance(self.screen, PageScreen):
            self.screen.refresh_chrome()

    def unwritable(self, error: Exception) -> None:
        """A disk that is full, or a home that can't be written, is said until it is looked again:
        what is decided meanwhile would be lost."""
        why = {"disk_full": "disk full", "read_only": "it is read-only"}
        if (word := why.get(getattr(error, "reason", ""))) is not None:
            kept = "Nothing you decide now would be kept."
            self._shell.banner = f"can't write to the home: {word}. {kept}"
            if isinstance(self.screen, PageScreen):
                self.screen.refresh_chrome()
