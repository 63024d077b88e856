"""Documents and passages of the packs, and the outbox row that each change leaves for the index.

Rows go in by executemany on statements that are built once: a first index writes thousands.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlmodel import Session, SQLModel

from lobes.domain.documents import PassageRow, StoredDocument
from lobes.store.tables import stamp

_TABLES = SQLModel.metadata.tables
_DOCUMENT = _TABLES["document"]
_PASSAGE = _TABLES["passage"]
_SKIPPED = _TABLES["skipped_file"]
_OUTBOX = _TABLES["outbox"]


class Documents:
    """The documents, inside one unit of work."""

    def __init__(self, session: Session, *, now: datetime) -> None:
        self._connection = session.connection()
        self._now = stamp(now)

    def of(self, space: str) -> dict[str, StoredDocument]:
        """Path → document."""
        raise NotImplementedError

    def put(self, document: StoredDocument, passages: Sequence[PassageRow]) -> None:
        """Insert, or replace in place by id; only passages that are gone are deleted."""
        raise NotImplementedError

    def remove(self, space: str, ids: Iterable[str]) -> None:
        """Delete these documents of the Space with their passages."""
        raise NotImplementedError

    def touch(self, id: str, size: int, mtime_ns: int) -> None:
        """The file was read again and its content is the same."""
        raise NotImplementedError

    def set_role(self, id: str, role: str) -> None:
        raise NotImplementedError

    def set_skipped(self, space: str, rows: Sequence[tuple[str, str]], now: datetime) -> None:
        """Replace the Space's list of files that weren't taken: pairs of path and reason."""
        raise NotImplementedError

    def forget_lobe(self, space: str) -> None:
        """Delete all documents of the Space, and have the index drop its lobe."""
        raise NotImplementedError
