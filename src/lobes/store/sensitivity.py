"""Writing the sensitivity of documents, inside one unit of work."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy.dialects.sqlite import insert
from sqlmodel import Session, SQLModel

from lobes.store.read_sensitivity import StoredSensitivity, dump_findings, dump_setting

_TABLE = SQLModel.metadata.tables["document_sensitivity"]
_INSERT = insert(_TABLE)
_PUT = _INSERT.on_conflict_do_update(
    index_elements=["document"],
    set_={
        column.name: _INSERT.excluded[column.name]
        for column in _TABLE.columns
        if column.name != "document"
    },
)


class Sensitivities:
    """The sensitivity of documents."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def put_all(self, found: Sequence[StoredSensitivity]) -> None:
        """Insert or replace; each names a document that is there."""
        if found:
            self._session.connection().execute(_PUT, [_columns(one) for one in found])


def _columns(one: StoredSensitivity) -> dict[str, object]:
    return {
        "document": one.document,
        "level": one.level,
        "given": one.given,
        "findings": dump_findings(one.findings),
        "classifier": one.classifier,
        "setting": None if one.setting is None else dump_setting(one.setting),
    }
