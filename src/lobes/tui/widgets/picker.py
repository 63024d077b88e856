"""Choose one thing by typing a part of its name: Spaces, sources, commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from lobes.tui.breakage import Guarded
from lobes.tui.paint import Line, Look, Span, fitted, ink, margin, muted, padded, spread
from lobes.tui.widgets.canvas import Painted
from lobes.tui.widgets.virtual_list import Listed, Opened, VirtualList

WIDTH, ROWS = 66, 12


@dataclass(frozen=True, slots=True)
class Choice:
    """`note` stands in the middle, `key` at the right; `why_not` mutes it and says why."""

    id: str
    name: str
    note: str = ""
    key: str = ""
    why_not: str = ""


class Picker(Guarded, ModalScreen[str | None]):
    """Answers with the id of the chosen one, or None."""

    def __init__(self, title: str, choices: Sequence[Choice], *, look: Look) -> None:
        super().__init__()
        self._title = title
        self._all = tuple(choices)
        self.look = look

    def compose(self) -> ComposeResult:
        self.set_class(self.look.glyphs.ascii, "-ascii")
        with Vertical(id="box"):
            yield Painted(self._head, id="dialog-title")
            field = Input(id="field", compact=True, max_length=200)
            field.cursor_blink = False
            yield field
            cursor = self.look.glyphs.ui("cursor")
            yield VirtualList[Choice](self._row, cursor=cursor, id="choices")
            yield Painted(self._end, id="dialog-end")

    def on_mount(self) -> None:
        box = self.query_one("#box")
        box.styles.width = min(WIDTH, self.size.width - 2)
        self.listing.styles.height = max(1, min(ROWS, self.size.height - 8))
        self.listing.can_focus = False
        self._show("")
        self.query_one("#field").focus()

    @property
    def listing(self) -> VirtualList[Choice]:
        return self.query_one("#choices", VirtualList)

    def _head(self, width: int, focused: bool) -> Sequence[Line]:
        return [padded([Span(" "), Span(self._title, bold=True)], width, self.look)]

    def _end(self, width: int, focused: bool) -> Sequence[Line]:
        left = [
            Span("enter", "accent", bold=True),
            muted(" choose  "),
            Span("esc", "accent", bold=True),
            muted(" close"),
        ]
        count = [muted(f"{self.listing.count()} of {len(self._all)}")]
        return [margin(spread(left, count, width - 2, self.look), width, self.look)]

    def _row(self, choice: Choice, width: int, lit: bool) -> Sequence[Line]:
        note, key = 16, 8
        name = max(10, width - note - key)
        colour = "muted" if choice.why_not else "foreground"
        words = choice.name if not choice.why_not else f"{choice.name}: {choice.why_not}"
        return [
            (
                fitted(ink(words, colour, bold=lit), name - 1, self.look),
                Span(" "),
                fitted(muted(choice.note), note, self.look),
                fitted(Span(choice.key, "accent"), key, self.look, align="right"),
            )
        ]

    def _show(self, typed: str) -> None:
        part = typed.casefold().strip()
        shown = [c for c in self._all if part in f"{c.name} {c.note}".casefold()]
        self.listing.set_rows(Listed(shown))
        if shown:
            self.listing.select(shown[0].id)
        self.query_one("#dialog-end", Painted).refresh()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._show(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._choose(self.listing.cursor)

    def on_opened(self, event: Opened) -> None:
        event.stop()
        self._choose(event.id)

    def _choose(self, id: str) -> None:
        current = self.listing.current()
        if current is not None and not current.why_not:
            self.dismiss(id)

    def on_key(self, event: events.Key) -> None:
        steps = {"down": 1, "up": -1, "ctrl+n": 1, "ctrl+p": -1}
        if event.key in steps:
            self.listing.move(steps[event.key])
        elif event.key == "pagedown":
            self.listing.page(1)
        elif event.key == "pageup":
            self.listing.page(-1)
        elif event.key == "escape":
            self.dismiss(None)
        elif event.key not in {"tab", "shift+tab"}:
            return
        event.stop()
        event.prevent_default()
