"""The shell: modes, themes, signals, and what all screens share. Screens do the rest.

First paint before any work: the home is opened in a worker after the first frame stands.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events
from textual.app import App
from textual.filter import LineFilter
from textual.screen import Screen

from lobes.keys.actions import PAGES, Page
from lobes.keys.keymap import SHIPPED
from lobes.tui import themes
from lobes.tui.bindings import app_bindings, typed
from lobes.tui.breakage import Survival
from lobes.tui.drafts import Drafts
from lobes.tui.errors import sentence
from lobes.tui.glyphs import Glyphs
from lobes.tui.hiding import Hiding
from lobes.tui.jobs import Jobs, Settled
from lobes.tui.live import SETTLE, Live, StoreMoved
from lobes.tui.memory import Kept, Left
from lobes.tui.net import ControlNet
from lobes.tui.overlays import Overlays
from lobes.tui.paint import Look, Span, ink
from lobes.tui.screens.page import PageScreen
from lobes.tui.theming import Theming
from lobes.tui.undoing import Undoing
from lobes.tui.veil import Veil
from lobes.tui.views.chrome import IndexState, too_small
from lobes.tui.wakening import wake_on_signals
from lobes.tui.writing import Writing

if TYPE_CHECKING:
    from rich.console import RenderableType

    from lobes.keys.keymap import LoadedKeys
    from lobes.tui.departure import Departure
    from lobes.tui.outcomes import Opening, SpacesView
    from lobes.tui.ports import Source
    from lobes.tui.values import SpaceRow
    from lobes.tui.widgets.toast import Kind

BREAKPOINTS = [(0, "-single"), (80, "-narrow"), (100, "-wide"), (150, "-ultra")]
"""Columns from which a screen has a class of the style sheet."""
COLLECT = 20_000
"""New objects before a collection: the interpreter's 700 stops the loop while files come in."""
PROBLEMS_KEPT = 100
RESTED = 0.3
"""Seconds without a key after which what others wrote is read."""
SECOND_PRESS = 2.0
"""Seconds within which a second ctrl+c quits."""


def _screen(page: Page) -> Callable[[], Screen[None]]:
    """The screen of a mode, imported when the mode is first shown."""

    def make() -> Screen[None]:
        if page == "spaces":
            from lobes.tui.screens.spaces import SpacesScreen

            return SpacesScreen()
        if page == "search":
            from lobes.tui.screens.search import SearchScreen

            return SearchScreen()
        if page == "lobe":
            from lobes.tui.screens.lobe import LobeScreen

            return LobeScreen()
        if page == "review":
            from lobes.tui.screens.review import ReviewScreen

            return ReviewScreen()
        if page == "activity":
            from lobes.tui.screens.activity import ActivityScreen

            return ActivityScreen()
        from lobes.tui.screens.later import LessonsScreen, SharesScreen

        return LessonsScreen() if page == "lessons" else SharesScreen()

    return make


class LobesApp(Overlays, Theming, Hiding, Undoing, Writing, Survival, App[None]):
    """`source` answers from the services; `clock` gives the present time, aware of its zone."""

    TITLE = "Lobes"
    CSS_PATH = "lobes.tcss"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    DEFAULT_MODE = "spaces"
    ticks: Callable[[], float] = staticmethod(monotonic)
    """Seconds of a clock that only grows."""
    HORIZONTAL_BREAKPOINTS = BREAKPOINTS
    MODES: ClassVar[dict[str, str | Callable[[], Screen[Any]]]] = {
        page: _screen(page) for page, _ in PAGES
    }

    is_open = False
    """Whether the home is open: before, nothing can be read."""
    left: Left | None = None
    """How the app was left, once it has been."""
    space_id = ""
    trouble = ""
    """What keeps the screens from following the files, for line 2."""
    banner = ""
    """Why nothing that is decided now would be kept."""
    departure: Departure | None = None
    last_key = 0.0
    """When a key came last, in seconds of `monotonic`."""
    warnings: Sequence[str] = ()
    """What was wrong with the settings: said once the home is open."""
    _page = ""
    _is_recalled = False
    _is_stale = False
    _interrupted = -SECOND_PRESS

    def __init__(
        self,
        source: Source,
        *,
        clock: Callable[[], datetime],
        glyphs: Glyphs | None = None,
        theme: str = themes.DEFAULT,
        themes_folder: Path | None = None,
        live: bool = True,
        demo: bool = False,
        keys: LoadedKeys | None = None,
        hides: bool = False,
    ) -> None:
        self._net = ControlNet()
        super().__init__()
        self.source = cast("Source", Veil(source)) if hides else source
        self.keymap = keys.keymap if keys else SHIPPED
        self._key_faults = keys.faults if keys else ()
        self._bindings = app_bindings(self.keymap)
        # The terminal's own key: it means the same in every program, so it is no action of ours.
        self._bindings.bind("ctrl+z", "suspend_process", show=False)
        self.glyphs = glyphs or Glyphs()
        self._net.ascii = self.glyphs.ascii
        self.jobs = Jobs(self, self.report, waited=self._waited, is_held=source.is_kept_out)
        self.counts: dict[str, int] = {}
        self.index = IndexState()
        self.drafts = Drafts(clock)
        self.recent: list[str] = []
        self.problems: list[tuple[str, Kind]] = []
        self.stopping = Event()
        self._kept: dict[str, Kept] = {}
        self._clock = clock
        self._spaces: dict[str, SpaceRow] = {}
        self._known_rows: dict[str, SpaceRow] = {}
        self._live = Live(self, source) if live else None
        self._demo = demo
        self.begin_with_theme(theme, themes_folder)

    # -- look

    @property
    def look(self) -> Look:
        return Look(self.glyphs, self._clock(), self.keymap)

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), self._net]

    def name_span(self, name: str) -> list[Span]:
        return [ink(name, bold=True)]

    def use_glyphs(self, glyphs: Glyphs) -> None:
        self.glyphs, self._net.ascii = glyphs, glyphs.ascii
        self.looks_again()

    # -- life

    def on_mount(self) -> None:
        if self.departure is not None:
            loop = asyncio.get_running_loop()
            self.departure.listen(lambda: loop.call_soon_threadsafe(self.exit) and None)
            wake_on_signals(loop)
        self.call_after_refresh(self._open)

    def _open(self) -> None:
        """The first frame stands. What was made for it stays, so it is looked at no more."""
        if not gc.isenabled():
            gc.freeze()
            gc.set_threshold(COLLECT)
            gc.enable()
        self.jobs.start("open", self.source.open, self._opened)

    def _opened(self, opening: Opening) -> None:
        self.space_id = opening.left.space
        self._kept = dict(opening.left.lists)
        self.recent = list(opening.left.recent)
        self._page = "" if self._demo else opening.left.page
        self._warn()
        if opening.fresh:
            self.welcome()
        else:
            self.ready(ask=self._demo)

    def _warn(self) -> None:
        """One toast for all that is wrong with settings, keys and theme; each is in Problems."""
        faults = [*self.warnings, *(one.sentence for one in self._key_faults)]
        if self.bad_theme is not None:
            faults.append(sentence(self.bad_theme)[0])
        for fault in faults:
            self.problems_seen(fault, "warning")
        if faults:
            more = (
                f" {len(faults) - 1} more: {self.look.key('problems')} shows it."
                if len(faults) > 1
                else ""
            )
            self.say(f"{faults[0]}{more}", "warning", listed=True)

    def ready(self, *, ask: bool = False) -> None:
        """The home is open: screens read, and what others write is watched."""
        self.is_open = True
        self.reload()
        self.set_timer(SETTLE, self.writable)
        self.follow_theme()
        if ask:
            self.call_later(self.first_question)

    def recall(self, screen: PageScreen) -> None:
        """Once a session and screen: as the last one left it."""
        kept = self._kept.pop(screen.page, None)
        if kept is not None:
            screen.recall(kept)

    def leaving(self) -> Left:
        """How the app is left, for the next start; what was not shown is as it was."""
        lists = dict(self._kept)
        page = self.current_mode
        for stack in self._screen_stacks.values():
            if stack and isinstance(screen := stack[0], PageScreen) and screen.is_mounted:
                lists[screen.page] = screen.kept()
        return Left(self.space_id, page, lists, tuple(self.recent))

    def exit(
        self, result: None = None, return_code: int = 0, message: RenderableType | None = None
    ) -> None:
        if self.departure is not None:
            self.departure.begin()
        if self.is_open and self.left is None:
            self.left = self.leaving()
        super().exit(result, return_code, message)

    def on_unmount(self) -> None:
        self.stopping.set()

    async def on_event(self, event: events.Event) -> None:
        """A dialog may refuse a key before any widget sees it; where nothing is shown, all do."""
        acts = isinstance(event, events.Key | events.Paste | events.MouseEvent)
        unseen = self.is_blank or too_small(*self.size)
        if acts and not event.is_forwarded and unseen and not self._quits(event):
            return
        if isinstance(event, events.Key) and not event.is_forwarded:
            self.last_key = monotonic()
            swallows = getattr(self.screen, "swallows", None) if self.screen_stack else None
            if swallows is not None and swallows():
                return
        await super().on_event(event)

    def on_key(self, event: events.Key) -> None:
        """A key that no widget took. The answer to an open question is no other key's command."""
        if isinstance(self.screen, PageScreen) and self.screen.takes(event):
            event.stop()
            event.prevent_default()

    def _quits(self, event: events.Event) -> bool:
        """Whether to hand a key on: where nothing is shown, what it would do can't be seen."""
        key = typed(event) if isinstance(event, events.Key) else ""
        if key in self.keymap.of("back") and not self.is_blank:
            self.exit()
        elif key == "ctrl+c":
            self.action_help_quit()
        return key in self.keymap.of("quit")

    def action_help_quit(self) -> None:
        """The first ctrl+c says how to quit, the second one within two seconds does."""
        now = asyncio.get_running_loop().time()
        if now - self._interrupted < SECOND_PRESS:
            self.exit()
            return
        self._interrupted = now
        self.say("Press ctrl+c again to quit", "warning", listed=True)

    def leave(self) -> None:
        """`q` at the root."""
        if self.current_mode == self.DEFAULT_MODE:
            self.exit()
        else:
            self.go(self.DEFAULT_MODE)

    # -- what screens share

    @property
    def space(self) -> SpaceRow | None:
        """The Space that is open, as it was last seen: it may have been put away since."""
        return self._known_rows.get(self.space_id)

    def space_named(self, space: str, name: str) -> None:
        """What a Space is called now: a screen read it after the last list did."""
        row = self._known_rows.get(space)
        if row is not None and row.name != name:
            self._known_rows[space] = replace(row, name=name)

    def known_spaces(self) -> list[SpaceRow]:
        return list(self._spaces.values())

    def spaces_seen(self, spaces: Sequence[SpaceRow], view: SpacesView) -> None:
        if self._live and not self._live.started:
            self._live.start()
        here = {space.id: space for space in spaces}
        self._known_rows |= here
        if view != "active":
            return
        self._spaces = here
        self.counts["review"] = sum(space.waiting for space in spaces)
        if self.space_id not in self._known_rows:
            self.space_id = spaces[0].id if spaces else ""
        if not self._is_recalled:
            self._is_recalled = True
            self.call_later(self._recall_page)

    def _recall_page(self) -> None:
        """The Spaces are known: where the last session was, there this one begins."""
        if isinstance(self.screen, PageScreen):
            self.recall(self.screen)
        if self._page in dict(PAGES) and self.current_mode == self.DEFAULT_MODE:
            self.go(self._page)

    def hold_screens(self) -> None:
        """The screens are about to go: the next ones begin as these are."""
        self._kept = dict(self.leaving().lists)

    def see_by(
        self, source: Source, lists: Sequence[Sequence[SpaceRow]], turned: Callable[[Any], Any]
    ) -> None:
        """Ask another source, in whose words all that is held is told from now on. `lists` are the
        Spaces of each view, the active ones first. No screen may hold anything any more."""
        left = turned(self.leaving())
        self.source, self.space_id, self._kept = source, left.space, dict(left.lists)
        self._spaces = {one.id: one for one in lists[0]}
        self._known_rows = {one.id: one for some in lists for one in some}
        self.problems, self.trouble = turned(self.problems), turned(self.trouble)
        self.drafts.turn(turned)
        self.turn_undo(turned)

    def open_space(self, space: str) -> None:
        """Make a Space the current one, and remember it for the next start."""
        self.space_id = space
        self.jobs.start("remember", partial(self.source.remember, self.leaving()))
        if isinstance(self.screen, PageScreen):
            self.screen.refresh_chrome()

    def go(self, page: str) -> None:
        if page != self.current_mode:
            if isinstance(self.screen, PageScreen):
                self.screen.left()
            self.switch_mode(page)

    def reload(self) -> None:
        """The screen that is shown reads again; the others do when they are shown."""
        if isinstance(self.screen, PageScreen):
            self.screen.reload()
            self.screen.refresh_chrome()

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
        if self.is_blank:
            again = partial(self.say, undo=undo, redo=redo, hint=hint, listed=listed)
            self.unsaid.append(partial(again, text, kind))
            return
        for screen in reversed(self.screen_stack):
            if isinstance(screen, PageScreen):
                text, hint = self.shown(text), self.shown(hint)
                screen.say(text, kind, undo=undo, redo=redo, hint=hint, listed=listed)
                return

    def report(self, error: Exception) -> None:
        self.say(*sentence(error))

    def _waited(self) -> None:
        if isinstance(self.screen, PageScreen):
            self.screen.waited()

    def problems_seen(self, text: str, kind: Kind) -> None:
        if kind != "success":
            self.problems = [*self.problems[1 - PROBLEMS_KEPT :], (text, kind)]

    def on_settled(self, event: Settled) -> None:
        event.stop()
        event.settle()

    def on_store_moved(self, event: StoreMoved) -> None:
        """Somebody wrote: another process, the watcher, or we ourselves."""
        event.stop()
        behind = self.index.done < self.index.total
        if event.index is not None:
            self.index = event.index
        if event.trouble is not None:
            self.trouble = self.shown(event.trouble)
        caught_up = event.index is not None and behind and self.index.done >= self.index.total
        if event.store or caught_up:
            self._reload_soon()
        if isinstance(self.screen, PageScreen):
            self.screen.refresh_chrome()

    def _reload_soon(self) -> None:
        """At once, or once no key has come for a moment: reading ten thousand rows is felt."""
        self._is_stale = True
        if monotonic() - self.last_key < RESTED:
            self.set_timer(RESTED, self._reload_stale)
        else:
            self._reload_stale()

    def _reload_stale(self) -> None:
        if not self._is_stale:
            return
        if monotonic() - self.last_key < RESTED:
            self.set_timer(RESTED, self._reload_stale)
            return
        self._is_stale = False
        # Under a dialog too: what it asks about may be gone by the time it is answered.
        for screen in reversed(self.screen_stack):
            if isinstance(screen, PageScreen):
                screen.others_wrote()
                return
