"""What the parts of the app share: the whole that they are mixed into."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.app import App

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp


class AppPart(App[Any] if TYPE_CHECKING else object):
    """Mixed into the app, as its subclasses are."""

    @property
    def _shell(self) -> LobesApp:
        """The app with all of its parts."""
        return cast("LobesApp", self)
