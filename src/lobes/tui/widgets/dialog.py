"""The base of every dialog: it opens on the harmless button and swallows keys at first.

Type-ahead must decide nothing: until 400 ms have passed (700 for heavy acts) *and* no key has
come for a moment, every key is swallowed. Terminals report no key release, so "all keys are up"
is read from a pause longer than the keyboard's repeat. The text scrolls in its own area: it can't
push the buttons out of view. No dialog opens by itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen, Screen

from lobes.domain.display import MAX_CHARACTERS
from lobes.keys.actions import When
from lobes.tui import cells
from lobes.tui.bindings import asked
from lobes.tui.breakage import Guarded
from lobes.tui.paint import Line, Look, Span, flowed, ink, padded, paragraph, width_of
from lobes.tui.views.chrome import too_small
from lobes.tui.widgets.canvas import Canvas, Paint, Painted, Pressed
from lobes.tui.widgets.once import AnsweredOnce

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp

HOLD, HEAVY_HOLD = 0.4, 0.7
QUIET = 0.15
"""Seconds without a key that count as "all keys are up": keyboards repeat every 30 to 90 ms."""

WIDTH, MARGIN = 76, 4
_STEPS = {"left": -1, "right": 1}
_SCROLLS = {"down": 1, "up": -1, "page_down": 8, "page_up": -8}


@dataclass(frozen=True, slots=True)
class Button:
    """What a button is called and what the dialog answers when it is chosen."""

    answer: str
    label: str


class Guard:
    """Whether keys count yet. `clock` gives seconds that only grow."""

    def __init__(self, hold: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._hold = hold
        self._opened = clock()
        self._last = self._opened - QUIET
        self._open = False

    def release(self) -> None:
        """Let every key through from now on: a field takes what is typed."""
        self._open = True

    def swallows(self) -> bool:
        """Called once for each key."""
        if self._open:
            return False
        now = self._clock()
        quiet = now - self._last >= QUIET
        self._last = now
        self._open = quiet and now - self._opened >= self._hold
        return not self._open


class Buttons(Painted, can_focus=True):
    """The row of buttons: the focused one is in brackets, on the chip ground."""

    def __init__(self, buttons: Sequence[Button], look: Look) -> None:
        super().__init__(id="buttons")
        self.buttons = buttons
        self.chosen = 0
        self.enabled = True
        self.hint = ""
        """What stands behind them, where there is room, while they aren't enabled."""
        self._look = look

    def lines(self) -> Sequence[Line]:
        return [padded(line, self.size.width, self._look) for line in self.rows(self.size.width)]

    def rows(self, width: int) -> list[list[Span]]:
        """The buttons side by side, or where they don't fit on lines of their own."""
        shown = [[self._button(place)] for place in range(len(self.buttons))]
        rows = flowed(shown, width, gap=3)
        if not self.hint or self.enabled:
            return rows
        hinted = [*rows[-1], Span("  "), Span(self.hint, "muted")]
        return [*rows[:-1], hinted] if width_of(hinted) <= width else rows

    def _button(self, place: int) -> Span:
        words = ink(self.buttons[place].label).text
        if place == self.chosen:
            return Span(f"[ {words} ]", "accent", True, "chip-bg", f"button:{place}")
        colour = "foreground" if self.enabled else "muted"
        return Span(f"  {words}  ", colour, action=f"button:{place}")

    def step(self, by: int) -> None:
        self.chosen = (self.chosen + by) % len(self.buttons)
        self.refresh()


class Dialog(AnsweredOnce, Guarded, ModalScreen[str | None]):
    """Ask one question. Answers with the chosen button's `answer`, or None when it was left.

    `buttons[0]` is the harmless one, where a dialog opens; `enter_acts` opens it on the next one,
    for an act that the design has confirmed by `enter` and that one key undoes. `body` paints the
    text for a width; `danger` gives it the red border. Subclasses add a field by overriding
    `fields`.
    """

    def __init__(
        self,
        title: str,
        body: Paint,
        buttons: Sequence[Button],
        *,
        look: Look,
        danger: bool = False,
        heavy: bool = False,
        enter_acts: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._title = title
        self._body = body
        self._buttons = buttons
        self._danger = danger
        self._enter_acts = enter_acts
        self.look = look
        self.guard = Guard(HEAVY_HOLD if heavy else HOLD, clock)

    def compose(self) -> ComposeResult:
        self.set_class(self.look.glyphs.ascii, "-ascii")
        with Vertical(id="box", classes="-danger" if self._danger else ""):
            yield Painted(self._head, id="dialog-title")
            yield Canvas(id="dialog-text")
            yield from self.fields()
            yield Buttons(self._buttons, self.look)

    def fields(self) -> ComposeResult:
        """Fields between the text and the buttons."""
        yield from ()

    def on_mount(self) -> None:
        self.text.can_focus = False
        self.text.show(self._body)
        self._measure()
        self.begin()

    def begin(self) -> None:
        """Where the focus starts: on the harmless button, but for `enter_acts`."""
        self.row.chosen = 1 if self._enter_acts else 0
        self.row.focus()

    @property
    def text(self) -> Canvas:
        return self.query_one("#dialog-text", Canvas)

    @property
    def row(self) -> Buttons:
        return self.query_one(Buttons)

    def _head(self, width: int, focused: bool) -> Sequence[Line]:
        colour, ground = ("error", "danger-bg") if self._danger else ("foreground", "")
        lines = cells.wrap(ink(self._title).text, max(1, width - 2))
        return [
            tuple(replace(span, ground=ground) for span in padded(words, width, self.look))
            for words in ([Span(" "), Span(line, colour, bold=True)] for line in lines)
        ]

    def extra_height(self) -> int:
        """Rows that the fields take."""
        return 0

    def _measure(self) -> None:
        """The text gets the rows it needs, at most what leaves the buttons in view."""
        width = min(WIDTH, self.size.width - 2)
        self.query_one("#box").styles.width = width
        head = len(self._head(width - 2, False))
        row = len(self.row.rows(max(1, width - MARGIN)))
        self.query_one("#dialog-title").styles.height = head
        self.row.styles.height = row
        lines = len(self._body(max(1, width - MARGIN), False))
        room = max(1, self.size.height - 4 - head - row - self.extra_height())
        self.text.styles.height = max(1, min(lines, room))

    def on_resize(self) -> None:
        self._measure()

    def on_pressed(self, event: Pressed) -> None:
        event.stop()
        name, _, place = event.action.partition(":")
        if name == "button" and not self.guard.swallows():
            self.row.chosen = int(place)
            self.choose()

    def swallows(self) -> bool:
        """Asked by the app for each key, before any widget sees it."""
        return self.guard.swallows()

    def on_key(self, event: events.Key) -> None:
        """What a field takes as text, only the row of buttons takes as a key."""
        act = asked("dialog", event)
        if act in ("choose", "close") and not (event.is_printable and not self.row.has_focus):
            self.choose() if act == "choose" else self.dismiss(None)
        elif act == "keys" and (self.row.has_focus or not event.is_printable):
            cast("LobesApp", self.app).show_keys_of("dialog", self.able())
        elif act in _STEPS and self.row.has_focus:
            self.row.step(_STEPS[act])
        elif act in _SCROLLS and self.row.has_focus:
            self.text.move(_SCROLLS[act])
        else:
            return
        event.stop()
        event.prevent_default()

    def able(self) -> Iterable[When]:
        """The conditions that hold in it now."""
        yield "always"
        if len(self.row.buttons) > 1:
            yield "buttons"
        if self.text.max_scroll_y:
            yield "scrolls"

    def choose(self) -> None:
        """Answer with the chosen button, unless the screen is too small to have shown the text."""
        if self.row.chosen and too_small(self.size.width, self.size.height):
            return
        if self.row.chosen and not self.may_choose():
            return
        self.dismiss(self.answer())

    def may_choose(self) -> bool:
        """Whether a button other than the harmless one counts now."""
        return True

    def answer(self) -> str | None:
        return self._buttons[self.row.chosen].answer or None


def ask(over: Screen[Any], dialog: Dialog, then: Callable[[str | None], None]) -> bool:
    """Open a dialog over the screen whose key asked for it; whether it was opened.

    What has to be read first may take a while. A dialog that comes then, over another one or over
    another mode, would open by itself: it is dropped.
    """
    if over.app.screen is not over:
        return False
    over.app.push_screen(dialog, then)
    return True


def words(text: str, *more: str) -> Paint:
    """A body of paragraphs, wrapped to the dialog's width. Nothing is left out."""

    def paint(width: int, focused: bool) -> Sequence[Line]:
        return [
            line for part in (text, *more) for line in paragraph(part, width, limit=MAX_CHARACTERS)
        ]

    return paint
