"""What decisions leave in the store: versions, links, tombstones and counts, in one unit of work.

A tombstone follows the status: what is rejected or deleted has one, anything else has none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from lobes.domain.actors import name_of
from lobes.domain.ids import LobeAddress
from lobes.domain.lifecycle import Tie
from lobes.domain.memories import Memory, Stage, Status, Tombstone
from lobes.services.installation import Caller

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork

_STAGES: dict[Status, Stage] = {
    "active": "accepted",
    "disputed": "accepted",
    "rejected": "rejected",
    "superseded": "merged",
}


def write_changes(
    unit: UnitOfWork,
    caller: Caller,
    steps: Sequence[tuple[str, Memory, Memory]],
    *,
    reason: str = "",
    may_wait: bool = False,
) -> None:
    """Each step is an act, the memory before and after it; a memory may take several, in order.
    `may_wait` for what takes out of use, which always goes: what it leaves in use (the other side
    of a dispute) waits where there is no key to seal it anew."""
    from lobes.store.memories import Change  # SQLModel, which the unit has loaded already

    actor = name_of(caller.actor)
    unit.memories.save_all(
        [Change(after, act, actor, reason, before) for act, before, after in steps],
        may_wait=may_wait,
    )
    last = {after.id: after for _, _, after in steps}
    first = {after.id: before for _, before, after in reversed(steps)}
    for id, memory in last.items():
        _bury(unit, first[id], memory, actor)


def _bury(unit: UnitOfWork, before: Memory, after: Memory, actor: str) -> None:
    if after.status == before.status:
        return
    if after.status == "rejected" or after.status == "deleted":
        cause, hash = after.status, after.content_hash
        unit.memories.tombstone(Tombstone(after.id, after.lobe, hash, cause, actor, unit.now))
    elif before.status in ("rejected", "deleted"):
        unit.memories.raise_tombstone(after.id)


def write_ties(unit: UnitOfWork, *, tied: Iterable[Tie], untied: Iterable[Tie]) -> None:
    for one in sorted(untied):
        unit.memories.unlink(one.kind, one.memory, one.other)
    for one in sorted(tied):
        unit.memories.link(one.kind, one.memory, one.other)


def count_decided(unit: UnitOfWork, changes: Iterable[tuple[Memory | None, Memory]]) -> None:
    """What the counters show: a proposal that is one no longer, by what became of it. What waits
    again is taken off."""
    counted: Counter[tuple[LobeAddress, Stage]] = Counter()
    for before, after in changes:
        was = before.status if before is not None else "proposed"
        if was == "proposed" and (stage := _STAGES.get(after.status)):
            counted[after.lobe, stage] += 1
        elif after.status == "proposed" and (stage := _STAGES.get(was)):
            counted[after.lobe, stage] -= 1
    for (lobe, stage), by in sorted(counted.items()):
        unit.memories.count(lobe, stage, by)
