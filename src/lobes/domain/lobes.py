"""The lobe of a Space: which other Spaces may draw on it, and what it draws on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal, TypeVar, cast, get_args

from lobes.domain.actors import PRESETS, Preset
from lobes.domain.errors import Invalid
from lobes.domain.ids import is_slug, is_ulid, parse_address
from lobes.domain.memories import WRITE_POLICIES, WritePolicy
from lobes.domain.strict_json import loads_strict

CrossSpace = Literal["open", "ask", "deny"]
CROSS_SPACE: tuple[CrossSpace, ...] = get_args(CrossSpace)
"""From the loosest to the strictest."""

CROSS_SPACE_WORDS: Mapping[str, str] = {"open": "Open", "ask": "Ask", "deny": "Closed"}
"""What each is called wherever a person reads it."""

SubscriptionType = Literal["space", "user", "tag", "team", "department", "organization", "guest"]
SUBSCRIPTION_TYPES: tuple[SubscriptionType, ...] = get_args(SubscriptionType)

HIGH_SENSITIVITY = ("health", "finance", "identity", "credentials", "people")
"""Categories that always need explicit confirmation, and are not inherited by default."""

_VERSION = 1
_T = TypeVar("_T")


def stricter(one: CrossSpace, other: CrossSpace | None) -> CrossSpace:
    """The stricter of the lobe's setting and the trusted manifest's (None: it says nothing)."""
    if other is None or CROSS_SPACE.index(one) >= CROSS_SPACE.index(other):
        return one
    return other


@dataclass(frozen=True, slots=True, order=True)
class Subscription:
    """What a Space draws on explicitly. `label` is for the person only and decides nothing."""

    type: SubscriptionType
    id: str
    label: str = field(default="", compare=False)


def parse_subscription(text: str) -> Subscription:
    """`space:ID`, `tag:T`, `user:ID`, `team:ID`, …, `guest:SHARE`, or `Invalid`."""
    kind, _, name = text.partition(":")
    for known in SUBSCRIPTION_TYPES:
        if kind == known and (is_ulid(name) if known == "guest" else is_slug(name)):
            return Subscription(known, name)
    raise Invalid(
        "This is no source.",
        hint=f"Write space:ID, or one of {', '.join(SUBSCRIPTION_TYPES[1:])} in its place.",
        reason="bad_subscription",
    )


@dataclass(frozen=True, slots=True)
class LobeConfig:
    """`inherit_categories`: None is the default (all but the high-sensitivity ones), () is none."""

    is_private: bool = False
    cross_space: CrossSpace = "open"
    excluded_from: tuple[str, ...] = ()
    excluded_since: tuple[tuple[str, datetime], ...] = field(default=(), compare=False)
    """Since when each is kept apart, where that is known. For the person only: it decides nothing,
    and an exclusion of another day is the same one."""
    subscriptions: tuple[Subscription, ...] = ()
    tags: tuple[str, ...] = ()
    muted: tuple[str, ...] = ()
    inherit_categories: tuple[str, ...] | None = None
    agent_preset: Preset = "proposer"
    agents_see_confidential: bool = False
    write_policy: WritePolicy = "risky"
    """Which memories wait for a person before they are active."""
    hold_external_changes: bool = False
    """Whether what changes in its files outside of Lobes waits for a person before it is read."""
    sound: bool = True

    def apart_since(self, space: str) -> datetime | None:
        """When `space` was excluded; None where nobody noted it, or where it isn't."""
        return dict(self.excluded_since).get(space) if space in self.excluded_from else None

    def inherits(self, category: str) -> bool:
        """Whether the Space draws on personal memories of this category."""
        if self.inherit_categories is None:
            return category not in HIGH_SENSITIVITY
        return category in self.inherit_categories


BROKEN = LobeConfig(
    is_private=True,
    cross_space="deny",
    inherit_categories=(),
    agent_preset="reader",
    write_policy="all",
    hold_external_changes=True,
    sound=False,
)
"""What a config that can't be parsed counts as: private and Closed, with nothing inherited."""


def alone(config: LobeConfig) -> LobeConfig:
    """Without what names another Space, a person or a group: as it goes from home to home."""
    return replace(config, subscriptions=(), excluded_from=(), excluded_since=(), muted=())


def dump_config(config: LobeConfig) -> str:
    """The config as it is stored: one line of JSON with a version."""
    data: dict[str, object] = {
        "version": _VERSION,
        "is_private": config.is_private,
        "cross_space": config.cross_space,
        "excluded_from": list(config.excluded_from),
        "subscriptions": [
            {"type": one.type, "id": one.id, "label": one.label} for one in config.subscriptions
        ],
        "tags": list(config.tags),
        "muted": list(config.muted),
        "agent_preset": config.agent_preset,
    }
    since = [(one, config.apart_since(one)) for one in config.excluded_from]
    if noted := {one: at.isoformat() for one, at in since if at is not None}:
        data["excluded_since"] = noted
    if config.agents_see_confidential:
        data["agents_see_confidential"] = True
    if config.write_policy != "risky":
        data["write_policy"] = config.write_policy
    if config.hold_external_changes:
        data["hold_external_changes"] = True
    if config.inherit_categories is not None:
        data["inherit_categories"] = list(config.inherit_categories)
    return json.dumps(data, ensure_ascii=False, sort_keys=True)


def parse_config(stored: str) -> LobeConfig:
    """What is stored, as a value; anything that can't be taken to the letter is `BROKEN`."""
    try:
        data: object = loads_strict(stored)
        if not isinstance(data, dict):
            return BROKEN
        return _parse_fields(cast("dict[str, object]", data))
    except (ValueError, Invalid):
        return BROKEN


_FIELDS = {
    "version",
    "is_private",
    "cross_space",
    "excluded_from",
    "excluded_since",
    "subscriptions",
    "tags",
    "muted",
    "inherit_categories",
    "agent_preset",
    "agents_see_confidential",
    "write_policy",
    "hold_external_changes",
}


def _parse_fields(data: dict[str, object]) -> LobeConfig:
    version = data.get("version")
    if set(data) - _FIELDS or type(version) is not int or version != _VERSION:
        raise ValueError("unknown fields or version")
    is_private = data.get("is_private")
    if not isinstance(is_private, bool):
        raise ValueError("is_private")
    cross_space: CrossSpace = _one_of(CROSS_SPACE, data.get("cross_space"))
    preset: Preset = _one_of(PRESETS, data.get("agent_preset"))
    sees_confidential = data.get("agents_see_confidential", False)
    if not isinstance(sees_confidential, bool):
        raise ValueError("agents_see_confidential")
    holds = data.get("hold_external_changes", False)
    if not isinstance(holds, bool):
        raise ValueError("hold_external_changes")
    categories = data.get("inherit_categories")
    muted = _strings(data.get("muted"))
    for address in muted:
        parse_address(address)
    return LobeConfig(
        is_private=is_private,
        cross_space=cross_space,
        excluded_from=_slugs(data.get("excluded_from")),
        excluded_since=_times(data.get("excluded_since", {})),
        subscriptions=_subscriptions(data.get("subscriptions")),
        tags=_slugs(data.get("tags")),
        muted=muted,
        inherit_categories=None if categories is None else _strings(categories),
        agent_preset=preset,
        agents_see_confidential=sees_confidential,
        write_policy=_policy(data.get("write_policy", "risky")),
        hold_external_changes=holds,
    )


def _policy(value: object) -> WritePolicy:
    """An unknown word was meant to hold something back: then all waits."""
    for known in WRITE_POLICIES:
        if known == value:
            return known
    return "all"


def _one_of(known: tuple[_T, ...], value: object) -> _T:
    for one in known:
        if one == value:
            return one
    raise ValueError("not one of the known values")


def _strings(data: object) -> tuple[str, ...]:
    if not isinstance(data, list):
        raise ValueError("not a list")
    items = cast("list[object]", data)
    if not all(isinstance(one, str) for one in items):
        raise ValueError("not text")
    return tuple(cast("list[str]", items))


def _slugs(data: object) -> tuple[str, ...]:
    names = _strings(data)
    if not all(is_slug(one) for one in names):
        raise ValueError("not an id")
    return names


def _times(data: object) -> tuple[tuple[str, datetime], ...]:
    if not isinstance(data, dict):
        raise ValueError("not times")
    found: list[tuple[str, datetime]] = []
    for space, at in cast("dict[str, object]", data).items():
        moment = datetime.fromisoformat(at) if isinstance(at, str) else None
        if not is_slug(space) or moment is None or moment.tzinfo is None:
            raise ValueError("not a time")
        found.append((space, moment))
    return tuple(found)


def _subscriptions(data: object) -> tuple[Subscription, ...]:
    if not isinstance(data, list):
        raise ValueError("not a list")
    found: list[Subscription] = []
    for item in cast("list[object]", data):
        if not isinstance(item, dict):
            raise ValueError("not a subscription")
        fields = cast("dict[str, object]", item)
        label = fields.get("label", "")
        if set(fields) - {"type", "id", "label"} or not isinstance(label, str):
            raise ValueError("not a subscription")
        if not isinstance(fields.get("id"), str):
            raise ValueError("not an id")
        source = parse_subscription(f"{fields.get('type')}:{fields.get('id')}")
        found.append(replace(source, label=label))
    return tuple(found)
