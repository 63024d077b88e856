"""Variants of one claim among what waits, so that they are one decision.

Only what was marked as a near copy when it came is looked at: whatever is alone isn't.
"""

from __future__ import annotations

from collections.abc import Sequence

from lobes.domain.ids import LobeAddress
from lobes.domain.likeness import Alike
from lobes.domain.memories import Memory
from lobes.services.comparing import LEAST, relations
from lobes.services.installation import Installation
from lobes.services.review_queue import Item
from lobes.store.read_memories import memories

MOST = 100
"""Variants of one claim."""


def groups(lobes: Installation, items: Sequence[Item]) -> tuple[tuple[str, ...], ...]:
    """The groups among these items, by id, each in the order of the list; none of one alone.

    A few ms for each near copy, so a face asks for it beside the list, not before it.
    """
    marked = [one for one in items if "near_copy" in one.brakes]
    if not marked:
        return ()
    alike: dict[LobeAddress, Alike] = {}
    for lobe in {one.row.lobe for one in marked}:
        alike[lobe] = Alike()
    for one in items:
        if one.row.lobe in alike:
            alike[one.row.lobe].put(one.id, one.row.statement)
    near = {
        one.id: [
            id
            for id, _ in alike[one.row.lobe].near(one.row.statement, most=MOST, least=LEAST)
            if id != one.id
        ]
        for one in marked
    }
    with lobes.reading() as store:
        known = memories(store, {*near, *(id for some in near.values() for id in some)})
    return _joined([one.id for one in items], near, known)


def _joined(
    order: Sequence[str], near: dict[str, list[str]], known: dict[str, Memory]
) -> tuple[tuple[str, ...], ...]:
    """Whoever is a copy of one in a group belongs to it; what contradicts is no copy."""
    leader: dict[str, str] = {}

    def of(id: str) -> str:
        while leader.get(id, id) != id:
            id = leader[id]
        return id

    for id, others in near.items():
        if id not in known:
            continue
        beside = [known[one] for one in others if one in known]
        for one in relations(known[id], beside):
            if one.relation in ("repeat", "near_copy"):
                leader[of(one.memory.id)] = of(id)
    found: dict[str, list[str]] = {}
    for id in order:
        if id in leader or id in near:
            found.setdefault(of(id), []).append(id)
    return tuple(tuple(some) for some in found.values() if len(some) > 1)
