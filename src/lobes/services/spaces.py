"""Spaces as lists and panes show them: filtered by `read_meta`, texts by `read_content`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lobes.access.authorize import authorize
from lobes.access.facts import Facts, Resource
from lobes.domain.errors import LobesError, Unavailable, nothing_there
from lobes.domain.packs import ROLES, Kind
from lobes.services.authority import facts_for, require
from lobes.services.installation import Caller, Installation
from lobes.services.lobes import LobeView, lobe_view
from lobes.store.files import SafeRoot
from lobes.store.found import ReadFile, RootId, Skipped
from lobes.store.read_spaces import (
    DocumentRow,
    SpaceRow,
    document_rows,
    skipped_rows,
    space_rows,
)

PREVIEW_CHARACTERS = 2048


@dataclass(frozen=True, slots=True)
class PackFile:
    """One pack file; `changed` is its modification time in nanoseconds."""

    path: str
    role: str
    title: str
    tokens: int
    changed: int
    content_hash: str


@dataclass(frozen=True, slots=True)
class SpaceDetail:
    """A Space with its pack and its lobe. `missing_roles` are the kind's roles without a file."""

    row: SpaceRow
    pack: tuple[PackFile, ...]
    missing_roles: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    lobe: LobeView


@dataclass(frozen=True, slots=True)
class PackText:
    """A pack file's text as it is on the disk now, whole or its beginning."""

    space: str
    path: str
    text: str
    content_hash: str
    is_whole: bool


@dataclass(frozen=True, slots=True)
class Here:
    """The Space whose folder holds a path."""

    space: str
    root: str


def list_spaces(
    lobes: Installation, caller: Caller, *, statuses: tuple[str, ...] = ("active", "finished")
) -> tuple[SpaceRow, ...]:
    """The Spaces that the caller may know, in these statuses, Projects first."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        found = space_rows(store)
    return tuple(one for one in found if one.status in statuses and _known(caller, one.id, facts))


def _known(caller: Caller, space: str, facts: Facts) -> bool:
    actor = caller.actor
    return authorize(actor, "read_meta", Resource("space", space), facts).allowed


def show_space(lobes: Installation, caller: Caller, space: str) -> SpaceDetail:
    """One Space with its pack and its lobe."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        row = next((one for one in space_rows(store) if one.id == space), None)
        documents = document_rows(store, space)
        skipped = skipped_rows(store, space)
    require(
        lobes, caller, "read_content", Resource("space", space), facts=facts, event="space.read"
    )
    if row is None:
        raise nothing_there()
    present = {one.role for one in documents}
    return SpaceDetail(
        row=row,
        pack=tuple(_pack_file(one) for one in documents),
        missing_roles=tuple(role for role in ROLES[_kind(row)] if role not in present),
        skipped=tuple(skipped),
        lobe=lobe_view(lobes, caller, space),
    )


def _kind(row: SpaceRow) -> Kind:
    return "area" if row.kind == "area" else "project"


def _pack_file(row: DocumentRow) -> PackFile:
    return PackFile(row.path, row.role, row.title, row.tokens, row.mtime_ns, row.content_hash)


def pack_text(
    lobes: Installation, caller: Caller, space: str, path: str, *, limit: int | None = None
) -> PackText:
    """A pack file's text, the first `limit` characters of it.

    Raises `NotFound` where there is no such file, `Unavailable` where it can't be read now.
    """
    row = _readable(lobes, caller, space)
    with open_root(row) as root:
        file = root.read(path)
    if isinstance(file, Skipped):
        if file.reason == "gone":
            raise nothing_there()
        raise Unavailable(file.sentence, reason=file.reason)
    text = file.text if limit is None else file.text[:limit]
    return PackText(space, file.path, text, file.content_hash, len(text) == len(file.text))


def state_text(lobes: Installation, caller: Caller, space: str) -> PackText | None:
    """The beginning of the file with the role `current_state`; None where there is none."""
    with lobes.reading() as store:
        documents = document_rows(store, space)
    chosen = next((one for one in documents if one.role == "current_state"), None)
    chosen = chosen or next((one for one in documents if one.role == "identity"), None)
    if chosen is None:
        _readable(lobes, caller, space)
        return None
    return pack_text(lobes, caller, space, chosen.path, limit=PREVIEW_CHARACTERS)


def editable_path(lobes: Installation, caller: Caller, space: str, path: str) -> Path:
    """Where `$EDITOR` finds a pack file: only after `use_terminal` and for a file that is there."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
    require(lobes, caller, "use_terminal", Resource("space", space), facts=facts, human_only=True)
    row = _readable(lobes, caller, space)
    with open_root(row) as root:
        file = root.read(path)
        if not isinstance(file, ReadFile):
            raise Unavailable(file.sentence, reason=file.reason)
        return root.path / file.path


def _readable(lobes: Installation, caller: Caller, space: str) -> SpaceRow:
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        row = next((one for one in space_rows(store) if one.id == space), None)
    require(
        lobes, caller, "read_content", Resource("space", space), facts=facts, event="space.read"
    )
    if row is None:
        raise nothing_there()
    return row


def open_root(row: SpaceRow) -> SafeRoot:
    """The Space's folder, if it is still the one that was added."""
    expect = None
    if row.root_inode:
        expect = RootId(int(row.root_device), int(row.root_inode))
    return SafeRoot.open(Path(row.root), expect=expect)


def which(lobes: Installation, caller: Caller, path: Path) -> Here:
    """The Space whose root holds `path`, the innermost one; `NotFound` outside any."""
    try:
        inside = path.resolve()
    except OSError as error:
        raise nothing_there() from error
    best: SpaceRow | None = None
    for row in list_spaces(lobes, caller):
        if inside.is_relative_to(row.root) and (best is None or len(row.root) > len(best.root)):
            best = row
    if best is None:
        raise nothing_there()
    return Here(best.id, best.root)


def root_problem(row: SpaceRow) -> str:
    """Why a Space's folder can't be used now, in one sentence; "" when it can."""
    try:
        open_root(row).close()
    except LobesError as error:
        return error.message
    return ""
