"""Every key that the help names does something that a person sees.

Walked from the registry on the samples, so an action that is added joins by itself. A key that is
right to do nothing stands in `STILL` with the reason; one that does something must not stand there.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.e2e.homes import lobes, sample_home
from tests.tui.frames import frame, make, settled
from textual.pilot import Pilot

from decided import claim
from lobes.bootstrap import open_installation
from lobes.config.folders import folders_under
from lobes.domain.actors import Ai
from lobes.domain.memories import Provenance
from lobes.domain.proposals import Origin, Proposal
from lobes.keys.actions import Action, Overlay, Page, When, here, of_screen
from lobes.services.installation import Caller
from lobes.services.memories import add
from lobes.services.proposing import propose
from lobes.tui.app import LobesApp
from lobes.tui.home import Home
from lobes.tui.screens.matrix import MatrixScreen
from lobes.tui.screens.page import PageScreen
from lobes.tui.screens.review import ReviewScreen
from lobes.tui.screens.welcome import WelcomeScreen
from lobes.tui.widgets.dialog import Button, Dialog, words
from lobes.tui.widgets.virtual_list import VirtualList

SIZE = (120, 24)
WALKED: tuple[Page, ...] = (
    *("spaces", "search", "review", "lessons", "shares", "lobe", "activity"),
)
STILL = {(page, f"go_{page}"): "it is shown already" for page in WALKED}
STILL |= {(page, "look_again"): "nothing has changed that it could show" for page in WALKED}
STILL |= {(page, "leave"): "there is nothing to close or clear" for page in ("lessons", "shares")}
OFF = {("spaces", "trust"): "no space.yaml of the samples has changed"}
"""What can't be done on the samples. It has a test of its own below."""
UP = {id: ("G",) for id in ("previous", "first", "half_up", "page_up")}
BEFORE: dict[tuple[str, str], tuple[str, ...]] = {
    **{(page, id): keys for page in WALKED for id, keys in UP.items()},
    **{(page, "pane_left"): ("tab",) for page in WALKED},
    **{(page, "leave"): ("enter",) for page in ("spaces", "search", "review", "activity")},
    ("lobe", "leave"): ("space",),
    ("lobe", "save"): ("space",),
    ("lobe", "remove_source"): ("+", "enter"),
    ("lobe", "pane_left"): (),
}
"""What is pressed first, so that there is something to do: a list is left at its end."""
HIDES = "Call the ledger\u202e with tenant 0 first."
ENOUGH = 30
"""Proposals, at least: what was decided on by a key before is gone from the list."""
LOOKS = 10
"""Frames that a change may take; a key that does nothing costs all of them."""


@dataclass
class Walked:
    """The app, what it was told to do besides painting, and how it looks from outside."""

    app: LobesApp
    pilot: Pilot[None]
    left: list[str] = field(default_factory=list[str])

    def seen(self) -> tuple[object, ...]:
        app = self.app
        focused = app.focused.id if app.focused else ""
        return frame(app), [*app.screen_stack], app.current_mode, app.theme, focused, [*self.left]

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await settled(self.pilot)

    async def acts(self, key: str) -> bool:
        """Whether the key changes anything that can be seen."""
        before = self.seen()
        await self.press(key)
        for _ in range(LOOKS):
            if self.seen() != before:
                return True
            await self.pilot.pause(0.02)
        return False

    async def comes_to(self, when: When) -> bool:
        """Whether there is a row on which this holds; the cursor is on it then."""
        screen = self.app.screen
        assert isinstance(screen, PageScreen)
        for list in screen.query(VirtualList):
            for _ in range(list.count()):
                if when in set(screen.able()):
                    break
                await self.press("j")
        return when in set(screen.able())

    async def at(self, page: Page) -> None:
        """The screen as it is when it is first shown: nothing over it, zoomed, filtered or said."""
        while len(self.app.screen_stack) > 1:
            self.app.pop_screen()
            await settled(self.pilot)
        self.app.go("spaces")
        await settled(self.pilot)
        self.app.drafts.forget(self.app.space_id)
        self.app.go(page)
        await settled(self.pilot)
        if page == "search":
            self.app.open_space("prj_notidian")  # in which there is an answer
            await settled(self.pilot)
            await self.asked()
        for _ in range(3):
            await self.press("escape")
        self.app.go(page)
        while not self.is_first_view():
            await self.press("f")
        if page == "review":
            await self.waits()
        self.app.screen.query_one("#list").focus()
        await self.press("g")

    def is_first_view(self) -> bool:
        screen = self.app.screen
        if isinstance(screen, ReviewScreen):
            return screen.view is screen.use.views[0]
        return getattr(screen, "view", "active") in ("active", "all")

    async def waits(self) -> None:
        """The first row stands with its evidence, and may be decided on."""
        screen = self.app.screen
        assert isinstance(screen, ReviewScreen)
        screen.listing.clear_marks()
        while screen.listing.count() < ENOUGH or screen._inspected is None:
            await self.pilot.pause(0.05)
            await settled(self.pilot)

    async def still_over(
        self, overlay: Overlay, open: Callable[[LobesApp], object], *typed: str
    ) -> set[str]:
        """The keys that do nothing in it, of those that its help offers."""
        still: set[str] = set()
        for action in of_screen(overlay):
            for key in action.keys:
                await self.at("spaces")
                open(self.app)
                await settled(self.pilot)
                over = self.app.screen
                if isinstance(over, Dialog):
                    over.guard.release()
                    if action.when not in set(over.able()):
                        continue
                await self.press(*typed)
                while typed and not over.query_one(VirtualList).count():
                    await self.pilot.pause(0.02)
                await self.press(*(_first(action) if overlay != "welcome" else ()))
                still |= set() if await self.acts(key) else {f"{action.id} by {key}"}
        return still

    async def asked(self) -> None:
        """Answers, where there are none yet."""
        while not self.app.screen.query_one("#list").count():  # type: ignore[attr-defined]
            self.app.screen.ask("sync conflicts")  # type: ignore[attr-defined]
            await self.pilot.pause(0.2)
            await settled(self.pilot)


@asynccontextmanager
async def walking(home: Path) -> AsyncIterator[Walked]:
    app = make(Home(folders_under(home)))
    left: list[str] = []
    app.exit = lambda *_, **named: left.append("exit")  # type: ignore[method-assign]
    async with app.run_test(size=SIZE, notifications=False) as pilot:
        await settled(pilot)
        try:
            yield Walked(app, pilot, left)
        finally:
            del app.exit


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with sample_home(tmp_path_factory.mktemp("keys") / "home") as home:
        propose_all(home)
        yield home


def propose_all(home: Path) -> None:
    """More than a screen of proposals in one Space, from one session; the newest hides something,
    and two say nearly the same of what is in use."""
    with open_installation(folders_under(home), environ={}) as lobes:
        me = lobes.owner_at("cli", is_present=True)
        agent = Caller(Ai(lobes.owner, "proposer", "prj_notidian"), "mcp")
        add(lobes, me, "prj_notidian", Proposal("Vault blocks are kept by their ids."))
        same = "The nightly report goes out before the index is rolled over"
        for text in (*map(claim, range(50)), f"{same}.", f"{same}, always.", HIDES):
            origin = Origin("agent", Provenance("mcp", "s1", "claude-code", "propose_memory"))
            propose(lobes, agent, "prj_notidian", Proposal(text), origin)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("page", WALKED)
async def test_every_key_that_is_valid_on_a_screen_does_something(home: Path, page: Page) -> None:
    still: set[str] = set()
    off: set[str] = set()
    async with walking(home) as walked:
        for action in here(page):
            for key in action.keys:
                await walked.at(page)
                await walked.press(*BEFORE.get((page, action.id), ()))
                if not await walked.comes_to(action.when):
                    off.add(action.id)
                elif not await walked.acts(key):
                    still.add(action.id)
    assert still == {id for where, id in STILL if where == page}
    assert off == {id for where, id in OFF if where == page}


def _dialog(app: LobesApp) -> Dialog:
    text = [f"Line {n} of a text that has to be scrolled." for n in range(80)]
    buttons = [Button("", "Close"), Button("a", "One"), Button("b", "Two")]
    dialog = Dialog("A dialog", words(*text), buttons, look=app.look)
    dialog.guard.release()
    return dialog


OPENS: dict[Overlay, Callable[[LobesApp], object]] = {
    "dialog": lambda app: app.push_screen(_dialog(app)),
    "picker": lambda app: app.show_commands(app.screen),  # type: ignore[arg-type]
    "help": lambda app: app.show_keys(app.screen),  # type: ignore[arg-type]
    "matrix": lambda app: app.push_screen(MatrixScreen("", look=app.look)),
    "welcome": lambda app: app.push_screen(WelcomeScreen()),
}
SHOWN: dict[str, tuple[Overlay, Callable[[LobesApp], object]]] = {
    "people": ("picker", lambda app: app.show_people()),
    "Spaces": ("picker", lambda app: app.pick_space()),
    "find": ("picker", lambda app: app.find()),
    "theme": ("picker", lambda app: app.set_preference("theme")),
    "problems": ("dialog", lambda app: app.show_problems()),
    "presence": ("dialog", lambda app: app.show_presence_code()),
}
"""What a person opens over a screen, and as what of the above it takes keys."""
FIRST = {
    "left": ("right",),
    "up": ("down", "down"),
    "page_up": ("pagedown",),
    "page_left": ("right", "right"),
    "first": ("down",),
}


def _first(action: Action) -> Sequence[str]:
    return FIRST.get(action.id.removeprefix(f"{action.screen}_"), ())


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("overlay", OPENS)
async def test_every_key_of_what_lies_over_a_screen_does_something(
    home: Path, overlay: Overlay
) -> None:
    async with walking(home) as walked:
        assert await walked.still_over(overlay, OPENS[overlay]) == set()


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", SHOWN)
async def test_every_key_of_what_a_person_opens_over_a_screen_does_something(
    home: Path, name: str
) -> None:
    async with walking(home) as walked:
        typed = "e" if name == "find" else ""
        assert await walked.still_over(*SHOWN[name], *typed) == set()


@pytest.mark.slow
async def test_trust_where_a_space_yaml_has_changed(tmp_path: Path) -> None:
    with sample_home(tmp_path / "home") as home:
        manifest = next(home.rglob("area_health/space.yaml"))
        text = manifest.read_text(encoding="utf-8")
        manifest.write_text(text.replace("retrieval: deny", "retrieval: open"), encoding="utf-8")
        lobes(home, "index", "area_health")
        async with walking(home) as walked:
            assert await walked.comes_to("changed")
            await walked.press("t")
            assert isinstance(walked.app.screen, Dialog)
            walked.app.screen.guard.release()
            await walked.press("right", "enter")
            assert not await walked.comes_to("changed"), "it is trusted"


@pytest.mark.slow
async def test_allow_once_where_a_lobe_asks_first(home: Path) -> None:
    async with walking(home) as walked:
        walked.app.open_space("prj_notidian")
        await walked.at("search")
        assert await walked.comes_to("asks")
        before = frame(walked.app)
        await walked.press("o", "enter")
        assert any("once" in line for line in frame(walked.app))
        assert frame(walked.app) != before
