"""The facts: the snapshot that `authorize` and `resolve` read. Loaded by the store, never here.

Nothing in it is a rule. Relations come as sets, so that each rule is a lookup; a thing that is
not in the facts does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from lobes.domain.ids import LobeAddress
from lobes.domain.lobes import CrossSpace, LobeConfig
from lobes.domain.permissions import PUBLIC, Permission
from lobes.domain.resources import Resource, ResourceKind, resources
from lobes.domain.sensitivity import Level

__all__ = ["HOME", "Resource", "ResourceKind", "resources"]

HOME = Resource("home")


@dataclass(frozen=True, slots=True)
class Standing:
    """What decides who may reach a thing: its owner, its group, its permission."""

    owner: str
    group: str | None = None
    permission: Permission = PUBLIC


@dataclass(frozen=True, slots=True)
class SpaceFacts:
    """`cross_space` is the effective value: the stricter of the lobe and the trusted manifest."""

    id: str
    standing: Standing
    is_live: bool = True
    is_private: bool = False
    cross_space: CrossSpace = "open"
    agents_see_confidential: bool = False
    """Whether its owner lets agents have what is confidential in it."""


@dataclass(frozen=True, slots=True)
class ItemFacts:
    """A document, memory, session, run or lesson. `lobe` is where it is kept; `standing` is its
    own, None where it has only its Space's."""

    lobe: LobeAddress
    standing: Standing | None = None
    category: str = ""
    """Of a personal memory; "" where it has none."""
    level: Level | None = None
    """Its sensitivity; None where nobody looked, which counts as internal."""


@dataclass(frozen=True, slots=True)
class GroupFacts:
    """One group, with membership inherited from the groups below it already expanded."""

    kind: Literal["team", "department", "organization"]
    owners: frozenset[str]
    hops: Mapping[str, int] = field(default_factory=dict[str, int])
    """Person → 1 for the group they joined, 2 for the one above it, …; absent: no member."""
    space_hops: Mapping[str, int] = field(default_factory=dict[str, int])
    """The same for Spaces: 1 for a Space of this group, 2 for one of a group below it, …"""


@dataclass(frozen=True, slots=True)
class ShareFacts:
    """`is_live` = accepted, lease valid, not suspended; told by the loader, who has the clock."""

    owner: str
    recipient: str
    is_live: bool


@dataclass(frozen=True, slots=True)
class Links:
    """What concerns one asking Space: its own config, and who turned away from it."""

    config: LobeConfig = field(default_factory=LobeConfig)
    excluded_by: frozenset[str] = frozenset()
    """The Spaces whose own exclusions name it."""
    excludes: frozenset[str] = frozenset()
    """Its own exclusions as the store's edges hold them: they count also where the config is
    broken."""
    tagged: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Tag → the Spaces that carry it, for the tags that it subscribes to."""
    approved_once: frozenset[str] = frozenset()
    """The Spaces that a person let answer this very question: unexpired and unused."""


@dataclass(frozen=True, slots=True)
class Facts:
    """One snapshot of the store."""

    owner: str
    """The person this installation belongs to."""
    people: frozenset[str] = frozenset()
    superusers: frozenset[str] = frozenset()
    spaces: Mapping[str, SpaceFacts] = field(default_factory=dict[str, SpaceFacts])
    items: Mapping[Resource, ItemFacts] = field(default_factory=dict[Resource, ItemFacts])
    groups: Mapping[str, GroupFacts] = field(default_factory=dict[str, GroupFacts])
    shares: Mapping[str, ShareFacts] = field(default_factory=dict[str, ShareFacts])
    links: Mapping[str, Links] = field(default_factory=dict[str, Links])
    memo: dict[Any, Any] = field(
        init=False, default_factory=dict[Any, Any], compare=False, repr=False
    )
    """Answers already worked out for this snapshot: the rules are pure, so they can't change.
    Other facts start with none."""
