"""Hiding the names of private Spaces for a session, and showing them again when a person says so.

Turning makes every screen anew: nothing that one of them holds from before outlives it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast

from textual.screen import Screen

from lobes.tui.part import AppPart
from lobes.tui.veil import Veil

if TYPE_CHECKING:
    from lobes.tui.ports import Source
    from lobes.tui.values import SpaceRow

T = TypeVar("T")
Lists = list[Sequence["SpaceRow"]]
"""The Spaces of each view."""

BLANK = "blank"
"""The mode that is shown while the others are made anew."""
AGAIN = 1.0
"""Seconds after which it is asked again which Spaces are private, where that can't be read."""
UNREAD = "The Spaces can't be read, so nothing is shown until their names can be hidden."


class Blank(Screen[None]):
    """Nothing, or why there is nothing else."""

    _said = ""

    def say(self, text: str) -> None:
        self._said = text
        self.refresh()

    def render(self) -> str:
        return self._said


class Hiding(AppPart):
    """Mixed into the app. While names are hidden, its `source` is a `Veil`."""

    _first_veil: Veil | None = None
    """The one of this session: what stands in the place of a name stays the same."""

    def __init__(self, *args: Any, **named: Any) -> None:
        self.unsaid: list[Callable[[], None]] = []
        """What was to be said while there was no screen for it."""
        super().__init__(*args, **named)

    @property
    def is_blank(self) -> bool:
        """Whether every screen is being made anew, so that no key means anything."""
        return self.current_mode == BLANK

    @property
    def veil(self) -> Veil | None:
        source: object = self._shell.source
        return source if isinstance(source, Veil) else None

    def hides(self, space: str) -> bool:
        """Whether this is a Space whose name is hidden now."""
        return self.veil is not None and self.veil.hides(space)

    def shown(self, value: T) -> T:
        """What came past the port, as it may be shown."""
        return self.veil.over(value) if self.veil is not None else value

    def turn_names(self) -> None:
        """Hide them at once; ask before they are shown."""
        if self.veil is None:
            self.hide_names()
        else:
            self.ask_names()

    def hide_names(self) -> None:
        if self.veil is None:
            self.call_next(self._hide)

    async def _hide(self) -> None:
        """Nothing stays on the screen while it is read what is to be hidden, however long."""
        if self.is_blank:
            return
        page = self.current_mode
        await self._go_blank()
        veil = self._first_veil = self._first_veil or Veil(self._shell.source)

        def hidden(lists: Lists) -> None:
            self._shell.see_by(cast("Source", veil), lists, veil.over)
            self.call_next(self._anew, page, "Names of private Spaces are hidden")

        def failed(_: Exception) -> None:
            # A name that isn't known can't be hidden in what the error says either.
            cast("Blank", self.screen).say(UNREAD)
            self.set_timer(AGAIN, read)

        def read() -> None:
            self._shell.jobs.start("names", lambda: veil.over(veil.looked()), hidden, failed=failed)

        read()

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
        if veil is None:
            return
        self._first_veil, wanted = veil, veil.back(space)

        def shown(lists: Lists) -> None:
            self.call_next(self._show, veil, lists, wanted)

        self._shell.jobs.start("names", veil.looked, shown)

    async def _show(self, veil: Veil, lists: Lists, space: str) -> None:
        if self.veil is not veil:
            return
        page = "search" if space else self.current_mode
        await self._go_blank()
        self._shell.see_by(veil.plain, lists, veil.back)
        self._shell.space_id = space or self._shell.space_id
        await self._anew(page, "Names of private Spaces are shown")

    async def _go_blank(self) -> None:
        """Every screen gone, with what it showed and what it had asked for."""
        self._shell.hold_screens()
        self._shell.jobs.forget("people")
        self.add_mode(BLANK, Blank)
        await self.switch_mode(BLANK)
        for mode in self.MODES:
            await self.remove_mode(mode)

    async def _anew(self, page: str, said: str) -> None:
        for mode, make in self.MODES.items():
            self.add_mode(mode, make)
        await self.switch_mode(page)
        await self.remove_mode(BLANK)
        self._shell.say(said)
        unsaid, self.unsaid = self.unsaid, []
        for say in unsaid:
            say()
