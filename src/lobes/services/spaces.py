"""Spaces as lists and panes show them: filtered by `read_meta`, texts by `read_content`."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from lobes.access.facts import Facts, Resource
from lobes.classify.masking import known_in, masked
from lobes.domain.errors import LobesError, nothing_there
from lobes.domain.packs import ROLES
from lobes.domain.space_yaml import kind_of
from lobes.services.authority import facts_for, may, require
from lobes.services.explaining import knows
from lobes.services.installation import Caller, Installation
from lobes.services.let_in import as_read
from lobes.services.manifests import open_root, read_file
from lobes.services.withheld import counted, known_skipped
from lobes.store.facts import document_facts
from lobes.store.read_sensitivity import sensitivities
from lobes.store.read_spaces import (
    DocumentRow,
    SpaceRow,
    document_rows,
    space_row,
    space_rows,
)

if TYPE_CHECKING:
    from lobes.services.lobes import LobeView

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
    id: str = ""


@dataclass(frozen=True, slots=True)
class SpacePack:
    """A Space with its pack. `missing_roles` are the kind's roles without a file; its group is
    unknown (`group_is_known`) where it was removed."""

    row: SpaceRow
    pack: tuple[PackFile, ...]
    missing_roles: tuple[str, ...]
    skipped: tuple[tuple[str, str], ...]
    group_is_known: bool


@dataclass(frozen=True, slots=True)
class SpaceDetail(SpacePack):
    """The same with its lobe."""

    lobe: LobeView


@dataclass(frozen=True, slots=True)
class PackText:
    """A pack file's text as it is on the disk now, whole or its beginning; secrets are masked."""

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
    """The Spaces that the caller may know, in these statuses, Projects first. Those in the trash
    are there only where `statuses` name them."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, trash="deleted" in statuses)
        found = [
            one
            for one in space_rows(store)
            if one.status in statuses and knows(caller, one.id, facts)
        ]
        shown = counted(store, caller, found, facts)
    return tuple(_as_decided(one, caller, facts) for one in shown)


def _as_decided(row: SpaceRow, caller: Caller, facts: Facts) -> SpaceRow:
    """The row with what the rules go by: where the store disagrees with itself, the stricter. Its
    group is told to who may know of that, and to who may change it."""
    space = facts.spaces[row.id]
    group = row.group
    if group is not None and not may(caller, "read_meta", Resource("group", group), facts):
        known = may(caller, "change_permission", Resource("space", row.id), facts)
        group = group if known else None
    return replace(row, is_private=space.is_private, cross_space=space.cross_space, group=group)


def show_space(lobes: Installation, caller: Caller, space: str) -> SpaceDetail:
    """One Space with its pack and its lobe; of the pack only what the caller may know."""
    from lobes.services.lobes import lobe_view  # a list of Spaces needs no lobe

    found = show_pack(lobes, caller, space)
    lobe = lobe_view(lobes, caller, space)
    return SpaceDetail(
        found.row, found.pack, found.missing_roles, found.skipped, found.group_is_known, lobe
    )


def show_pack(lobes: Installation, caller: Caller, space: str) -> SpacePack:
    """One Space with its pack alone: of the other Spaces only the facts are read."""
    with lobes.reading() as store:
        facts = _asked(lobes, caller, "read_content", store, space)
        documents, facts = _documents(store, space, facts)
        row = space_row(store, space)
        if row is None:
            raise nothing_there()
        (row,) = counted(store, caller, [row], facts)
        skipped = known_skipped(store, caller, facts, space=space)
    known = [one for one in documents if _may(caller, "read_meta", one, facts)]
    present = {one.role for one in known}
    return SpacePack(
        row=_as_decided(row, caller, facts),
        pack=tuple(_pack_file(one) for one in known),
        missing_roles=tuple(role for role in ROLES[kind_of(row.kind)] if role not in present),
        skipped=tuple((path, reason) for _, path, reason in skipped),
        group_is_known=row.group is None or row.group in facts.groups,
    )


def _asked(
    lobes: Installation, caller: Caller, verb: str, store: sqlite3.Connection, space: str
) -> Facts:
    """The facts, once the caller may do this to the Space. Asked before anything of the Space is
    looked up, so that the time of a refusal doesn't tell how much there is."""
    facts = facts_for(store, caller, space)
    require(lobes, caller, verb, Resource("space", space), facts=facts, event="space.read")
    return facts


def _documents(
    store: sqlite3.Connection, space: str, facts: Facts
) -> tuple[list[DocumentRow], Facts]:
    """The Space's pack files, and the facts with what the rules ask of them."""
    found = document_rows(store, space)
    items = document_facts(store, [one.id for one in found])
    return found, replace(facts, items=items)


def _may(caller: Caller, verb: str, document: DocumentRow, facts: Facts) -> bool:
    return may(caller, verb, Resource("document", document.id), facts)


def _pack_file(row: DocumentRow) -> PackFile:
    return PackFile(
        row.path, row.role, row.title, row.tokens, row.mtime_ns, row.content_hash, row.id
    )


def pack_text(
    lobes: Installation, caller: Caller, space: str, path: str, *, limit: int | None = None
) -> PackText:
    """The text of a file of the pack as it is on the disk now, the first `limit` characters; of one
    that changed outside and waits for a person, what is read of it.

    Only files that are indexed: `NotFound` for any other, `Unavailable` where it can't be read.
    """
    row, document = _document(lobes, caller, "read_content", space, path)
    with lobes.reading() as store:
        taken = as_read(store, space, path)
        known = known_in(sensitivities(store, [document.id]).get(document.id))
    with open_root(row) as root:
        file = taken(read_file(root, path))
    # What was found in the file says nothing of another text.
    whole = masked(file.text, kept=known if file.content_hash == document.content_hash else None)
    text = whole if limit is None else whole[:limit]
    return PackText(space, file.path, text, file.content_hash, len(text) == len(whole))


def state_text(lobes: Installation, caller: Caller, space: str) -> PackText | None:
    """The beginning of the file with the role `current_state`; None where there is none."""
    with lobes.reading() as store:
        facts = _asked(lobes, caller, "read_content", store, space)
        documents, facts = _documents(store, space, facts)
    readable = [one for one in documents if _may(caller, "read_content", one, facts)]
    for role in ("current_state", "identity"):
        for one in readable:
            if one.role == role:
                return pack_text(lobes, caller, space, one.path, limit=PREVIEW_CHARACTERS)
    return None


def _document(
    lobes: Installation, caller: Caller, verb: str, space: str, path: str
) -> tuple[SpaceRow, DocumentRow]:
    """The Space and its indexed file, once the caller may do this to that very file."""
    with lobes.reading() as store:
        facts = _asked(lobes, caller, verb, store, space)
        row = space_row(store, space)
        documents, facts = _documents(store, space, facts)
    found = next((one for one in documents if one.path == path), None)
    if row is None or found is None:
        raise nothing_there()
    require(lobes, caller, verb, Resource("document", found.id), facts=facts)
    return row, found


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
