"""Sessions as they are written, inside one unit of work: turns are added, never changed."""

from __future__ import annotations

import json

from sqlalchemy import insert
from sqlmodel import Session as Writes
from sqlmodel import SQLModel

from lobes.domain.permissions import dump_permission
from lobes.domain.sessions import Session, Turn
from lobes.store.read_sensitivity import dump_findings
from lobes.store.tables import stamp

_SESSION = SQLModel.metadata.tables["session"]
_TURN = SQLModel.metadata.tables["session_turn"]


class Sessions:
    """The sessions, inside one unit of work."""

    def __init__(self, session: Writes) -> None:
        self._connection = session.connection()

    def begin(self, session: Session) -> None:
        """Insert a new one; `Conflict` at the end of the unit where its Space isn't there."""
        row = {
            "id": session.id,
            "space": session.space,
            "person": session.person,
            "actor": session.actor,
            "client": session.client,
            "permission": dump_permission(session.permission),
            "started": stamp(session.started),
        }
        self._connection.execute(insert(_SESSION), [row])

    def add(self, session: str, turn: Turn) -> None:
        """Its next turn."""
        row = {
            "session": session,
            "place": turn.place,
            "at": stamp(turn.at),
            "actor": turn.actor,
            "summary": turn.summary,
            "decisions": json.dumps(turn.decisions),
            "evidence": json.dumps(turn.evidence),
            "is_external": turn.is_external,
            "level": turn.level,
            "findings": dump_findings(turn.findings),
            "classifier": turn.classifier,
        }
        self._connection.execute(insert(_TURN), [row])
