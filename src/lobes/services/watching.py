"""Following packs live: the engine's hints become looks at the files, one Space at a time."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from lobes.domain.errors import Forbidden, LobesError, NotFound, Unavailable
from lobes.domain.packs import SPACE_YAML
from lobes.engine.protocol import WatchEvent, WatchRoot
from lobes.services.indexing import IndexReport, Stop, index_space, live_spaces, never
from lobes.services.installation import Caller, Installation
from lobes.store.ignore import IGNORE_FILE
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
    return tuple(WatchRoot(row.id, row.root) for row in rows if row.id in mine and _there(row.root))


def _there(root: str) -> bool:
    """Whether it can be watched; a disk that fails or a name that is too long can't."""
    try:
        return Path(root).is_dir()
    except OSError:
        return False


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
        except LobesError as error:
            watched = ()
            fail(error)
            time.sleep(WAIT_SECONDS)  # else an engine that can't start would be asked at once again
            continue
        # Hints may still come for a Space that the caller may no longer follow: nobody looks then.
        if event is not None and event.space in {one.space for one in watched}:
            _look(lobes, caller, event, tell=tell, fail=fail, stop=stop)


def _look(
    lobes: Installation, caller: Caller, event: WatchEvent, *, tell: Tell, fail: Fail, stop: Stop
) -> None:
    """Hints that touch `space.yaml` or the ignore file concern the whole root."""
    whole = not event.paths or any(path in (SPACE_YAML, IGNORE_FILE) for path in event.paths)
    paths = () if whole else event.paths
    try:
        report = index_space(lobes, caller, event.space, paths=paths, stop=stop)
    except NotFound:  # it was put away since the engine saw its files change
        return
    except LobesError as error:
        fail(error)
    except OSError:
        fail(
            Unavailable(
                "The Space's folder can't be read.",
                hint="See lobes status.",
                reason="root_unreadable",
            )
        )
    else:
        for root in report.roots:
            if root.state == "denied":
                fail(Forbidden(root.problem, reason="denied"))
        if report.indexed or report.removed or report.skipped or report.held:
            tell(report)
