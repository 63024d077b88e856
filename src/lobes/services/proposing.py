"""Taking in what somebody wants remembered: from an agent or a file a proposal, from a person a
memory, unless the write policy lets that wait too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from lobes.access.facts import Resource
from lobes.domain.actors import is_human
from lobes.domain.errors import LobesError
from lobes.domain.ids import LobeAddress
from lobes.domain.proposals import Origin, Outcome, Proposal
from lobes.services.authority import facts_for, record
from lobes.services.comparing import neighbourhood
from lobes.services.destinations import asking, policy_of, require_place
from lobes.services.installation import Caller, Installation
from lobes.services.intake import Intake, Left, Looked, Neighbour, Proposed, look_at
from lobes.services.memory_seals import prepare

__all__ = ["Left", "Neighbour", "Proposed", "propose", "propose_many", "take"]

BATCH = 50
"""How many proposals of an import are one transaction."""


def propose(
    lobes: Installation, caller: Caller, space: str, proposal: Proposal, origin: Origin
) -> Proposed:
    """Take one in; `propose` is asked on the Space.

    Raises `Invalid` for what can't be a memory (`not_a_statement`, `too_long`, …), `Unavailable`
    (`too_many`) where agents proposed more than a person reviews, `NotFound` where the Space or
    the lobe named isn't the caller's to know.
    """
    return take(lobes, caller, space, proposal, origin, verb="propose")


def take(
    lobes: Installation,
    caller: Caller,
    space: str,
    proposal: Proposal,
    origin: Origin,
    *,
    verb: str,
) -> Proposed:
    """`propose` by the verb that the act asks for. Whoever isn't a person is an agent, whatever
    the origin says of its author."""
    lobe = proposal.lobe or LobeAddress("space", space)
    if not is_human(caller.actor) and origin.author == "user":
        origin = replace(origin, author="agent")
    is_asked = is_human(caller.actor)
    _prepare(lobes, caller, verb, space, [lobe], origins=[origin], is_asked=is_asked)
    looked = look_at(proposal, origin)
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller, *asking(space, lobe))
        why = require_place(lobes, caller, verb, space, lobe, facts)
        intake = Intake(lobes, caller, unit, space, lobe, facts, verb)
        try:
            done = intake.counted_in(looked)
        except LobesError:
            intake.close()
            unit.commit()
            raise
        intake.close()
        unit.commit()
    things = [Resource("memory", done.id)] if done.id else [Resource("space", space)]
    by_policy = done.outcome == "active" and origin.author != "user"
    counts = {"by_policy": 1} if by_policy else None
    record(lobes, caller, EVENTS[done.outcome], verb, *things, answer=why, counts=counts)
    if done.outcome == "active":
        lobes.engine.notify()
    return done


def _prepare(
    lobes: Installation,
    caller: Caller,
    verb: str,
    space: str,
    places: Sequence[LobeAddress],
    *,
    origins: Iterable[Origin],
    is_asked: bool,
) -> None:
    """Read what the lobes hold before a unit holds the store's lock, where the caller may put
    anything there; and fetch the key of a home that seals, where something may be in use at once.
    `is_asked`: a person waits for it, and may unlock what is locked.
    """
    with lobes.reading() as store:
        facts = facts_for(store, caller, *asking(space, *places))
        for lobe in places:
            require_place(lobes, caller, verb, space, lobe, facts)
            neighbourhood(lobes.folders.store).prepare(store, lobe)
    is_free = any(policy_of(facts, space, lobe) == "none" for lobe in places)
    if is_free or any(one.author == "user" for one in origins):
        prepare(lobes, patient=is_asked)


EVENTS: dict[Outcome, str] = {
    "pending": "memory.proposed",
    "active": "memory.added",
    "repeat": "memory.repeated",
    "suppressed": "memory.suppressed",
}


def propose_many(
    lobes: Installation,
    caller: Caller,
    space: str,
    proposals: Sequence[tuple[Proposal, Origin]],
    *,
    watch: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> list[Proposed | Left]:
    """Take many in, in batches that are each there whole or not at all; one row in the record.

    The answer is in their order, shorter where `stop` ended it, and names no neighbours. All go to
    the Space's own lobe or to the one that each names; `watch` hears how many are done.
    """
    done: list[Proposed | Left] = []
    answer = ""
    try:
        for at in range(0, len(proposals), BATCH):
            if stop():
                break
            some = [look_at(*one) for one in proposals[at : at + BATCH]]
            # A person is asked to unlock the store at the first batch, and not again and again.
            is_asked = at == 0 and is_human(caller.actor)
            taken, answer = _take_batch(lobes, caller, space, some, is_asked=is_asked)
            done += taken
            watch(len(done))
    finally:
        if answer:
            _record_many(lobes, caller, space, done, answer)
    return done


def _take_batch(
    lobes: Installation,
    caller: Caller,
    space: str,
    some: Sequence[Looked | LobesError],
    *,
    is_asked: bool,
) -> tuple[list[Proposed | Left], str]:
    own = LobeAddress("space", space)
    named = (one.proposal.lobe or own for one in some if isinstance(one, Looked))
    asked = tuple(dict.fromkeys((own, *named)))
    taken: list[Proposed | Left] = []
    origins = [one.origin for one in some if isinstance(one, Looked)]
    _prepare(lobes, caller, "propose", space, asked, origins=origins, is_asked=is_asked)
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller, *asking(space, *asked))
        answer = require_place(lobes, caller, "propose", space, own, facts)
        intakes: dict[LobeAddress, Intake] = {}
        for one in some:
            lobe = (one.proposal.lobe or own) if isinstance(one, Looked) else own
            if lobe not in intakes:
                require_place(lobes, caller, "propose", space, lobe, facts)
                intakes[lobe] = Intake(lobes, caller, unit, space, lobe, facts, "propose", False)
            taken.append(intakes[lobe].tried(one))
        for intake in intakes.values():
            intake.close()
        unit.commit()
    return taken, answer


def _record_many(
    lobes: Installation, caller: Caller, space: str, done: Sequence[Proposed | Left], answer: str
) -> None:
    counts: dict[str, int] = {}
    for one in done:
        name = one.outcome if isinstance(one, Proposed) else "refused"
        counts[name] = counts.get(name, 0) + 1
    thing = Resource("space", space)
    record(lobes, caller, "memory.proposed", "propose", thing, answer=answer, counts=counts)
