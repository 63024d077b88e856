"""Edits of packs, and the texts that a holding Space has let in, inside one unit of work."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import delete, insert, update
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlmodel import Session, SQLModel

from lobes.domain.pack_edits import PackEdit
from lobes.store.pack_texts import TAKEN_IN
from lobes.store.read_sensitivity import dump_findings
from lobes.store.tables import stamp

_EDIT = SQLModel.metadata.tables["pack_edit"]
_TEXT = SQLModel.metadata.tables["pack_text"]
_INSERT = sqlite_insert(_TEXT)
_LET_IN = _INSERT.on_conflict_do_update(
    index_elements=["space", "path"],
    set_={name: _INSERT.excluded[name] for name in ("content_hash", "text")},
)


class PackEdits:
    """The edits, inside one unit of work."""

    def __init__(self, session: Session) -> None:
        self._connection = session.connection()

    def put(self, edit: PackEdit) -> None:
        """Insert a new one; `Conflict` at the end of the unit where its Space isn't there."""
        self._connection.execute(insert(_EDIT), [_columns(edit)])

    def save(self, edit: PackEdit) -> None:
        """Store it in the place of the row with its id."""
        values = _columns(edit)
        self._connection.execute(update(_EDIT).where(_EDIT.c.id == edit.id).values(**values))

    def drop(self, ids: Iterable[str]) -> None:
        """These are nothing to decide on any more."""
        for id in ids:
            self._connection.execute(delete(_EDIT).where(_EDIT.c.id == id))

    def let_in(self, space: str, path: str, *, content_hash: str, text: str) -> None:
        """This is what the file may say from now on; without a hash, that it may be gone."""
        row = {"space": space, "path": path, "content_hash": content_hash, "text": text}
        self._connection.execute(_LET_IN, [row])

    def take_in(self, space: str) -> None:
        """The pack as it is now counts as what the person added."""
        self.let_in(space, TAKEN_IN, content_hash="", text="")

    def forget_text(self, space: str, path: str) -> None:
        """Nothing is let in there: it is gone, or it was never there."""
        these = (_TEXT.c.space == space) & (_TEXT.c.path == path)
        self._connection.execute(delete(_TEXT).where(these))

    def forget_texts(self, space: str) -> None:
        """The Space holds nothing any more: no text is kept, and none is known to be let in."""
        self._connection.execute(delete(_TEXT).where(_TEXT.c.space == space))


def _columns(edit: PackEdit) -> dict[str, object]:
    return {
        "id": edit.id,
        "space": edit.space,
        "path": edit.path,
        "base_hash": edit.base_hash,
        "text": edit.text,
        "content_hash": edit.content_hash,
        "status": edit.status,
        "cause": edit.cause,
        "person": edit.person,
        "session": edit.session,
        "client": edit.client,
        "tool": edit.tool,
        "is_external": edit.is_external,
        "why": edit.why,
        "level": edit.level,
        "findings": dump_findings(edit.findings),
        "created": stamp(edit.created),
        "decided": None if edit.decided is None else stamp(edit.decided),
        "reason": edit.reason,
        "decided_by": edit.decided_by,
    }
