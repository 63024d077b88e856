"""Hiding the names of private Spaces for a session, and showing them again when a person says so.

Turning makes every screen anew: nothing that one of them holds from before outlives it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from textual.screen import Screen

from lobes.tui.outcomes import SPACES_VIEWS
from lobes.tui.part import AppPart
from lobes.tui.veil import Veil

if TYPE_CHECKING:
    from lobes.tui.ports import Source
    from lobes.tui.values import SpaceRow

BLANK = "blank"
"""The mode that is shown while the others are made anew."""


class Hiding(AppPart):
    """Mixed into the app. While names are hidden, its `source` is a `Veil`."""

    @property
    def veil(self) -> Veil | None:
        source: object = self._shell.source
        return source if isinstance(source, Veil) else None

    def hides(self, space: str) -> bool:
        """Whether this is a Space whose name is hidden now."""
        return self.veil is not None and self.veil.hides(space)

    def shown(self, text: str) -> str:
        """Words that came past the port, as they may be shown."""
        return self.veil.over(text) if self.veil is not None else text

    def turn_names(self) -> None:
        """Hide them at once; ask before they are shown."""
        if self.veil is None:
            self.hide_names()
        else:
            self.ask_names()

    def hide_names(self) -> None:
        if self.veil is None:
            veil = Veil(self._shell.source)
            self._turn(cast("Source", veil), veil, veil.over, "Names of private Spaces are hidden")

    def ask_names(self, space: str = "") -> None:
        """Ask whether to show them; then `space` is opened, where one is given."""
        from lobes.tui.widgets.dialog import Button, Dialog, words

        told = "Whoever sees this screen can read them then, until you hide them again."
        dialog = Dialog(
            "Show the names of private Spaces?",
            words(told),
            [Button("", "Keep them hidden"), Button("show", "Show them")],
            look=self._shell.look,
            enter_acts=True,
        )

        def answered(answer: str | None) -> None:
            if answer:
                self.show_names(space)

        self.push_screen(dialog, answered)

    def show_names(self, space: str = "") -> None:
        veil = self.veil
        if veil is not None:
            said = "Names of private Spaces are shown"
            self._turn(veil.plain, veil, veil.back, said, veil.back(space))

    def _turn(
        self,
        source: Source,
        veil: Veil,
        turned: Callable[[Any], Any],
        said: str,
        space: str = "",
    ) -> None:
        def read() -> list[Sequence[SpaceRow]]:
            veil.look()
            return [source.spaces(view) for view in SPACES_VIEWS]

        def done(lists: list[Sequence[SpaceRow]]) -> None:
            self._shell.see_by(source, lists, turned)
            if space:
                self._shell.space_id = space
            page = "search" if space else self.current_mode
            self.call_next(self._anew, page, said)

        self._shell.jobs.start("names", read, done)

    async def _anew(self, page: str, said: str) -> None:
        """Every mode without what it showed."""
        self.add_mode(BLANK, Screen)
        await self.switch_mode(BLANK)
        for mode, make in self.MODES.items():
            await self.remove_mode(mode)
            self.add_mode(mode, make)
        await self.switch_mode(page)
        await self.remove_mode(BLANK)
        self._shell.say(said)
