"""`record_turn`: what was done goes to the session that we counted; no argument names another."""

from __future__ import annotations

from typing import cast

from lobes.domain.memories import Provenance
from lobes.domain.sessions import Said
from lobes.mcp.calls import Asked, Document
from lobes.mcp.fields import Arguments
from lobes.services.recording import record_turn as put


def record_turn(asked: Asked, given: Arguments) -> Document:
    """The session, and which of its turns this is."""
    asked.session.limits.record()
    said = Said(
        summary=str(given["summary"]),
        decisions=cast("tuple[str, ...]", given.get("decisions", ())),
        evidence=cast("tuple[str, ...]", given.get("evidence", ())),
    )
    came = Provenance(
        source="mcp",
        session=asked.session.id,
        client=asked.client,
        tool=asked.tool,
        is_external=asked.session.has_read_outside,
    )
    done = put(asked.lobes, asked.caller, asked.space, said, came)
    return {"session": done.session, "turn": done.place}
