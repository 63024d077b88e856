"""Following packs live: the engine's hints become looks at the files, one Space at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lobes.domain.errors import LobesError
from lobes.domain.packs import SPACE_YAML
from lobes.engine.protocol import WatchEvent, WatchRoot
from lobes.services.indexing import IndexReport, Stop, index_space, live_spaces, never
from lobes.services.installation import Caller, Installation
from lobes.store.read_spaces import space_rows

WAIT_SECONDS = 1.0
"""How long one wait for a hint lasts: the rhythm in which a stop and new Spaces are noticed."""

Tell = Callable[[IndexReport], None]
Fail = Callable[[LobesError], None]


def watch_roots(lobes: Installation, caller: Caller) -> tuple[WatchRoot, ...]:
    """The folders of the live Spaces that the caller may bring up to date, and that are there."""
    mine = set(live_spaces(lobes, caller))
    with lobes.reading() as store:
        rows = space_rows(store)
    return tuple(
        WatchRoot(row.id, row.root) for row in rows if row.id in mine and Path(row.root).is_dir()
    )


def follow(
    lobes: Installation, caller: Caller, *, tell: Tell, fail: Fail, stop: Stop = never
) -> None:
    """Watch and index until `stop`; a fault in one Space is told and never ends the others.

    `tell` gets a report for every look that changed something; `fail` a fault that the loop
    survived. Blocks: run it in a worker of its own.
    """
    watched: tuple[WatchRoot, ...] = ()
    while not stop():
        try:
            roots = watch_roots(lobes, caller)
            if roots != watched:
                lobes.engine.watch(roots)
                watched = roots
            event = lobes.engine.next_event(seconds=WAIT_SECONDS)
            if event is not None:
                _look(lobes, caller, event, tell, stop)
        except LobesError as error:
            watched = ()
            fail(error)


def _look(lobes: Installation, caller: Caller, event: WatchEvent, tell: Tell, stop: Stop) -> None:
    """Hints that touch `space.yaml` or the ignore file concern the whole root."""
    whole = not event.paths or any(path in (SPACE_YAML, ".lobesignore") for path in event.paths)
    report = index_space(lobes, caller, event.space, paths=() if whole else event.paths, stop=stop)
    if report.indexed or report.removed or report.skipped:
        tell(report)
