"""`?`: the keys that work here and now, over whatever is shown. It decides nothing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen

from lobes.keys.actions import Action, Scope
from lobes.tui.bindings import asked
from lobes.tui.breakage import Guarded
from lobes.tui.paint import Line, Look, Span, ink, margin, muted, padded, spread
from lobes.tui.views import help as view
from lobes.tui.widgets.canvas import Canvas, Painted
from lobes.tui.widgets.once import AnsweredOnce

WIDTH, EDGES, MAX_TYPED = 72, 4, 40
"""Cells of the box, its rows beside the keys, and characters that a search takes."""


class KeysScreen(AnsweredOnce, Guarded, ModalScreen[None]):
    """`actions` are those of the place that is called `name`, `holds` the conditions there."""

    def __init__(
        self,
        name: str,
        actions: Sequence[Action],
        scope: Scope,
        holds: Iterable[str],
        *,
        look: Look,
    ) -> None:
        super().__init__()
        self._called, self._actions = name, actions
        self._scope: Scope = scope
        self._holds = frozenset(holds)
        self.look = look
        self.part: str | None = None

    def compose(self) -> ComposeResult:
        self.set_class(self.look.glyphs.ascii, "-ascii")
        with Vertical(id="box"):
            yield Painted(self._head, id="dialog-title")
            yield Canvas(id="dialog-text")
            yield Painted(self._end, id="dialog-end")

    def on_mount(self) -> None:
        self.text.can_focus = False
        self.text.show(self._lines)
        self._measure()
        self.call_after_refresh(self.query_one("#dialog-end", Painted).refresh)

    @property
    def text(self) -> Canvas:
        return self.query_one("#dialog-text", Canvas)

    def _measure(self) -> None:
        width, height = self.app.size
        box = self.query_one("#box")
        box.styles.width = min(WIDTH, width)
        box.styles.margin = (1 if height > 20 else 0, 0, 0, 0)
        lines = len(view.keys(self._actions, self._scope, self._holds, self._inner, self.look))
        room = height - EDGES - (2 if height > 20 else 0)
        self.text.styles.height = max(1, min(lines, room))

    @property
    def _inner(self) -> int:
        return max(1, min(WIDTH, self.app.size.width) - 4)

    def on_resize(self) -> None:
        self._measure()

    # -- painting

    def _head(self, width: int, focused: bool) -> Sequence[Line]:
        return [padded([Span(" "), ink(f"Keys in {self._called}", bold=True)], width, self.look)]

    def _lines(self, width: int, focused: bool) -> Sequence[Line]:
        if self.part is None:
            return view.keys(self._actions, self._scope, self._holds, width, self.look)
        return view.searched(self._actions, self.part, self._holds, width, self.look)

    def _end(self, width: int, focused: bool) -> Sequence[Line]:
        key = Span("/", "accent", bold=True)
        if self.part is None:
            left = [key, muted(" search keys  ")]
        else:
            left = [key, ink(f" {self.part}"), Span(" ", ground="accent"), Span("  ")]
        left += [Span("esc", "accent", bold=True), muted(" close")]
        text = self.text
        more = len(text.lines()) > text.size.height + text.scroll_offset.y
        arrow = "down" if self.look.glyphs.ascii else "↓"
        right = [muted(f"{arrow} more")] if more else [muted("remap: lobes config")]
        return [margin(spread(left, right, width - 2, self.look), width, self.look)]

    # -- keys

    def on_key(self, event: events.Key) -> None:
        act = asked("help", event)
        if self.part is not None and (event.is_printable or event.key == "backspace"):
            self._type(event)
        elif act == "close":
            self._close()
        elif act in ("down", "up"):
            self.text.move(1 if act == "down" else -1)
        elif act in ("page_down", "page_up"):
            self.text.page(1 if act == "page_down" else -1)
        elif act == "search":
            self._search("")
        elif event.is_printable and event.character:
            self._search(event.character)
        else:
            return
        self.query_one("#dialog-end", Painted).refresh()
        event.stop()
        event.prevent_default()

    def _type(self, event: events.Key) -> None:
        part = self.part or ""
        self._search(part[:-1] if event.key == "backspace" else part + (event.character or ""))

    def on_paste(self, event: events.Paste) -> None:
        event.stop()
        self._search((self.part or "") + " ".join(event.text.split()))

    def _search(self, part: str) -> None:
        self.part = part[:MAX_TYPED]
        self.text.show(self._lines)

    def _close(self) -> None:
        if self.part is None:
            self.dismiss(None)
        else:
            self.part = None
            self.text.show(self._lines)
