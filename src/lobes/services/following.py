"""One look at one pack: what differs is read, stored in small units, and counted.

Files are the truth. A skipped file is listed with its reason and never stops the rest, a file
counts as gone only after a second look, and each write goes only over what was known when the file
was read, so that an older text never replaces a newer one of another process.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lobes.classify.masking import masked
from lobes.domain.documents import PassageRow, StoredDocument
from lobes.domain.errors import Forbidden, NotFound, Unavailable
from lobes.domain.ids import derived_id
from lobes.domain.packs import SPACE_YAML, role_for
from lobes.domain.spaces import RootState, Space
from lobes.engine.chunk import chunk
from lobes.services.difference import STAYS_INDEXED, Difference, below, difference
from lobes.services.holding import Gone, Hold, Outer
from lobes.services.index_report import HeldFile, Progress, RootReport, Stop, Watch
from lobes.services.ingress import Assessed, assess, names_a_secret, store_assessed
from lobes.services.initiator import Initiator
from lobes.services.installation import Installation
from lobes.services.manifests import open_root
from lobes.store import read
from lobes.store.files import SafeRoot
from lobes.store.found import Limits, Listing, ReadFile, RootId, Skipped
from lobes.store.read_spaces import skipped_rows, space_rows

if TYPE_CHECKING:
    from lobes.store.database import Database
    from lobes.store.unit_of_work import UnitOfWork

ROOTS = 500
"""Folders a write transaction that only notes their state."""

BATCH = 50
"""Documents a write transaction, so that no other process waits long for the lock."""

_READS = 3
"""How often a file is read while other processes store what they read of it."""


@dataclass(slots=True)
class PackRun:
    """One look at one Space's pack: what is open, and what has happened so far."""

    lobes: Installation
    initiator: Initiator
    database: Database
    space: Space
    root: SafeRoot
    known: dict[str, StoredDocument]
    stop: Stop
    watch: Watch
    hold: Hold
    """What changes outside of Lobes and isn't read before a person has seen it."""
    withheld: frozenset[str] = frozenset()
    """The paths whose texts the initiator may not read: they stay as they are indexed."""
    unclassified: frozenset[str] = frozenset()
    """The paths whose text this version of the classifier hasn't seen."""
    skipped: dict[str, str] = field(default_factory=dict[str, str])
    held: dict[str, HeldFile] = field(default_factory=dict[str, HeldFile])
    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    chunks: int = 0
    stopped: bool = False


def follow_pack(run: PackRun, paths: Sequence[str]) -> RootReport:
    try:
        if paths:
            _look_at(run, paths)
        else:
            listing = run.root.list(limits=Limits(), stop=run.stop)
            _follow_listing(run, listing)
    except Unavailable as error:
        if not error.reason.startswith("root_"):  # the store's: nothing is wrong with the folder
            raise
        state = root_state_of(error)
        note_root(run.database, run.space, state, identity=None)
        return RootReport(run.space.id, state, error.message)
    except (NotFound, Forbidden) as error:
        # The right that the work was begun with is gone; trying again would change nothing.
        return RootReport(run.space.id, "denied", error.message)
    return RootReport(run.space.id, "ok")


def _let_read(run: PackRun, listing: Listing) -> Listing:
    """The listing without the files that the initiator may not read, not even as a count."""
    _withhold(run)
    files = tuple(one for one in listing.files if one.path not in run.withheld)
    return replace(listing, files=files)


def _fitly_named(listing: Listing) -> Listing:
    """The listing with the files that have a secret in their name as skipped, told without it."""
    named = {one.path: masked(one.path) for one in listing.files if names_a_secret(one.path)}
    if not named:
        return listing
    files = tuple(one for one in listing.files if one.path not in named)
    skipped = (Skipped(told, "secret_in_name") for told in named.values())
    return replace(listing, files=files, skipped=(*listing.skipped, *skipped))


def _withhold(run: PackRun) -> None:
    run.withheld = run.initiator.withheld_now()
    run.known = {path: one for path, one in run.known.items() if path not in run.withheld}


def _follow_listing(run: PackRun, listing: Listing) -> None:
    listing = _fitly_named(_let_read(run, listing))
    run.skipped.update({one.path: one.reason for one in listing.skipped})
    run.skipped.update({path or ".": "unreadable" for path in listing.unreadable})
    also = run.unclassified | run.hold.asks_for(run.known)
    what = difference(run.known, listing, also=also)
    run.unchanged = what.unchanged
    run.stopped = listing.stopped
    _take(run, what)
    _fix_roles(run)
    # Nobody looked at what is withheld, so what was said of it stands.
    kept = {path: reason for path, reason in _noted(run).items() if path in run.withheld}
    _note_skipped(run, kept | run.skipped)
    if not run.stopped:
        unseen = (*listing.unreadable, *run.skipped)
        _settle(run, [one.path for one in run.hold.outside if not below(one.path, unseen)])
        _took_in(run, listing)


def _look_at(run: PackRun, paths: Iterable[str]) -> None:
    """Hints: those that the listing would hold are read, the known others are looked for."""
    _withhold(run)
    hidden = {SPACE_YAML, *run.withheld}
    taken = [path for path in dict.fromkeys(paths) if path not in hidden]
    present = {path for path in taken if run.root.takes(path) and not names_a_secret(path)}
    vanished = tuple(path for path in taken if path not in present and path in run.known)
    _take(run, Difference(tuple(sorted(present)), 0, vanished))
    kept = {path: reason for path, reason in _noted(run).items() if path not in present}
    _note_skipped(run, kept | run.skipped)
    if not run.stopped:
        _settle(run, [path for path in taken if path not in run.skipped])


def _settle(run: PackRun, looked_at: Iterable[str]) -> None:
    """What was held and is no longer: the file says again what is read, or nothing is held."""
    seen = {path for path in looked_at if path not in run.held and path not in run.withheld}
    gone = [one.id for one in run.hold.waiting() if one.path in seen]
    if gone or run.hold.is_over:
        with run.initiator.writing(run.database) as (unit, _):
            run.hold.settle(unit, gone)
            unit.commit()


def _took_in(run: PackRun, listing: Listing) -> None:
    """After the first look that saw all of it, what comes is a change."""
    if run.hold.is_first and not listing.unreadable:
        with run.initiator.writing(run.database) as (unit, _):
            unit.pack_edits.take_in(run.space.id)
            unit.commit()


def _noted(run: PackRun) -> dict[str, str]:
    with run.lobes.reading() as store:
        return dict(skipped_rows(store, run.space.id))


def _note_skipped(run: PackRun, skipped: Mapping[str, str]) -> None:
    if _noted(run) == skipped:
        return
    with run.initiator.writing(run.database) as (unit, _):
        unit.documents.set_skipped(run.space.id, sorted(skipped.items()), run.lobes.clock())
        unit.commit()


def _take(run: PackRun, what: Difference) -> None:
    total = len(what.to_read) + len(what.vanished)
    for start in range(0, len(what.to_read), BATCH):
        if run.stop():
            run.stopped = True
            return
        _store_batch(run, what.to_read[start : start + BATCH])
        run.watch(Progress(run.space.id, min(start + BATCH, len(what.to_read)), total))
    _remove(run, what.vanished)
    run.watch(Progress(run.space.id, total, total))


def _store_batch(run: PackRun, paths: Sequence[str]) -> None:
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


def _store_once(run: PackRun, paths: Sequence[str]) -> list[str]:
    """The paths that must be read again; they are known then as another process stored them."""
    withheld = run.initiator.withheld_now()
    seen = _read_files(run, [path for path in paths if path not in withheld])
    if not (seen.texts or seen.outside):
        return []
    with run.initiator.writing(run.database) as (unit, withheld):
        late = _late(run, unit, [*seen.texts, *seen.outside])
        late |= run.hold.let_in_since(unit, seen.outside)
        late -= withheld
        seen = seen.without(late | withheld)
        _write(run, unit, seen)
        if seen.prepared or seen.touched or seen.outside:
            unit.commit()
    run.indexed += len(seen.prepared)
    run.unchanged += len(seen.touched)
    run.chunks += sum(len(passages) for _, passages in seen.prepared)
    return sorted(late)


@dataclass(slots=True)
class _Seen:
    """Files as they were read: `prepared` to be stored anew, `touched` as they are known, `outside`
    held back; what `assessed` says of a path is of its text now."""

    prepared: list[tuple[StoredDocument, list[PassageRow]]] = field(
        default_factory=list[tuple[StoredDocument, list[PassageRow]]]
    )
    touched: list[StoredDocument] = field(default_factory=list[StoredDocument])
    assessed: dict[str, Assessed] = field(default_factory=dict[str, Assessed])
    texts: dict[str, ReadFile] = field(default_factory=dict[str, ReadFile])
    outside: dict[str, Outer] = field(default_factory=dict[str, Outer])

    def without(self, left: Collection[str]) -> _Seen:
        """The same without what is not to be stored now."""
        return _Seen(
            [one for one in self.prepared if one[0].path not in left],
            [one for one in self.touched if one.path not in left],
            self.assessed,
            {path: one for path, one in self.texts.items() if path not in left},
            {path: one for path, one in self.outside.items() if path not in left},
        )


def _read_files(run: PackRun, paths: Sequence[str]) -> _Seen:
    seen = _Seen()
    for file in (run.root.read(path) for path in paths):
        if isinstance(file, Skipped):
            run.skipped[file.path] = file.reason
            continue
        stored = run.known.get(file.path)
        is_same = stored is not None and stored.content_hash == file.content_hash
        if not is_same and not run.hold.lets_in(file.path, file.content_hash):
            seen.outside[file.path] = Outer(file, assess(file.text))
            continue
        seen.texts[file.path] = file
        if not is_same or file.path in run.unclassified:
            seen.assessed[file.path] = assess(file.text)
        if stored is not None and is_same:
            seen.touched.append(replace(stored, size=file.size, mtime_ns=file.mtime_ns))
        else:
            seen.prepared.append(_prepare(run, file, stored, seen.assessed[file.path]))
    return seen


def _write(run: PackRun, unit: UnitOfWork, seen: _Seen) -> None:
    unit.documents.put_all(seen.prepared)
    for document in seen.touched:
        unit.documents.touch(document.id, document.size, document.mtime_ns)
    stored = (*seen.touched, *(new for new, _ in seen.prepared))
    looked_at = {one.id: seen.assessed[one.path] for one in stored if one.path in seen.assessed}
    store_assessed(unit, looked_at)
    run.hold.keep(unit, list(seen.texts.values()))
    run.held |= run.hold.note(unit, run.lobes.new_id, seen.outside.values(), run.known)


def _late(run: PackRun, unit: UnitOfWork, paths: Sequence[str]) -> set[str]:
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
    run: PackRun, file: ReadFile, stored: StoredDocument | None, look: Assessed
) -> tuple[StoredDocument, list[PassageRow]]:
    # A function of its place, so that two processes that meet a new file make one document of it.
    document_id = stored.id if stored else derived_id("document", run.space.id, file.path)
    cut = chunk(file.text, path=file.path, document_id=document_id)
    document = StoredDocument(
        id=document_id,
        space=run.space.id,
        path=file.path,
        role=_role(run.space, file.path),
        title=_title(cut.title, file.text, look),
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


def _title(title: str, text: str, look: Assessed) -> str:
    """Masked, as it stands in lists, where nothing is looked up again. What stands in a text
    without a secret holds none; a file's name has not been looked through."""
    is_clean = title in text and not any(one.detector.is_secret for one in look.findings)
    return title if is_clean else masked(title)


def _remove(run: PackRun, paths: Sequence[str]) -> None:
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
        with run.initiator.writing(run.database) as (unit, withheld):
            # What another process stored since then it has seen: the next look decides.
            late = _late(run, unit, batch)
            held, batch = run.hold.parted(unit, [p for p in batch if p not in late | withheld])
            sure = [ids[path] for path in batch]
            run.held |= run.hold.note(unit, run.lobes.new_id, map(Gone, held), run.known)
            run.hold.forget(unit, batch)
            if sure:
                unit.documents.remove(run.space.id, sure)
            if sure or held:
                unit.commit()
        run.removed += len(sure)
    if run.removed:
        run.lobes.engine.notify()


def _fix_roles(run: PackRun) -> None:
    """Roles follow space.yaml: they may change though no file did."""
    changed = [
        (stored.id, _role(run.space, path))
        for path, stored in run.known.items()
        if stored.role != _role(run.space, path)
    ]
    if changed:
        with run.initiator.writing(run.database) as (unit, _):
            for document_id, role in changed:
                unit.documents.set_role(document_id, role)
            unit.commit()


def _role(space: Space, path: str) -> str:
    return role_for(path, space.binding.roles if space.binding else {})


def root_state_of(error: Unavailable) -> RootState:
    match error.reason:
        case "root_missing":
            return "missing"
        case "root_replaced":
            return "replaced"
        case _:
            return "unreadable"


def note_lost_roots(lobes: Installation, spaces: Sequence[str], stop: Stop) -> None:
    """Of these Spaces, the folders that can't be opened any more: noted in few writes, because
    each write has every window read its lists again."""
    asked = set(spaces)
    with lobes.reading() as store:
        rows = [row for row in space_rows(store) if row.id in asked]
    lost: list[tuple[str, RootState]] = []
    for row in rows:
        if stop():
            return
        try:
            open_root(row).close()
        except Unavailable as error:
            state = root_state_of(error)
            if state != row.root_state:
                lost.append((row.id, state))
        except OSError:  # the look at this very Space reports it
            continue
    for start in range(0, len(lost), ROOTS):
        with lobes.database().begin() as unit:
            for space, state in lost[start : start + ROOTS]:
                unit.spaces.set_root_state(space, state, device="", inode="")
            unit.commit()


def note_root(
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
