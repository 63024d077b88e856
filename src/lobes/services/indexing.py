"""Following a pack: files → store. The engine follows the store through the outbox.

Files are the truth; events are hints. An unreadable root or folder removes nothing, a skipped
file is listed with its reason and never stops the rest, and a file counts as gone only after a
second look. Several processes follow one pack: each writes only over what it knew when it read
the file, so an older text never replaces a newer one. The engine isn't needed for any of it.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from lobes.access.authorize import authorize
from lobes.access.facts import Resource
from lobes.domain.actors import name_of
from lobes.domain.documents import PassageRow, StoredDocument
from lobes.domain.errors import Corrupt, LobesError, NotFound, Unavailable, nothing_there
from lobes.domain.ids import derived_id
from lobes.domain.packs import SPACE_YAML, role_for
from lobes.domain.spaces import RootState, Space
from lobes.engine.chunk import chunk
from lobes.services.authority import facts_for, require
from lobes.services.difference import STAYS_INDEXED, Difference, difference
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
from lobes.services.installation import Caller, Installation
from lobes.services.manifests import follow_manifest
from lobes.store import read
from lobes.store.database import Database
from lobes.store.files import SafeRoot
from lobes.store.found import Limits, Listing, ReadFile, RootId, Skipped
from lobes.store.read_spaces import skipped_rows

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork

BATCH = 50
"""Documents a write transaction, so that no other process waits long for the lock."""

_READS = 3
"""How often a file is read while other processes store what they read of it."""

_OF_THE_HOME = frozenset({"store_busy", "disk_full", "read_only", "store"})
"""Faults of the store: the next Space would meet the same one."""

__all__ = ["IndexReport", "Progress", "RootReport", "SkippedFile", "Stop", "Watch", "index_all",
           "index_space", "live_spaces", "never", "silent"]  # fmt: skip


@dataclass(slots=True)
class _Run:
    """One Space being followed: what is open, and what has happened so far."""

    lobes: Installation
    database: Database
    space: Space
    root: SafeRoot
    known: dict[str, StoredDocument]
    stop: Stop
    watch: Watch
    skipped: dict[str, str] = field(default_factory=dict[str, str])
    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    chunks: int = 0
    stopped: bool = False


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
    for space in live_spaces(lobes, caller):
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
    actor = caller.actor
    return [
        space.id
        for space in facts.spaces.values()
        if space.is_live
        and authorize(actor, "edit_content", Resource("space", space.id), facts).allowed
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
        facts = facts_for(store, caller, space_id)
    resource = Resource("space", space_id)
    decision = require(lobes, caller, "edit_content", resource, facts=facts)
    database = lobes.database()
    with database.begin() as unit:
        space = unit.spaces.get(space_id)
    if space is None or not space.is_live:
        raise nothing_there()
    try:
        root = _open(space)
    except Unavailable as error:
        _note_root(database, space, _state_of(error), identity=None)
        state = RootReport(space.id, _state_of(error), error.message)
        return IndexReport(roots=(state,), seconds=time.perf_counter() - started)
    with root:
        _note_root(database, space, "ok", identity=root.identity)
        space = follow_manifest(lobes, caller, space, root)
        with lobes.reading() as store:
            known = read.stored_documents(store, space.id)
        run = _Run(lobes, database, space, root, known, stop, watch)
        try:
            outcome = _follow(run, paths)
        finally:  # what was stored before a fault is stored
            _audit(run, caller, answer=decision.reason)
    return _report(run, outcome, seconds=time.perf_counter() - started)


def _follow(run: _Run, paths: Sequence[str]) -> RootReport:
    try:
        if paths:
            _look_at(run, paths)
        else:
            listing = run.root.list(limits=Limits(), stop=run.stop)
            _follow_listing(run, listing)
    except Unavailable as error:
        if not error.reason.startswith("root_"):  # the store's: nothing is wrong with the folder
            raise
        state = _state_of(error)
        _note_root(run.database, run.space, state, identity=None)
        return RootReport(run.space.id, state, error.message)
    return RootReport(run.space.id, "ok")


def _follow_listing(run: _Run, listing: Listing) -> None:
    run.skipped.update({one.path: one.reason for one in listing.skipped})
    run.skipped.update({path or ".": "unreadable" for path in listing.unreadable})
    what = difference(run.known, listing)
    run.unchanged = what.unchanged
    run.stopped = listing.stopped
    _take(run, what)
    _fix_roles(run)
    _note_skipped(run, run.skipped)


def _look_at(run: _Run, paths: Iterable[str]) -> None:
    """Hints: those that the listing would hold are read, the known others are looked for."""
    taken = [path for path in dict.fromkeys(paths) if path != SPACE_YAML]
    present = {path for path in taken if run.root.takes(path)}
    vanished = tuple(path for path in taken if path not in present and path in run.known)
    _take(run, Difference(tuple(sorted(present)), 0, vanished))
    with run.lobes.reading() as store:
        noted = dict(skipped_rows(store, run.space.id))
    kept = {path: reason for path, reason in noted.items() if path not in present}
    _note_skipped(run, kept | run.skipped)


def _note_skipped(run: _Run, skipped: Mapping[str, str]) -> None:
    with run.lobes.reading() as store:
        if dict(skipped_rows(store, run.space.id)) == skipped:
            return
    with run.database.begin() as unit:
        unit.documents.set_skipped(run.space.id, sorted(skipped.items()), run.lobes.clock())
        unit.commit()


def _take(run: _Run, what: Difference) -> None:
    total = len(what.to_read) + len(what.vanished)
    for start in range(0, len(what.to_read), BATCH):
        if run.stop():
            run.stopped = True
            return
        _store_batch(run, what.to_read[start : start + BATCH])
        run.watch(Progress(run.space.id, min(start + BATCH, len(what.to_read)), total))
    _remove(run, what.vanished)
    run.watch(Progress(run.space.id, total, total))


def _store_batch(run: _Run, paths: Sequence[str]) -> None:
    """Read outside the transaction, write inside it, and only over what was known before reading.

    What another process has stored meanwhile may come from a later look at the file; then the
    file is read again, which is later than both.
    """
    is_first = not run.indexed
    for _ in range(_READS):
        paths = _store_once(run, paths)
        if not paths:
            break
    run.skipped.update(dict.fromkeys(paths, "changed_while_reading"))
    if is_first and run.indexed:
        run.lobes.engine.notify()


def _store_once(run: _Run, paths: Sequence[str]) -> list[str]:
    """The paths that must be read again; they are known then as another process stored them."""
    prepared: list[tuple[StoredDocument, list[PassageRow]]] = []
    touched: list[StoredDocument] = []
    for file in (run.root.read(path) for path in paths):
        if isinstance(file, Skipped):
            run.skipped[file.path] = file.reason
            continue
        stored = run.known.get(file.path)
        if stored is not None and stored.content_hash == file.content_hash:
            touched.append(replace(stored, size=file.size, mtime_ns=file.mtime_ns))
        else:
            prepared.append(_prepare(run, file, stored))
    if not (prepared or touched):
        return []
    with run.database.begin() as unit:
        late = _late(run, unit, [one.path for one in (*touched, *(new for new, _ in prepared))])
        prepared = [one for one in prepared if one[0].path not in late]
        touched = [one for one in touched if one.path not in late]
        for document, passages in prepared:
            unit.documents.put(document, passages)
        for document in touched:
            unit.documents.touch(document.id, document.size, document.mtime_ns)
        if prepared or touched:
            unit.commit()
    run.indexed += len(prepared)
    run.unchanged += len(touched)
    run.chunks += sum(len(passages) for _, passages in prepared)
    return sorted(late)


def _late(run: _Run, unit: UnitOfWork, paths: Sequence[str]) -> set[str]:
    """Those that the store no longer holds as they are known; asked while nobody else writes."""
    now = read.stored_documents(unit.reader, run.space.id, paths=paths)
    late: set[str] = set()
    for path in paths:
        stored, known = now.get(path), run.known.get(path)
        if (stored and stored.content_hash) == (known and known.content_hash):
            continue
        late.add(path)
        if stored:
            run.known[path] = stored
        else:
            del run.known[path]
    return late


def _prepare(
    run: _Run, file: ReadFile, stored: StoredDocument | None
) -> tuple[StoredDocument, list[PassageRow]]:
    # A function of its place, so that two processes that meet a new file make one document of it.
    document_id = stored.id if stored else derived_id("document", run.space.id, file.path)
    cut = chunk(file.text, path=file.path, document_id=document_id)
    document = StoredDocument(
        id=document_id,
        space=run.space.id,
        path=file.path,
        role=_role(run.space, file.path),
        title=cut.title,
        content_hash=file.content_hash,
        size=file.size,
        mtime_ns=file.mtime_ns,
        tokens=cut.tokens,
    )
    passages = [
        PassageRow(
            one.id,
            one.ordinal,
            one.heading,
            one.text,
            one.first_line,
            one.last_line,
            one.tokens,
            one.content_hash,
        )
        for one in cut.passages
    ]
    return document, passages


def _remove(run: _Run, paths: Sequence[str]) -> None:
    gone: list[str] = []
    for path in paths:
        again = run.root.read(path)
        if isinstance(again, ReadFile) and run.root.takes(path):
            continue
        if isinstance(again, Skipped) and again.reason in STAYS_INDEXED:
            run.skipped[path] = again.reason
            continue
        gone.append(path)
    for start in range(0, len(gone), BATCH):
        batch = gone[start : start + BATCH]
        ids = {path: run.known[path].id for path in batch}
        with run.database.begin() as unit:
            # What another process stored since then it has seen: the next look decides.
            late = _late(run, unit, batch)
            sure = [id for path, id in ids.items() if path not in late]
            if sure:
                unit.documents.remove(run.space.id, sure)
                unit.commit()
        run.removed += len(sure)
    if run.removed:
        run.lobes.engine.notify()


def _fix_roles(run: _Run) -> None:
    """Roles follow space.yaml: they may change though no file did."""
    changed = [
        (stored.id, _role(run.space, path))
        for path, stored in run.known.items()
        if stored.role != _role(run.space, path)
    ]
    if changed:
        with run.database.begin() as unit:
            for document_id, role in changed:
                unit.documents.set_role(document_id, role)
            unit.commit()


def _role(space: Space, path: str) -> str:
    return role_for(path, space.binding.roles if space.binding else {})


# Roots and reports -----------------------------------------------------------------------------


def _open(space: Space) -> SafeRoot:
    expect = None
    if space.root_inode:
        expect = RootId(int(space.root_device), int(space.root_inode))
    return SafeRoot.open(Path(space.root), expect=expect)


def _state_of(error: Unavailable) -> RootState:
    match error.reason:
        case "root_missing":
            return "missing"
        case "root_replaced":
            return "replaced"
        case _:
            return "unreadable"


def _note_root(
    database: Database, space: Space, state: RootState, *, identity: RootId | None
) -> None:
    known = space.root_inode or identity is None
    if space.root_state == state and known:
        return
    with database.begin() as unit:
        unit.spaces.set_root_state(
            space.id,
            state,
            device="" if identity is None else str(identity.device),
            inode="" if identity is None else str(identity.inode),
        )
        unit.commit()


def _report(run: _Run, state: RootReport, *, seconds: float) -> IndexReport:
    with run.lobes.reading() as store:
        seq = read.outbox_head(store)
    skipped = tuple(
        SkippedFile(run.space.id, path, reason) for path, reason in sorted(run.skipped.items())
    )
    return IndexReport(
        run.indexed,
        run.unchanged,
        run.removed,
        skipped,
        (),
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


def _audit(run: _Run, caller: Caller, *, answer: str) -> None:
    if not (run.indexed or run.removed):
        return
    run.lobes.audit.append(
        "space.indexed",
        actor=name_of(caller.actor),
        verb="edit_content",
        resources=[f"space/{run.space.id}"],
        decisions=[],
        channel=caller.channel,
        correlation=caller.correlation,
        answer=answer,
        counts={"indexed": run.indexed, "removed": run.removed},
    )
