"""Run the app without a terminal and read what it painted, cell for cell."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from tests.tui.sample import NOW, FixedSource
from textual.pilot import Pilot
from textual.worker import WorkerCancelled

from lobes.keys.keymap import LoadedKeys
from lobes.tui.app import LobesApp
from lobes.tui.glyphs import Glyphs
from lobes.tui.ports import Source
from lobes.tui.views.chrome import IndexState

READY = IndexState("ready", 10, 10)
PATIENCE = 100.0
"""Seconds; less than a test's own limit, whose exception the loop only logs where it comes up in a
callback, so that the test would hang on."""


def make(
    source: Source | None = None,
    *,
    theme: str = "lobes-night",
    ascii: bool = False,
    live: bool = False,
    keys: LoadedKeys | None = None,
    hides: bool = False,
) -> LobesApp:
    app = LobesApp(
        source or FixedSource(),
        clock=lambda: NOW,
        theme=theme,
        glyphs=Glyphs(ascii),
        live=live,
        keys=keys,
        hides=hides,
    )
    app.index = READY
    app.ticks = itertools.count().__next__  # whatever is painted has been there for a second
    app.counts = {"lessons": 2, "shares": 1}
    return app


@asynccontextmanager
async def running(app: LobesApp, size: tuple[int, int]) -> AsyncIterator[Pilot[None]]:
    """The app on a terminal of this size; whoever waits in here waits `PATIENCE` at most."""
    async with asyncio.timeout(PATIENCE), app.run_test(size=size, notifications=False) as pilot:
        await settled(pilot)
        yield pilot


async def settled(pilot: Pilot[None]) -> None:
    """Until no job runs and what the jobs posted has been handled."""
    for _ in range(4):
        for node in (pilot.app, *pilot.app.screen_stack):
            # A newer job of the same group cancels the older one, which is no fault.
            with suppress(WorkerCancelled):
                await node.workers.wait_for_complete()
        await pilot.pause()


async def until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    """Wait on state, as long as the app is `running`."""
    while not holds():
        await pilot.pause(0.01)
    await settled(pilot)


def frame(app: LobesApp) -> list[str]:
    """The screen as lines of text, each as wide as the screen in cells."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]
