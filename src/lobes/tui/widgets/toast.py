"""One line above the key line that says what happened; the newest wins.

Six seconds, an error until `esc`. It is docked itself, with a left margin, because a full-width
transparent row would erase the pane border behind it.
"""

from __future__ import annotations

from typing import Literal

from rich.cells import cell_len
from textual.timer import Timer

from lobes.domain.display import one_line
from lobes.tui import cells
from lobes.tui.paint import Look
from lobes.tui.views.chrome import notice
from lobes.tui.widgets.canvas import Painted

Kind = Literal["success", "warning", "error"]
SECONDS = 6.0


class Toast(Painted):
    """Hidden until `say`. The same words go to the list of problems when they are an error."""

    DEFAULT_CSS = "Toast { display: none; height: 1; dock: bottom; layer: toast; }"

    def __init__(self, look: Look) -> None:
        super().__init__(id="toast")
        self._look = look
        self._timer: Timer | None = None
        self._text = ""
        self._kind: Kind = "success"

    def use_look(self, look: Look) -> None:
        self._look = look

    @property
    def text(self) -> str:
        return self._text

    def say(
        self,
        text: str,
        kind: Kind = "success",
        *,
        undo: bool = False,
        redo: bool = False,
        hint: str = "",
    ) -> None:
        """Show `text` on one line, with the key that undoes it. An error stays until dismissed.

        `hint` says what that key does, where "undoes" would not.
        """
        self._text, self._kind = one_line(text, limit=400), kind
        told = self._hint(undo=undo, redo=redo, does=hint)
        tail = f"   {told}" if told else ""
        self._place(tail)
        self.show(lambda width, _: [notice(self._text, tail, self._kind, self._look)])
        self.display = True
        if self._timer:
            self._timer.stop()
        self._timer = None if kind == "error" else self.set_timer(SECONDS, self.dismiss)

    def _hint(self, *, undo: bool, redo: bool, does: str) -> str:
        key = self._look.key("undo" if undo else "redo") if undo or redo else ""
        return f"{key} {does or ('undoes' if undo else 'redoes')}" if key else ""

    def dismiss(self) -> bool:
        """Hide it; whether it was there."""
        shown = bool(self.display)
        self.display = False
        self._text = ""
        return shown

    def _place(self, hint: str) -> None:
        edges = cell_len(hint) + 4
        room = max(1, self.screen.size.width - 4 - edges)
        self._text = cells.cut(self._text, room, mark=self._look.mark)
        width = cell_len(self._text) + edges
        self.styles.width = width
        self.styles.margin = (0, 0, 2, max(0, self.screen.size.width - width - 2))
