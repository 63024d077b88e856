"""A mode that is not built yet: it says so and offers nothing that can't be done."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult

from lobes.keys.actions import PAGES
from lobes.tui.paint import Span, muted
from lobes.tui.screens.page import PageScreen, W
from lobes.tui.views.later import ABOUT, nothing
from lobes.tui.widgets.canvas import Canvas


class LaterScreen(PageScreen):
    """What all of them are."""

    def body(self) -> ComposeResult:
        yield Canvas(id="list")

    def on_mount(self) -> None:
        self.query_one(Canvas).show(lambda width, _: nothing(self.page, width, self.look))

    def context(self) -> tuple[Sequence[Span], Sequence[Span]]:
        return [Span(dict(PAGES)[self.page], bold=True), muted(f"  {ABOUT[self.page]}")], []

    def shaped(self, pane: W) -> W:
        """One pane, as wide as the screen."""
        return pane


class LessonsScreen(LaterScreen):
    page = "lessons"


class SharesScreen(LaterScreen):
    page = "shares"
