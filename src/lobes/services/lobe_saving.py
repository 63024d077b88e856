"""A lobe and who sees its Space, saved as one: both or neither."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from lobes.access.facts import Resource
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import LobeConfig
from lobes.domain.permission_change import PermissionChange
from lobes.services.installation import Caller, Installation
from lobes.services.lobe_changes import Make, Saved, audit_lobe, making, write_lobe
from lobes.services.permissions import (
    PermissionEffect,
    Written,
    audit_permission,
    write_permission,
)

if TYPE_CHECKING:
    from lobes.store.unit_of_work import UnitOfWork


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be saved of a Space. `lobe` is a change, or the config that undoes one; None
    leaves the lobe, an empty `rights` the permission as it is. `version` and `shown` tell the
    states that the person saw."""

    lobe: LobeChange | LobeConfig | None = None
    rights: PermissionChange = field(default_factory=PermissionChange)
    version: int | None = None
    shown: str | None = None


@dataclass(frozen=True, slots=True)
class SavedBoth:
    """What became of each; None for what was left as it is. `version` is the Space's now."""

    lobe: Saved | None
    rights: PermissionEffect | None
    version: int | None


def save_both(lobes: Installation, caller: Caller, space: str, wanted: Wanted) -> SavedBoth:
    """Change the lobe, its permission or both in one unit of work.

    Raises what `lobe_changes.save` and `permissions.save_permission` raise; then nothing changed.
    """
    with lobes.database().begin() as unit:
        lobe = _lobe(lobes, caller, unit, space, wanted)
        rights = _rights(lobes, caller, unit, space, wanted)
        unit.commit()
    if lobe:
        audit_lobe(lobes, caller, lobe, space)
    if rights:
        audit_permission(lobes, caller, rights)
    lobes.engine.notify()
    version = lobe.version if lobe else wanted.version
    # Each write of the row is a version of its own.
    now = version + 1 if rights and version is not None else version
    return SavedBoth(lobe, rights.told if rights else None, now)


def _lobe(
    lobes: Installation, caller: Caller, unit: UnitOfWork, space: str, wanted: Wanted
) -> Saved | None:
    if wanted.lobe is None or wanted.lobe == LobeChange():
        return None
    sources = wanted.lobe.subscribe if isinstance(wanted.lobe, LobeChange) else ()
    make = _make(wanted.lobe, space, at=lobes.clock())
    return write_lobe(lobes, caller, unit, space, make, version=wanted.version, sources=sources)


def _make(lobe: LobeChange | LobeConfig, space: str, *, at: datetime) -> Make:
    if isinstance(lobe, LobeChange):
        return making(lobe, space, at=at)
    return lambda _: lobe


def _rights(
    lobes: Installation, caller: Caller, unit: UnitOfWork, space: str, wanted: Wanted
) -> Written | None:
    if wanted.rights == PermissionChange():
        return None
    written = write_permission(
        lobes, caller, unit, Resource("space", space), wanted.rights, shown=wanted.shown
    )
    return written if written.effect.is_change else None
