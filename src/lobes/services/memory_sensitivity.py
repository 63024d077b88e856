"""How sensitive a memory is, set by hand: raised freely, lowered with a reason. A person's act.

What that person knew then is kept with it, as with a document (`services.sensitivity`). Each one
that changes gets a version, so that one undo takes all of them back.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lobes.access.authorize import Decision
from lobes.access.facts import Facts, Resource, resources
from lobes.domain.actors import name_of
from lobes.domain.errors import LobesError, nothing_there
from lobes.domain.memories import Memory, Wait, shown_hash
from lobes.domain.reviewing import held
from lobes.domain.sensitivity import STAYS, Level, Setting, is_stricter
from lobes.services.authority import facts_for, record, require
from lobes.services.comparing import neighbourhood
from lobes.services.decisions import Asked, Decided, Done, left_of
from lobes.services.installation import Caller, Installation
from lobes.services.known_to import KnownTo
from lobes.services.memory_seals import require_key
from lobes.services.notices import notify_of_rights
from lobes.services.review_undo import take_back
from lobes.services.review_writing import write_changes
from lobes.services.sensitivity import (
    ClearLine,
    SensitivityView,
    check_reason,
    cleaned,
    refuse_direction,
    require_owner,
    secret_lines,
)
from lobes.store.read_memories import memories

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork

VERB = "change_permission"
ACT = "sensitivity"
"""What `Decided` calls it: `undo_levels` takes it back, `reviewing.undo` doesn't."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """What is set, and why; `lowers` as `set_levels` has it."""

    level: Level
    why: str
    lowers: bool | None


@dataclass(frozen=True, slots=True)
class _Set:
    """One that gets another level: the act of its version, the memory before and after."""

    act: str
    before: Memory
    after: Memory


def show_sensitivity(lobes: Installation, caller: Caller, resource: Resource) -> SensitivityView:
    """As for a document; `path` is empty, for a memory is in no file."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, things=[resource])
        require(lobes, caller, "read_content", resource, facts=facts)
        return _view(_stored(store, resource.id))


def lower(
    lobes: Installation, caller: Caller, resource: Resource, level: Level, *, reason: str
) -> SensitivityView:
    """Set a laxer level. `Invalid` without a reason or where it is no laxer; needs a person."""
    check_reason(cleaned(reason))
    return _set_one(lobes, caller, resource, level, reason=reason, lowers=True)


def raise_to(
    lobes: Installation, caller: Caller, resource: Resource, level: Level, *, reason: str = ""
) -> SensitivityView:
    """Set a stricter level; needs a person, for it takes others' access away."""
    return _set_one(lobes, caller, resource, level, reason=reason, lowers=False)


def clear_lines(lobes: Installation, caller: Caller, resource: Resource) -> tuple[ClearLine, ...]:
    """The lines of its statement that hold secrets, unmasked: for its owner, at the keyboard, and
    kept in the record as an act of its own."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, things=[resource])
        reason = require_owner(lobes, caller, resource, facts)
        text = _stored(store, resource.id).statement
    record(lobes, caller, "memory.secret_shown", "read_content", resource, answer=reason)
    return secret_lines(text)


def set_levels(
    lobes: Installation,
    caller: Caller,
    asked: Iterable[Asked],
    level: Level,
    *,
    reason: str = "",
    lowers: bool | None = None,
) -> Decided:
    """Set the level of these, each with its own outcome; `lowers` says that it must be laxer, or
    stricter, than it is. One record for those it raises, one for those it lowers.

    Raises `PresenceWanted` where the face can ask for a person.
    """
    wish = _Wish(level, cleaned(reason), lowers)
    wanted = tuple({one.id: one for one in asked}.values())
    with lobes.reading() as store:
        facts = facts_for(store, caller, things=resources("memory", (one.id for one in wanted)))
        stored = memories(store, [one.id for one in wanted])
    _, errors = _allowed(lobes, caller, [one.id for one in wanted], facts)
    open_to = [one for one in wanted if one.id not in errors]
    if not open_to:
        return Decided(ACT, (), left_of(wanted, errors))
    if any(stored[one.id].is_retrievable for one in open_to if one.id in stored):
        require_key(lobes, caller)
    with lobes.database().begin() as unit:
        facts = facts_for(
            unit.reader, caller, things=resources("memory", (one.id for one in open_to))
        )
        decision, refused = _allowed(lobes, caller, [one.id for one in open_to], facts)
        errors |= refused
        done = _all_drafted(unit, caller, wish, open_to, errors)
        _tell_concerned(lobes, caller, unit, facts, [one.after for one in done])
        if done:
            unit.commit()
    if done and decision is not None:
        _record(lobes, caller, level, done, answer=decision.reason)
        lobes.engine.notify()
    told = tuple(Done(one.after.id, ((one.before, one.after),)) for one in done)
    return Decided(ACT, told, left_of(wanted, errors))


def undo_levels(lobes: Installation, caller: Caller, decided: Decided) -> Decided:
    """Each as it was before, where nothing else has changed it since."""
    ids = [one.id for one in decided.done]
    with lobes.reading() as store:
        facts = facts_for(store, caller, things=resources("memory", ids))
    decision, denied = _allowed(lobes, caller, ids, facts)
    if decided.was_in_use:
        require_key(lobes, caller)
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller, things=resources("memory", ids))
        open_to = [id for id in ids if id not in denied]
        denied |= _allowed(lobes, caller, open_to, facts)[1]
        view = KnownTo(unit.reader, neighbourhood(lobes.folders.store), caller, facts)
        undone = take_back(unit, caller, decided, denied, view)
        _tell_concerned(lobes, caller, unit, facts, [one.memory for one in undone.done])
        if undone.done:
            unit.commit()
    if undone.done and decision is not None:
        told = [Resource("memory", one.id) for one in undone.done]
        record(lobes, caller, "memory.undone", VERB, *told, answer=decision.reason)
        lobes.engine.notify()
    return undone


# How ---------------------------------------------------------------------------------------------


def _set_one(
    lobes: Installation,
    caller: Caller,
    resource: Resource,
    level: Level,
    *,
    reason: str,
    lowers: bool,
) -> SensitivityView:
    asked = [Asked(resource.id)]
    decided = set_levels(lobes, caller, asked, level, reason=reason, lowers=lowers)
    if not decided.done:
        raise decided.left[0].error
    return _view(decided.done[0].memory)


def _all_drafted(
    unit: UnitOfWork,
    caller: Caller,
    wish: _Wish,
    asked: Sequence[Asked],
    errors: dict[str, LobesError],
) -> list[_Set]:
    """Those that can be set, written; why the others can't be is added to `errors`."""
    stored = memories(unit.reader, [one.id for one in asked])
    done: list[_Set] = []
    for one in asked:
        if one.id in errors:
            continue
        try:
            done.append(_drafted(unit, caller, wish, one, stored.get(one.id)))
        except LobesError as error:
            errors[one.id] = error
    steps = [(one.act, one.before, one.after) for one in done]
    write_changes(unit, caller, steps, reason=wish.why)
    return done


def _drafted(
    unit: UnitOfWork, caller: Caller, wish: _Wish, asked: Asked, memory: Memory | None
) -> _Set:
    level = wish.level
    if memory is None or memory.status == "deleted":
        raise nothing_there()
    if asked.shown_hash and asked.shown_hash != shown_hash(memory):
        raise held("changed")
    laxer = is_stricter(memory.level, level) if wish.lowers is None else wish.lowers
    refuse_direction(memory.level, level, lowers=laxer)
    if laxer:
        check_reason(wish.why)
    known = frozenset((one.detector, one.mark) for one in memory.findings)
    by, at = name_of(caller.actor), unit.now.isoformat()
    setting = Setting(level, by, wish.why, at, memory.given, known)
    after = replace(
        memory,
        level=level,
        setting=setting,
        waits_for=_waits(memory, level),
        version=memory.version + 1,
        updated=unit.now,
    )
    return _Set("lower" if laxer else "raise", memory, after)


def _waits(memory: Memory, level: Level) -> tuple[Wait, ...]:
    """Why a proposal waits: `sensitive` follows the level."""
    if memory.status not in ("proposed", "rejected"):
        return memory.waits_for
    kept: tuple[Wait, ...] = tuple(one for one in memory.waits_for if one != "sensitive")
    return (*kept, "sensitive") if level in STAYS else kept


def _allowed(
    lobes: Installation, caller: Caller, ids: Sequence[str], facts: Facts
) -> tuple[Decision | None, dict[str, LobesError]]:
    """A decision that allows it, and why not for those where none does."""
    decision, errors = None, dict[str, LobesError]()
    for id in ids:
        resource = Resource("memory", id)
        try:
            decision = require(lobes, caller, VERB, resource, facts=facts, human_only=True)
        except LobesError as error:
            errors[id] = error
    return decision, errors


def _tell_concerned(
    lobes: Installation, caller: Caller, unit: UnitOfWork, facts: Facts, now: Sequence[Memory]
) -> None:
    """Whoever may read more or less of them by it is told."""
    things = {Resource("memory", one.id): one.level for one in now}
    items = {about: replace(facts.items[about], level=level) for about, level in things.items()}
    after = replace(facts, items={**facts.items, **items})
    notify_of_rights(lobes, caller, unit, *things, before=facts, after=after)


def _record(
    lobes: Installation, caller: Caller, level: Level, done: Sequence[_Set], *, answer: str
) -> None:
    for act, event in (("raise", "sensitivity_raised"), ("lower", "sensitivity_lowered")):
        some = [one for one in done if one.act == act]
        if not some:
            continue
        before = dict.fromkeys(one.before.level for one in some)
        record(
            lobes,
            caller,
            f"memory.{event}",
            VERB,
            *(Resource("memory", one.after.id) for one in some),
            answer=answer,
            decisions=[(f"sensitivity/{one}", level, True) for one in before],
        )


def _stored(store: sqlite3.Connection, id: str) -> Memory:
    found = memories(store, [id]).get(id)
    if found is None:
        raise nothing_there()
    return found


def _view(memory: Memory) -> SensitivityView:
    about = Resource("memory", memory.id)
    lobe = memory.lobe
    where = lobe.id if lobe.kind == "space" else str(lobe)
    return SensitivityView(
        about, where, "", memory.level, memory.given, memory.findings, memory.setting
    )
