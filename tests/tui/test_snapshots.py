"""Every screen in every state, as a picture that a person has looked at and accepted.

Everything that moves is held still: the clock, the zone, the theme, the values. To accept what has
changed, after looking at the report: `make accept`.
"""

from __future__ import annotations

import itertools
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from tests.tui.frames import READY, frame, settled
from tests.tui.sample import CHAIN, LOBE, NOW, FixedSource
from tests.tui.sample_access import ACCESS
from tests.tui.sample_people import ALONE
from tests.tui.sample_review import FixedReview
from textual.pilot import Pilot

from lobes.domain.errors import LobesError, Unavailable
from lobes.domain.lobes import LobeConfig
from lobes.domain.permissions import Permission
from lobes.tui import app as app_module
from lobes.tui.access import Named
from lobes.tui.app import LobesApp
from lobes.tui.glyphs import Glyphs
from lobes.tui.values import Activity
from lobes.tui.views.chrome import IndexState

ACCEPTED = Path(__file__).parent / "__snapshots__"
SIZES = ((80, 24), (120, 40), (160, 50))
THEMES = ("lobes-night", "lobes-paper")
SLOW_AFTER = 0.6
"""Seconds that an answer takes which never comes."""

Source = Callable[[], FixedSource]


@dataclass(frozen=True)
class Scene:
    """Values, keys, and the call whose answer is the last thing that the frame shows."""

    source: Source = FixedSource
    keys: tuple[str, ...] = ()
    waits: str = "spaces"
    holds: str = ""
    """The call that never answers."""
    index: IndexState = field(default=READY)
    stacked: tuple[str, ...] = ()
    """The keys at 80 × 24, where the rows stand in another order."""


def failing(call: str, error: Exception | None = None) -> Source:
    broken = error or LobesError("The store can't be read.", hint="lobes doctor says more.")
    return lambda: FixedSource(fail={call: broken})


def asking(**changes: Any) -> Source:
    def make() -> FixedSource:
        source = FixedSource()
        source.found = replace(source.found, **changes)
        return source

    return make


def unrecorded() -> FixedSource:
    return FixedSource(record=Activity(), chain=replace(CHAIN, rows=0))


def initech() -> FixedSource:
    return FixedSource(current="prj_initech")


def anothers() -> FixedSource:
    """A Space whose owner decides who sees it, and that draws on nothing else."""
    source = initech()
    source.view = replace(
        LOBE, access=None, config=LobeConfig(), sources=LOBE.sources[:1], refusals=()
    )
    return source


def void() -> FixedSource:
    """A group that was removed, and a person whom nobody knows, are still named."""
    source = initech()
    gone = (
        Named("group:old", "old", "", "unknown group"),
        Named("user:rex", "rex", "", "unknown person"),
    )
    names = frozenset({"group:old", "user:rex", "user:mei"})
    permission = Permission("private", (("read_content", names), ("read_meta", names)))
    access = replace(ACCESS, permission=permission, known=(*ACCESS.known, *gone))
    source.view = replace(LOBE, access=access)
    return source


QUESTION = ("2", *"sync")
BUSY = Unavailable("Another window is writing.", reason="store_busy")
SCENES: dict[str, Scene] = {
    "first-run": Scene(lambda: FixedSource(current="", fresh=True), waits="open"),
    "first-run-error": Scene(
        lambda: FixedSource(current="", fresh=True, fail={"begin": BUSY}),
        ("3", "enter"),
        waits="begin",
    ),
    "spaces": Scene(waits="evidence"),
    "spaces-empty": Scene(lambda: FixedSource(rows=(), current="")),
    "spaces-loading": Scene(holds="spaces"),
    "spaces-error": Scene(failing("spaces")),
    "spaces-indexing": Scene(index=IndexState("ready", 412, 1830), waits="evidence"),
    "search": Scene(keys=QUESTION, waits="search"),
    "search-unasked": Scene(keys=("2",)),
    "search-empty": Scene(asking(answers=(), withheld=()), QUESTION, waits="search"),
    "search-withheld": Scene(asking(answers=()), QUESTION, waits="search"),
    # One letter: a second one would begin another search, with a wait of its own.
    "search-loading": Scene(keys=("2", "s"), holds="search"),
    "search-error": Scene(failing("search"), QUESTION, waits="search"),
    "lobe": Scene(initech, ("6",), waits="lobe"),
    "lobe-changed": Scene(initech, ("6", "space"), waits="preview"),
    "lobe-people": Scene(
        initech,
        ("6", "G", "k", "k", "space"),
        waits="preview",
        stacked=("6", "G", "k", "k", "k", "space"),
    ),
    "lobe-gains": Scene(
        initech,
        ("6", "G", "k", "k", "space", "ctrl+s"),
        waits="preview",
        stacked=("6", "G", "k", "k", "k", "space", "ctrl+s"),
    ),
    "lobe-name-somebody": Scene(initech, ("6", "p", "down", "enter"), waits="lobe"),
    "lobe-add-source": Scene(initech, ("6", "+"), waits="sources"),
    "lobe-of-another": Scene(anothers, ("6", "G"), waits="lobe"),
    "lobe-void": Scene(void, ("6", "G"), waits="lobe"),
    "lobe-loading": Scene(initech, ("6",), holds="lobe"),
    "lobe-error": Scene(failing("lobe"), ("6",), waits="lobe"),
    "activity": Scene(keys=("7",), waits="activity"),
    "activity-empty": Scene(unrecorded, ("7",), waits="activity"),
    "activity-loading": Scene(keys=("7",), holds="activity"),
    "activity-error": Scene(failing("activity"), ("7",), waits="activity"),
    "matrix": Scene(keys=("6", "M", "right"), waits="matrix"),
    "review": Scene(keys=("3",), waits="inspect"),
    "review-empty": Scene(lambda: FixedSource(reviewed=FixedReview(memories={})), ("3",), "queue"),
    "review-choice": Scene(keys=("3", "a"), waits="inspect"),
    "review-loading": Scene(keys=("3",), holds="queue"),
    "review-error": Scene(failing("queue"), ("3",), waits="queue"),
    "lessons": Scene(keys=("4",)),
    "shares": Scene(keys=("5",)),
    "keys": Scene(keys=("?",)),
    "commands": Scene(keys=(":",)),
    "open-a-space": Scene(keys=("ctrl+o",)),
    "trash": Scene(keys=("D",), waits="trash_impact"),
    "problems": Scene(failing("archive"), ("A", "!"), waits="archive"),
    "people": Scene(keys=(":", *"who is in", "enter"), waits="people"),
    "people-empty": Scene(
        lambda: FixedSource(everybody=ALONE), (":", *"who is in", "enter"), waits="people"
    ),
    "people-group": Scene(keys=(":", *"who is in", "enter", "down", "enter"), waits="group"),
    "toast": Scene(keys=("A",), waits="archive"),
}


class Pictured(LobesApp):
    """Its picture names no font of the net, and what it waits for comes when it ends."""

    CSS_PATH = Path(app_module.__file__).with_name("lobes.tcss")
    release = Event()

    def export_screenshot(self, **wanted: Any) -> str:
        svg = super().export_screenshot(**wanted)
        svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
        return re.sub(r"<!--.*?-->\s*", "", svg)

    def exit(self, *args: Any, **wanted: Any) -> None:
        self.release.set()
        super().exit(*args, **wanted)


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The zone and the colours."""
    for name in ("NO_COLOR", "COLORTERM", "TEXTUAL_THEME", "TEXTUAL_COLOR_SYSTEM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def cases() -> Iterator[Any]:
    """At 80 × 24 always; the wider ones take longer and are run with the slow tests."""
    for name in SCENES:
        for size in SIZES:
            for theme in THEMES:
                marks = [pytest.mark.slow] if size != SIZES[0] else []
                shown = f"{name}-{size[0]}x{size[1]}-{theme.removeprefix('lobes-')}"
                yield pytest.param(name, size, theme, id=shown, marks=marks)


@dataclass
class Shown:
    """One scene being brought about; `now` is the clock by which a wait is told."""

    app: Pictured
    source: FixedSource
    scene: Scene
    now: list[float]
    held: Event = field(default_factory=Event)

    def gate(self, call: str) -> None:
        """The call that never answers waits until the app ends."""
        if call == self.scene.holds:
            self.held.set()
            self.app.release.wait(60)

    async def bring(self, pilot: Pilot[None]) -> None:
        if self.scene.holds != "spaces":
            await settled(pilot)
        self.source.gate = self.gate
        for key in self.scene.keys:
            await pilot.press(key)
            if not self.scene.holds:
                await settled(pilot)
        await (self._late(pilot) if self.scene.holds else self._last(pilot))

    async def _late(self, pilot: Pilot[None]) -> None:
        """Until the screen says how long it looks, where it says so."""
        while not self.held.is_set():
            await pilot.pause(0.01)
        self.now[0] += SLOW_AFTER
        for _ in range(100):
            if f"{SLOW_AFTER} s" in "\n".join(frame(self.app)):
                return
            await pilot.pause(0.02)

    async def _last(self, pilot: Pilot[None]) -> None:
        while not self.source.count(self.scene.waits):
            await pilot.pause(0.01)
        await settled(pilot)


@pytest.mark.parametrize(("name", "size", "theme"), cases())
def test_scene(
    snap_compare: Callable[..., bool],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    size: tuple[int, int],
    theme: str,
) -> None:
    scene, source = SCENES[name], SCENES[name].source()
    if size == SIZES[0] and scene.stacked:
        scene = replace(scene, keys=scene.stacked)
    app = Pictured(source, clock=lambda: NOW, glyphs=Glyphs(), theme=theme, live=False)
    app.release, app.index = Event(), scene.index
    app.ticks = itertools.count().__next__
    app.counts = {"lessons": 2, "shares": 1}
    app.animation_level = "none"
    shown = Shown(app, source, scene, [100.0])
    if scene.holds:
        for module in ("lobes.tui.jobs", "lobes.tui.screens.search"):
            monkeypatch.setattr(f"{module}.monotonic", lambda: shown.now[0], raising=False)
    if scene.holds == "spaces":
        source.gate = shown.gate
    assert snap_compare(app, terminal_size=size, run_before=shown.bring)
