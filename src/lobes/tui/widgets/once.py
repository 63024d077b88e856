"""What lies over a screen is answered once, however fast the keys come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.await_complete import AwaitComplete
from textual.screen import Screen


class AnsweredOnce(Screen[Any] if TYPE_CHECKING else object):
    """Mixed into every screen that is dismissed."""

    def dismiss(self, result: Any = None) -> AwaitComplete:
        """A key that waited behind the one that ended it still arrives here. Textual would take
        whatever is on top by then away for it, and fail where that is the last screen."""
        return super().dismiss(result) if self.is_active else AwaitComplete()
