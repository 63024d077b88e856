"""A dialog to reword one text of several lines. `enter` is part of the text; `tab` leads out."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widgets import TextArea

from lobes.tui.paint import Look
from lobes.tui.widgets.canvas import Paint
from lobes.tui.widgets.dialog import Button, Dialog

ROWS = 6


class Wording(Dialog):
    """Answers with the new text, or None; an empty text is no answer."""

    def __init__(
        self, title: str, body: Paint, buttons: Sequence[Button], *, look: Look, value: str
    ) -> None:
        super().__init__(title, body, buttons, look=look)
        self._value = value
        self.guard.release()

    def fields(self) -> ComposeResult:
        field = TextArea(self._value, id="wording", compact=True, highlight_cursor_line=False)
        field.cursor_blink = False
        field.styles.height = ROWS
        yield field

    def extra_height(self) -> int:
        return ROWS + 1

    @property
    def field(self) -> TextArea:
        return self.query_one("#wording", TextArea)

    def begin(self) -> None:
        self.row.step(1)
        self.field.move_cursor(self.field.document.end)
        self.field.focus()

    def may_choose(self) -> bool:
        return bool(self.field.text.strip())

    def answer(self) -> str | None:
        return self.field.text.strip() if self.row.chosen else None

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        self.row.enabled = self.may_choose()
        self.row.refresh()
