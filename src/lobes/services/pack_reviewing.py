"""Decisions on edits of pack files, by a person alone: one or many, each with its own outcome.

What is accepted is written through the file gate, over exactly the file that was shown, and read at
once; of what changed outside the file is never touched. One record and one undo for all of it: it
gives a file its earlier bytes back while it is still what was written.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from lobes.access.facts import Facts, Resource
from lobes.domain.actors import name_of
from lobes.domain.errors import Invalid, LobesError, nothing_there
from lobes.domain.ids import is_ulid
from lobes.domain.pack_edits import LONGEST_WHY, PackEdit, edit_hash, stale
from lobes.domain.reviewing import CONFIRM, REJECTIONS, USUAL_REJECTION, held
from lobes.services.authority import facts_for, record, require
from lobes.services.decisions import Asked, Left
from lobes.services.indexing import index_space
from lobes.services.installation import Caller, Installation
from lobes.services.manifests import open_root
from lobes.services.pack_files import Before, put_back, put_in_use, take_out
from lobes.services.pack_queue import (
    brakes_of,
    document_of_edit,
    edit_facts,
    space_of,
    staleness,
)
from lobes.store.files import SafeRoot
from lobes.store.found import ReadFile
from lobes.store.read import stored_documents
from lobes.store.read_pack_edits import pack_edits
from lobes.store.read_spaces import space_row

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork

PackAct = Literal["accept", "reject", "reopen", "recheck"]
"""`recheck`: hold a proposal against the file as it is now; the text stays what was proposed."""
EVENTS: dict[PackAct, str] = {
    "accept": "pack.accepted",
    "reject": "pack.rejected",
    "reopen": "pack.reopened",
    "recheck": "pack.rechecked",
}


@dataclass(frozen=True, slots=True)
class PackDone:
    """One decision that was taken, with what it takes to undo it."""

    before: PackEdit
    after: PackEdit
    file: Before | None = None

    @property
    def id(self) -> str:
        return self.after.id


@dataclass(frozen=True, slots=True)
class PackDecided:
    """What became of everything asked for: one record, and one undo for all of it."""

    act: PackAct
    done: tuple[PackDone, ...]
    left: tuple[Left, ...] = ()
    is_undone: bool = False


@dataclass(slots=True)
class _Table:
    """What one unit of work decides with: each folder is opened once."""

    lobes: Installation
    caller: Caller
    unit: UnitOfWork
    act: PackAct
    reason: str
    is_batch: bool
    facts: Facts
    open: ExitStack
    roots: dict[str, SafeRoot] = field(default_factory=dict[str, SafeRoot])

    def root(self, space: str) -> SafeRoot:
        if space not in self.roots:
            row = space_row(self.unit.reader, space)
            if row is None or not self.facts.spaces[space].is_live:
                raise stale("space_gone")
            try:
                self.roots[space] = self.open.enter_context(open_root(row))
            except LobesError as error:
                raise stale("file_unreadable") from error
        return self.roots[space]

    def indexed(self, edit: PackEdit) -> str:
        found = stored_documents(self.unit.reader, edit.space, paths=[edit.path]).get(edit.path)
        return found.content_hash if found else ""


def decide_packs(
    lobes: Installation,
    caller: Caller,
    act: PackAct,
    asked: Iterable[Asked],
    *,
    reason: str = "",
) -> PackDecided:
    """Decide the same on each of these.

    Raises `PresenceWanted` where the face can ask for a person, and what is wrong with the reason;
    what is wrong with one edit is in `left`.
    """
    wanted = list({one.id: one for one in asked}.values())
    return _carry_out(lobes, caller, act, wanted, _reason(act, reason), is_batch=len(wanted) > 1)


def _carry_out(
    lobes: Installation,
    caller: Caller,
    act: PackAct,
    wanted: Sequence[Asked],
    reason: str,
    *,
    is_batch: bool,
) -> PackDecided:
    ids = [one.id for one in wanted if is_ulid(one.id)]
    by_id = {one.id: one for one in wanted}
    with lobes.reading() as store:
        facts, found = _judged_by(store, caller, ids)
    errors = _denied(lobes, caller, act, wanted, found, facts)
    open_to = [one for one in wanted if one.id not in errors]
    done: list[PackDone] = []
    if open_to:
        with lobes.database().begin() as unit, ExitStack() as opened:
            facts, found = _judged_by(unit.reader, caller, ids)
            errors |= _denied(lobes, caller, act, open_to, found, facts)
            table = _Table(lobes, caller, unit, act, reason, is_batch, facts, opened)
            done, refused = _each(
                (one.id for one in open_to if one.id not in errors),
                lambda id: _decided(table, by_id[id], found[id]),
            )
            errors |= refused
            if done:
                unit.commit()
    left = tuple(Left(one.id, errors[one.id]) for one in wanted if one.id in errors)
    decided = PackDecided(act, tuple(done), left)
    if done:
        _record(lobes, caller, EVENTS[act], decided, facts)
        _follow(lobes, caller, decided)
    return decided


def undo_packs(lobes: Installation, caller: Caller, decided: PackDecided) -> PackDecided:
    """Take back what was decided, each for itself: where the file or the edit changed since, that
    one stays and is named. Undone again, it is decided as it was."""
    if decided.is_undone:
        again = [Asked(one.id, edit_hash(one.after), confirmed=True) for one in decided.done]
        reason = next((one.before.reason for one in decided.done), "")
        return _carry_out(lobes, caller, decided.act, again, reason, is_batch=False)
    by_id = {one.id: one for one in reversed(decided.done)}
    with lobes.database().begin() as unit, ExitStack() as opened:
        facts, found = _judged_by(unit.reader, caller, list(by_id), trash=True)
        wanted = [Asked(id) for id in by_id]
        errors = _denied(lobes, caller, decided.act, wanted, found, facts)
        table = _Table(lobes, caller, unit, decided.act, "", False, facts, opened)
        done, refused = _each(
            (id for id in by_id if id not in errors),
            lambda id: _taken_back(table, by_id[id], found[id]),
        )
        errors |= refused
        if done:
            unit.commit()
    left = tuple(Left(id, error) for id, error in errors.items())
    undone = PackDecided(decided.act, tuple(done), left, is_undone=True)
    if done:
        _record(lobes, caller, "pack.undone", undone, facts)
        _follow(lobes, caller, undone)
    return undone


def _judged_by(
    store: sqlite3.Connection, caller: Caller, ids: Sequence[str], *, trash: bool = False
) -> tuple[Facts, dict[str, PackEdit]]:
    """The facts that these edits are judged by, and those of them that are there."""
    found = pack_edits(store, ids)
    items = edit_facts(store, list(found.values()))
    return replace(facts_for(store, caller, trash=trash), items=items), found


def _each(
    ids: Iterable[str], act: Callable[[str], PackDone]
) -> tuple[list[PackDone], dict[str, LobesError]]:
    """The act on each for itself: what was done, and why it wasn't on the others."""
    done: list[PackDone] = []
    errors: dict[str, LobesError] = {}
    for id in ids:
        try:
            done.append(act(id))
        except LobesError as error:
            errors[id] = error
    return done, errors


# One of them -----------------------------------------------------------------------------------


def _decided(table: _Table, asked: Asked, edit: PackEdit) -> PackDone:
    status = "rejected" if table.act == "reopen" else "proposed"
    if edit.status != status:
        raise held("changed")
    if asked.shown_hash and asked.shown_hash != edit_hash(edit):
        raise held("changed")
    match table.act:
        case "accept":
            return _accepted(table, asked, edit)
        case "recheck":
            return _rechecked(table, edit)
        case "reject":
            return _kept(table, edit, replace(_signed(table, edit), status="rejected"))
        case "reopen":
            opened = replace(edit, status="proposed", decided=None, decided_by="", reason="")
            return _kept(table, edit, opened)


def _accepted(table: _Table, asked: Asked, edit: PackEdit) -> PackDone:
    if not asked.shown_hash:
        raise held("not_shown")
    brakes = brakes_of(edit)
    if table.is_batch and brakes:
        raise held("needs_look")
    if not asked.confirmed and not CONFIRM.isdisjoint(brakes):
        raise held("needs_confirmation")
    root = table.root(edit.space)
    file = root.read(edit.path)
    if why := staleness(edit, file, table.indexed(edit), is_live=True):
        raise stale(why)
    now = file if isinstance(file, ReadFile) else None
    before, content_hash = put_in_use(table.unit, root, edit, now)
    after = replace(_signed(table, edit), status="accepted", content_hash=content_hash)
    return _kept(table, edit, after, before)


def _rechecked(table: _Table, edit: PackEdit) -> PackDone:
    """The file as it is now is what it would change; the difference is shown anew."""
    if edit.cause == "changed_outside":
        return PackDone(edit, edit)  # the look at the file that follows finds what it says
    file = table.root(edit.space).read(edit.path)
    if not isinstance(file, ReadFile) and file.reason != "gone":
        raise stale("file_unreadable")
    if isinstance(file, ReadFile) and file.text == edit.text:
        raise stale("file_says_so")
    base = file.content_hash if isinstance(file, ReadFile) else ""
    return _kept(table, edit, replace(edit, base_hash=base))


def _taken_back(table: _Table, one: PackDone, now: PackEdit) -> PackDone:
    if now != one.after:
        raise held("changed")
    if one.file is not None:
        put_back(table.unit, table.root(now.space), now, one.file)
    if one.before.cause == "changed_outside" and one.before.status == "proposed":
        take_out(table.unit, one.before)
    return _kept(table, now, one.before)


def _kept(table: _Table, before: PackEdit, after: PackEdit, file: Before | None = None) -> PackDone:
    table.unit.pack_edits.save(after)
    return PackDone(before, after, file)


def _signed(table: _Table, edit: PackEdit) -> PackEdit:
    by = name_of(table.caller.actor)
    return replace(edit, decided=table.unit.now, decided_by=by, reason=table.reason)


# Authority and record --------------------------------------------------------------------------


def _denied(
    lobes: Installation,
    caller: Caller,
    act: PackAct,
    asked: Sequence[Asked],
    found: dict[str, PackEdit],
    facts: Facts,
) -> dict[str, LobesError]:
    """Accepting writes a file, or lets one be read: that takes `edit_content` as well."""
    errors: dict[str, LobesError] = {}
    for one in asked:
        resource = Resource("document", one.id)
        try:
            require(lobes, caller, "review", resource, facts=facts, human_only=True)
            require(lobes, caller, "read_content", resource, facts=facts)
            if one.id not in found:
                raise nothing_there()
            if act == "accept":
                require(lobes, caller, "edit_content", resource, facts=facts)
        except LobesError as error:
            errors[one.id] = error
    return errors


def _record(
    lobes: Installation, caller: Caller, event: str, decided: PackDecided, facts: Facts
) -> None:
    """One row: the files and their Spaces, and why others were left."""
    edits = [one.after for one in decided.done]
    things = dict.fromkeys(one for edit in edits for one in (space_of(edit), _file(edit)))
    first = Resource("document", decided.done[0].id)
    answer = require(lobes, caller, "review", first, facts=facts).reason
    counts = {"done": len(decided.done)}
    if decided.left:
        counts["left"] = len(decided.left)
    record(
        lobes,
        caller,
        event,
        "review",
        *things,
        answer=answer,
        decisions=[(f"pack_edit/{one.id}", one.error.reason, False) for one in decided.left],
        counts=counts if len(decided.done) + len(decided.left) > 1 else None,
    )


def _file(edit: PackEdit) -> Resource:
    return Resource("document", document_of_edit(edit))


def _follow(lobes: Installation, caller: Caller, decided: PackDecided) -> None:
    """Read what is decided at once. What can't be followed now is by the next look."""
    paths: dict[str, list[str]] = {}
    for one in decided.done:
        paths.setdefault(one.after.space, []).append(one.after.path)
    for space, some in paths.items():
        with suppress(LobesError):
            index_space(lobes, caller, space, paths=some)
    lobes.engine.notify()


def _reason(act: PackAct, text: str) -> str:
    """A code of `REJECTIONS` or the person's own words, without secrets."""
    said = " ".join(text.split())
    if act != "reject":
        return ""
    said = said or USUAL_REJECTION
    if len(said) > LONGEST_WHY:
        raise Invalid(
            f"A reason has at most {LONGEST_WHY} characters.",
            hint="Shorten it.",
            reason="over_limit",
        )
    if said in REJECTIONS:
        return said
    from lobes.classify.masking import masked

    return masked(said)
