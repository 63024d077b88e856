"""Find a Space or a file of a pack by its name, and go there. The services say what is known."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.timer import Timer

from lobes.tui.commands import once_there
from lobes.tui.errors import sentence
from lobes.tui.jobs import Jobs, Settled
from lobes.tui.paint import Look
from lobes.tui.ports import Source
from lobes.tui.values import Hit
from lobes.tui.views.marks import KIND_WORDS
from lobes.tui.widgets.picker import Choice, Picker

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp

REST = 0.08
"""Seconds without a letter after which names are looked for."""


class Finder(Picker):
    """Answers with the place of the chosen hit in `hits`."""

    def __init__(self, source: Source, *, look: Look) -> None:
        super().__init__("Find a Space or a file", (), look=look, act="go there")
        self.hits: Sequence[Hit] = ()
        self._source = source
        self._jobs = Jobs(self, self._failed)
        self._rest: Timer | None = None
        self._note_of = "type a part of its name"

    def found(self, part: str) -> Sequence[int]:
        """Nothing yet: the names are looked for once the typing rests."""
        if self._rest is not None:
            self._rest.stop()
        self._jobs.forget("find")
        self._note_of = "looking" if part else "type a part of its name"
        if part:
            self._rest = self.set_timer(REST, partial(self._look_for, part))
        return ()

    def offer(self, shown: Sequence[Choice]) -> None:
        """Until the answer comes, what was found before stays."""
        if shown or not self._note_of:
            super().offer(shown)
        elif self._note_of != "looking":
            super().offer(())
        self.query_one("#dialog-end").refresh()

    def counted(self) -> str:
        return self._note_of or f"{self.listing.count():,} found"

    def _look_for(self, part: str) -> None:
        self._jobs.start("find", partial(self._source.find, part), self._answered)

    def _answered(self, hits: tuple[Hit, ...]) -> None:
        self.hits, self._note_of = hits, "" if hits else "nothing has that name"
        self.offer([_choice(place, hit) for place, hit in enumerate(hits)])

    def _failed(self, error: Exception) -> None:
        self._note_of = sentence(error)[0]
        self.offer(())

    def on_settled(self, event: Settled) -> None:
        event.stop()
        event.settle()


def _choice(place: int, hit: Hit) -> Choice:
    if hit.path:
        return Choice(str(place), hit.path, hit.name)
    return Choice(str(place), hit.name, KIND_WORDS[hit.kind])


def find(app: LobesApp) -> None:
    """Ask for a name, then go to what was chosen: a Space, or its file, open to be read."""
    finder = Finder(app.source, look=app.look)

    def chosen(answer: str | None) -> None:
        if answer:
            _go_to(app, finder.hits[int(answer)])

    app.push_screen(finder, chosen)


def _go_to(app: LobesApp, hit: Hit) -> None:
    from lobes.tui.screens.page import PageScreen
    from lobes.tui.screens.spaces import SpacesScreen

    def there(screen: PageScreen) -> None:
        if isinstance(screen, SpacesScreen):
            screen.show(hit.space, hit.path)

    app.open_space(hit.space)
    app.go("spaces")
    app.reload()
    once_there(app, "spaces", there)
