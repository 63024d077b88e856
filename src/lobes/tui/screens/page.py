"""What all seven screens share: chrome, panes, toast, and the one line when too small."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Container
from textual.screen import Screen
from textual.widget import Widget

from lobes.keys import actions
from lobes.tui.bindings import page_bindings
from lobes.tui.breakage import UNSHOWN, Guarded, broke
from lobes.tui.errors import sentence
from lobes.tui.jobs import Jobs, Settled
from lobes.tui.paint import Line, Look, Span, ink, muted, width_of
from lobes.tui.screens.everywhere import Everywhere
from lobes.tui.screens.moving import Moving
from lobes.tui.screens.recall import Recalling
from lobes.tui.views import chrome, marks
from lobes.tui.widgets.canvas import Canvas, Painted, Pressed
from lobes.tui.widgets.toast import Kind, Toast

if TYPE_CHECKING:
    from lobes.tui.app import LobesApp
    from lobes.tui.ports import Source
    from lobes.tui.values import SpaceRow

W = TypeVar("W", bound=Widget)
REFUSED = "Nothing was decided: it could not be kept. {} tries whether it can."
WIDE, ULTRA, TWO_LINE_ROWS = 100, 150, 30


class PageScreen(Everywhere, Moving, Recalling, Guarded, Screen[None], inherit_bindings=False):
    """A mode. Subclasses fill the body, name their panes and reload from the services."""

    page: ClassVar[actions.Page]
    list_height: ClassVar[int] = 12
    """Rows of the list in the stacked layout at 24 rows; it grows by half of any row beyond."""
    list_width: ClassVar[int] = 64
    """Cells of the list from 100 columns."""
    list_width_of_three: ClassVar[int] = 0
    """Cells of the list from 150 columns, where there is a third pane then; 0: there is none."""

    def __init__(self) -> None:
        super().__init__()
        # Of the registry for this page: a screen of its own writes no key.
        self._bindings = page_bindings(self.page, self.lobes.keymap)
        self.jobs = Jobs(
            self, self.report, waited=self.waited, is_held=lambda: self.source.is_kept_out()
        )
        self.unread = ""
        """Why what is shown here could not be read, where nothing else stands in its place."""
        self._holds: frozenset[str] = frozenset()

    @property
    def lobes(self) -> LobesApp:
        return cast("LobesApp", self.app)

    @property
    def source(self) -> Source:
        return self.lobes.source

    @property
    def look(self) -> Look:
        return self.lobes.look

    def compose(self) -> ComposeResult:
        self._classify()
        yield Painted(self._tab_line, id="tabs")
        yield Painted(self._context_line, id="context")
        yield Painted(self._banner_line, id="banner")
        yield from self._parts(self.above)
        with Container(id="body"):
            yield from self._parts(self.body)
        yield Painted(self._small_line, id="small")
        yield Painted(self._key_line, id="keys")
        yield Toast(self.look)

    def _parts(self, make: Callable[[], ComposeResult]) -> ComposeResult:
        """The parts of a screen, or one line where they can't be made: tabs and keys still work."""
        try:
            yield from make()
        except Exception as error:
            self.unmade = True
            broke(self.app, error)
            yield Painted(lambda width, focused: [(muted(f" {UNSHOWN}"),)])

    def above(self) -> ComposeResult:
        """What stands between the context line and the panes: one blank line at least."""
        yield Painted(id="gap")

    def body(self) -> ComposeResult:
        """The panes."""
        yield from ()

    def reload(self) -> None:
        """Read again what is shown; the cursor stays on its row."""

    def others_wrote(self) -> None:
        """Somebody wrote to the store; a screen may hold back what is new."""
        self.reload()

    def takes(self, event: events.Key) -> bool:
        """Whether the screen takes a key before its bindings."""
        return False

    def context(self) -> tuple[Sequence[Span], Sequence[Span]]:
        """Both ends of line 2."""
        return [], []

    def state(self, width: int) -> Sequence[Span]:
        """The right end of the key line."""
        return chrome.index_state(self.lobes.index, width, self.look)

    def able(self) -> Iterable[actions.When]:
        """The conditions that hold now."""
        return ("always",)

    def idle(self) -> Iterable[str]:
        """Actions that may be called now and would find nothing to do: the key line mutes them."""
        return ()

    # -- chrome

    def _tab_line(self, width: int, focused: bool) -> Sequence[Line]:
        return [chrome.tabs(self.page, self.lobes.counts, width, self.look)]

    def _context_line(self, width: int, focused: bool) -> Sequence[Line]:
        left, right = self.context()
        if words := self.waiting():
            right = [muted(words)]
        elif self.lobes.trouble:
            right = [
                ink(f"{self.lobes.trouble}  ", "warning"),
                Span(self.look.key("problems"), "accent", bold=True, action="problems"),
                Span(" for details", "muted", action="problems"),
            ]
            if width_of(left[:3]) + width_of(right) + 3 > width:
                right.pop()
        elif self.lobes.index.state == "rebuilding":
            right = [Span(chrome.rebuilding(self.lobes.index), "warning", action="problems")]
        return [chrome.context(left, right, width, self.look)]

    def _banner_line(self, width: int, focused: bool) -> Sequence[Line]:
        return [chrome.context([ink(self.lobes.banner, "error", bold=True)], [], width, self.look)]

    def _key_line(self, width: int, focused: bool) -> Sequence[Line]:
        holds = set(self.able())
        able = frozenset(a.id for a in actions.here(self.page) if a.when in holds)
        return [
            chrome.keys(
                self.page,
                self.state(width),
                able - frozenset(self.idle()),
                width,
                self.look,
                reading=self.reads_a_file,
                zoomed=self.has_class("-zoom"),
                empty=self.has_class("-bare"),
            )
        ]

    def _small_line(self, width: int, focused: bool) -> Sequence[Line]:
        return [(muted(chrome.too_small(self.size.width, self.size.height)),)]

    def use_look(self, look: Look) -> None:
        """Other signs from now on: in the rows, the pane borders and the toast."""
        self.set_class(look.glyphs.ascii, "-ascii")
        self.query_one(Toast).use_look(look)
        for pane in self.query(Canvas):
            pane.use_look(look)
        self.refresh_chrome()

    def refresh_able(self) -> None:
        """After a move: the key line alone, and only when other keys work now."""
        holds = frozenset(self.able())
        if holds != self._holds:
            self._holds = holds
            self.query_one("#keys", Painted).refresh()

    def refresh_chrome(self) -> None:
        self.set_class(bool(self.lobes.banner), "-banner")
        for name in ("#tabs", "#context", "#keys"):
            self.query_one(name, Painted).look_again()

    @property
    def no_space(self) -> str:
        """Where no Space is open: the keys to one."""
        spaces, opens = self.look.key("go_spaces"), self.look.key("open")
        return f"No Space is open. {spaces} shows them, {opens} opens one."

    def space_mark(self, space: SpaceRow | None) -> list[Span]:
        """The Space at the left of line 2."""
        if space is None:
            return [muted("No Space is open.")]
        return [
            marks.kind(space.kind, self.look, colour="accent"),
            Span(" "),
            *self.lobes.name_span(space.name),
        ]

    # -- what happens

    def say(
        self,
        text: str,
        kind: Kind = "success",
        *,
        undo: bool = False,
        redo: bool = False,
        hint: str = "",
        listed: bool = False,
    ) -> None:
        """A toast. A fault stands in Problems too, unless `listed`: there already, or none."""
        if not listed:
            self.lobes.problems_seen(text, kind)
        self.query_one(Toast).say(text, kind, undo=undo, redo=redo, hint=hint)

    def cannot_read(self, error: Exception, *, in_place: bool = False) -> None:
        """The read that fills this screen failed: said where the rows would be, or in a toast where
        other rows stand there."""
        self.unread, kind = sentence(error)
        if in_place:
            self.lobes.unwritable(error)
            self.lobes.problems_seen(self.unread, kind)
        else:
            self.report(error)

    def report(self, error: Exception) -> None:
        self.lobes.unwritable(error)
        self.say(*sentence(error))

    def on_settled(self, event: Settled) -> None:
        event.stop()
        event.settle()

    async def on_pressed(self, event: Pressed) -> None:
        event.stop()
        if event.action.startswith("go_"):
            self.action_go(event.action.removeprefix("go_"))
        else:
            await self.run_action(event.action)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        known = next((a for a in actions.here(self.page) if a.id == action), None)
        if known is not None and known.group == "Do" and self.lobes.banner:
            self.say(REFUSED.format(self.look.key("look_again")), "error")
            return False
        if known is None or known.when in set(self.able()):
            return True
        return None

    def on_resize(self, event: events.Resize) -> None:
        self._lay_out()
        self.resized()

    def resized(self) -> None:
        """Textual calls `on_resize` of every base class, so screens override this instead."""

    def on_screen_resume(self) -> None:
        self._lay_out()
        self.resumed()

    def resumed(self) -> None:
        """See `resized`."""
        if self.lobes.is_open:
            self.lobes.recall(self)
            self.reload()

    def left(self) -> None:
        """Another mode is shown from now on; a dialog over this one is no such end."""

    def _classify(self) -> None:
        """The classes that Textual would set after a first layout: so there is no second one."""
        width, height = self.app.size
        self.set_class(self.look.glyphs.ascii, "-ascii")
        self.set_class(bool(chrome.too_small(width, height)), "-tiny")
        points = self.app.HORIZONTAL_BREAKPOINTS or []
        chosen = [name for least, name in points if width >= least][-1:]
        for _, name in points:
            self.set_class(name in chosen, name)

    def _lay_out(self) -> None:
        self.set_class(bool(chrome.too_small(*self.app.size)), "-tiny")
        for pane in self.query("#list"):
            self.shaped(pane)

    def shaped(self, pane: W) -> W:
        """The list in the size that no style sheet can say: it depends on both sides."""
        width, height = self.app.size
        if width >= WIDE:
            three = self.list_width_of_three if width >= ULTRA else 0
            pane.styles.width, pane.styles.height = three or self.list_width, "1fr"
        else:
            rows = max(3, self.list_height + (height - 24) // 2)
            pane.styles.width, pane.styles.height = "1fr", rows if width >= 80 else "1fr"
        return pane

    @property
    def reads_a_file(self) -> bool:
        """Whether the evidence pane is with a whole file."""
        return False

    @property
    def is_wide(self) -> bool:
        return self.size.width >= WIDE

    # -- everywhere

    def action_go(self, page: str) -> None:
        self.lobes.go(page)

    def waiting(self) -> str:
        """What line 2 says of a job that takes long, or ""."""
        mark, stop = self.look.mark, self.look.key("leave")
        return self.jobs.waiting(mark, stop=stop) or self.lobes.jobs.waiting(mark, stop=stop)

    def waited(self) -> None:
        """A job that is waited for has taken a moment more, or has ended."""
        self.query_one("#context", Painted).refresh()

    def _give_up(self) -> bool:
        """Stop the job that says that `esc` stops it; whether there was one."""
        group = self.jobs.stoppable()
        if group == "index":
            self.jobs.start("stop", self.source.stop_indexing, lambda done: self.say(done.text))
        elif group:
            self.jobs.forget(group)
        return bool(group)

    async def action_leave(self) -> None:
        if self._give_up() or self.query_one(Toast).dismiss():
            return
        if self.has_class("-zoom"):
            self.toggle_zoom()

    async def action_back(self) -> None:
        if self.has_class("-zoom"):
            await self.action_leave()
        else:
            self.lobes.leave()

    def action_quit(self) -> None:
        self.lobes.exit()

    async def action_filter(self) -> None:
        self.say("There is nothing to filter here.", "warning", listed=True)

    def action_why(self) -> None:
        self.say("There is nothing to explain here.", "warning", listed=True)

    def copied(self) -> str:
        """What `y` copies: of a list what names the row, of another pane its text."""
        pane = self.pane
        return pane.text_of_lines() if pane is not None and pane.id != "list" else ""

    def action_copy(self) -> None:
        if text := self.copied():
            self.lobes.copy(text)
        else:
            self.say("There is nothing to copy here.", "warning", listed=True)

    def action_uncover(self) -> None:
        self.say("Hidden characters are shown as they are here.", "warning", listed=True)

    def action_pager(self) -> None:
        self.say("There is no file to read here.", "warning", listed=True)

    def action_undo(self) -> None:
        self.lobes.undo()

    def action_redo(self) -> None:
        self.lobes.redo()

    def action_look_again(self) -> None:
        self.lobes.writable()
        self.reload()

    def action_keys(self) -> None:
        self.lobes.show_keys(self)

    def action_commands(self) -> None:
        self.lobes.show_commands(self)
