"""Groups of persons: what they are, how they nest, and which roles there are in them.

A group lies in a wider one (team → department → organization; a step may be left out). Because
each step up is wider, no chain can lead back to where it began, and none is longer than three.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from lobes.domain.errors import Invalid
from lobes.domain.ids import LobeAddress, Slug

GroupKind = Literal["team", "department", "organization"]
GROUP_KINDS: tuple[GroupKind, ...] = get_args(GroupKind)
"""From the narrowest to the widest."""

Role = Literal["owner", "member"]
ROLES: tuple[Role, ...] = get_args(Role)

MAX_NAME = 64


@dataclass(frozen=True, slots=True)
class Group:
    """A group as the store has it. A removed one stays, so that its id is never given to another
    group: what was granted to it would come to life again."""

    id: Slug
    kind: GroupKind
    name: str
    parent: Slug | None
    created: datetime
    removed: datetime | None = None

    @property
    def lobe(self) -> LobeAddress:
        return LobeAddress(self.kind, self.id)


@dataclass(frozen=True, slots=True)
class Membership:
    """Who joined this very group; whoever joined one below it is a member too."""

    person: Slug
    role: Role
    since: datetime


def fits_in(kind: str, wider: str) -> bool:
    """Whether a group of this kind may lie in one of that; False for what is no kind at all."""
    if kind not in GROUP_KINDS or wider not in GROUP_KINDS:
        return False
    return GROUP_KINDS.index(kind) < GROUP_KINDS.index(wider)


def check_nesting(group: str, kind: GroupKind, parent: str, wider: GroupKind) -> None:
    """`Invalid` (`wrong_nesting`) where `group` can't lie in `parent`."""
    if group == parent:
        raise Invalid(
            "A group can't lie in itself.", hint="Name a wider one.", reason="wrong_nesting"
        )
    if not fits_in(kind, wider):
        raise Invalid(
            f"{a_kind(kind).capitalize()} can't lie in {a_kind(wider)}.",
            hint="A team lies in a department or an organization, a department in an organization.",
            reason="wrong_nesting",
        )


def check_name(name: str, *, what: str = "group") -> str:
    """The name, or `Invalid`."""
    if not name.strip() or len(name) > MAX_NAME or any(ord(char) < 32 for char in name):
        raise Invalid(
            f"The name of a {what} is one line of at most {MAX_NAME} characters.",
            hint="Shorten it.",
            reason="bad_name",
        )
    return name


def chain_upwards(group: str, parents: Mapping[str, str | None]) -> Iterable[str]:
    """The group itself, then the one that it lies in, and so on. `parents` holds sound steps
    only, as the loader of the facts makes them, so the chain ends."""
    at: str | None = group
    while at is not None:
        yield at
        at = parents.get(at)


def a_kind(kind: GroupKind) -> str:
    return "an organization" if kind == "organization" else f"a {kind}"
