"""Problems, over any screen: it opens at once, and a look through the home follows in a worker."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from textual import events

from lobes.tui.bindings import typed
from lobes.tui.errors import sentence
from lobes.tui.jobs import Jobs, Settled
from lobes.tui.outcomes import Outcome
from lobes.tui.paint import Line
from lobes.tui.values import Finding, Looked
from lobes.tui.views.problems import page
from lobes.tui.widgets.dialog import Button, Dialog

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp

CLOSE, AGAIN = Button("", "Close"), Button("again", "Look again")


class Problems(Dialog):
    """The key that looks again on every screen does so here. Where the index is being made, a
    button stops it."""

    def __init__(self, app: LobesApp) -> None:
        self._looked: Looked | None = None
        busy = app.index.done < app.index.total
        buttons = [CLOSE, AGAIN, *([Button("stop", "Stop indexing")] if busy else [])]
        super().__init__("Problems", self._page, buttons, look=app.look)
        self.jobs = Jobs(self, self._failed)

    @property
    def lobes(self) -> LobesApp:
        return cast("LobesApp", self.app)

    def begin(self) -> None:
        super().begin()
        self._look()

    def _page(self, width: int, focused: bool) -> Sequence[Line]:
        app = self.lobes
        return page(app.problems, app.index, app.trouble, self._looked, width, self.look)

    def _look(self) -> None:
        if self.lobes.is_open:
            self.jobs.start("look", self.lobes.source.look_through, self._show)

    def _show(self, looked: Looked | None) -> None:
        self._looked = looked
        self.text.show(self._body, keep=True)
        self._measure()

    def _failed(self, error: Exception) -> None:
        text, _ = sentence(error)
        self._show(Looked((Finding(text),)))

    def choose(self) -> None:
        """Only Close ends it."""
        answer = self.answer()
        if answer == "again":
            self._again()
        elif answer == "stop":
            self.jobs.start("stop", self.lobes.source.stop_indexing, self._stopped)
        else:
            super().choose()

    def _stopped(self, done: Outcome) -> None:
        self.lobes.say(done.text)
        self.dismiss(None)

    def _again(self) -> None:
        self._show(None)
        self._look()

    def on_key(self, event: events.Key) -> None:
        """Textual calls the base's handler as well."""
        if typed(event) in self.look.keymap.of("look_again"):
            event.stop()
            event.prevent_default()
            self._again()

    def on_settled(self, event: Settled) -> None:
        event.stop()
        event.settle()
