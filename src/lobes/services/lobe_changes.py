"""Changing a lobe: the effect by the resolver over both states, then the save, which undoes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lobes.access.facts import Facts, Resource
from lobes.access.what_if import with_config
from lobes.domain.actors import name_of
from lobes.domain.errors import nothing_there
from lobes.domain.lobe_change import LobeChange, changed
from lobes.domain.lobes import LobeConfig, parse_config
from lobes.services.authority import facts_for, require
from lobes.services.installation import Caller, Installation
from lobes.services.lobes import Explained, all_facts, drawing_on, explained
from lobes.store.manifest_json import parse_space_yaml_json
from lobes.store.read_spaces import SpaceRow


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


def preview(lobes: Installation, caller: Caller, space: str, change: LobeChange) -> Effect:
    """The effect of a change that is not saved; the same rules as after saving."""
    facts, rows = all_facts(lobes)
    # Asked as for the save, though nobody need be present: an agent must not try out settings.
    require(lobes, caller, "change_permission", Resource("space", space), facts=facts)
    row = next(one for one in rows if one.id == space)
    config = changed(parse_config(row.config), change, space=space)
    manifest = parse_space_yaml_json(row.manifest)
    after = with_config(
        _with_carriers(facts, space, config, rows),
        space,
        config,
        manifest_says=manifest.cross_space if manifest else None,
    )
    return _effect(caller, space, facts, after, config, {one.id: one.name for one in rows})


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


def save(
    lobes: Installation,
    caller: Caller,
    space: str,
    change: LobeChange,
    *,
    version: int | None = None,
) -> Saved:
    """Change the lobe. `Conflict` where `version` was shown and is another by now."""
    effect = _allowed_effect(lobes, caller, space, change)
    with lobes.database().begin() as unit:
        stored = unit.spaces.get(space)
        if stored is None:
            raise nothing_there()
        before = stored.lobe
        config = changed(before, change, space=space)
        shown = stored if version is None else replace(stored, version=version)
        saved = unit.spaces.save(replace(shown, lobe=config, updated=lobes.clock()))
        unit.commit()
    _audit(lobes, caller, effect, space)
    lobes.engine.notify()
    return Saved(effect, before, saved.version)


def put_back(lobes: Installation, caller: Caller, space: str, config: LobeConfig) -> LobeConfig:
    """Undo a save: the config as it was. Answers with the one that it replaced."""
    _allowed_effect(lobes, caller, space, LobeChange())
    with lobes.database().begin() as unit:
        stored = unit.spaces.get(space)
        if stored is None:
            raise nothing_there()
        unit.spaces.save(replace(stored, lobe=config, updated=lobes.clock()))
        unit.commit()
    lobes.audit.append(
        "lobe.changed",
        actor=name_of(caller.actor),
        verb="change_permission",
        resources=[f"space/{space}"],
        decisions=[],
        channel=caller.channel,
        correlation=caller.correlation,
        answer="owner",
    )
    return stored.lobe


def _allowed_effect(lobes: Installation, caller: Caller, space: str, change: LobeChange) -> Effect:
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
    require(
        lobes,
        caller,
        "change_permission",
        Resource("space", space),
        facts=facts,
        human_only=True,
    )
    return preview(lobes, caller, space, change)


# How the effect is worked out ------------------------------------------------------------------


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
