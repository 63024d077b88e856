"""The words of Review: why something waits, from whom it is, what another memory is to it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from lobes.domain.ids import is_ulid
from lobes.domain.reviewing import REJECTIONS
from lobes.tui.cells import day
from lobes.tui.paint import Look, Span, ink, muted

if TYPE_CHECKING:
    from lobes.domain.memories import Memory, Version, Wait
    from lobes.services.memory_readers import Readers

SESSION = 12
"""Characters of a session's id that are shown."""
MOST_YEAR = 2100

WAITS: Mapping[Wait, str] = {
    "unsealed": "it has no seal",
    "conflict": "it contradicts a memory",
    "near_copy": "it is close to a memory",
    "replaces": "it would replace a memory",
    "secret": "it holds a secret",
    "sensitive": "it is sensitive",
    "high_category": "its category always asks",
    "outside": "it derives from an outside text",
    "wider_scope": "it would be read more widely",
    "inferred": "an agent inferred it",
    "imported": "it was imported",
    "shared": "somebody shared it",
    "policy": "its Space asks for everything",
}
EPISTEMIC: Mapping[str, str] = {
    "personal_observation": "observed",
    "agent_inference": "inferred",
    "external_evidence": "from evidence",
    "professional_advice": "advice",
    "decision": "decided",
    "unresolved_uncertainty": "uncertain",
}
WRITTEN_BY: Mapping[str, str] = {
    "user": "by you",
    "agent": "by an agent",
    "import": "by import",
    "share": "shared",
}


def waits(memory: Memory) -> str:
    """`it contradicts a memory; an agent inferred it`; the gravest reason first."""
    return "; ".join(WAITS[one] for one in WAITS if one in memory.waits_for)


def because(memory: Memory) -> tuple[str, ...]:
    """The same as sentences."""
    return tuple(
        f"{WAITS[one][:1].upper()}{WAITS[one][1:]}." for one in WAITS if one in memory.waits_for
    )


def standing(memory: Memory, now: datetime) -> str:
    """`active since 12 Sep, by you`."""
    return f"{memory.status} since {day(memory.updated, now)}, {WRITTEN_BY[memory.author]}"


def kind(memory: Memory) -> list[Span]:
    """`decision  inferred, 0.71`."""
    sure = "" if memory.confidence is None else f", {memory.confidence:.2f}"
    word = memory.kind.replace("_", " ")
    return [ink(word), Span("  "), muted(f"{EPISTEMIC[memory.epistemic]}{sure}")]


def origin(memory: Memory) -> str:
    """`claude-code, session 14:02`: who says so is data, never ours."""
    known = memory.provenance
    session = f"session {_session(known.session)}" if known.session else ""
    parts = [part for part in (known.client or known.source, session, known.tool) if part]
    return ", ".join(parts) or WRITTEN_BY[memory.author]


def _session(id: str) -> str:
    """When it began, which the id of a session of ours says; of another one its id, in short."""
    if not is_ulid(id):
        return id[:SESSION]
    then = datetime.fromtimestamp(_milliseconds(id) / 1000, UTC)
    return f"{then.astimezone():%H:%M}" if then.year < MOST_YEAR else id[:SESSION]


def _milliseconds(ulid: str) -> int:
    """The first ten characters, in Crockford's base 32 (the ULID specification)."""
    found = 0
    for char in ulid[:10]:
        found = found * 32 + _DIGITS.index(char)
    return found


_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

HAPPENED: Mapping[str, str] = {
    "add": "written",
    "propose": "proposed",
    "import": "imported",
    "accept": "accepted",
    "reject": "rejected",
    "reopen": "reopened",
    "supersede": "superseded",
    "reinstate": "in use again",
    "archive": "archived",
    "restore": "restored",
    "dispute": "disputed",
    "settle": "settled",
    "delete": "deleted",
    "edit": "edited",
    "recheck": "checked again",
    "undo": "taken back",
    "move": "moved",
    "permit": "opened or closed to others",
    "raise": "sensitivity raised",
    "lower": "sensitivity lowered",
}


def happened(one: Version) -> str:
    """`rejected by ada: too vague`."""
    word = HAPPENED.get(one.act, one.act)
    reason = REJECTIONS.get(one.reason, one.reason)
    return f"{word} by {who(one.actor)}{f': {reason}' if reason else ''}"


def who(actor: str) -> str:
    """An actor as the record writes it, in short: `user:ada` is ada."""
    kind, _, name = actor.partition(":")
    if kind == "user":
        return name
    return f"an agent of {name.partition('/')[0]}" if kind == "ai" else actor


def status(memory: Memory, look: Look) -> Span:
    """`✓ active`."""
    colour = {"active": "success", "disputed": "warning"}.get(memory.status, "muted")
    return Span(f"{look.glyphs.of('memory', memory.status)} {memory.status}", colour)


def readers_in_short(readers: Readers, where: str) -> str:
    """`you, agents bound to Notidian, 4 Spaces; no person`."""
    found = ["you"] if readers.you else []
    if readers.agents is not None:
        found.append(f"agents bound to {where}")
    if readers.spaces:
        found.append(f"{len(readers.spaces)} Space{'s' if len(readers.spaces) > 1 else ''}")
    return f"{', '.join(found) or 'nobody'}; {people(readers) or 'no person'}"


def people(readers: Readers) -> str:
    """The persons besides oneself; "" only where there is none and nobody can be hidden."""
    if readers.people:
        return ", ".join(readers.people)
    return "" if readers.is_whole else "no one that you know of"
