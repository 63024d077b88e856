"""A fault of ours ends no session: it is caught where it arises, said once, and kept in a log.

Textual ends the app for any exception in a handler, a timer or a painter, and a handler's node
hears nothing more. So each node of ours catches what its handlers and painters raise, and the app
says so in a dialog that can be closed. Report and log hold kinds and places, never a text.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual.app import App
from textual.geometry import Region
from textual.message import Message
from textual.message_pump import MessagePump
from textual.strip import Strip
from textual.widget import Widget

from lobes.tui.errors import BROKEN

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp
    from lobes.tui.paint import Line
    from lobes.tui.widgets.dialog import Dialog

Note = Callable[[BaseException], Path | None]
"""Writes a fault into the log; the log's path, None where none could be written."""

UNSHOWN = "This part can't be shown."


class Guarded(MessagePump if TYPE_CHECKING else object):
    """A node that goes on after a handler of its own has failed."""

    unmade = False
    """A screen whose parts could not be made: what else fails in it has been said by that."""

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            if not self.unmade:
                broke(self.app, error)


class GuardedPainter(Guarded, Widget if TYPE_CHECKING else object):
    """A widget that stays, blank, where painting it failed.

    Handlers measure by painting, so what a view raises there is a painter's fault as well.
    """

    def safely(self, paint: Callable[[], Sequence[Line]]) -> Sequence[Line]:
        """What it paints, or no line."""
        try:
            return paint()
        except Exception as error:
            broke(self.app, error, once=True)
            return ()

    def render_lines(self, crop: Region) -> list[Strip]:
        try:
            return super().render_lines(crop)
        except Exception as error:
            broke(self.app, error, once=True)
            return [Strip.blank(crop.width, self.rich_style) for _ in range(crop.height)]


class Survival(App[Any] if TYPE_CHECKING else object):
    """Mixed into the app. `survives` is off in tests, so that there a fault fails the test."""

    survives = True

    def __init__(self, *args: Any, **named: Any) -> None:
        self.note: Note | None = None
        self._seen: set[tuple[str, str]] = set()
        self._breakage: Dialog | None = None
        super().__init__(*args, **named)

    async def _dispatch_message(self, message: Message) -> None:
        try:
            await super()._dispatch_message(message)
        except asyncio.CancelledError:
            raise
        except Exception as error:
            broke(self, error)

    def _handle_exception(self, error: Exception) -> None:
        """What no node of ours caught: timers, callbacks, and the start itself."""
        broke(self, error)

    def fatal(self, error: Exception) -> None:
        """The end, where there is no screen to say it on. Textual's own words would show texts."""
        if not self.survives:
            super()._handle_exception(error)
            return
        self._return_code = 1
        self.panic(f"{BROKEN} ({type(error).__name__}){self._where(error)}")

    def _where(self, error: Exception) -> str:
        path = self.note(error) if self.note else None
        return f"\nWhere stands in {path}" if path else ""

    def tell_breakage(self, error: Exception, *, once: bool) -> None:
        """The dialog, unless one is open. A painter's fault comes with every frame: said once."""
        place = _place(error)
        known = place in self._seen
        self._seen.add(place)
        if (once and known) or self._exit:
            return
        path = self.note(error) if self.note else None
        app = cast("LobesApp", self)
        app.problems_seen(f"{BROKEN} ({type(error).__name__})", "error")
        if self._breakage is None:
            from lobes.tui.screens.breakage import Breakage

            self._breakage = Breakage(error, path, look=app.look)
            self.push_screen(self._breakage, self._told)

    def _told(self, _: str | None) -> None:
        self._breakage = None


def broke(app: App[Any], error: Exception, *, once: bool = False) -> None:
    """Tell of a fault of ours; the app ends only where it has no screen yet."""
    if not isinstance(app, Survival):
        raise error
    if not app.survives or not app.is_running or not app.screen_stack:
        app.fatal(error)
        return
    app.tell_breakage(error, once=once)


def _place(error: Exception) -> tuple[str, str]:
    """Which fault it is: its kind and the innermost line of code."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}" if trace else ""
    return type(error).__name__, where
