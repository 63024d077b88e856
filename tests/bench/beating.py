"""The app on a pty whose event loop is listened to: `python -m tests.bench.beating HOME OUT`.

With the word `many` in place of HOME: on fixed values, a list of 10,000 Spaces and no store. When
it is quit, OUT gets every beat as `[time, seconds since the one before, seconds that the loop's
own thread worked in them]`, the time on the clock of the whole system.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from tests.tui.sample import SPACES, FixedSource

from lobes.config.folders import folders_under
from lobes.tui import app, home
from lobes.tui.start import start

Beat = tuple[float, float, float]
BEAT = 0.01
ROWS = 10_000


async def _listen(beats: list[Beat]) -> None:
    before, worked = time.monotonic(), time.thread_time()
    while True:
        await asyncio.sleep(BEAT)
        now, work = time.monotonic(), time.thread_time()
        beats.append((now, now - before, work - worked))
        before, worked = now, work


def _listened(beats: list[Beat]) -> type[app.LobesApp]:
    class Listened(app.LobesApp):
        CSS_PATH = Path(app.__file__).with_name("lobes.tcss")

        def on_mount(self) -> None:
            super().on_mount()
            self.heart = asyncio.ensure_future(_listen(beats))

    return Listened


def _many(*_: object, **__: object) -> FixedSource:
    rows = tuple(
        replace(SPACES[n % 6], id=f"prj_{n:05}", name=f"Space {n:05} {n % 97}") for n in range(ROWS)
    )
    return FixedSource(rows=rows, current=rows[0].id)


def main(place: str, out: str) -> None:
    """Starts as a person's shell would, with an app that also counts its beats."""
    beats: list[Beat] = []
    app.LobesApp = _listened(beats)
    if place == "many":
        make: Callable[..., object] = _many
        home.Home = make  # pyright: ignore[reportAttributeAccessIssue]
    try:
        start(folders_under(Path(place)))
    finally:
        Path(out).write_text(json.dumps(beats), encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])
