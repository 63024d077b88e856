"""Decisions on memories, by a person alone: one or many, each with its own outcome.

Of many, what can be decided is, in one unit of work, with one record and one undo; the rest is
left and named. An approval carries the hash of what was shown: what changed since is left, with
what changed. Of two who decide at once exactly one does, and the other is told.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from lobes.access.authorize import Decision
from lobes.access.facts import Facts, Resource, resources
from lobes.classify.masking import masked
from lobes.domain.errors import Invalid, LobesError
from lobes.domain.ids import LobeAddress
from lobes.domain.lifecycle import Lives, Step
from lobes.domain.line_diff import DiffLine, line_diff
from lobes.domain.memories import Memory, shown_hash
from lobes.domain.regions import without_private
from lobes.domain.reviewing import REJECTIONS, USUAL_REJECTION, Decides
from lobes.services.authority import facts_for, record, require
from lobes.services.comparing import Neighbourhood, neighbourhood
from lobes.services.decisions import Asked, Decided, Done, Validity, Wish, left_of
from lobes.services.destinations import asking, require_place
from lobes.services.installation import Caller, Installation
from lobes.services.known_to import KnownTo
from lobes.services.memory_seals import prepare_leaving, require_key
from lobes.services.promoting import promote
from lobes.services.review_acts import Table, perform
from lobes.services.review_again import Again
from lobes.services.review_checks import Surroundings
from lobes.services.review_undo import take_back
from lobes.services.review_writing import count_decided, write_changes, write_ties
from lobes.services.shown_memory import statement_shown
from lobes.store.read_memories import memories, versions
from lobes.store.read_ties import around

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork

EVENTS: Mapping[str, str] = {
    "accept": "memory.accepted",
    "edit": "memory.edited",
    "reject": "memory.rejected",
    "reopen": "memory.reopened",
    "merge": "memory.merged",
    "supersede": "memory.superseded",
    "archive": "memory.archived",
    "restore": "memory.restored",
    "dispute": "memory.disputed",
    "settle": "memory.settled",
    "recheck": "memory.rechecked",
    "move": "memory.moved",
    "delete": "memory.deleted",
}
COMPARED_ANEW: frozenset[Decides] = frozenset(
    {"accept", "dispute", "edit", "merge", "move", "recheck", "reopen", "restore", "supersede"}
)
"""What holds a memory against its lobe once more."""
PUTS_IN_USE: frozenset[Decides] = frozenset(
    {"accept", "edit", "merge", "supersede", "dispute", "settle", "restore", "recheck"}
)
"""What takes the key of a home that seals; what takes out of use always goes."""
LONGEST_REASON = 500


def decide(
    lobes: Installation,
    caller: Caller,
    act: Decides,
    asked: Iterable[Asked],
    *,
    reason: str = "",
    target: Asked | str = "",
    text: str = "",
    also: Sequence[str] = (),
    lobe: LobeAddress | None = None,
    validity: Validity | None = None,
) -> Decided:
    """Decide the same on each of these.

    `target` is the other memory of `supersede` (what is retired, by default what it replaces),
    `merge` (what is kept), `dispute` and `settle`; `also` are near copies that are retired with
    it; `text` are the new words of `edit` and, if any, of what is kept by `merge`, `validity` its
    new ends; `lobe` is where `promote` proposes it, and where
    `move` lets it wait.

    Raises `PresenceWanted` where the face can ask for a person, and what is wrong with the wish
    itself; what is wrong with one memory is in `left`.
    """
    other = Asked(target) if isinstance(target, str) and target else target or None
    assert not isinstance(other, str)
    wish = Wish(act, _reason(act, reason), other, text, tuple(also), validity, lobe)
    wanted = tuple({one.id: one for one in asked}.values())
    if act in ("promote", "move") and lobe is None:
        raise Invalid("Where to?", hint="Name the lobe: --to personal/me.", reason="no_target")
    if act == "promote" and lobe is not None:
        return promote(lobes, caller, wanted, lobe)
    return _carry_out(lobes, caller, wish, wanted)


def _carry_out(lobes: Installation, caller: Caller, wish: Wish, asked: Sequence[Asked]) -> Decided:
    ids = [one.id for one in asked]
    with lobes.reading() as store:
        reached = _reached(store, wish, ids)
        facts = _facts(store, caller, wish, [*ids, *reached.values()])
    _require(lobes, caller, wish.others, facts)
    denied = _denied(lobes, caller, ids, facts, reached)
    open_to = [one for one in asked if one.id not in denied]
    if not open_to:
        return Decided(wish.act, (), left_of(asked, denied))
    _require_place(lobes, caller, wish, facts)
    if wish.act in PUTS_IN_USE:
        require_key(lobes, caller)
    elif wish.act == "delete":
        prepare_leaving(lobes, [one.id for one in open_to])
    words = _words(lobes, wish, [one.id for one in open_to])
    with lobes.database().begin() as unit:
        reached = _reached(unit.reader, wish, ids)
        facts = _facts(unit.reader, caller, wish, [*ids, *reached.values()])
        decision = _require(lobes, caller, wish.others, facts)
        denied |= _denied(lobes, caller, [one.id for one in open_to], facts, reached)
        open_to = [one for one in open_to if one.id not in denied]
        _require_place(lobes, caller, wish, facts)
        done, errors = _drafted(unit, caller, wish, open_to, facts, words)
        changed = _what_changed(unit, open_to, errors)
        if done:
            unit.commit()
    decided = Decided(wish.act, done, left_of(asked, denied | errors, changed))
    if done:
        answer = decision or require(lobes, caller, "review", _resource(done[0].id), facts=facts)
        _record(lobes, caller, EVENTS[wish.act], decided, answer=answer.reason)
        lobes.engine.notify()
    return decided


def undo(lobes: Installation, caller: Caller, decided: Decided) -> Decided:
    """Take back what was decided, each for itself: where something changed since, that one stays
    and is named. What comes back can be undone in turn."""
    ids = sorted({memory.id for one in decided.done for _, memory in one.changes})
    homes = _lobes_before(decided)
    spaces = asking("", *homes.values()) if homes else ()
    with lobes.reading() as store:
        facts = facts_for(store, caller, *spaces, things=resources("memory", ids), trash=True)
    denied = _denied_back(lobes, caller, ids, homes, facts)
    if decided.was_in_use:
        require_key(lobes, caller)
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller, *spaces, things=resources("memory", ids), trash=True)
        open_to = [id for id in ids if id not in denied]
        denied |= _denied_back(lobes, caller, open_to, homes, facts)
        view = KnownTo(unit.reader, neighbourhood(lobes.folders.store), caller, facts)
        undone = take_back(unit, caller, decided, denied, view)
        if undone.done:
            unit.commit()
    if undone.done:
        first = undone.done[0].changes[0][1].id
        answer = require(lobes, caller, "review", _resource(first), facts=facts)
        _record(lobes, caller, "memory.undone", undone, answer=answer.reason)
        lobes.engine.notify()
    return undone


# Authority -------------------------------------------------------------------------------------


def _resource(id: str) -> Resource:
    return Resource("memory", id)


def _facts(store: sqlite3.Connection, caller: Caller, wish: Wish, memories: list[str]) -> Facts:
    spaces = asking("", wish.lobe) if wish.lobe else ()
    return facts_for(store, caller, *spaces, things=resources("memory", [*memories, *wish.others]))


def _require(
    lobes: Installation, caller: Caller, ids: Iterable[str], facts: Facts
) -> Decision | None:
    """What a decision reaches besides what it is asked on, it must be allowed on as well."""
    decision = None
    for id in ids:
        decision = require(lobes, caller, "review", _resource(id), facts=facts, human_only=True)
    return decision


def _require_place(lobes: Installation, caller: Caller, wish: Wish, facts: Facts) -> None:
    """Who moves something to a lobe could have proposed it there."""
    if wish.lobe is not None:
        require_place(lobes, caller, "propose", "", wish.lobe, facts)


def _reached(store: sqlite3.Connection, wish: Wish, ids: Iterable[str]) -> dict[str, str]:
    """Of these the ones that would retire what they name themselves, each with it. What is gone
    by now isn't among them: that the target changed is told by a reason of its own."""
    if wish.act != "accept" and (wish.act != "supersede" or wish.target is not None):
        return {}
    named = {one.id: one.replaces for one in memories(store, ids).values() if one.replaces}
    there = memories(store, sorted(set(named.values())))
    return {id: old for id, old in named.items() if old in there and there[old].is_retrievable}


def _denied(
    lobes: Installation,
    caller: Caller,
    ids: Iterable[str],
    facts: Facts,
    reached: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, LobesError]:
    errors: dict[str, LobesError] = {}
    for id in ids:
        try:
            _require(lobes, caller, (id, *([reached[id]] if id in reached else ())), facts)
        except LobesError as error:
            errors[id] = error
    return errors


def _lobes_before(decided: Decided) -> dict[str, LobeAddress]:
    """Each that was moved, and the lobe that it was in."""
    changes = (change for one in decided.done for change in one.changes)
    return {
        after.id: before.lobe
        for before, after in changes
        if before is not None and before.lobe != after.lobe
    }


def _denied_back(
    lobes: Installation,
    caller: Caller,
    ids: Iterable[str],
    homes: Mapping[str, LobeAddress],
    facts: Facts,
) -> dict[str, LobesError]:
    """As `_denied`; what goes back to the lobe that it was in must be such as one may put there."""
    errors: dict[str, LobesError] = {}
    for id in ids:
        try:
            _require(lobes, caller, (id,), facts)
            if id in homes:
                require_place(lobes, caller, "propose", "", homes[id], facts)
        except LobesError as error:
            errors[id] = error
    return errors


# In the unit of work ---------------------------------------------------------------------------


def _words(lobes: Installation, wish: Wish, ids: Sequence[str]) -> Neighbourhood:
    """The words of the lobes that what is decided on will be held against."""
    words = neighbourhood(lobes.folders.store)
    if wish.act in COMPARED_ANEW:
        with lobes.reading() as store:
            places = {one.lobe for one in memories(store, ids).values()}
            for lobe in sorted(places if wish.lobe is None else {wish.lobe}):
                words.prepare(store, lobe)
    return words


def _drafted(
    unit: UnitOfWork,
    caller: Caller,
    wish: Wish,
    asked: Sequence[Asked],
    facts: Facts,
    words: Neighbourhood,
) -> tuple[tuple[Done, ...], dict[str, LobesError]]:
    """Each decision drafted for itself, then all of it written."""
    store = unit.reader
    wanted = [*(one.id for one in asked), *wish.others]
    replaced = [one.replaces for one in memories(store, wanted).values() if one.replaces]
    stored, ties = around(store, [*wanted, *replaced])
    proposals = [one for id in wanted if (one := stored.get(id)) and one.status == "proposed"]
    lives = Lives(stored, ties, now=unit.now)
    view = KnownTo(store, words, caller, facts)
    known = Surroundings(store, proposals, facts, view, now=unit.now)
    again = Again(store, view, now=unit.now)
    table = Table(wish, lives, stored, known, again, [one.id for one in asked])
    done: list[Done] = []
    errors: dict[str, LobesError] = {}
    for one in asked:
        steps, tied, untied = len(lives.steps), lives.tied, lives.untied
        try:
            perform(table, one)
        except LobesError as error:
            errors[one.id] = error
            continue
        came, went = (lives.tied - tied) | (untied - lives.untied), (lives.untied - untied)
        gone = went | (tied - lives.tied)
        done.append(Done(one.id, _changes(lives.steps[steps:]), came, gone))
    is_leaving = wish.act == "delete"
    write_changes(unit, caller, lives.steps, reason=wish.reason, may_wait=is_leaving)
    write_ties(unit, tied=lives.tied, untied=lives.untied)
    count_decided(unit, (change for one in done for change in one.changes))
    return tuple(done), errors


def _changes(steps: Sequence[Step]) -> tuple[tuple[Memory, Memory], ...]:
    """Each memory as it was before the first step and is after the last one."""
    before = {step.before.id: step.before for step in reversed(steps)}
    after = {step.after.id: step.after for step in steps}
    return tuple((before[id], after[id]) for id in after)


def _what_changed(
    unit: UnitOfWork, asked: Sequence[Asked], errors: Mapping[str, LobesError]
) -> dict[str, tuple[DiffLine, ...]]:
    """For each that isn't as it was shown, the lines that lead from there to what it is, with
    secrets masked."""
    shown = {one.id: one.shown_hash for one in asked if one.id in errors}
    behind = [id for id in shown if errors[id].reason == "changed"]
    found: dict[str, tuple[DiffLine, ...]] = {}
    for id, memory in memories(unit.reader, behind).items():
        before = masked(_as_shown(unit, memory, shown[id]))
        found[id] = line_diff(before, statement_shown(memory)).lines
    return found


def _as_shown(unit: UnitOfWork, memory: Memory, shown: str) -> str:
    past = versions(unit.reader, memory.id)
    for one in reversed(past):
        then = replace(memory, statement=one.statement, version=one.version)
        if shown_hash(then) == shown:
            return one.statement
    return past[-2].statement if len(past) > 1 else memory.statement


# How it is told --------------------------------------------------------------------------------


def _record(
    lobes: Installation, caller: Caller, event: str, decided: Decided, *, answer: str
) -> None:
    """One row: every memory that changed, and why others were left."""
    ids = dict.fromkeys(memory.id for one in decided.done for _, memory in one.changes)
    counts = {"done": len(decided.done)}
    if decided.left:
        counts["left"] = len(decided.left)
    is_batch = len(decided.done) + len(decided.left) > 1
    record(
        lobes,
        caller,
        event,
        "review",
        *map(_resource, ids),
        answer=answer,
        decisions=[(str(_resource(one.id)), one.error.reason, False) for one in decided.left],
        counts=counts if is_batch else None,
    )


def _reason(act: Decides, text: str) -> str:
    """A code of `REJECTIONS` or the person's own words, without secrets and private regions."""
    said = " ".join(without_private(text)[0].split())
    if act == "reject":
        said = said or USUAL_REJECTION
    if len(said) > LONGEST_REASON:
        raise Invalid(
            f"A reason has at most {LONGEST_REASON} characters.",
            hint="Shorten it.",
            reason="over_limit",
        )
    if not said or said in REJECTIONS:
        return said
    return masked(said)
