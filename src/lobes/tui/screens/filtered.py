"""A screen whose list can be narrowed: one field in place of the blank line, `esc` clears it.

The filter outlives every refresh and holds in each view; how much it leaves is said beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lobes.tui.paint import Line, muted, spread
from lobes.tui.screens.page import PageScreen
from lobes.tui.widgets.canvas import Painted

if TYPE_CHECKING:
    from textual.widgets import Input

COUNT_WIDTH = 22


class Filtered(PageScreen):
    """`part` is what was typed; `show_rows` is called whenever it changes."""

    def __init__(self) -> None:
        super().__init__()
        self.part = ""

    def show_rows(self) -> None:
        """Show the rows that the filter leaves."""

    def counted(self) -> tuple[int, int]:
        """How many rows the filter leaves, of how many."""
        return 0, 0

    async def action_filter(self) -> None:
        """The field is made when it is first wanted."""
        from textual.containers import Horizontal
        from textual.widgets import Input

        if not self.query("#filter"):
            field = Input(id="filter", compact=True, placeholder="filter", max_length=200)
            field.cursor_blink = False
            count = Painted(self._count_line, id="filter-count")
            count.styles.width = COUNT_WIDTH
            await self.mount(Horizontal(field, count, id="filtering"), after="#gap")
        self.add_class("-filtering")
        self.query_one("#filter").focus()

    def _count_line(self, width: int, focused: bool) -> Sequence[Line]:
        shown, total = self.counted()
        return [spread([], [muted(f"{shown:,} of {total:,}")], width, self.look)]

    def on_input_changed(self, event: Input.Changed) -> None:
        if event.input.id != "filter":
            return
        event.stop()
        self.part = event.value
        self.show_rows()

    def refresh_chrome(self) -> None:
        super().refresh_chrome()
        for count in self.query("#filter-count"):
            count.refresh()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id != "filter":
            return
        event.stop()
        self._focus_list()

    async def action_leave(self) -> None:
        """Clears the filter first."""
        if self.has_class("-filtering"):
            self.remove_class("-filtering")
            await self.query("#filtering").remove()
            self.part = ""
            self.show_rows()
            self._focus_list()
        else:
            await super().action_leave()
