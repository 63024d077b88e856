"""A dialog with one field: a name, a folder, tags. What is typed is text, pasted lines too."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.widgets import Input

from lobes.tui.paint import Look
from lobes.tui.widgets.canvas import Paint
from lobes.tui.widgets.dialog import Button, Dialog

MAX_TYPED = 2_000


class Prompt(Dialog):
    """Answers with what was typed, or None. With `words`, only one of them lets the act happen."""

    def __init__(
        self,
        title: str,
        body: Paint,
        buttons: Sequence[Button],
        *,
        look: Look,
        value: str = "",
        words: tuple[str, ...] = (),
        danger: bool = False,
    ) -> None:
        super().__init__(title, body, buttons, look=look, danger=danger, heavy=bool(words))
        self._value = value
        self._words = words
        if not words:
            self.guard.release()

    def fields(self) -> ComposeResult:
        field = Input(
            value=self._value, id="field", compact=True, select_on_focus=False, max_length=MAX_TYPED
        )
        field.cursor_blink = False
        yield field

    def extra_height(self) -> int:
        return 2

    @property
    def field(self) -> Input:
        return self.query_one("#field", Input)

    def begin(self) -> None:
        if not self._words:
            self.row.step(1)
        else:
            self.row.hint = "when the word matches"
            self.row.enabled = False
        self.field.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.choose()

    def may_choose(self) -> bool:
        typed = self.field.value.strip()
        return typed in self._words if self._words else bool(typed)

    def answer(self) -> str | None:
        return self.field.value.strip() if self.row.chosen else None

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.row.enabled = self.may_choose()
        self.row.refresh()
