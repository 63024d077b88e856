"""What is shown when something broke in Lobes: it can be closed, and a report without texts copied.

It opens by itself, which no other dialog does; so it holds nothing that could be decided.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from textual import events

from lobes.config.fault_log import report
from lobes.tui.errors import BROKEN
from lobes.tui.paint import Look
from lobes.tui.widgets.dialog import Button, Dialog, words

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp

OFFER = "y copies a report without your texts."


class Breakage(Dialog):
    """`path` is where the same report is kept, None where it could not be."""

    def __init__(self, error: Exception, path: Path | None, *, look: Look) -> None:
        self._report = report(error)
        kept = (f"It is in the log too: {_short(path)}",) if path else ()
        text = words(f"{BROKEN} {OFFER}", f"Kind: {type(error).__name__}", *kept)
        super().__init__("Lobes", text, [Button("", "Go on")], look=look, danger=True)

    def on_key(self, event: events.Key) -> None:
        """Textual calls the base's handler afterwards, unless it is prevented."""
        if event.key == "y":
            event.stop()
            event.prevent_default()
            self.dismiss(None)
            cast("LobesApp", self.app).copy(self._report)


def _short(path: Path) -> str:
    """The path without the person's own folder."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)
