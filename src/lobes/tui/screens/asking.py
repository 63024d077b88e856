"""A screen that can ask in its last line. While it asks, every key is an answer or is nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lobes.tui.paint import Line
from lobes.tui.screens.filtered import Filtered
from lobes.tui.triage import Option
from lobes.tui.views import question
from lobes.tui.widgets.canvas import Painted

if TYPE_CHECKING:
    from textual import events
    from textual.widgets import Input


@dataclass(frozen=True, slots=True)
class _Question:
    text: str
    options: tuple[Option, ...]
    usual: str
    then: Callable[[Option, str], None]


class Asking(Filtered):
    """One question at a time, in place of the key line; `esc` answers nothing."""

    def __init__(self) -> None:
        super().__init__()
        self._question: _Question | None = None
        self._typing: Option | None = None
        self._typed = ""

    @property
    def is_asking(self) -> bool:
        return self._question is not None

    def ask(
        self,
        text: str,
        options: Sequence[Option],
        then: Callable[[Option, str], None],
        *,
        usual: str = "",
    ) -> None:
        """Ask at the bottom; `then` gets the answer, and the words where the answer is typed."""
        self._question = _Question(text, tuple(options), usual, then)
        self._show_question()

    def takes(self, event: events.Key) -> bool:
        """Whether a key is an answer. While a question is open, no key is anything else."""
        asked = self._question
        if asked is None:
            return False
        if event.key == "escape":
            self._close_question()
        elif self._typing is not None and self._has_field():
            return event.key in ("tab", "shift+tab")
        elif self._typing is not None:
            self._typed += event.character if event.character and event.is_printable else ""
        else:
            key = asked.usual if event.key == "enter" else event.character or event.key
            for one in asked.options:
                if one.key == key:
                    self._answered(one)
                    break
        return True

    def _has_field(self) -> bool:
        return self.focused is not None and self.focused.id == "note"

    def _answered(self, chosen: Option) -> None:
        if chosen.typed:
            self._typing = chosen
            self._show_question()
            self.run_worker(self._open_field(chosen), exit_on_error=False)
            return
        asked = self._question
        self._close_question()
        if asked is not None:
            asked.then(chosen, "")

    async def _open_field(self, chosen: Option) -> None:
        """What was typed before the field stood is in it. A question that was closed meanwhile
        has none."""
        from textual.widgets import Input

        if self._typing is not chosen:
            return
        field = Input(id="note", compact=True, max_length=200, select_on_focus=False)
        field.cursor_blink = False
        await self.mount(field, before="#keys")
        if self._typing is not chosen:
            await field.remove()
            return
        field.value, self._typed = self._typed, ""
        field.cursor_position = len(field.value)
        field.focus()

    # Textual calls the handlers of every base class: each looks at its own field alone.
    def on_input_submitted(self, event: Input.Submitted) -> None:
        asked, chosen = self._question, self._typing
        if event.input.id != "note":
            return
        event.stop()
        typed = event.value.strip()
        if typed and asked is not None and chosen is not None:
            self._close_question()
            asked.then(chosen, typed)

    def _close_question(self) -> None:
        had_field = self._typing is not None
        self._question, self._typing, self._typed = None, None, ""
        if had_field:
            self.query("#note").remove()
            self._focus_list()
        self._show_question()

    def _show_question(self) -> None:
        keys = self.query_one("#keys", Painted)
        keys.styles.height = len(self._key_line(self.app.size.width, False))
        keys.refresh()

    def _key_line(self, width: int, focused: bool) -> Sequence[Line]:
        asked = self._question
        if asked is None:
            return super()._key_line(width, focused)
        if self._typing is not None:
            return question.typing(f"{asked.text} {self._typing.label}", width, self.look)
        return question.lines(asked.text, asked.options, asked.usual, width, self.look)

    def left(self) -> None:
        """A question left open is answered by nothing."""
        super().left()
        if self.is_asking:
            self._close_question()

    async def action_leave(self) -> None:
        if self.is_asking:
            self._close_question()
        else:
            await super().action_leave()
