"""Choose one thing by typing a part of its name: Spaces, sources, commands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input

from lobes.tui.bindings import asked
from lobes.tui.breakage import Guarded
from lobes.tui.matching import best
from lobes.tui.paint import Line, Look, Span, fitted, ink, margin, muted, padded, spread
from lobes.tui.widgets.canvas import Painted
from lobes.tui.widgets.once import AnsweredOnce
from lobes.tui.widgets.virtual_list import Listed, Opened, VirtualList

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp

WIDTH, ROWS = 66, 12
KEY, LEAST_NOTE, MOST_NOTE, NAME = 8, 10, 16, 200
"""Cells of the key, the least and most of the note, and the characters of a name that are met."""


@dataclass(frozen=True, slots=True)
class Choice:
    """`note` stands in the middle, `key` at the right; `why_not` mutes it and says why.

    What is typed may fit `also` instead of the name: the note, where nothing else is given.
    """

    id: str
    name: str
    note: str = ""
    key: str = ""
    why_not: str = ""
    also: str | None = None


class Picker(AnsweredOnce, Guarded, ModalScreen[str | None]):
    """Answers with the id of the chosen one, or None.

    `others` are the rows that stand there while what is typed begins with a sign. `act` is the
    word for what `enter` does.
    """

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        *,
        look: Look,
        others: Mapping[str, Sequence[Choice]] | None = None,
        act: str = "choose",
    ) -> None:
        super().__init__()
        self._title, self._act = title, act
        self._all: Sequence[Choice] = ()
        self._names: list[str] = []
        self._notes: list[str] = []
        self._choices, self._others = tuple(choices), dict(others or {})
        self._over(self._choices)
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
        self.listing.can_focus, self.listing.leads = False, True
        self._show("")
        self.query_one("#field").focus()

    def on_resize(self) -> None:
        self._measure()

    def _measure(self) -> None:
        """As high as its rows, so that the page behind it can be read."""
        width, height = self.app.size
        box = self.query_one("#box")
        box.styles.width = min(WIDTH, width - 2)
        top = 3 if height >= 20 else 0
        box.styles.margin = (top, 0, 0, 0)
        room = max(1, min(ROWS, height - top - 8))
        self.listing.styles.height = max(1, min(self.listing.count(), room))

    @property
    def listing(self) -> VirtualList[Choice]:
        return self.query_one("#choices", VirtualList)

    # -- painting

    def _head(self, width: int, focused: bool) -> Sequence[Line]:
        return [padded([Span(" "), ink(self._title, bold=True)], width, self.look)]

    def _end(self, width: int, focused: bool) -> Sequence[Line]:
        left = [
            Span("enter", "accent", bold=True),
            muted(f" {self._act}  "),
            Span("esc", "accent", bold=True),
            muted(" close"),
        ]
        count = [muted(self.counted())]
        return [margin(spread(left, count, width - 2, self.look), width, self.look)]

    def counted(self) -> str:
        """The right end of the last line."""
        return f"{self.listing.count():,} of {len(self._all):,}"

    def _row(self, choice: Choice, width: int, lit: bool) -> Sequence[Line]:
        if choice.why_not:
            return [spread([muted(choice.name)], [muted(choice.why_not)], width, self.look)]
        name = max(10, width - self._note - KEY)
        return [
            (
                fitted(ink(choice.name, bold=lit), name - 1, self.look),
                Span(" "),
                fitted(muted(choice.note), self._note, self.look),
                fitted(Span(choice.key, "accent"), KEY, self.look, align="right"),
            )
        ]

    # -- what is there

    def _over(self, choices: Sequence[Choice]) -> None:
        """Choose among these from now on."""
        self._all = choices
        self._names = [one.name.casefold()[:NAME] for one in choices]
        self._notes = [
            (one.note if one.also is None else one.also).casefold()[:NAME] for one in choices
        ]
        longest = max((len(one.note) for one in choices), default=0)
        self._note = max(LEAST_NOTE, min(MOST_NOTE, longest + 1))

    def _show(self, typed: str) -> None:
        sign = typed[:1] if typed[:1] in self._others else ""
        wanted = self._others[sign] if sign else self._choices
        if wanted is not self._all:
            self._over(wanted)
        shown = [self._all[at] for at in self.found(typed[len(sign) :].casefold().strip())]
        self.offer(sorted(shown, key=lambda one: bool(one.why_not)))

    def found(self, part: str) -> Sequence[int]:
        """The places of what fits `part`, best first."""
        return best(self._names, self._notes, part)

    def offer(self, shown: Sequence[Choice]) -> None:
        """Show these, with the cursor on the first one."""
        self.listing.set_rows(Listed(shown))
        if shown:
            self.listing.select(shown[0].id)
        self._measure()
        self.query_one("#dialog-end", Painted).refresh()

    # -- what happens

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
        act = asked("picker", event)
        if act in ("down", "up"):
            self.listing.move(1 if act == "down" else -1)
        elif act in ("page_down", "page_up"):
            self.listing.page(1 if act == "page_down" else -1)
        elif act == "close":
            self.dismiss(None)
        elif act == "keys":
            cast("LobesApp", self.app).show_keys_of("picker")
        elif event.key not in {"tab", "shift+tab"}:
            return
        event.stop()
        event.prevent_default()
