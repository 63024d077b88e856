"""Following a pack: files → store. The engine follows the store through the outbox.

Files are the truth; events are hints. An unreadable root or folder removes nothing, a skipped
file is listed with its reason and never stops the rest, and a file counts as gone only after a
second look at the moment of removing it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from lobes.access.authorize import authorize
from lobes.access.facts import Resource
from lobes.domain.actors import name_of
from lobes.domain.documents import PassageRow, StoredDocument
from lobes.domain.errors import Unavailable, nothing_there
from lobes.domain.ids import derived_id
from lobes.domain.packs import SPACE_YAML, role_for
from lobes.domain.spaces import RootState, Space
from lobes.engine.chunk import chunk
from lobes.services.authority import facts_for, require
from lobes.services.difference import STAYS_INDEXED, Difference, difference
from lobes.services.installation import Caller, Installation
from lobes.services.manifests import follow_manifest
from lobes.store.database import Database
from lobes.store.files import SafeRoot
from lobes.store.found import Limits, Listing, ReadFile, RootId, Skipped
from lobes.store.read_spaces import skipped_rows

BATCH = 50
"""Documents a write transaction, so that no other process waits long for the lock."""


@dataclass(frozen=True, slots=True)
class SkippedFile:
    space: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class RootReport:
    space: str
    state: RootState


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What `lobes index` says. `chunks` are the passages of the changed files; `seq` is the
    outbox row after which the words are searchable."""

    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    skipped: tuple[SkippedFile, ...] = ()
    held: tuple[str, ...] = ()
    roots: tuple[RootReport, ...] = ()
    chunks: int = 0
    seconds: float = 0.0
    seq: int = 0
    stopped: bool = False

    def __add__(self, other: IndexReport) -> IndexReport:
        return IndexReport(
            self.indexed + other.indexed,
            self.unchanged + other.unchanged,
            self.removed + other.removed,
            self.skipped + other.skipped,
            self.held + other.held,
            self.roots + other.roots,
            self.chunks + other.chunks,
            self.seconds + other.seconds,
            max(self.seq, other.seq),
            self.stopped or other.stopped,
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one Space is: files done of files to look at."""

    space: str
    done: int
    total: int


Watch = Callable[[Progress], None]
Stop = Callable[[], bool]


def silent(progress: Progress) -> None:
    """For callers that show no progress."""
    del progress


def never() -> bool:
    return False


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
    started = time.perf_counter()
    with lobes.reading() as store:
        facts = facts_for(store, caller, space_id)
    require(lobes, caller, "edit_content", Resource("space", space_id), facts=facts)
    database = lobes.database()
    with database.begin() as unit:
        space = unit.spaces.get(space_id)
        known = unit.documents.of(space_id)
    if space is None or not space.is_live:
        raise nothing_there()
    try:
        root = _open(space)
    except Unavailable as error:
        _note_root(database, space, _state_of(error), identity=None)
        state = RootReport(space.id, _state_of(error))
        return IndexReport(roots=(state,), seconds=time.perf_counter() - started)
    with root:
        _note_root(database, space, "ok", identity=root.identity)
        space = follow_manifest(lobes, caller, space, root)
        run = _Run(lobes, database, space, root, known, stop, watch)
        state = _follow(run, paths)
    report = _report(run, state, seconds=time.perf_counter() - started)
    _audit(lobes, caller, report, space.id)
    lobes.engine.notify()
    return report


def index_all(
    lobes: Installation, caller: Caller, *, watch: Watch = silent, stop: Stop = never
) -> IndexReport:
    """`index_space` for every live Space that the caller may edit; the others are not named."""
    report = IndexReport()
    for space in live_spaces(lobes, caller):
        if stop():
            return replace(report, stopped=True)
        report += index_space(lobes, caller, space, watch=watch, stop=stop)
    return report


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


def _follow(run: _Run, paths: Sequence[str]) -> RootState:
    try:
        if paths:
            _look_at(run, paths)
        else:
            listing = run.root.list(limits=Limits(), stop=run.stop)
            _follow_listing(run, listing)
    except Unavailable as error:
        state = _state_of(error)
        _note_root(run.database, run.space, state, identity=None)
        return state
    return "ok"


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
    now = {path: reason for path, reason in noted.items() if path not in present} | run.skipped
    if now != noted:
        _note_skipped(run, now)


def _note_skipped(run: _Run, skipped: Mapping[str, str]) -> None:
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
    """Read outside the transaction, write inside it; what another process wrote first stays."""
    read = [run.root.read(path) for path in paths]
    prepared: list[tuple[StoredDocument, list[PassageRow]]] = []
    touched: list[tuple[str, ReadFile]] = []
    for file in read:
        if isinstance(file, Skipped):
            run.skipped[file.path] = file.reason
            continue
        stored = run.known.get(file.path)
        if stored is not None and stored.content_hash == file.content_hash:
            touched.append((stored.id, file))
            run.unchanged += 1
        else:
            prepared.append(_prepare(run, file, stored))
    with run.database.begin() as unit:
        for document, passages in prepared:
            unit.documents.put(document, passages)
        for document_id, file in touched:
            unit.documents.touch(document_id, file.size, file.mtime_ns)
        unit.commit()
    run.indexed += len(prepared)
    run.chunks += sum(len(passages) for _, passages in prepared)
    if prepared:
        run.lobes.engine.notify()


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
        gone.append(run.known[path].id)
    for start in range(0, len(gone), BATCH):
        with run.database.begin() as unit:
            unit.documents.remove(run.space.id, gone[start : start + BATCH])
            unit.commit()
    run.removed += len(gone)


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
    return role_for(path, space.trusted.roles if space.trusted else {})


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


def _report(run: _Run, state: RootState, *, seconds: float) -> IndexReport:
    followed = run.lobes.engine.status().seq
    with run.database.begin() as unit:
        seq = unit.outbox_head()
        unit.trim_outbox(min(followed, seq))
        unit.commit()
    skipped = tuple(
        SkippedFile(run.space.id, path, reason) for path, reason in sorted(run.skipped.items())
    )
    return IndexReport(
        run.indexed,
        run.unchanged,
        run.removed,
        skipped,
        (),
        (RootReport(run.space.id, state),),
        run.chunks,
        seconds,
        seq,
        run.stopped,
    )


def _audit(lobes: Installation, caller: Caller, report: IndexReport, space: str) -> None:
    if not (report.indexed or report.removed):
        return
    lobes.audit.append(
        "space.indexed",
        actor=name_of(caller.actor),
        verb="edit_content",
        resources=[f"space/{space}"],
        decisions=[(f"space/{space}", "own", True)],
        channel=caller.channel,
        correlation=caller.correlation,
        answer="owner",
        counts={"indexed": report.indexed, "removed": report.removed},
    )
