"""What does the same on every screen: it is the app that does it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.screen import Screen

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp


class Everywhere(Screen[Any] if TYPE_CHECKING else object):
    """Mixed into the screens."""

    if TYPE_CHECKING:

        @property
        def lobes(self) -> LobesApp: ...

    def action_open_space(self) -> None:
        self.lobes.pick_space()

    def action_find(self) -> None:
        self.lobes.find()

    def action_set_preference(self, name: str) -> None:
        self.lobes.set_preference(name)

    def action_problems(self) -> None:
        self.lobes.show_problems()

    def action_presence_code(self) -> None:
        self.lobes.show_presence_code()

    def action_private_names(self) -> None:
        self.lobes.turn_names()

    def action_theme(self) -> None:
        self.lobes.next_theme()

    def action_people(self) -> None:
        self.lobes.show_people()
