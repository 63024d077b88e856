"""Changing a lobe: the effect by the resolver over both states, then the save, which undoes."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from lobes.access.facts import Facts, Resource
from lobes.domain.errors import nothing_there
from lobes.domain.lobe_change import LobeChange, changed
from lobes.domain.lobes import LobeConfig, Subscription
from lobes.services.authority import record, require
from lobes.services.explaining import Names, all_facts, names_in
from lobes.services.holding import follow_hold
from lobes.services.installation import Caller, Installation
from lobes.services.lobe_effects import Effect, effect_of, tell_those_concerned
from lobes.services.sources import check_sources
from lobes.store.read_spaces import SpaceRow, StoredLobe, stored_lobe

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Saved:
    """`before` undoes the save when it is saved in turn; `reason` is by which it might be."""

    effect: Effect
    before: LobeConfig
    version: int
    reason: str


Make = Callable[[LobeConfig], LobeConfig]


def preview(lobes: Installation, caller: Caller, space: str, change: LobeChange) -> Effect:
    """The effect of a change that is not saved; the same rules as after saving."""
    with lobes.reading() as store:
        # Asked as for the save, though nobody need be present: an agent must not try out settings.
        found = _snapshot(lobes, caller, store, space, sources=change.subscribe)
    return _effect_of(caller, space, found, making(change, space))[0]


def save(
    lobes: Installation,
    caller: Caller,
    space: str,
    change: LobeChange,
    *,
    version: int | None = None,
) -> Saved:
    """Change the lobe. `Conflict` where `version` was shown and is another by now."""
    make = making(change, space, at=lobes.clock())
    return _store(lobes, caller, space, make, version, sources=change.subscribe)


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


def making(change: LobeChange, space: str, *, at: datetime | None = None) -> Make:
    """What the change, made `at` this time or only tried, makes of a config."""
    return lambda config: changed(config, change, space=space, at=at)


def _store(
    lobes: Installation,
    caller: Caller,
    space: str,
    make: Make,
    version: int | None,
    *,
    sources: Sequence[Subscription] = (),
) -> Saved:
    with lobes.database().begin() as unit:
        saved = write_lobe(lobes, caller, unit, space, make, version=version, sources=sources)
        unit.commit()
    audit_lobe(lobes, caller, saved, space)
    lobes.engine.notify()
    return saved


def write_lobe(
    lobes: Installation,
    caller: Caller,
    unit: UnitOfWork,
    space: str,
    make: Make,
    *,
    version: int | None,
    sources: Sequence[Subscription] = (),
) -> Saved:
    """The save inside a unit of work; whoever commits it calls `audit_lobe` then.

    Authority, effect and write by one snapshot: nobody can change anything in between.
    """
    found = _snapshot(lobes, caller, unit.reader, space, human_only=True, sources=sources)
    effect, after = _effect_of(caller, space, found, make)
    stored = unit.spaces.get(space)
    if stored is None:
        raise nothing_there()
    shown = stored if version is None else replace(stored, version=version)
    saved = unit.spaces.save(replace(shown, lobe=effect.config, updated=lobes.clock()))
    follow_hold(unit, space, before=stored.lobe, after=effect.config)
    tell_those_concerned(lobes, caller, unit, space, before=found.facts, after=after)
    return Saved(effect, stored.lobe, saved.version, found.reason)


# How the effect is worked out ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Snapshot:
    facts: Facts
    rows: tuple[SpaceRow, ...]
    lobe: StoredLobe | None
    names: Names
    reason: str


def _snapshot(
    lobes: Installation,
    caller: Caller,
    store: sqlite3.Connection,
    space: str,
    *,
    human_only: bool = False,
    sources: Sequence[Subscription] = (),
) -> _Snapshot:
    """What the change stands on, once the caller may make it: nothing of the Space is looked up
    before, so that the time of a refusal tells nothing."""
    facts, rows = all_facts(store)
    asked = Resource("space", space)
    decision = require(
        lobes, caller, "change_permission", asked, facts=facts, human_only=human_only
    )
    check_sources(caller, sources, facts)
    lobe, names = stored_lobe(store, space), names_in(store)
    return _Snapshot(facts, tuple(rows), lobe, names, decision.reason)


def _effect_of(caller: Caller, space: str, found: _Snapshot, make: Make) -> tuple[Effect, Facts]:
    """What the change brings, and the facts after it."""
    if found.lobe is None:
        raise nothing_there()
    binding = found.lobe.binding
    return effect_of(
        caller,
        space,
        found.facts,
        found.rows,
        make(found.lobe.config),
        names=found.names,
        manifest_says=binding.cross_space if binding else None,
    )


def audit_lobe(lobes: Installation, caller: Caller, saved: Saved, space: str) -> None:
    """Who draws on whom by it from now on, and who no longer does."""
    record(
        lobes,
        caller,
        "lobe.changed",
        "change_permission",
        Resource("space", space),
        answer=saved.reason,
        decisions=[
            *((f"{pair.lobe}>{pair.space}", "gains", True) for pair in saved.effect.gains),
            *((f"{pair.lobe}>{pair.space}", "loses", False) for pair in saved.effect.loses),
        ],
    )
