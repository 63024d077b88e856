"""Worlds that are written to be read, as `tests/authz` holds them, and their facts for the core.

A world names Spaces, groups, shares and items; what it leaves out is the default. The file
`README.md` beside them says what each part means.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lobes.access.facts import (
    Facts,
    GroupFacts,
    ItemFacts,
    Links,
    Resource,
    ShareFacts,
    SpaceFacts,
    Standing,
)
from lobes.config.shipped import shipped
from lobes.domain.actors import Actor, Ai, Human, Job
from lobes.domain.ids import LobeAddress, parse_address
from lobes.domain.lobes import BROKEN, LobeConfig, parse_subscription, stricter
from lobes.domain.permissions import Permission, parse_permission
from lobes.store.yaml_strict import parse_yaml, plain_value

World = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Story:
    """One world with the rows that must hold in it."""

    name: str
    world: World
    check: Sequence[Sequence[str]] = ()
    list: Sequence[Mapping[str, Any]] = ()
    explain: Sequence[Mapping[str, Any]] = ()


def stories() -> Iterator[Story]:
    """All worlds that come with Lobes, by the name of their file."""
    for path in sorted(shipped("authz").glob("*.yaml")):
        found: Any = plain_value(parse_yaml(path.read_text(encoding="utf-8")))
        yield Story(**found)


def actor_of(who: str) -> Actor:
    """`me`, `ai:me/reader@initech` or `job:me/editor@initech`. Words are taken as they are written:
    the rules must deny a name that no person can have."""
    kind, colon, rest = who.partition(":")
    if not colon:
        return Human(who)  # pyright: ignore[reportArgumentType]
    person, _, bound = rest.partition("/")
    preset, _, space = bound.partition("@")
    make = {"ai": Ai, "job": Job}[kind]
    return make(person, preset, space)  # pyright: ignore[reportArgumentType]


def resource_of(what: str) -> Resource:
    kind, _, name = what.partition("/")
    return Resource(kind, name)  # pyright: ignore[reportArgumentType]


def facts_of(world: World) -> Facts:
    """The world as the core reads it."""
    return Facts(
        owner=world["owner"],
        people=frozenset(world["people"]),
        superusers=frozenset(world.get("superusers", ())),
        spaces={name: _space(name, world) for name in world.get("spaces", {})},
        items={
            resource_of(name): _item(one, world) for name, one in world.get("items", {}).items()
        },
        groups={name: _group(name, world) for name in world.get("groups", {})},
        shares={
            name: ShareFacts(one["owner"], one["recipient"], one.get("live", True))
            for name, one in world.get("shares", {}).items()
        },
        links={name: _links(name, world) for name in world.get("spaces", {})},
    )


def stored(permission: object) -> str | None:
    """The text of the column: what is given as text or None stays as it is."""
    if permission is None or isinstance(permission, str):
        return permission
    return json.dumps(permission)


def permission_of(thing: World) -> Permission:
    return parse_permission(stored(thing.get("permission")))


def config_of(space: World) -> LobeConfig:
    """The lobe of a Space of a world."""
    if space.get("lobe") == "broken":
        return BROKEN
    inherits = space.get("inherits")
    return LobeConfig(
        is_private=space.get("private", False),
        cross_space=space.get("cross_space", "open"),
        excluded_from=tuple(space.get("excludes", ())),
        subscriptions=tuple(parse_subscription(one) for one in space.get("subscribes", ())),
        tags=tuple(space.get("tags", ())),
        muted=tuple(space.get("mutes", ())),
        inherit_categories=None if inherits is None else tuple(inherits),
        agent_preset=space.get("agents", "editor"),
        agents_see_confidential=space.get("agents_see_confidential", False),
    )


def _space(name: str, world: World) -> SpaceFacts:
    space = world["spaces"][name]
    config = config_of(space)
    return SpaceFacts(
        name,
        Standing(space["owner"], space.get("group"), permission_of(space)),
        is_live=not space.get("archived", False),
        is_private=config.is_private,
        cross_space=stricter(config.cross_space, space.get("manifest")),
        agents_see_confidential=config.agents_see_confidential,
    )


def _links(name: str, world: World) -> Links:
    config = config_of(world["spaces"][name])
    wanted = [one.id for one in config.subscriptions if one.type == "tag"]
    configs = {other: config_of(one) for other, one in world["spaces"].items()}
    return Links(
        config=config,
        excluded_by=frozenset(o for o, one in configs.items() if name in one.excluded_from),
        tagged={t: frozenset(o for o, one in configs.items() if t in one.tags) for t in wanted},
        approved_once=frozenset(world["spaces"][name].get("once", ())),
    )


def _item(item: World, world: World) -> ItemFacts:
    lobe = parse_address(item["in"])
    standing = None
    if "owner" in item:
        standing = Standing(item["owner"], _group_around(lobe, world), permission_of(item))
    return ItemFacts(lobe, standing, item.get("category", ""), item.get("sensitivity"))


def _group_around(lobe: LobeAddress, world: World) -> str | None:
    if lobe.kind == "space":
        return world["spaces"].get(lobe.id, {}).get("group")
    return lobe.id if lobe.kind in ("team", "department", "organization") else None


def _group(name: str, world: World) -> GroupFacts:
    """Membership flows upwards: whoever joined a group below is one hop further away."""
    group = world["groups"][name]
    people: dict[str, int] = {}
    spaces: dict[str, int] = {}
    level, hops = [name], 1
    while level:
        for one in level:
            below = world["groups"][one]
            for person in (*below.get("members", ()), *below.get("owners", ())):
                people.setdefault(person, hops)
            for space, it in world.get("spaces", {}).items():
                if it.get("group") == one:
                    spaces.setdefault(space, hops)
        level = [g for g, it in world["groups"].items() if it.get("parent") in level]
        hops += 1
    return GroupFacts(group["kind"], frozenset(group.get("owners", ())), people, spaces)
