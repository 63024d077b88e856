"""What a change of one lobe brings, in both directions and for everybody whom it concerns.

By the resolver over the facts before and after. The one who changes it sees what they may know;
who is concerned is told, also of what the one who changed it may not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lobes.access.facts import Facts, Resource
from lobes.access.resolve import LobeDecision, asking_for, resolve
from lobes.access.what_if import with_config
from lobes.domain.actors import Human, person_of
from lobes.domain.ids import Slug
from lobes.domain.lobes import CrossSpace, LobeConfig
from lobes.services.explaining import Explained, Names, explained, explainer, knows
from lobes.services.installation import Caller, Installation
from lobes.services.notices import notify
from lobes.store.read_spaces import SpaceRow

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Pair:
    """`space` draws on `lobe`."""

    space: str
    lobe: str


@dataclass(frozen=True, slots=True)
class Shift:
    """A lobe that stays allowed with another weight or code, or changes its code of refusal, in
    either direction: `space` is the changed one, or one that asks for its lobe."""

    space: str
    lobe: str
    before: Explained
    after: Explained


@dataclass(frozen=True, slots=True)
class Effect:
    """What a save would bring, by the resolver over both states. Where it isn't whole, Spaces of
    others may gain or lose by it of which the caller may not know."""

    gains: tuple[Pair, ...]
    loses: tuple[Pair, ...]
    changes: tuple[Shift, ...]
    after: tuple[Explained, ...]
    draws_before: int
    draws_after: int
    config: LobeConfig
    is_whole: bool


def effect_of(
    caller: Caller,
    space: str,
    before: Facts,
    rows: Sequence[SpaceRow],
    config: LobeConfig,
    *,
    names: Names,
    manifest_says: CrossSpace | None,
) -> tuple[Effect, Facts]:
    """What changes if `space` had this config, and the facts then. `before` holds the links of
    every Space."""
    after = with_config(
        _with_carriers(before, space, config, rows), space, config, manifest_says=manifest_says
    )
    was, becomes = (explained(caller, space, facts, names) for facts in (before, after))
    asked, asks = (_asking(caller, space, facts) for facts in (before, after))
    drew, draws = _pairs(space, was, asked), _pairs(space, becomes, asks)
    told_before = _told(caller, before, names, asked)
    told_after = _told(caller, after, names, asks)
    effect = Effect(
        gains=_sorted(draws - drew),
        loses=_sorted(drew - draws),
        changes=(*_shifts(was, becomes), *_shifts(told_before, told_after)),
        after=becomes,
        draws_before=sum(1 for one in was if one.allowed),
        draws_after=sum(1 for one in becomes if one.allowed),
        config=config,
        is_whole=before.people <= {person_of(caller.actor)},
    )
    return effect, after


def _with_carriers(facts: Facts, space: str, config: LobeConfig, rows: Sequence[SpaceRow]) -> Facts:
    """The facts hold the carriers of the tags that are subscribed to; here of the new ones too."""
    links = facts.links[space]
    carriers = {
        one.id: frozenset(row.id for row in rows if one.id in row.tags)
        for one in config.subscriptions
        if one.type == "tag"
    }
    tagged = {**carriers, **links.tagged}
    return replace(facts, links={**facts.links, space: replace(links, tagged=tagged)})


def _asking(caller: Caller, target: str, facts: Facts) -> dict[str, LobeDecision]:
    """What every Space that the caller may know is told when it asks for `target`: by whom it
    belongs to, where it isn't the caller's, since they ask in it."""
    person = person_of(caller.actor)
    found = {
        asking: one
        for asking, one in asking_for(caller.actor, target, facts)
        if knows(caller, asking, facts)
    }
    for owner in {facts.spaces[one].standing.owner for one in found} - {person}:
        for asking, one in asking_for(Human(Slug(owner)), target, facts, owned=True):
            if asking in found:
                found[asking] = one
    return found


def _pairs(space: str, drawn: Sequence[Explained], asking: Mapping[str, LobeDecision]) -> set[Pair]:
    there = {Pair(space, one.lobe) for one in drawn if one.allowed}
    return there | {Pair(one, f"space/{space}") for one in asking if asking[one].allowed}


def _told(
    caller: Caller, facts: Facts, names: Names, asking: Mapping[str, LobeDecision]
) -> tuple[Explained, ...]:
    explain_one = explainer(caller, facts, names)
    return tuple(explain_one(one, space) for space, one in asking.items())


def _shifts(was: Sequence[Explained], becomes: Sequence[Explained]) -> Iterator[Shift]:
    by_pair = {(one.asking, one.lobe): one for one in was}
    for one in becomes:
        before = by_pair.get((one.asking, one.lobe))
        if before and (before.reason, before.weight) != (one.reason, one.weight):
            yield Shift(one.asking, one.lobe, before, one)


def _sorted(pairs: set[Pair]) -> tuple[Pair, ...]:
    return tuple(sorted(pairs, key=lambda pair: (pair.space, pair.lobe)))


# Those concerned -------------------------------------------------------------------------------


def tell_those_concerned(
    lobes: Installation,
    caller: Caller,
    unit: UnitOfWork,
    space: str,
    *,
    before: Facts,
    after: Facts,
) -> None:
    """Notices for the owner of `space`, for owners of Spaces that it answers or no longer does,
    and for owners of those that it draws on or no longer does."""
    about = Resource("space", space)
    owner = after.spaces[space].standing.owner
    notify(lobes, caller, unit, "lobe.changed", about, to=(owner,))
    others = {one.standing.owner for one in after.spaces.values()} - {person_of(caller.actor)}
    for other in sorted(others):
        was, becomes = (_own_asking(other, space, facts) for facts in (before, after))
        for event, asking in (("lobe.answers", becomes - was), ("lobe.withheld", was - becomes)):
            for one in sorted(asking):
                notify(lobes, caller, unit, event, about, to=(other,), detail=f"space/{one}")
    was, becomes = (_drawn_from(caller, space, facts) for facts in (before, after))
    for event, drawn in (("lobe.drawn_on", becomes - was), ("lobe.left", was - becomes)):
        for one in sorted(drawn):
            other = after.spaces[one].standing.owner
            notify(lobes, caller, unit, event, Resource("space", one), to=(other,))


def _own_asking(person: str, target: str, facts: Facts) -> set[str]:
    """The person's own Spaces that `target` answers when they ask in them."""
    asking = asking_for(Human(Slug(person)), target, facts, owned=True)
    return {space for space, one in asking if one.allowed}


def _drawn_from(caller: Caller, space: str, facts: Facts) -> set[str]:
    decisions = resolve(caller.actor, space, facts)
    return {one.lobe.id for one in decisions if one.allowed and one.lobe.kind == "space"}
