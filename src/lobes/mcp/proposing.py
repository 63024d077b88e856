"""`propose_memory` and `list_pending`: what an agent puts before a person.

Where it comes from is set here: the session that we counted, the name that the client gave, the
tool. Why it waits isn't told: that is for the person who decides.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import cast

from lobes.domain.actors import person_of
from lobes.domain.display import display_text
from lobes.domain.errors import Invalid
from lobes.domain.ids import LobeAddress
from lobes.domain.memories import Epistemic, Given, Kind, MemoryClass, Provenance
from lobes.domain.proposals import Origin, Proposal
from lobes.domain.sensitivity import Level
from lobes.domain.tokens import estimate_tokens
from lobes.mcp.calls import Asked, Document
from lobes.mcp.fields import Arguments
from lobes.mcp.retrieval import cursor
from lobes.services.memories import pending_of
from lobes.services.pack_proposing import pending_edits
from lobes.services.proposing import Proposed, propose

ITEMS = 100
"""Ids of a page of what waits."""


def propose_memory(asked: Asked, given: Arguments) -> Document:
    """Its id, that it waits, and the neighbours that this agent may read."""
    proposal = _proposal(asked, given)
    asked.session.limits.propose()
    origin = Origin(
        "agent",
        Provenance(
            source="mcp",
            session=asked.session.id,
            client=asked.client,
            tool=asked.tool,
            evidence=proposal.evidence,
            is_external=bool(given["derived_from_external"]) or asked.session.has_read_outside,
        ),
        tuple(Given(thing, *had) for thing, had in asked.session.all_given()),
    )
    done = propose(asked.lobes, asked.caller, asked.space, proposal, origin)
    for one in done.neighbours:
        tokens = estimate_tokens(one.statement)
        asked.session.has_had(f"memory/{one.id}", outside=one.is_from_outside, tokens=tokens)
    return {
        "id": done.id or None,
        "status": done.outcome,
        "neighbours": _neighbours(done),
    }


def list_pending(asked: Asked, given: Arguments) -> Document:
    """The ids and states of what was proposed through this client and still waits."""
    mine = asked.lobes, asked.caller, asked.space
    found = [id for id, _ in pending_of(*mine, client=asked.client)]
    # Ids begin with their time: the newest first.
    found = sorted([*found, *pending_edits(*mine, client=asked.client)], reverse=True)
    start = cursor(given)
    page = found[start : start + ITEMS]
    after = start + len(page)
    return {
        "items": [{"id": id, "status": "pending"} for id in page],
        "total": len(found),
        "next": str(after) if after < len(found) else None,
    }


def _proposal(asked: Asked, given: Arguments) -> Proposal:
    personal = given.get("destination") == "personal"
    return Proposal(
        statement=str(given["statement"]),
        kind=cast("Kind", given["kind"]),
        memory_class=cast("MemoryClass", given.get("class", "project")),
        epistemic=cast("Epistemic | None", given.get("epistemic")),
        subject=str(given.get("subject", "")),
        category=str(given.get("category", "")),
        lobe=LobeAddress("personal", person_of(asked.caller.actor)) if personal else None,
        given=cast("Level | None", given.get("sensitivity")),
        confidence=cast("float | None", given.get("confidence")),
        evidence=cast("tuple[str, ...]", given.get("evidence", ())),
        valid_from=_day(given.get("valid_from")),
        valid_to=_day(given.get("valid_to")),
        replaces=str(given.get("replaces", "")),
    )


def _day(sent: object) -> datetime | None:
    if sent is None:
        return None
    try:
        return datetime.strptime(str(sent), "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise Invalid("", reason="bad_date") from None


def _neighbours(done: Proposed) -> list[Document]:
    return [
        {
            "id": one.id,
            "relation": one.relation,
            "likeness": round(one.likeness, 2),
            "status": one.status,
            "statement": display_text(one.statement, lines=True, limit=500),
        }
        for one in done.neighbours
    ]
