"""A Space in a group: who may come in by it, and who may no longer.

A public Space in a group is open to every member; so its owner places it, and only in a group that
they are in themself. In none, it is open to its owner and to whom it names.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lobes.access.authorize import Decision, authorize
from lobes.access.facts import Facts, Resource
from lobes.domain.actors import Human
from lobes.domain.errors import Conflict, nothing_there
from lobes.domain.ids import LobeAddress, Slug
from lobes.services.authority import facts_for, record, require
from lobes.services.explaining import Names, name_in, names_in
from lobes.services.installation import Caller, Installation
from lobes.services.knowing import known_people
from lobes.services.notices import notify_of_rights


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a Space is now, "" for no group, and whom of those the caller knows that opens it to
    or closes it to."""

    id: str
    name: str
    group: str
    group_name: str
    before: str
    gains: tuple[str, ...]
    loses: tuple[str, ...]


def preview_place(lobes: Installation, caller: Caller, space: str, group: str) -> Placed:
    """What `place_space` would bring; asked as the act itself is, nobody need be present."""
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        _may_place(lobes, caller, space, group, facts, human_only=False)
        names = names_in(store)
    return _placed(caller, space, group, facts, names)


def place_space(lobes: Installation, caller: Caller, space: str, group: str) -> Placed:
    """Put the Space into a group, or with "" into none. `Conflict` (`no_change`) where it is."""
    with lobes.reading() as store:
        _may_place(lobes, caller, space, group, facts_for(store, caller, space))
    with lobes.database().begin() as unit:
        facts = facts_for(unit.reader, caller, space)
        decision = _may_place(lobes, caller, space, group, facts)
        stored = unit.spaces.get(space)
        if stored is None:
            raise nothing_there()
        if (stored.group or "") == group:
            raise Conflict(f"{stored.name} is there already.", reason="no_change")
        unit.spaces.save(
            replace(stored, group=Slug(group) if group else None, updated=lobes.clock())
        )
        about = Resource("space", space)
        after = _moved(facts, space, group)
        notify_of_rights(lobes, caller, unit, about, before=facts, after=after)
        names = names_in(unit.reader)
        unit.commit()
    places = (about, *([Resource("group", group)] if group else []))
    record(lobes, caller, "space.grouped", "change_permission", *places, answer=decision.reason)
    return _placed(caller, space, group, facts, names)


def _may_place(
    lobes: Installation,
    caller: Caller,
    space: str,
    group: str,
    facts: Facts,
    *,
    human_only: bool = True,
) -> Decision:
    about = Resource("space", space)
    decision = require(
        lobes, caller, "change_permission", about, facts=facts, human_only=human_only
    )
    if group:
        require(lobes, caller, "read_content", Resource("group", group), facts=facts)
    return decision


def _placed(caller: Caller, space: str, group: str, facts: Facts, names: Names) -> Placed:
    after = _moved(facts, space, group)
    had, has = _readers(facts, space), _readers(after, space)
    known = known_people(caller, facts)
    before = facts.spaces[space].standing.group or ""
    gains, loses = sorted((has - had) & known), sorted((had - has) & known)
    lobe = LobeAddress(facts.groups[group].kind, group) if group else None
    called = name_in(lobe, names) if lobe else ""
    return Placed(space, names[space], group, called, before, tuple(gains), tuple(loses))


def _moved(facts: Facts, space: str, group: str) -> Facts:
    """The facts as they are with the Space there. Which lobes it then draws on isn't asked."""
    own = facts.spaces[space]
    moved = replace(own, standing=replace(own.standing, group=group or None))
    return replace(facts, spaces={**facts.spaces, space: moved})


def _readers(facts: Facts, space: str) -> set[str]:
    about = Resource("space", space)
    return {
        one
        for one in facts.people
        if authorize(Human(Slug(one)), "read_meta", about, facts).allowed
    }
