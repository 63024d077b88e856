"""Taking decisions back: each memory as it was before, as a version of its own.

A decision is taken back whole or not at all. Nothing else may have happened to what it changed,
and nothing may lean on it by now: what was folded into it since, say, would have no successor.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from lobes.domain.errors import LobesError
from lobes.domain.lifecycle import Tie
from lobes.domain.memories import RETRIEVABLE, Memory
from lobes.domain.reviewing import held
from lobes.services.decisions import Decided, Done, Left
from lobes.services.installation import Caller
from lobes.services.known_to import KnownTo
from lobes.services.review_writing import count_decided, write_changes, write_ties
from lobes.store.read_ties import around

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork


def take_back(
    unit: UnitOfWork,
    caller: Caller,
    decided: Decided,
    denied: Mapping[str, LobesError],
    known: KnownTo,
) -> Decided:
    """What was taken back, the last decision first, and what wasn't; `known` is what the caller may
    read of what it is held against."""
    put: dict[str, int] = {}
    done: list[Done] = []
    left: list[Left] = []
    for one in reversed(decided.done):
        refused = next((denied[m.id] for _, m in one.changes if m.id in denied), None)
        try:
            if refused is not None:
                raise refused
            done.append(_taken_back(unit, caller, one, put, known))
        except LobesError as error:
            left.append(Left(one.id, error))
    count_decided(unit, (change for one in done for change in one.changes))
    return Decided(decided.act, tuple(done), tuple(left), is_undone=not decided.is_undone)


def _taken_back(
    unit: UnitOfWork, caller: Caller, one: Done, put: dict[str, int], known: KnownTo
) -> Done:
    """`put`: what this undo has put back so far, by the version that it had then: to a decision
    before that one it is as it was."""
    ids = [after.id for _, after in one.changes]
    now, ties = around(unit.reader, [*ids, *(id for tie in one.untied for id in tie[1:])])
    steps: list[tuple[str, Memory, Memory]] = []
    for before, after in one.changes:
        current = now.get(after.id)
        if current is None or put.get(after.id, current.version) != after.version:
            raise held("changed")
        back = before or replace(after, status="deleted")
        _check_back(known, one, current, back, ties)
        steps.append(("undo", current, replace(back, version=current.version + 1)))
    _check_ties(one, {**now, **{back.id: back for _, _, back in steps}})
    write_changes(unit, caller, steps)
    write_ties(unit, tied=one.untied, untied=one.tied)
    for before, after in one.changes:
        if before is None:  # nobody decided on its words, so they aren't held back
            unit.memories.raise_tombstone(after.id)
    put.update((before.id, before.version) for before, _ in one.changes if before is not None)
    changes = tuple((current, replace(back, updated=unit.now)) for _, current, back in steps)
    return Done(one.id, changes, one.untied, one.tied)


def _check_back(known: KnownTo, one: Done, current: Memory, back: Memory, ties: set[Tie]) -> None:
    """What goes out of use has nobody who leans on it, what comes into use is no second one."""
    if current.is_retrievable and not back.is_retrievable:
        own = (tie for tie in ties if current.id in tie[1:] and tie not in one.tied)
        if any(tie.kind == "disputes" or tie.memory == current.id for tie in own):
            raise held("changed")
    if back.is_retrievable and not current.is_retrievable:
        same = known.same(back.lobe, [back.content_hash])
        leaving = {before.id for _, before in one.changes}
        for id, status in same.get(back.content_hash, ()):
            if status in RETRIEVABLE and id not in leaving:
                raise held("duplicate_since")


def _check_ties(one: Done, then: Mapping[str, Memory]) -> None:
    """The links that come back hold between what is there then."""
    for tie in one.untied:
        memory, other = then.get(tie.memory), then.get(tie.other)
        if memory is None or other is None or memory.status == "deleted":
            raise held("changed")
        wanted = "disputed" if tie.kind == "disputes" else "superseded"
        if other.status != wanted or (tie.kind == "disputes" and memory.status != wanted):
            raise held("changed")
