"""Moving about a screen: in a pane, from one pane to the next, into the evidence and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual.screen import Screen
from textual.widget import Widget

from lobes.tui.widgets.canvas import Canvas
from lobes.tui.widgets.toast import Kind
from lobes.tui.widgets.virtual_list import VirtualList


class Moving(Screen[Any] if TYPE_CHECKING else object):
    """Mixed into the screens. `-zoom` is on a screen whose evidence takes the whole body."""

    if TYPE_CHECKING:

        def say(self, text: str, kind: Kind = "success", *, listed: bool = False) -> None: ...
        def refresh_chrome(self) -> None: ...

    def panes(self) -> Sequence[Widget]:
        """What can have the focus, in its order."""
        return [one for one in self.query(Canvas) if one.display]

    @property
    def pane(self) -> Canvas | None:
        return self.focused if isinstance(self.focused, Canvas) else None

    def action_next(self) -> None:
        if self.pane:
            self.pane.move(1)
        else:
            self.action_next_pane()

    def action_previous(self) -> None:
        if self.pane:
            self.pane.move(-1)

    def action_first(self) -> None:
        if self.pane:
            self.pane.edge(last=False)

    def action_last(self) -> None:
        if self.pane:
            self.pane.edge(last=True)

    def action_half_down(self) -> None:
        if self.pane:
            self.pane.page(0.5)

    def action_half_up(self) -> None:
        if self.pane:
            self.pane.page(-0.5)

    def action_page_down(self) -> None:
        if self.pane:
            self.pane.page(1)

    def action_page_up(self) -> None:
        if self.pane:
            self.pane.page(-1)

    def _turn(self, by: int, *, around: bool) -> None:
        panes = [pane for pane in self.panes() if pane.display]
        if not panes:
            return
        place = panes.index(self.focused) if self.focused in panes else -1
        if self._zooms(by, last=place == len(panes) - 1):
            self.toggle_zoom()
            return
        target = (place + by) % len(panes) if around else max(0, min(place + by, len(panes) - 1))
        panes[target].focus()

    def _zooms(self, by: int, *, last: bool) -> bool:
        """Where one pane is shown, the next one takes its place, and the list takes it back."""
        if not (self.has_class("-single") and self.query("#detail")):
            return False
        return True if self.has_class("-zoom") else by > 0 and last

    def action_next_pane(self) -> None:
        self._turn(1, around=True)

    def action_previous_pane(self) -> None:
        self._turn(-1, around=True)

    def action_pane_left(self) -> None:
        self._turn(-1, around=False)

    def action_pane_right(self) -> None:
        self._turn(1, around=False)

    def action_open(self) -> None:
        self.toggle_zoom()

    def toggle_zoom(self) -> None:
        """Zoom the evidence, or bring it back."""
        details, lists = self.query("#detail"), self.query(VirtualList)
        if not details or not (self.has_class("-zoom") or all(one.count() for one in lists)):
            self.say("There is nothing to open here.", "warning", listed=True)
        else:
            self.toggle_class("-zoom")
            details.first().focus() if self.has_class("-zoom") else self._focus_list()
            self.zoomed()
            self.refresh_chrome()

    def zoomed(self) -> None:
        """The evidence takes the whole body from now on, or gives it back (`-zoom`)."""

    def _focus_list(self) -> None:
        for pane in self.query("#list"):
            pane.focus()
