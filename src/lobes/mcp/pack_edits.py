"""`propose_pack_edit`: a changed file, put before the person; where it comes from is set here."""

from __future__ import annotations

from lobes.domain.memories import Provenance
from lobes.domain.proposals import Origin
from lobes.mcp.calls import Asked, Document
from lobes.mcp.fields import Arguments
from lobes.services.pack_proposing import propose_pack_edit


def propose_edit(asked: Asked, given: Arguments) -> Document:
    """Its id, and that it waits; nothing is written."""
    asked.session.limits.propose()
    came = Provenance(
        source="mcp",
        session=asked.session.id,
        client=asked.client,
        tool=asked.tool,
        is_external=asked.session.has_read_outside,
    )
    done = propose_pack_edit(
        asked.lobes,
        asked.caller,
        asked.space,
        str(given["path"]),
        base_hash=str(given.get("base_hash", "")),
        text=str(given["text"]),
        why=str(given["why"]),
        origin=Origin("agent", came),
    )
    return {"id": done.id, "status": done.outcome}
