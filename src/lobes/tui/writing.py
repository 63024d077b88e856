"""Whether the home takes anything: said on every screen for as long as it doesn't."""

from __future__ import annotations

from lobes.tui.part import AppPart
from lobes.tui.screens.page import PageScreen


class Writing(AppPart):
    """Mixed into the app."""

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
