"""The presence code, over any screen: it renews itself while it is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from lobes.tui.errors import sentence
from lobes.tui.jobs import Jobs, Settled
from lobes.tui.paint import Line, Span, ink, muted, paragraph
from lobes.tui.widgets.dialog import Button, Dialog

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp
    from lobes.tui.presence import PresenceShown, PresenceState

CLOSE = Button("", "Close")
LOOK_SECONDS = 1.0
"""Between two looks whether the code still holds."""

WHAT = (
    "Type it where a command line asks for it. It is good once, and while this window is open. "
    "That terminal is then known as yours for 15 minutes."
)
NEVER = "Never type it for anybody who asks you to, nor where you started no command yourself."
WHY_NEW = {
    "used": "The one before was typed in a terminal, rightly or five times wrong. Activity says.",
    "over": "The one before is over.",
}


class PresenceCode(Dialog):
    """A code that another window replaces is not shown any longer."""

    def __init__(self, app: LobesApp) -> None:
        self._shown: PresenceShown | None = None
        self._said = ""
        super().__init__("Presence code", self._page, [CLOSE], look=app.look)
        self.jobs = Jobs(self, self._failed)

    @property
    def lobes(self) -> LobesApp:
        return cast("LobesApp", self.app)

    def begin(self) -> None:
        super().begin()
        self._renew(asked=True)
        self.set_interval(LOOK_SECONDS, self._look)

    def _page(self, width: int, focused: bool) -> Sequence[Line]:
        if self._shown is None:
            return list(paragraph(self._said or "A moment …", width))
        digits, until = self._shown.digits, self._shown.until.astimezone()
        return [
            (),
            (
                Span("  "),
                ink(f"{digits[:3]} {digits[3:]}", "accent", bold=True),
                muted(f"    until {until:%H:%M}"),
            ),
            (),
            *paragraph(WHAT, width),
            (),
            *paragraph(NEVER, width),
            *(paragraph(self._said, width) if self._said else ()),
        ]

    def _renew(self, *, asked: bool) -> None:
        source = self.lobes.source
        self.jobs.start("code", lambda: source.presence_code(asked=asked), self._show)

    def _show(self, shown: PresenceShown | None) -> None:
        self._shown = shown
        self.text.show(self._body, keep=True)
        self._measure()

    def _look(self) -> None:
        if self._shown is not None:
            self.jobs.start("state", self.lobes.source.presence_state, self._looked)

    def _looked(self, state: PresenceState) -> None:
        if state == "replaced":
            self._said = "Another window shows a newer one."
            self._show(None)
        elif state != "holds":
            self._said = WHY_NEW[state]
            self._shown = None
            self._renew(asked=False)

    def _failed(self, error: Exception) -> None:
        self._said = " ".join(filter(None, sentence(error)))
        self._show(None)

    def on_settled(self, event: Settled) -> None:
        event.stop()
        event.settle()
