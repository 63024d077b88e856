"""Following packs: files → store. The engine follows the store through the outbox.

Events are hints. An unreadable root removes nothing, and a Space that can't be followed stops no
other. The engine isn't needed for any of it.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from lobes.access.facts import Resource
from lobes.classify import VERSION
from lobes.domain.errors import Corrupt, LobesError, NotFound, Unavailable, nothing_there
from lobes.domain.spaces import Space
from lobes.services.authority import facts_for, facts_of, may, record, require
from lobes.services.following import (
    PackRun,
    follow_pack,
    note_lost_roots,
    note_root,
    root_state_of,
)
from lobes.services.holding import hold_of
from lobes.services.index_report import (
    IndexReport,
    Progress,
    RootReport,
    SkippedFile,
    Stop,
    Watch,
    never,
    silent,
)
from lobes.services.initiator import Initiator
from lobes.services.installation import Caller, Installation
from lobes.services.manifests import follow_manifest, open_root
from lobes.services.pack_queue import known_held
from lobes.services.withheld import is_hidden
from lobes.store import read
from lobes.store.files import SafeRoot
from lobes.store.read_sensitivity import unclassified

_OF_THE_HOME = frozenset({"store_busy", "disk_full", "read_only", "store"})
"""Faults of the store: the next Space would meet the same one."""

__all__ = ["IndexReport", "Progress", "RootReport", "SkippedFile", "Stop", "Watch", "index_all",
           "index_space", "live_spaces", "never", "silent"]  # fmt: skip


def index_space(
    lobes: Installation,
    caller: Caller,
    space_id: str,
    *,
    paths: Sequence[str] = (),
    watch: Watch = silent,
    stop: Stop = never,
) -> IndexReport:
    """Bring the store up to what the Space's folder says now.

    With `paths` (hints, relative) only those are looked at. A root that is missing, unreadable or
    replaced is reported in `roots` and leaves all that is indexed as it is.
    """
    report = _index_one(lobes, caller, space_id, paths=paths, watch=watch, stop=stop)
    _trim(lobes)
    return report


def index_all(
    lobes: Installation, caller: Caller, *, watch: Watch = silent, stop: Stop = never
) -> IndexReport:
    """`index_space` for every live Space that the caller may edit; the others are not named.

    A Space that can't be followed is reported in `roots` and stops no other; a fault of the store
    itself (busy, full, damaged) is raised.
    """
    report = IndexReport()
    spaces = live_spaces(lobes, caller)
    note_lost_roots(lobes, spaces, stop)
    for space in spaces:
        if stop():
            return replace(report, stopped=True)
        report += _one_of_all(lobes, caller, space, watch=watch, stop=stop)
    _trim(lobes)
    return report


def _one_of_all(
    lobes: Installation, caller: Caller, space: str, *, watch: Watch, stop: Stop
) -> IndexReport:
    try:
        return _index_one(lobes, caller, space, paths=(), watch=watch, stop=stop)
    except NotFound:  # it was put away since the list was made
        return IndexReport()
    except LobesError as error:
        if isinstance(error, Corrupt) or error.reason in _OF_THE_HOME:
            raise
        return IndexReport(roots=(RootReport(space, "failed", error.message),))
    except OSError:
        return IndexReport(roots=(RootReport(space, "failed", "Its folder can't be read."),))


def live_spaces(lobes: Installation, caller: Caller) -> list[str]:
    """The ids of the live Spaces whose packs the caller may bring up to date."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
    return [
        space.id
        for space in facts.spaces.values()
        if space.is_live and may(caller, "edit_content", Resource("space", space.id), facts)
    ]


# One run ---------------------------------------------------------------------------------------


def _index_one(
    lobes: Installation,
    caller: Caller,
    space_id: str,
    *,
    paths: Sequence[str],
    watch: Watch,
    stop: Stop,
) -> IndexReport:
    started = time.perf_counter()
    with lobes.reading() as store:
        facts = facts_of(store, caller, space_id)
    resource = Resource("space", space_id)
    decision = require(lobes, caller, "edit_content", resource, facts=facts)
    database = lobes.database()
    with database.begin() as unit:
        space = unit.spaces.get(space_id)
    if space is None or not space.is_live:
        raise nothing_there()
    try:
        root = open_root(space)
    except Unavailable as error:
        note_root(database, space, root_state_of(error), identity=None)
        state = RootReport(space.id, root_state_of(error), error.message)
        return IndexReport(roots=(state,), seconds=time.perf_counter() - started)
    with root:
        note_root(database, space, "ok", identity=root.identity)
        space = follow_manifest(lobes, caller, space, root)
        run = _begun(lobes, caller, space, root, watch=watch, stop=stop)
        try:
            outcome = follow_pack(run, paths)
        finally:  # what was stored before a fault is stored
            _audit(run, caller, answer=decision.reason)
    return _report(run, caller, outcome, seconds=time.perf_counter() - started)


def _begun(
    lobes: Installation, caller: Caller, space: Space, root: SafeRoot, *, watch: Watch, stop: Stop
) -> PackRun:
    """A run over what is known of the Space now."""
    with lobes.reading() as store:
        known = read.stored_documents(store, space.id)
        unseen = unclassified(store, space.id, version=VERSION)
        hold = hold_of(store, space)
    who = Initiator(lobes, caller, space.id)
    return PackRun(
        lobes, who, lobes.database(), space, root, known, stop, watch, hold, unclassified=unseen
    )


def _report(run: PackRun, caller: Caller, state: RootReport, *, seconds: float) -> IndexReport:
    with run.lobes.reading() as store:
        seq = read.outbox_head(store)
        held = known_held(store, caller, run.space.id, run.held)
    skipped = tuple(
        SkippedFile(run.space.id, path, reason)
        for path, reason in sorted(run.skipped.items())
        if not is_hidden(path, run.withheld, run.known)
    )
    return IndexReport(
        run.indexed,
        run.unchanged,
        run.removed,
        skipped,
        held,
        (state,),
        run.chunks,
        seconds,
        seq,
        run.stopped,
    )


def _trim(lobes: Installation) -> None:
    """Drop the outbox rows that the engine has followed; one that doesn't answer keeps them all."""
    try:
        followed = lobes.engine.status().seq
    except Unavailable:  # told by whoever needs the engine: following files doesn't
        return
    with lobes.reading() as store:
        first, head = read.outbox_first(store), read.outbox_head(store)
    if first is not None and first <= followed:
        with lobes.database().begin() as unit:
            unit.trim_outbox(min(followed, head))
            unit.commit()


def _audit(run: PackRun, caller: Caller, *, answer: str) -> None:
    if not (run.indexed or run.removed):
        return
    record(
        run.lobes,
        caller,
        "space.indexed",
        "edit_content",
        Resource("space", run.space.id),
        answer=answer,
        counts={"indexed": run.indexed, "removed": run.removed},
    )
