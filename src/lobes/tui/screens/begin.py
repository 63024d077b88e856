"""The second page of the first run: who the person is, how Spaces draw on each other, the folder.

Nothing is stored before `enter`; `esc` goes back and leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Input

from lobes.tui.bindings import overlay_bindings
from lobes.tui.breakage import Guarded
from lobes.tui.errors import sentence
from lobes.tui.files import typed_path
from lobes.tui.jobs import Jobs, Settled
from lobes.tui.outcomes import Beginning, FirstChoice, Outcome
from lobes.tui.paint import BLANK, Line, Span
from lobes.tui.values import Proposed
from lobes.tui.views import welcome as view
from lobes.tui.views.chrome import too_small
from lobes.tui.widgets.canvas import Painted, Pressed
from lobes.tui.widgets.once import AnsweredOnce
from lobes.tui.widgets.toast import Toast

if TYPE_CHECKING:
    from textual.timer import Timer

    from lobes.domain.lobes import CrossSpace
    from lobes.tui.app import LobesApp

DEBOUNCE = 0.25
"""Seconds without a key after which the folder that is typed is looked at."""
OTHER_LINES, LOW_LINES = 14, 8
"""Lines of the page of a folder beside what was found in it; on a low screen only what is asked."""
LEAST, LEAST_FOLDER = 12, 17
"""Rows below which a screen is low."""


class Option(Painted, can_focus=True):
    """One row of choices, of which one is taken."""

    def __init__(self, word: str, options: Sequence[str], changed: Callable[[], None]) -> None:
        super().__init__()
        self.word = word
        self.options = options
        self.chosen = 0
        self._changed = changed

    def lines(self) -> Sequence[Line]:
        look = cast("LobesApp", self.app).look
        return [
            (*view.label(self.word, self.has_focus, look), *view.option(self.options, self.chosen))
        ]

    def take(self, place: int) -> None:
        self.chosen = place % len(self.options)
        self.refresh()
        self._changed()

    def on_pressed(self, event: Pressed) -> None:
        event.stop()
        self.focus()
        self.take(int(event.action.partition(":")[2]))

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()


class BeginScreen(AnsweredOnce, Guarded, Screen[Outcome | None], inherit_bindings=False):
    """Answers with what was done once the home is made, or None when the person went back."""

    def __init__(self, choice: FirstChoice) -> None:
        super().__init__()
        self._bindings = overlay_bindings("begin")
        self.choice: FirstChoice = choice
        self.jobs = Jobs(self, self._failed)
        self._busy = ""
        self._shown: tuple[str, Proposed] | None = None
        self._said = ""
        self._timer: Timer | None = None

    @property
    def lobes(self) -> LobesApp:
        return cast("LobesApp", self.app)

    def compose(self) -> ComposeResult:
        with Container(id="welcome"), Vertical(id="begin"):
            yield Painted(self._title, id="begin-title")
            if self.choice == "folder":
                yield from self._field("Folder", "folder", "~/")
                yield Painted(self._found, id="begin-found")
                yield Option("Kind", ("Project", "Area"), self._repaint)
            yield from self._field("Name", "name", "")
            yield Option("My Spaces", [word for _, word, _ in view.DRAWS], self._repaint)
            yield Painted(self._meaning, id="begin-meaning")
            if self.choice == "folder":
                yield Option("Private", ("Off", "On"), self._repaint)
            yield Painted(self._foot, id="begin-foot")
        yield Toast(self.lobes.look)

    def _field(self, word: str, id: str, value: str) -> ComposeResult:
        field = Input(value, id=id, compact=True, select_on_focus=False, max_length=2_000)
        field.cursor_blink = False
        with Horizontal(classes="begin-row"):
            look = self.lobes.look
            yield Painted(lambda width, _: [view.label(word, field.has_focus, look)])
            yield field

    def on_mount(self) -> None:
        self.query(Input).first().focus()
        self.jobs.start("account", self.lobes.source.account_name, self._named)

    def _named(self, name: str) -> None:
        field = self.query_one("#name", Input)
        if not field.value:
            field.value = name

    # -- painting

    def _title(self, width: int, focused: bool) -> Sequence[Line]:
        if small := too_small(*self.size):
            return [(Span(small, "warning"),)]
        name = next(name for choice, name, _ in view.CHOICES if choice == self.choice)
        title = (Span(f"  {name}", bold=True),)
        return [title] if self.low and self.choice == "folder" else [title, BLANK]

    @property
    def low(self) -> bool:
        """Too few rows for what is only good to know."""
        return self.size.height < (LEAST_FOLDER if self.choice == "folder" else LEAST)

    @property
    def room(self) -> int:
        return max(1, self.size.height - (LOW_LINES if self.low else OTHER_LINES))

    def _found(self, width: int, focused: bool) -> Sequence[Line]:
        shown = self._shown[1] if self._shown else None
        lines = view.found(shown, self._said, width - 4, self.room, self.lobes.look)
        return lines if self.low else [BLANK, *lines, BLANK]

    def _meaning(self, width: int, focused: bool) -> Sequence[Line]:
        return [] if self.low else view.meaning(self._taken("My Spaces"), width)

    def _foot(self, width: int, focused: bool) -> Sequence[Line]:
        return [BLANK, *view.foot(self.choice, self._busy, width, low=self.low)]

    def _repaint(self) -> None:
        """Each part in the rows that it needs in this width."""
        width = min(view.WIDTH + 4, self.size.width)
        parts = {
            "begin-title": self._title,
            "begin-found": self._found,
            "begin-meaning": self._meaning,
            "begin-foot": self._foot,
        }
        for one in self.query(Painted):
            if (paint := parts.get(one.id or "")) and width:
                one.styles.height = len(paint(width, False))
            one.refresh()

    def on_resize(self) -> None:
        self._repaint()

    def on_descendant_focus(self) -> None:
        self._repaint()

    def on_descendant_blur(self) -> None:
        self._repaint()

    # -- what was typed and chosen

    def _option(self, word: str) -> Option | None:
        return next((one for one in self.query(Option) if one.word == word), None)

    def _taken(self, word: str) -> int:
        option = self._option(word)
        return option.chosen if option else 0

    @property
    def _folder(self) -> str:
        return self.query_one("#folder", Input).value.strip() if self.choice == "folder" else ""

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        if event.input.id != "folder":
            return
        self._shown, self._said = None, ""
        self.jobs.forget("look")
        if self._timer:
            self._timer.stop()
        self._timer = self.set_timer(DEBOUNCE, self._look_at)

    def _look_at(self) -> None:
        folder = self._folder
        if typed_path(folder) not in ("", "~", "~/", "/"):
            work = partial(self.lobes.source.look_at, folder)
            self.jobs.start("look", work, partial(self._looked, folder), failed=self._unlooked)

    def _looked(self, folder: str, proposed: Proposed) -> None:
        if (kind := self._option("Kind")) is not None:
            kind.chosen = 0 if proposed.kind == "project" else 1
        self._shown, self._said, self._busy = (folder, proposed), "", ""
        self._repaint()

    def _unlooked(self, error: Exception) -> None:
        self._shown, self._said, self._busy = None, sentence(error)[0], ""
        self._repaint()

    # -- what the keys do

    def action_begin_down(self) -> None:
        self.focus_next()

    def action_begin_up(self) -> None:
        self.focus_previous()

    def action_begin_left(self) -> None:
        self._turn(-1)

    def action_begin_right(self) -> None:
        self._turn(1)

    def _turn(self, by: int) -> None:
        """In a field these keys are the field's own."""
        if isinstance(self.focused, Option):
            self.focused.take(self.focused.chosen + by)

    def action_begin_keys(self) -> None:
        self.lobes.show_keys_of("begin")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_begin_choose()

    def action_begin_choose(self) -> None:
        """Begin with what is shown; a folder that was not looked at yet is looked at first."""
        if self._busy or too_small(*self.size):
            return
        shown = self._shown
        if self.choice == "folder" and (shown is None or shown[0] != self._folder):
            self._look_at()
            return
        default = cast("CrossSpace", view.DRAWS[self._taken("My Spaces")][0])
        beginning = Beginning(self.choice, self.query_one("#name", Input).value, default)
        if shown is not None:
            beginning = replace(
                beginning,
                folder=shown[1],
                kind="area" if self._taken("Kind") else "project",
                private=bool(self._taken("Private")),
            )
        self._busy = "making the home"
        self._repaint()
        self.jobs.start("begin", partial(self.lobes.source.begin, beginning), self._begun)

    def _begun(self, done: Outcome) -> None:
        self.dismiss(done)

    def action_begin_close(self) -> None:
        if not self._busy:
            self.dismiss(None)

    def _failed(self, error: Exception) -> None:
        self._busy = ""
        self._repaint()
        self.query_one(Toast).say(*sentence(error))

    def on_settled(self, event: Settled) -> None:
        event.stop()
        event.settle()

    async def on_pressed(self, event: Pressed) -> None:
        event.stop()
        await self.run_action(event.action)
