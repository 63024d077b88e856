"""Deleting everything of one Space that somebody wrote or that came from one session: counted
first, and nothing beyond that scope."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from lobes.access.facts import Resource
from lobes.domain.errors import Invalid
from lobes.domain.ids import LobeAddress
from lobes.domain.memories import Status
from lobes.services.authority import allowed_memories, facts_for, require
from lobes.services.decisions import Asked, Decided
from lobes.services.installation import Caller, Installation
from lobes.services.reviewing import decide
from lobes.store.read_queue import scoped


@dataclass(frozen=True, slots=True)
class Scope:
    """Which memories of the Space's lobe: at least one of the others says so."""

    space: str
    author: str = ""
    session: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Counted:
    """What the scope holds: the ids, and how many in each status."""

    ids: tuple[str, ...]
    statuses: tuple[tuple[Status, int], ...]


def count_scope(lobes: Installation, caller: Caller, scope: Scope) -> Counted:
    """What would be deleted; asked as the deletion itself is, though nobody need be present."""
    if not (scope.author or scope.session or scope.source):
        raise Invalid(
            "That would be everything of the Space.",
            hint="Name an author, a session or a source.",
            reason="no_scope",
        )
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        require(lobes, caller, "review", Resource("space", scope.space), facts=facts)
        found = scoped(
            store,
            str(LobeAddress("space", scope.space)),
            author=scope.author,
            session=scope.session,
            source=scope.source,
        )
        known = allowed_memories(store, caller, "review", [id for id, _ in found], facts)
    there = [one for one in found if one[0] in known]
    counted = Counter[Status](status for _, status in there)
    return Counted(tuple(id for id, _ in there), tuple(sorted(counted.items())))


def delete_scope(lobes: Installation, caller: Caller, counted: Counted) -> Decided:
    """Delete what was counted, and nothing that came since."""
    return decide(lobes, caller, "delete", [Asked(id) for id in counted.ids])
