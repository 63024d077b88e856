"""Spaces: a Project can finish, an Area goes on; both can be archived and trashed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from lobes.domain.errors import Conflict, Invalid
from lobes.domain.ids import LobeAddress, Slug
from lobes.domain.lobes import LobeConfig
from lobes.domain.packs import SpaceYaml, Status

SpaceKind = Literal["project", "area"]
SpaceStatus = Literal["active", "finished", "archived", "deleted"]
RootState = Literal["new", "ok", "missing", "unreadable", "replaced"]

MAX_NAME = 64
MAX_DESCRIPTION = 500


@dataclass(frozen=True, slots=True)
class Space:
    """A Space as the store has it.

    `trusted` is the manifest that the person last trusted, `binding` what holds now: never wider.
    `seen_hash` is the hash of the file as it was last seen, another than `trusted_hash` while a
    change waits for the person's trust.
    """

    id: Slug
    kind: SpaceKind
    name: str
    description: str
    status: SpaceStatus
    status_before: SpaceStatus | None
    """What it was before it was archived."""
    trashed_from: SpaceStatus | None
    """What it was before it was trashed."""
    owner: Slug
    group: Slug | None
    permission: str | None
    root: str
    root_device: str
    root_inode: str
    root_state: RootState
    review_every_days: int | None
    trusted: SpaceYaml | None
    binding: SpaceYaml | None
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


def check_words(name: str | None = None, description: str | None = None) -> None:
    """`Invalid` (`bad_name`) where these can't be the words of a Space; None isn't looked at."""
    if name is not None and not name.strip():
        raise Invalid("A Space needs a name.", hint="Name it.", reason="bad_name")
    for key, text, limit in (
        ("name", name or "", MAX_NAME),
        ("description", description or "", MAX_DESCRIPTION),
    ):
        if len(text) > limit or any(ord(char) < 32 for char in text):
            raise Invalid(
                f"The {key} is one line of at most {limit} characters.",
                hint="Shorten it.",
                reason="bad_name",
            )


def is_stale(*, changed: datetime | None, every_days: int | None, now: datetime) -> bool:
    """Whether nothing changed for longer than the Space is to be reviewed."""
    if changed is None or not every_days:
        return False
    return now - changed > timedelta(days=every_days)


def finished(space: Space) -> Space:
    """Only an active Project can finish."""
    if space.kind != "project":
        raise Invalid(
            "An Area goes on; only a Project can finish.",
            hint="Archive it instead.",
            reason="area_never_finishes",
        )
    if space.status != "active":
        raise _wrong_status(space)
    return replace(space, status="finished")


def archived(space: Space) -> Space:
    if not space.is_live:
        raise _wrong_status(space)
    return replace(space, status="archived", status_before=space.status)


def with_status(space: Space, status: Status) -> Space:
    """As its `space.yaml` says. The trash is left only by restoring it."""
    if space.status in (status, "deleted"):
        return space
    if status == "archived":
        return archived(space)
    return replace(space, status=status, status_before=None)


def trashed(space: Space, *, now: datetime) -> Space:
    if space.status == "deleted":
        raise _wrong_status(space)
    return replace(space, status="deleted", trashed_from=space.status, trashed=now)


def restored(space: Space) -> Space:
    """Out of the trash as it was when it went there; out of the archive likewise."""
    if space.status == "deleted":
        return replace(
            space, status=space.trashed_from or "active", trashed_from=None, trashed=None
        )
    if space.status == "archived":
        return replace(space, status=space.status_before or "active", status_before=None)
    raise _wrong_status(space)


def _wrong_status(space: Space) -> Conflict:
    words = {"deleted": "in the trash"}.get(space.status, space.status)
    return Conflict(f"{space.name} is {words} already.", reason="wrong_status")
