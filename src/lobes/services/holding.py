"""Spaces that hold external changes: what changes in their files outside of Lobes isn't read before
a person has accepted it. What was read stays as it was, and the file is never touched.

What a person let in is known by its hash: the pack as they added it, what they wrote through Lobes,
what they accepted. All else waits in review as "changed outside", a file that is gone as well.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from lobes.domain.documents import StoredDocument
from lobes.domain.ids import NewId
from lobes.domain.lobes import LobeConfig
from lobes.domain.pack_edits import PackEdit
from lobes.domain.sensitivity import effective
from lobes.domain.spaces import Space
from lobes.services.index_report import HeldFile
from lobes.services.ingress import Assessed
from lobes.store.found import ReadFile
from lobes.store.pack_texts import TAKEN_IN, texts_let_in
from lobes.store.read import stored_documents
from lobes.store.read_pack_edits import (
    Outside,
    outside_of,
    pack_edits,
)

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Outer:
    """A file as it is outside, and what was found in it."""

    file: ReadFile
    look: Assessed

    @property
    def path(self) -> str:
        return self.file.path


@dataclass(frozen=True, slots=True)
class Gone:
    """A file that is there no longer."""

    path: str


@dataclass(slots=True)
class Hold:
    """What one Space lets in while it is looked at; `holds` is its setting."""

    space: str
    holds: bool
    is_first: bool
    """Nobody has taken the pack in yet: what is there is what the person added."""
    texts: dict[str, str]
    """Path → the hash that was let in."""
    outside: list[Outside]

    def lets_in(self, path: str, content_hash: str) -> bool:
        """Whether this may be read; "" asks whether the file may be gone."""
        return not self.holds or self.is_first or self.texts.get(path) == content_hash

    @property
    def is_over(self) -> bool:
        """Texts are kept though nothing is held any more."""
        return not self.holds and bool(self.texts)

    def asks_for(self, known: Mapping[str, StoredDocument]) -> frozenset[str]:
        """The files to be read whatever their size and time say: those that are held, to see
        whether they still are, and those whose text isn't kept yet."""
        held = {one.path for one in self.outside}
        return frozenset(held | (set(known) - set(self.texts) if self.holds else set()))

    def waiting(self) -> list[Outside]:
        return [one for one in self.outside if one.status == "proposed"]

    # Inside the unit of work that stores what was seen -------------------------------------------

    def let_in_since(self, unit: UnitOfWork, outside: Mapping[str, Outer]) -> set[str]:
        """Those that a person has let in since the look began: they are read once more."""
        if not outside:
            return set()
        self.texts = texts_let_in(unit.reader, self.space)
        return {path for path, one in outside.items() if self.lets_in(path, one.file.content_hash)}

    def parted(self, unit: UnitOfWork, paths: Sequence[str]) -> tuple[list[str], list[str]]:
        """Of files that are gone those that are held, and those that may be."""
        if not self.holds or not paths:
            return [], list(paths)
        self.texts = texts_let_in(unit.reader, self.space)
        gone = [path for path in paths if self.lets_in(path, "")]
        return [path for path in paths if path not in gone], gone

    def keep(self, unit: UnitOfWork, read: Sequence[ReadFile]) -> None:
        """The texts that are read now, so that a change can be shown against them."""
        if not self.holds:
            return
        for one in read:
            if self.is_first or self.texts.get(one.path) != one.content_hash:
                unit.pack_edits.let_in(
                    self.space, one.path, content_hash=one.content_hash, text=one.text
                )

    def forget(self, unit: UnitOfWork, paths: Iterable[str]) -> None:
        """These are out of the index: a file that comes back is a change."""
        for path in paths if self.holds else ():
            unit.pack_edits.forget_text(self.space, path)

    def note(
        self,
        unit: UnitOfWork,
        new_id: NewId,
        held: Iterable[Outer | Gone],
        known: Mapping[str, StoredDocument],
    ) -> dict[str, HeldFile]:
        """Put these before the person, each once; what they rejected stays rejected."""
        held = list(held)
        if not held:
            return {}
        rows: dict[str, list[Outside]] = {}
        for row in outside_of(unit.reader, self.space):
            rows.setdefault(row.path, []).append(row)
        return {
            one.path: self._noted(unit, new_id, one, rows.get(one.path, []), known.get(one.path))
            for one in held
        }

    def _noted(
        self,
        unit: UnitOfWork,
        new_id: NewId,
        held: Outer | Gone,
        rows: Sequence[Outside],
        known: StoredDocument | None,
    ) -> HeldFile:
        edit = self._edit(unit, new_id, held, known)
        waits = next((one for one in rows if one.status == "proposed"), None)
        if any(one.content_hash == edit.content_hash for one in rows if one.status == "rejected"):
            unit.pack_edits.drop([waits.id] if waits else [])
            return _told(edit, "rejected")
        if waits is None:
            unit.pack_edits.put(edit)
        else:
            before = pack_edits(unit.reader, [waits.id])[waits.id]
            if (before.content_hash, before.base_hash) != (edit.content_hash, edit.base_hash):
                unit.pack_edits.save(replace(edit, id=before.id, created=before.created))
        return _told(edit, "waiting")

    def _edit(
        self, unit: UnitOfWork, new_id: NewId, held: Outer | Gone, known: StoredDocument | None
    ) -> PackEdit:
        edit = PackEdit(
            id=new_id(),
            space=self.space,
            path=held.path,
            base_hash=known.content_hash if known else "",
            text="",
            content_hash="",
            status="proposed",
            cause="changed_outside",
            person="",
            created=unit.now,
        )
        if isinstance(held, Gone):
            return edit
        found = held.look.findings
        return replace(
            edit,
            text=held.file.text,
            content_hash=held.file.content_hash,
            level=effective(None, given=held.look.given, findings=found),
            findings=tuple(one.kept for one in found),
        )

    def settle(self, unit: UnitOfWork, gone: Iterable[str]) -> None:
        """Nothing is to be decided on these, and without a hold no text is kept."""
        unit.pack_edits.drop(gone)
        if not self.holds:
            unit.pack_edits.forget_texts(self.space)


def hold_of(store: sqlite3.Connection, space: Space) -> Hold:
    """What the Space holds as a look begins. Where its config can't be read, the first look lets
    nothing in either."""
    texts = texts_let_in(store, space.id)
    holds = space.lobe.hold_external_changes
    is_first = space.lobe.sound and TAKEN_IN not in texts
    return Hold(space.id, holds, holds and is_first, texts, outside_of(store, space.id))


def follow_hold(unit: UnitOfWork, space: str, *, before: LobeConfig, after: LobeConfig) -> None:
    """From now on, not from the next look on: what is read counts as let in."""
    turned_on = after.hold_external_changes and not (before.hold_external_changes and before.sound)
    if turned_on and stored_documents(unit.reader, space):
        unit.pack_edits.take_in(space)


def let_in_by_hand(
    unit: UnitOfWork, space: str, path: str, *, content_hash: str, text: str
) -> None:
    """A person wrote this through Lobes: where the Space holds what changes outside, it isn't."""
    unit.pack_edits.let_in(space, path, content_hash=content_hash, text=text)
    same = (
        one.id
        for one in outside_of(unit.reader, space)
        if one.path == path and one.status == "proposed" and one.content_hash == content_hash
    )
    unit.pack_edits.drop(same)


def _told(edit: PackEdit, state: Literal["waiting", "rejected"]) -> HeldFile:
    change = "new" if edit.is_new else "removed" if edit.is_removal else "changed"
    return HeldFile(edit.space, edit.path, change, state)
