"""The least that a Textual program can be: a line of text, or (`list`) a list of 10,000 lines.

The list is drawn by the Line API, the fastest that Textual has. Nothing of Lobes is imported.
"""

from __future__ import annotations

import sys

from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widgets import Static

ROWS = 10_000


class Lines(ScrollView, can_focus=True):
    BINDINGS = [Binding("down", "move(1)"), Binding("up", "move(-1)")]  # noqa: RUF012
    cursor = 0

    def on_mount(self) -> None:
        self.virtual_size = Size(self.size.width, ROWS)

    def render_line(self, y: int) -> Strip:
        number = y + self.scroll_offset.y
        mark = ">" if number == self.cursor else " "
        return Strip([Segment(f"{mark} line {number}".ljust(self.size.width))])

    def action_move(self, step: int) -> None:
        before, self.cursor = self.cursor, max(0, min(ROWS - 1, self.cursor + step))
        for number in (before, self.cursor):
            self.refresh(Region(0, number - self.scroll_offset.y, self.size.width, 1))


class Bare(App[None]):
    def compose(self) -> ComposeResult:
        yield Lines() if "list" in sys.argv else Static("bare")


if __name__ == "__main__":
    Bare().run()
