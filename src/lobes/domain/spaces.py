"""Spaces: a Project can finish, an Area goes on; both can be archived and trashed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from lobes.domain.errors import Conflict, Invalid
from lobes.domain.ids import LobeAddress, Slug
from lobes.domain.lobes import LobeConfig
from lobes.domain.packs import SpaceYaml

SpaceKind = Literal["project", "area"]
SpaceStatus = Literal["active", "finished", "archived", "deleted"]
RootState = Literal["new", "ok", "missing", "unreadable", "replaced"]

TRASH_DAYS = 30


@dataclass(frozen=True, slots=True)
class Space:
    """A Space as the store has it.

    `trusted` is the manifest that binds; `seen_hash` is the hash of the file as it was last seen,
    different from `trusted_hash` while a change waits for the person's trust.
    """

    id: Slug
    kind: SpaceKind
    name: str
    description: str
    status: SpaceStatus
    status_before: SpaceStatus | None
    owner: Slug
    group: Slug | None
    permission: str | None
    root: str
    root_device: str
    root_inode: str
    root_state: RootState
    review_every_days: int | None
    trusted: SpaceYaml | None
    trusted_hash: str
    seen_hash: str
    lobe: LobeConfig
    version: int
    created: datetime
    updated: datetime
    trashed: datetime | None

    @property
    def address(self) -> LobeAddress:
        return LobeAddress("space", self.id)

    @property
    def is_live(self) -> bool:
        """Whether it answers searches at all."""
        return self.status in ("active", "finished")


def finished(space: Space) -> SpaceStatus:
    """The status after `finish`: only an active Project can finish."""
    if space.kind != "project":
        raise Invalid("An Area goes on; only a Project can finish.", reason="area_never_finishes")
    return _from(space, "active", to="finished", verb="finish")


def archived(space: Space) -> SpaceStatus:
    if not space.is_live:
        raise Conflict(f"{space.name} is {space.status} already.", reason="wrong_status")
    return "archived"


def restored(space: Space) -> SpaceStatus:
    """The status after `restore`: what it was before it was archived or trashed."""
    if space.is_live:
        raise Conflict(f"{space.name} is {space.status} already.", reason="wrong_status")
    return space.status_before or "active"


def trashed(space: Space) -> SpaceStatus:
    if space.status == "deleted":
        raise Conflict(f"{space.name} is in the trash already.", reason="wrong_status")
    return "deleted"


def _from(space: Space, needed: SpaceStatus, *, to: SpaceStatus, verb: str) -> SpaceStatus:
    if space.status != needed:
        raise Conflict(
            f"{space.name} is {space.status}; only an {needed} Space can {verb}.",
            reason="wrong_status",
        )
    return to
