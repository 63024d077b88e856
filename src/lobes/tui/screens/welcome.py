"""The first run, as a screen over the empty app. It stores nothing."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.screen import Screen

from lobes.tui.bindings import overlay_bindings
from lobes.tui.breakage import Guarded
from lobes.tui.outcomes import FirstChoice, Outcome
from lobes.tui.paint import Line
from lobes.tui.views.chrome import too_small
from lobes.tui.views.welcome import CHOICES, HEIGHT, WIDTH, lines
from lobes.tui.widgets.canvas import Painted, Pressed
from lobes.tui.widgets.once import AnsweredOnce
from lobes.tui.widgets.toast import Toast

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp


class WelcomeScreen(AnsweredOnce, Guarded, Screen[FirstChoice | None], inherit_bindings=False):
    """Answers with the choice once the home is made: for a folder, once the folder is added."""

    def __init__(self) -> None:
        super().__init__()
        self._bindings = overlay_bindings("welcome")
        self._chosen = 0
        self._small = ""
        """That the screen is too small, where it is: nothing is begun then."""

    @property
    def lobes(self) -> LobesApp:
        return cast("LobesApp", self.app)

    def compose(self) -> ComposeResult:
        with Container(id="welcome"):
            yield Painted(self._lines, id="welcome-lines")
        yield Toast(self.lobes.look)

    def _lines(self, width: int, focused: bool) -> list[Line]:
        return lines(self._chosen, self._small, width, self.lobes.look, height=self.app.size.height)

    def on_mount(self) -> None:
        self.query_one("#welcome-lines").styles.width = WIDTH + 4

    def on_resize(self, event: events.Resize) -> None:
        self._small = too_small(event.size.width, event.size.height)
        page = self.query_one("#welcome-lines")
        page.styles.max_width = event.size.width
        rows = len(self._lines(min(WIDTH + 4, event.size.width), False))
        page.styles.height = min(max(HEIGHT, rows), event.size.height)

    def action_welcome_down(self) -> None:
        self._step(1)

    def action_welcome_up(self) -> None:
        self._step(-1)

    def action_welcome_first(self) -> None:
        self.action_begin(0)

    def action_welcome_second(self) -> None:
        self.action_begin(1)

    def action_welcome_third(self) -> None:
        self.action_begin(2)

    def _step(self, by: int) -> None:
        self._chosen = (self._chosen + by) % len(CHOICES)
        self._repaint()

    def action_begin(self, place: int) -> None:
        self._chosen = place
        self._repaint()
        self.action_welcome_choose()

    def action_welcome_choose(self) -> None:
        if self._small:
            return
        from lobes.tui.screens.begin import BeginScreen

        choice = CHOICES[self._chosen][0]
        self.lobes.push_screen(BeginScreen(choice), partial(self._begun, choice))

    def _begun(self, choice: FirstChoice, done: Outcome | None) -> None:
        if done is not None:
            self.lobes.began(done)
            self.dismiss(choice)

    def _repaint(self) -> None:
        self.query_one("#welcome-lines").refresh()

    def action_welcome_keys(self) -> None:
        self.lobes.show_keys_of("welcome")

    async def action_welcome_leave(self) -> None:
        self.lobes.exit()

    async def on_pressed(self, event: Pressed) -> None:
        event.stop()
        await self.run_action(event.action)
