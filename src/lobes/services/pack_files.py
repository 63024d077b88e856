"""What accepting an edit does to a file and to what is read of it, and what takes that back.

Inside the unit of work that notes the decision: a look at the pack in between waits for both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lobes.domain.documents import PassageRow, StoredDocument
from lobes.domain.pack_edits import PackEdit
from lobes.store.files import SafeRoot
from lobes.store.found import ReadFile
from lobes.store.pack_texts import text_let_in, texts_let_in
from lobes.store.passages import document_passages
from lobes.store.read import stored_documents
from lobes.store.read_pack_edits import outside_of
from lobes.store.read_sensitivity import StoredSensitivity, sensitivities

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Before:
    """What was there: the file, the document with its passages and level, the text let in."""

    file: ReadFile | None
    document: StoredDocument | None
    passages: tuple[PassageRow, ...] = field(repr=False)
    level: StoredSensitivity | None
    let_in: tuple[str, str] | None = field(repr=False)


def put_in_use(
    unit: UnitOfWork, root: SafeRoot, edit: PackEdit, file: ReadFile | None
) -> tuple[Before, str]:
    """Write what was proposed, or let in what changed outside; what was before, and the hash of
    the file now. `Conflict` where the file isn't `file` any more."""
    before = _before(unit, edit, file)
    if edit.cause == "changed_outside":
        _let_in(unit, edit, edit.content_hash, edit.text)
        return before, edit.content_hash
    expect = file.content_hash if file is not None else None
    done = root.write(edit.path, edit.text, expect_hash=expect)
    if _holds(unit, edit.space):
        _let_in(unit, edit, done.content_hash, edit.text)
    return before, done.content_hash


def put_back(unit: UnitOfWork, root: SafeRoot, edit: PackEdit, before: Before) -> None:
    """The earlier bytes, while the file is still what was written; of what changed outside the
    file stays, and what was let in before is again."""
    if edit.cause == "proposed":
        text, content_hash = "", ""
        if before.file is None:
            root.remove(edit.path, expect_hash=edit.content_hash)
        else:
            text = before.file.text
            done = root.write(edit.path, text, expect_hash=edit.content_hash)
            content_hash = done.content_hash
        if _holds(unit, edit.space):
            _let_in(unit, edit, content_hash, text)
        return
    _read_again(unit, edit, before)
    if before.let_in is None:
        unit.pack_edits.forget_text(edit.space, edit.path)
    else:
        _let_in(unit, edit, *before.let_in)


def take_out(unit: UnitOfWork, edit: PackEdit) -> None:
    """Another row that waits for the same file is in the way of this one: it goes."""
    others = (one for one in outside_of(unit.reader, edit.space) if one.path == edit.path)
    unit.pack_edits.drop(
        [one.id for one in others if one.status == "proposed" and one.id != edit.id]
    )


def _read_again(unit: UnitOfWork, edit: PackEdit, before: Before) -> None:
    now = stored_documents(unit.reader, edit.space, paths=[edit.path]).get(edit.path)
    if before.document is None:
        unit.documents.remove(edit.space, [now.id] if now else [])
        return
    unit.documents.put_all([(before.document, before.passages)])
    if before.level is not None:
        unit.sensitivities.put_all([before.level])


def _before(unit: UnitOfWork, edit: PackEdit, file: ReadFile | None) -> Before:
    document = stored_documents(unit.reader, edit.space, paths=[edit.path]).get(edit.path)
    let_in = text_let_in(unit.reader, edit.space, edit.path)
    if document is None or edit.cause == "proposed":
        return Before(file, document, (), None, let_in)
    passages = tuple(
        PassageRow(
            one.id,
            number,
            one.heading,
            one.text,
            one.first_line,
            one.last_line,
            one.tokens,
            one.content_hash,
        )
        for number, one in enumerate(document_passages(unit.reader, document.id))
    )
    level = sensitivities(unit.reader, [document.id]).get(document.id)
    return Before(file, document, passages, level, let_in)


def _let_in(unit: UnitOfWork, edit: PackEdit, content_hash: str, text: str) -> None:
    unit.pack_edits.let_in(edit.space, edit.path, content_hash=content_hash, text=text)


def _holds(unit: UnitOfWork, space: str) -> bool:
    """Whether anything is let in by its hash there; in other Spaces every file is read."""
    stored = unit.spaces.get(space)
    return (
        stored is not None
        and stored.lobe.hold_external_changes
        and bool(texts_let_in(unit.reader, space))
    )
