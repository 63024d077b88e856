"""Changing a lobe: the effect by the resolver over both states, then the save, which undoes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from lobes.access.facts import Facts, Resource
from lobes.access.what_if import with_config
from lobes.domain.actors import name_of
from lobes.domain.errors import nothing_there
from lobes.domain.lobe_change import LobeChange, changed
from lobes.domain.lobes import LobeConfig
from lobes.services.authority import require
from lobes.services.explaining import Explained, all_facts, explained
from lobes.services.installation import Caller, Installation
from lobes.services.lobes import drawing_on
from lobes.store.read_spaces import SpaceRow, StoredLobe, stored_lobe


@dataclass(frozen=True, slots=True)
class Pair:
    """`space` draws on `lobe`."""

    space: str
    lobe: str


@dataclass(frozen=True, slots=True)
class Shift:
    """A lobe that stays allowed with another weight or code, or changes its code of refusal."""

    space: str
    lobe: str
    before: Explained
    after: Explained


@dataclass(frozen=True, slots=True)
class Effect:
    """What a save would bring, by the resolver over both states."""

    gains: tuple[Pair, ...]
    loses: tuple[Pair, ...]
    changes: tuple[Shift, ...]
    after: tuple[Explained, ...]
    draws_before: int
    draws_after: int
    config: LobeConfig


@dataclass(frozen=True, slots=True)
class Saved:
    """`before` undoes the save when it is saved in turn."""

    effect: Effect
    before: LobeConfig
    version: int


Make = Callable[[LobeConfig], LobeConfig]


def preview(lobes: Installation, caller: Caller, space: str, change: LobeChange) -> Effect:
    """The effect of a change that is not saved; the same rules as after saving."""
    with lobes.reading() as store:
        # Asked as for the save, though nobody need be present: an agent must not try out settings.
        found = _snapshot(lobes, caller, store, space)
    return _effect_of(caller, space, found, _making(change, space))


def save(
    lobes: Installation,
    caller: Caller,
    space: str,
    change: LobeChange,
    *,
    version: int | None = None,
) -> Saved:
    """Change the lobe. `Conflict` where `version` was shown and is another by now."""
    return _store(lobes, caller, space, _making(change, space), version)


def put_back(
    lobes: Installation,
    caller: Caller,
    space: str,
    config: LobeConfig,
    *,
    version: int | None = None,
) -> Saved:
    """Undo a save: the config as it was. `version` is that of the save, so that what somebody
    changed since is not undone with it: then `Conflict`."""
    return _store(lobes, caller, space, lambda _: config, version)


def _making(change: LobeChange, space: str) -> Make:
    return lambda config: changed(config, change, space=space)


def _store(
    lobes: Installation, caller: Caller, space: str, make: Make, version: int | None
) -> Saved:
    """Authority, effect and write by one snapshot: nobody can change anything in between."""
    with lobes.database().begin() as unit:
        found = _snapshot(lobes, caller, unit.reader, space, human_only=True)
        effect = _effect_of(caller, space, found, make)
        stored = unit.spaces.get(space)
        if stored is None:
            raise nothing_there()
        shown = stored if version is None else replace(stored, version=version)
        saved = unit.spaces.save(replace(shown, lobe=effect.config, updated=lobes.clock()))
        unit.commit()
    _audit(lobes, caller, effect, space)
    lobes.engine.notify()
    return Saved(effect, stored.lobe, saved.version)


# How the effect is worked out ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Snapshot:
    facts: Facts
    rows: tuple[SpaceRow, ...]
    lobe: StoredLobe | None


def _snapshot(
    lobes: Installation,
    caller: Caller,
    store: sqlite3.Connection,
    space: str,
    *,
    human_only: bool = False,
) -> _Snapshot:
    """What the change stands on, once the caller may make it: nothing of the Space is looked up
    before, so that the time of a refusal tells nothing."""
    facts, rows = all_facts(store)
    asked = Resource("space", space)
    require(lobes, caller, "change_permission", asked, facts=facts, human_only=human_only)
    return _Snapshot(facts, tuple(rows), stored_lobe(store, space))


def _effect_of(caller: Caller, space: str, found: _Snapshot, make: Make) -> Effect:
    if found.lobe is None:
        raise nothing_there()
    config = make(found.lobe.config)
    binding = found.lobe.binding
    after = with_config(
        _with_carriers(found.facts, space, config, found.rows),
        space,
        config,
        manifest_says=binding.cross_space if binding else None,
    )
    names = {one.id: one.name for one in found.rows}
    return _effect(caller, space, found.facts, after, config, names)


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


def _effect(
    caller: Caller,
    space: str,
    before: Facts,
    after: Facts,
    config: LobeConfig,
    names: Mapping[str, str],
) -> Effect:
    was = explained(caller, space, before, names)
    becomes = explained(caller, space, after, names)
    drew = {Pair(space, one.lobe) for one in was if one.allowed}
    draws = {Pair(space, one.lobe) for one in becomes if one.allowed}
    drew |= _pairs(caller, space, before)
    draws |= _pairs(caller, space, after)
    by_lobe = {one.lobe: one for one in was}
    shifts = [
        Shift(space, one.lobe, by_lobe[one.lobe], one)
        for one in becomes
        if one.lobe in by_lobe
        and (by_lobe[one.lobe].reason, by_lobe[one.lobe].weight) != (one.reason, one.weight)
    ]
    return Effect(
        gains=_sorted(draws - drew),
        loses=_sorted(drew - draws),
        changes=tuple(shifts),
        after=becomes,
        draws_before=sum(1 for one in was if one.allowed),
        draws_after=sum(1 for one in becomes if one.allowed),
        config=config,
    )


def _pairs(caller: Caller, space: str, facts: Facts) -> set[Pair]:
    return {Pair(asking, f"space/{space}") for asking in drawing_on(caller, space, facts)}


def _sorted(pairs: set[Pair]) -> tuple[Pair, ...]:
    return tuple(sorted(pairs, key=lambda pair: (pair.space, pair.lobe)))


def _audit(lobes: Installation, caller: Caller, effect: Effect, space: str) -> None:
    lobes.audit.append(
        "lobe.changed",
        actor=name_of(caller.actor),
        verb="change_permission",
        resources=[f"space/{space}"],
        decisions=[
            *((f"{pair.lobe}>{pair.space}", "gains", True) for pair in effect.gains),
            *((f"{pair.lobe}>{pair.space}", "loses", False) for pair in effect.loses),
        ],
        channel=caller.channel,
        correlation=caller.correlation,
        answer="owner",
    )
