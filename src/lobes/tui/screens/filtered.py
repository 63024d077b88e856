"""A screen whose list can be narrowed: one field in place of the blank line, `esc` clears it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lobes.tui.screens.page import PageScreen

if TYPE_CHECKING:
    from textual.widgets import Input


class Filtered(PageScreen):
    """`part` is what was typed; `show_rows` is called whenever it changes."""

    def __init__(self) -> None:
        super().__init__()
        self.part = ""

    def show_rows(self) -> None:
        """Show the rows that the filter leaves."""

    async def action_filter(self) -> None:
        """The field is made when it is first wanted."""
        from textual.widgets import Input

        if not self.query("#filter"):
            field = Input(id="filter", compact=True, placeholder="filter", max_length=200)
            field.cursor_blink = False
            await self.mount(field, after="#gap")
        self.add_class("-filtering")
        self.query_one("#filter").focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.part = event.value
        self.show_rows()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._focus_list()

    async def action_leave(self) -> None:
        """Clears the filter first."""
        if self.has_class("-filtering"):
            self.remove_class("-filtering")
            await self.query("#filter").remove()
            self.part = ""
            self.show_rows()
            self._focus_list()
        else:
            await super().action_leave()
