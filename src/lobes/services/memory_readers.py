"""Who is able to read a memory, or a file as an edit would have it, once it is in use: answered by
the rules, never written down.

Only what the caller may know: a Space or a person that doesn't exist for them has no row, and
where somebody may be hidden from them the answer says that it isn't whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lobes.access.authorize import authorize
from lobes.access.facts import Facts, ItemFacts, Resource, Standing
from lobes.access.resolve import LobeDecision, asking_for, resolve
from lobes.domain.actors import Ai, Human, Preset, person_of
from lobes.domain.ids import LobeAddress, Slug
from lobes.domain.memories import Memory
from lobes.domain.pack_edits import PackEdit
from lobes.domain.reasons import sentence
from lobes.services.authority import may
from lobes.services.explaining import Names, lobe_sentence
from lobes.services.installation import Caller
from lobes.services.knowing import known_people, knows_everybody


@dataclass(frozen=True, slots=True)
class SpaceReads:
    """One Space and why it may draw on the memory or not, by code and sentence."""

    space: str
    name: str
    reason: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Readers:
    """`agents` is the preset of those bound to its own Space, None where they may not read it or it
    is in no Space. `people` are ids besides the caller's own."""

    you: bool
    agents: Preset | None
    spaces: tuple[SpaceReads, ...]
    not_spaces: tuple[SpaceReads, ...]
    people: tuple[str, ...]
    is_whole: bool
    """Whether nobody can be hidden from the caller, so that "no one" may be said."""


def in_use(memory: Memory, facts: Facts) -> ItemFacts:
    """What the rules ask of a memory that is accepted: its lobe's rights, and its own if any."""
    standing = None
    if memory.permission is not None:
        standing = replace(_standing(memory.lobe, facts), permission=memory.permission)
    return ItemFacts(memory.lobe, standing, memory.category, memory.level)


def with_memories(facts: Facts, *memories: Memory) -> Facts:
    """The facts with these memories as if they were accepted."""
    known = {Resource("memory", one.id): in_use(one, facts) for one in memories}
    return replace(facts, items={**facts.items, **known})


def _standing(lobe: LobeAddress, facts: Facts) -> Standing:
    space = facts.spaces.get(lobe.id) if lobe.kind == "space" else None
    if space is not None:
        return space.standing
    return Standing(lobe.id) if lobe.kind == "personal" else Standing("", lobe.id)


@dataclass(frozen=True, slots=True)
class _Thing:
    """What is to be read: the facts hold it. `category` of a memory in a personal lobe."""

    resource: Resource
    lobe: LobeAddress
    category: str = ""


def readers(caller: Caller, memory: Memory, facts: Facts, names: Names) -> Readers:
    """The facts hold the links of every Space."""
    thing = _Thing(Resource("memory", memory.id), memory.lobe, memory.category)
    return _readers(caller, thing, with_memories(facts, memory), names)


def readers_of_edit(caller: Caller, edit: PackEdit, facts: Facts, names: Names) -> Readers:
    """The facts hold the edit, as the file would be by it, and the links of every Space."""
    thing = _Thing(Resource("document", edit.id), LobeAddress("space", edit.space))
    return _readers(caller, thing, facts, names)


def _readers(caller: Caller, thing: _Thing, facts: Facts, names: Names) -> Readers:
    own = person_of(caller.actor)
    told = [
        _row(caller, one, space, thing, facts, names)
        for space, one in _asking(caller, thing.lobe, facts)
        if may(caller, "read_meta", Resource("space", space), facts)
    ]
    known = known_people(caller, facts) - {own}
    return Readers(
        you=may(caller, "read_content", thing.resource, facts),
        agents=_agents(thing, own, facts),
        spaces=tuple(row for allowed, row in told if allowed),
        not_spaces=tuple(row for allowed, row in told if not allowed),
        people=tuple(
            person
            for person in sorted(known)
            if authorize(Human(Slug(person)), "read_content", thing.resource, facts).allowed
        ),
        is_whole=knows_everybody(caller, facts),
    )


def _agents(thing: _Thing, person: Slug, facts: Facts) -> Preset | None:
    if thing.lobe.kind != "space" or thing.lobe.id not in facts.links:
        return None
    preset = facts.links[thing.lobe.id].config.agent_preset
    agent = Ai(person, preset, Slug(thing.lobe.id))
    return preset if authorize(agent, "read_content", thing.resource, facts).allowed else None


def _asking(caller: Caller, lobe: LobeAddress, facts: Facts) -> Iterator[tuple[str, LobeDecision]]:
    """What `resolve` says of the lobe in each live Space, the thing's own apart."""
    if lobe.kind == "space":
        yield from asking_for(caller.actor, lobe.id, facts)
        return
    for id, space in facts.spaces.items():
        # Of a lobe that is no Space's no other Space decides anything, so none is looked at.
        alone = replace(facts, spaces={id: space})
        found = (one for one in resolve(caller.actor, id, alone) if one.lobe == lobe)
        if space.is_live and (one := next(found, None)) is not None:
            yield id, one


def _draws(thing: _Thing, space: str, facts: Facts) -> bool:
    """Of a personal lobe only the categories that the Space inherits."""
    links = facts.links.get(space)
    if thing.lobe.kind != "personal":
        return True
    return links is not None and links.config.inherits(thing.category)


def _row(
    caller: Caller,
    decision: LobeDecision,
    space: str,
    thing: _Thing,
    facts: Facts,
    names: Names,
) -> tuple[bool, SpaceReads]:
    name = names.get(space, space)
    if decision.allowed and not _draws(thing, space, facts):
        return False, SpaceReads(space, name, "not_inherited", sentence("not_inherited", a=name))
    text = lobe_sentence(decision, space, facts, names, person=person_of(caller.actor))
    return decision.allowed, SpaceReads(space, name, decision.reason, text)
