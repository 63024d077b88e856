"""Edits of pack files that wait for a person, and all that they go by when they decide on one.

An edit answers to the rules as the file does that it changes, or would make: its own level and the
file's, the file's own permission, kept ones too. The difference is against what is there now.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from lobes.access.facts import Facts, ItemFacts, Resource, Standing
from lobes.classify.masking import masked
from lobes.domain.errors import LobesError, nothing_there
from lobes.domain.ids import LobeAddress, derived_id, is_ulid
from lobes.domain.line_diff import DiffLine, line_diff
from lobes.domain.pack_edits import PackEdit, StaleEdit, edit_hash, text_hash
from lobes.domain.permissions import parse_permission
from lobes.domain.reviewing import Brake, hidden_in
from lobes.domain.sensitivity import STAYS, strictest
from lobes.services.authority import facts_for, may, record, require
from lobes.services.explaining import all_facts, names_in
from lobes.services.index_report import HeldFile
from lobes.services.installation import Caller, Installation
from lobes.services.manifests import open_root
from lobes.services.memory_readers import Readers, readers_of_edit
from lobes.store.facts import document_facts
from lobes.store.found import ReadFile, Skipped
from lobes.store.pack_texts import text_let_in
from lobes.store.passages import document_passages
from lobes.store.read import stored_documents
from lobes.store.read_pack_edits import (
    decided_edits,
    outside_of,
    pack_edits,
    waiting_edits,
)
from lobes.store.read_permissions import kept_permission
from lobes.store.read_spaces import space_row

PackView = Literal["waiting", "decided", "rejected"]


@dataclass(frozen=True, slots=True)
class PackItem:
    """One row, without its text. `shown` is what an approval of it is bound to."""

    edit: PackEdit
    shown: str
    brakes: tuple[Brake, ...]

    @property
    def id(self) -> str:
        return self.edit.id

    @property
    def stamp(self) -> str:
        return self.shown


@dataclass(frozen=True, slots=True)
class PackEvidence:
    """`edit` has its secrets masked. `diff` leads from what is in the file (of what changed
    outside: from what is read) to what it would be. `stale` is why it can't be accepted as it is;
    `detectors` name what was found in the text. `readers` is who could read the file then; None
    where by the edit there is none."""

    edit: PackEdit
    shown: str
    brakes: tuple[Brake, ...]
    diff: tuple[DiffLine, ...]
    added: int
    removed: int
    stale: StaleEdit | None
    detectors: tuple[str, ...]
    hidden: int
    readers: Readers | None


def pack_queue(
    lobes: Installation, caller: Caller, view: PackView = "waiting", space: str | None = None
) -> tuple[PackItem, ...]:
    """The newest first, of one Space or of all; only what the caller may review and read."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        if space is not None:
            require(lobes, caller, "review", Resource("space", space), facts=facts)
        found = _edits_in(store, view, space or "")
        asked = replace(facts, items=edit_facts(store, found))
        seen = [one for one in found if may_see_edit(caller, one, asked)]
    return tuple(PackItem(one, edit_hash(one), brakes_of(one)) for one in seen)


def _edits_in(store: sqlite3.Connection, view: PackView, space: str) -> list[PackEdit]:
    if view == "waiting":
        return waiting_edits(store, space)
    return decided_edits(store, space, status="rejected" if view == "rejected" else None)


def oldest_of(items: Iterable[PackItem]) -> datetime | None:
    """Since when the oldest of what waits does."""
    return min((one.edit.created for one in items if one.edit.status == "proposed"), default=None)


def is_pack_edit(lobes: Installation, id: str) -> bool:
    """Whether this is the id of an edit; whether it may be known is for who shows it."""
    if not is_ulid(id):
        return False
    with lobes.reading() as store:
        return id in pack_edits(store, [id])


def pack_evidence(lobes: Installation, caller: Caller, id: str) -> PackEvidence:
    """What there is to know about one edit; `review` and `read_content` are asked on it."""
    asked = Resource("document", id)
    with lobes.reading() as store:
        edit = pack_edits(store, [id] if is_ulid(id) else []).get(id)
        facts, _ = all_facts(store)
        facts = replace(facts, items=edit_facts(store, [edit] if edit else []))
        answer = require(lobes, caller, "review", asked, facts=facts)
        require(lobes, caller, "read_content", asked, facts=facts)
        if edit is None:
            raise nothing_there()
        before = indexed_text(store, edit) if edit.cause == "changed_outside" else None
        row, names = space_row(store, edit.space), names_in(store)
        is_live = facts.spaces[edit.space].is_live
        indexed = stored_documents(store, edit.space, paths=[edit.path]).get(edit.path)
    file: ReadFile | Skipped | None = None
    if row is not None and is_live:
        try:
            with open_root(row) as root:
                file = root.read(edit.path)
        except LobesError:
            file = Skipped(edit.path, "unreadable")
    why = staleness(edit, file, indexed.content_hash if indexed else "", is_live=is_live)
    if before is None:
        before = file.text if isinstance(file, ReadFile) else ""
    after = masked(edit.text)
    diff = line_diff(_marked(before, masked(before)), _marked(edit.text, after))
    record(lobes, caller, "pack.read", "read_content", space_of(edit), answer=answer.reason)
    return PackEvidence(
        edit=replace(edit, text=after),
        shown=edit_hash(edit),
        brakes=brakes_of(edit),
        diff=tuple(replace(one, text=one.text.partition(_MARK)[0]) for one in diff.lines),
        added=diff.added,
        removed=diff.removed,
        stale=why if edit.status == "proposed" else None,
        detectors=tuple(dict.fromkeys(one.detector for one in edit.findings)),
        hidden=_hidden(edit),
        readers=None if edit.is_removal else readers_of_edit(caller, edit, facts, names),
    )


def space_of(edit: PackEdit) -> Resource:
    return Resource("space", edit.space)


def document_of_edit(edit: PackEdit) -> str:
    """The id of the document that the file is or would be: a function of its place."""
    return derived_id("document", edit.space, edit.path)


def edit_facts(store: sqlite3.Connection, edits: Sequence[PackEdit]) -> dict[Resource, ItemFacts]:
    """What the rules ask of these edits, by the file's own standing and the stricter level."""
    documents = {edit.id: document_of_edit(edit) for edit in edits}
    known = document_facts(store, documents.values())
    found: dict[Resource, ItemFacts] = {}
    for edit in edits:
        file = known.get(Resource("document", documents[edit.id]))
        standing = file.standing if file else _kept_standing(store, edit, documents[edit.id])
        level = strictest(edit.level, file.level if file else None)
        lobe = LobeAddress("space", edit.space)
        found[Resource("document", edit.id)] = ItemFacts(lobe, standing, level=level)
    return found


def _kept_standing(store: sqlite3.Connection, edit: PackEdit, document: str) -> Standing | None:
    stored = kept_permission(store, document)
    row = space_row(store, edit.space) if stored is not None else None
    if stored is None or row is None:
        return None
    return Standing(row.owner, row.group, parse_permission(stored))


def may_see_edit(caller: Caller, edit: PackEdit, facts: Facts) -> bool:
    """Whether an edit is in the caller's queue; the facts hold it."""
    resource = Resource("document", edit.id)
    return all(may(caller, verb, resource, facts) for verb in ("review", "read_content"))


def known_held(
    store: sqlite3.Connection, caller: Caller, space: str, held: Mapping[str, HeldFile]
) -> tuple[HeldFile, ...]:
    """Of what a look at the pack held (by path) the files that the caller may know of, by path: one
    that is too sensitive for them is as if it weren't there."""
    if not held:
        return ()
    ids = [one.id for one in outside_of(store, space) if one.path in held]
    edits = list(pack_edits(store, ids).values())
    facts = replace(facts_for(store, caller, space), items=edit_facts(store, edits))
    hidden = {
        one.path
        for one in edits
        if not may(caller, "read_meta", Resource("document", one.id), facts)
    }
    return tuple(one for path, one in sorted(held.items()) if path not in hidden)


def brakes_of(edit: PackEdit) -> tuple[Brake, ...]:
    """What holds accepting it back, among others or without a yes of its own. A row of a list comes
    without its text: whether something is hidden in it, only the edit itself tells."""
    found: list[Brake] = []
    if _hidden(edit):
        found.append("hidden")
    if edit.level in STAYS:
        found.append("confirm")
    if any(one.is_secret for one in edit.findings):
        found.append("secret")
    if edit.is_external:
        found.append("outside")
    return tuple(found)


_MARK = "\0"


def _marked(text: str, shown: str) -> str:
    """The shown lines, those that hide something each with a mark of what it is: one secret in the
    place of another is a change, though both look the same."""
    pairs = zip(text.split("\n"), shown.split("\n"), strict=False)
    return "\n".join(
        seen if seen == line else f"{seen}{_MARK}{text_hash(line)}" for line, seen in pairs
    )


def _hidden(edit: PackEdit) -> int:
    """Line ends of another system are no hidden characters."""
    return hidden_in(edit.text.replace("\r\n", "\n"))


def staleness(
    edit: PackEdit, file: ReadFile | Skipped | None, indexed: str, *, is_live: bool
) -> StaleEdit | None:
    """Why it can't be taken as it was put; `indexed` is the hash of what is read of the file."""
    if not is_live or file is None:
        return "space_gone"
    if isinstance(file, Skipped) and file.reason != "gone":
        return "file_unreadable"
    now = file.content_hash if isinstance(file, ReadFile) else ""
    if edit.cause == "changed_outside":
        return None if (now, indexed) == (edit.content_hash, edit.base_hash) else "file_changed"
    if isinstance(file, ReadFile) and file.text == edit.text:
        return "file_says_so"
    if now == edit.base_hash:
        return None
    if not now:
        return "file_gone"
    return "file_appeared" if edit.is_new else "file_changed"


def indexed_text(store: sqlite3.Connection, edit: PackEdit) -> str:
    """What is read of the file: the text that was let in, else as far as its passages tell."""
    document = stored_documents(store, edit.space, paths=[edit.path]).get(edit.path)
    if document is None:
        return ""
    kept = text_let_in(store, edit.space, edit.path)
    if kept is not None and kept[0] == document.content_hash:
        return kept[1]
    lines: list[str] = []
    for one in document_passages(store, document.id):
        lines += [""] * (one.first_line - 1 - len(lines))
        lines += one.text.split("\n")
    return "\n".join(lines)
