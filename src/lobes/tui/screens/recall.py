"""A screen says how its list was left, and takes it up again at the next start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual.screen import Screen

from lobes.tui.memory import Kept

if TYPE_CHECKING:
    from lobes.tui.widgets.virtual_list import VirtualList


class Recalling(Screen[Any] if TYPE_CHECKING else object):
    """Mixed into the screens. A screen with a filter has `part`, one with views `view`."""

    views: ClassVar[tuple[str, ...]] = ()
    """The views that may be opened again."""

    def kept(self) -> Kept:
        """How the list is now."""
        rows = self._rows()
        view, part = getattr(self, "view", ""), getattr(self, "part", "")
        return Kept(view if view in self.views else "", part, rows.cursor if rows else "")

    def recall(self, kept: Kept) -> None:
        """As the last session left it; rows that are gone leave the cursor on the first one."""
        if kept.view in self.views:
            self.view = kept.view
        if kept.part and hasattr(self, "part"):
            self.call_next(self._filter_again, kept.part)
        rows = self._rows()
        if rows is not None and kept.cursor and not rows.select(kept.cursor):
            rows.expect(kept.cursor)

    async def _filter_again(self, part: str) -> None:
        from textual.widgets import Input

        await cast("Any", self).action_filter()
        self.query_one("#filter", Input).value = part
        for rows in self.query("#list"):
            rows.focus()

    def _rows(self) -> VirtualList[Any] | None:
        from lobes.tui.widgets.virtual_list import VirtualList

        return next(iter(self.query("#list").results(VirtualList)), None)
