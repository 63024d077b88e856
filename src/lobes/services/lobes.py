"""What a Space draws on and who draws on it, each with its code and its sentence."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lobes.access import resolve as resolving
from lobes.access.facts import Facts, Resource
from lobes.access.resolve import resolve
from lobes.domain.actors import Human, person_of
from lobes.domain.ids import Slug, parse_address
from lobes.domain.lobes import CrossSpace, LobeConfig
from lobes.services.authority import facts_for, may, require
from lobes.services.explaining import Explained, all_facts, explained, knows, name_in, names_in
from lobes.services.installation import Caller, Installation
from lobes.services.knowing import knows_lobe, knows_source
from lobes.services.withheld import counted
from lobes.store.facts import load_facts, memory_facts
from lobes.store.read_groups import group_rows
from lobes.store.read_memories import Where, memory_ids
from lobes.store.read_spaces import SpaceRow, space_names, space_rows, stored_lobe


@dataclass(frozen=True, slots=True)
class LobeRow:
    """A lobe the caller may know. `state` is open, ask, closed or private. Of a group's lobe and a
    personal one, which have no documents, `memories` counts what is retrieved."""

    address: str
    space: str
    name: str
    kind: str
    documents: int
    state: str
    memories: int = 0


@dataclass(frozen=True, slots=True)
class LobeView:
    """All that the Lobe screen shows. `cross_space` is the effective value; `answers_to` names
    the Spaces that draw on this one by themselves."""

    space: str
    name: str
    kind: str
    version: int
    config: LobeConfig
    cross_space: CrossSpace
    manifest_says: CrossSpace | None
    sources: tuple[Explained, ...]
    answers_to: tuple[str, ...]
    status: str = "active"


@dataclass(frozen=True, slots=True)
class Ties:
    """A Space's lobe in both directions, in short: (name, code) of every lobe that it draws on,
    and the names of the Spaces that it answers, then of those that it doesn't."""

    draws_on: tuple[tuple[str, str], ...]
    answers_to: tuple[str, ...]
    not_answering: tuple[str, ...]


def list_lobes(lobes: Installation, caller: Caller) -> tuple[LobeRow, ...]:
    """Every lobe that the caller may know, by `read_meta`: their own, their groups', Spaces'."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        groups = group_rows(store)
        spaces = counted(store, caller, space_rows(store), facts)
        own = person_of(caller.actor)
        named = [(Resource("person", own), f"personal/{own}", str(own), "personal")]
        named += [
            (Resource("group", row.id), f"{row.kind}/{row.id}", row.name, row.kind)
            for row in groups
        ]
        known = [one for one in named if may(caller, "read_meta", one[0], facts)]
        kept = _remembered(store, caller, [one[1] for one in known], facts)
    found = [
        LobeRow(address, "", name, kind, 0, "open", kept[address])
        for _, address, name, kind in known
    ]
    for row in spaces:
        if row.status != "deleted" and knows(caller, row.id, facts):
            found.append(
                LobeRow(f"space/{row.id}", row.id, row.name, row.kind, row.documents, _state(row))
            )
    return tuple(found)


def _remembered(
    store: sqlite3.Connection, caller: Caller, addresses: Sequence[str], facts: Facts
) -> Counter[str]:
    """How many memories that are retrieved the caller may know in each of these lobes."""
    where = Where(lobes=tuple(addresses), statuses=("active", "disputed"))
    items = memory_facts(store, memory_ids(store, where) if addresses else ())
    inside = replace(facts, items=items)
    return Counter(
        str(item.lobe)
        for resource, item in items.items()
        if may(caller, "read_meta", resource, inside)
    )


def _state(row: SpaceRow) -> str:
    if row.is_private:
        return "private"
    return {"open": "open", "ask": "ask", "deny": "closed"}[row.cross_space]


def lobe_view(lobes: Installation, caller: Caller, space: str) -> LobeView:
    """The lobe of one Space with every source's code, and who draws on it."""
    with lobes.reading() as store:
        facts, rows = all_facts(store)
        asked = Resource("space", space)
        # Before anything of the Space is looked up: the time of a refusal must not tell of it.
        require(lobes, caller, "read_content", asked, facts=facts, event="space.read")
        lobe = stored_lobe(store, space)
        names = names_in(store)
    row = next(one for one in rows if one.id == space)
    binding = lobe.binding if lobe else None
    return LobeView(
        space=space,
        name=row.name,
        kind=row.kind,
        version=row.version,
        config=_known_in(facts.links[space].config, space, caller, facts),
        cross_space=facts.spaces[space].cross_space,
        manifest_says=binding.cross_space if binding else None,
        sources=explained(caller, space, facts, names),
        answers_to=tuple(drawing_on(caller, space, facts)),
        status=row.status,
    )


def ties(lobes: Installation, caller: Caller, space: str) -> Ties:
    """As `lobe_view`, without what takes a sentence for every lobe there is."""
    with lobes.reading() as store:
        names = names_in(store)
        facts = load_facts(store, asking=space_names(store))
    require(
        lobes, caller, "read_content", Resource("space", space), facts=facts, event="space.read"
    )
    drawn = [one for one in resolve(caller.actor, space, facts) if one.allowed]
    known = {id for id in facts.spaces if knows(caller, id, facts)}
    answered = [id for id in resolving.drawing_on(caller.actor, space, facts) if id in known]
    others = known.difference(answered, (space,))
    return Ties(
        tuple(
            (name_in(one.lobe, names), one.reason)
            for one in drawn
            if one.lobe.kind != "space" or one.lobe.id in known
        ),
        tuple(names[id] for id in answered),
        tuple(names[id] for id in facts.spaces if id in others),
    )


# How it is worked out --------------------------------------------------------------------------


def drawing_on(caller: Caller, target: str, facts: Facts) -> list[str]:
    """Which Spaces draw on `target`, of those that the caller may know."""
    drawing = resolving.drawing_on(caller.actor, target, facts)
    return [space for space in drawing if knows(caller, space, facts)]


def _known_in(config: LobeConfig, space: str, caller: Caller, facts: Facts) -> LobeConfig:
    """The config without what the caller may not know of; the Space's owner sees it whole."""
    if caller.actor == Human(Slug(facts.spaces[space].standing.owner)):
        return config
    sources = tuple(one for one in config.subscriptions if knows_source(caller, one, facts))
    muted = (one for one in config.muted if knows_lobe(caller, parse_address(one), facts))
    apart = tuple(one for one in config.excluded_from if knows(caller, one, facts))
    return replace(
        config,
        excluded_from=apart,
        excluded_since=tuple(one for one in config.excluded_since if one[0] in apart),
        muted=tuple(muted),
        subscriptions=sources,
    )
