"""Documents and passages of the packs, and the outbox row that each change leaves for the index.

Statements are built once and run with many rows: a first index writes thousands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from datetime import datetime
from operator import attrgetter

from sqlalchemy import Table, bindparam, delete, insert, select, update
from sqlalchemy.dialects.sqlite import Insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlmodel import Session, SQLModel

from lobes.domain.documents import PassageRow, StoredDocument
from lobes.domain.ids import LobeAddress
from lobes.store.keeping import bring_back, keep, new_among
from lobes.store.tables import stamp

_DOCUMENT = SQLModel.metadata.tables["document"]
_PASSAGE = SQLModel.metadata.tables["passage"]
_SKIPPED = SQLModel.metadata.tables["skipped_file"]
_OUTBOX = SQLModel.metadata.tables["outbox"]

_STORED = (
    "id",
    "space",
    "path",
    "role",
    "title",
    "content_hash",
    "size",
    "mtime_ns",
    "tokens",
)
_OF = select(*(_DOCUMENT.c[name] for name in _STORED)).where(
    _DOCUMENT.c.space == bindparam("of_space")
)


def _put(table: Table, columns: Iterable[str]) -> Insert:
    """Insert, or replace these columns of the row that has the id."""
    statement = sqlite_insert(table)
    replaced = {name: statement.excluded[name] for name in columns if name != "id"}
    return statement.on_conflict_do_update(index_elements=["id"], set_=replaced)


_PUT_DOCUMENT = _put(_DOCUMENT, (*_STORED, "indexed"))
_PASSAGE_IDS = select(_PASSAGE.c.id).where(
    _PASSAGE.c.document.in_(bindparam("of_documents", expanding=True))
)
_DROP_PASSAGE = delete(_PASSAGE).where(_PASSAGE.c.id == bindparam("gone"))
_PUT_PASSAGE = _put(_PASSAGE, [column.name for column in _PASSAGE.columns])
_DROP_DOCUMENT = delete(_DOCUMENT).where(_DOCUMENT.c.id == bindparam("gone"))
_CHANGE = insert(_OUTBOX)

_PASSAGE_FIELDS = tuple(field.name for field in fields(PassageRow))
# `asdict` copies deeply: it was half of the time of a first index.
_DOCUMENT_VALUES = attrgetter(*_STORED)
_PASSAGE_VALUES = attrgetter(*_PASSAGE_FIELDS)


class Documents:
    """The documents, inside one unit of work."""

    def __init__(self, session: Session, *, now: datetime) -> None:
        self._connection = session.connection()
        self._now = stamp(now)

    def of(self, space: str) -> dict[str, StoredDocument]:
        """Path → document, for every document of the Space."""
        rows = self._connection.execute(_OF, {"of_space": space}).all()
        return {row.path: StoredDocument(*row) for row in rows}

    def put(self, document: StoredDocument, passages: Sequence[PassageRow]) -> None:
        """`put_all` for one document."""
        self.put_all([(document, passages)])

    def put_all(self, found: Sequence[tuple[StoredDocument, Sequence[PassageRow]]]) -> None:
        """Insert, or replace in place by id; only passages that are gone are deleted.

        A document's own permission stays; one that comes back, or comes with the bytes of one that
        is closed, is as closed as that was. Raises `Conflict` at the end of the unit when another
        document has the path, or when there is no such Space.
        """
        if not found:
            return
        run = self._connection.execute
        ids = [document.id for document, _ in found]
        spaces = {document.space for document, _ in found}
        new = [id for space in spaces for id in new_among(self._connection, space, ids)]
        run(_PUT_DOCUMENT, [self._document_columns(document) for document, _ in found])
        bring_back(self._connection, new)
        kept = {one.id for _, passages in found for one in passages}
        here = run(_PASSAGE_IDS, {"of_documents": ids})
        if gone := {row.id for row in here} - kept:
            run(_DROP_PASSAGE, [{"gone": id} for id in sorted(gone)])
        rows = [_passage_columns(one, document.id) for document, many in found for one in many]
        if rows:
            run(_PUT_PASSAGE, rows)
        run(_CHANGE, [_change("upsert", one.id, one.space, one.content_hash) for one, _ in found])

    def _document_columns(self, document: StoredDocument) -> dict[str, object]:
        columns: dict[str, object] = dict(zip(_STORED, _DOCUMENT_VALUES(document), strict=True))
        columns["indexed"] = self._now
        return columns

    def remove(self, space: str, ids: Iterable[str]) -> None:
        """Delete these documents of the Space with their passages; unknown ids are no error."""
        known = {document.id for document in self.of(space).values()}
        gone = sorted(known.intersection(ids))
        if gone:
            keep(self._connection, gone)
            self._connection.execute(_DROP_DOCUMENT, [{"gone": id} for id in gone])
            self._connection.execute(_CHANGE, [_change("delete", id, space) for id in gone])

    def touch(self, id: str, size: int, mtime_ns: int) -> None:
        """The file was looked at again and its content is the same: no work for the index."""
        self._update(id, size=size, mtime_ns=mtime_ns)

    def set_role(self, id: str, role: str) -> None:
        """What the file is for; "" where the manifest gives it no role."""
        self._update(id, role=role)

    def set_skipped(self, space: str, rows: Sequence[tuple[str, str]], now: datetime) -> None:
        """Replace the Space's list of files that weren't taken: pairs of path and reason."""
        self._connection.execute(delete(_SKIPPED).where(_SKIPPED.c.space == space))
        seen = stamp(now)
        if rows:
            self._connection.execute(
                insert(_SKIPPED),
                [
                    {"space": space, "path": path, "reason": reason, "seen": seen}
                    for path, reason in rows
                ],
            )

    def _update(self, id: str, **columns: object) -> None:
        self._connection.execute(update(_DOCUMENT).where(_DOCUMENT.c.id == id).values(**columns))


def _passage_columns(passage: PassageRow, document: str) -> dict[str, object]:
    columns: dict[str, object] = dict(zip(_PASSAGE_FIELDS, _PASSAGE_VALUES(passage), strict=True))
    columns["document"] = document
    return columns


def _change(op: str, id: str, space: str, content_hash: str = "") -> dict[str, str]:
    return {
        "op": op,
        "kind": "document",
        "id": id,
        "lobe": str(LobeAddress("space", space)),
        "content_hash": content_hash,
    }
