"""Worlds as plain dictionaries, and the one bridge from them to the facts of the core.

A world reads like the assertion file: Spaces, groups, shares and items by name. The oracles work
on it directly; `facts_of` says the same to the core, so a mistake here shows as a difference.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

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
from lobes.domain.actors import Actor, Ai, Human, Job
from lobes.domain.ids import LobeAddress, parse_address
from lobes.domain.lobes import BROKEN, LobeConfig, parse_subscription, stricter
from lobes.domain.permissions import Permission, parse_permission

World = dict[str, Any]
T = TypeVar("T")
Pick = Callable[[Sequence[Any]], Any]


def ulid(number: int) -> str:
    return f"{number:026d}"


# To the core's words ----------------------------------------------------------------------------


def actor_of(who: str) -> Actor:
    """`me`, `ai:me/reader@initech` or `job:me/editor@initech`."""
    kind, colon, rest = who.partition(":")
    if not colon:
        return Human(who)  # type: ignore[arg-type]
    person, _, bound = rest.partition("/")
    preset, _, space = bound.partition("@")
    return {"ai": Ai, "job": Job}[kind](person, preset, space)  # type: ignore[arg-type]


def resource_of(what: str) -> Resource:
    kind, _, name = what.partition("/")
    return Resource(kind, name)  # type: ignore[arg-type]


def stored(permission: object) -> str | None:
    """The text of the column: what is given as text or None stays as it is."""
    if permission is None or isinstance(permission, str):
        return permission
    return json.dumps(permission)


def permission_of(thing: dict[str, Any]) -> Permission:
    return parse_permission(stored(thing.get("permission")))


def facts_of(world: World) -> Facts:
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


def _space(name: str, world: World) -> SpaceFacts:
    space = world["spaces"][name]
    config = _config(space)
    return SpaceFacts(
        name,
        Standing(space["owner"], space.get("group"), permission_of(space)),
        is_live=not space.get("archived", False),
        is_private=config.is_private,
        cross_space=stricter(config.cross_space, space.get("manifest")),
    )


def _config(space: dict[str, Any]) -> LobeConfig:
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
    )


def _links(name: str, world: World) -> Links:
    config = _config(world["spaces"][name])
    wanted = [one.id for one in config.subscriptions if one.type == "tag"]
    configs = {other: _config(one) for other, one in world["spaces"].items()}
    return Links(
        config=config,
        excluded_by=frozenset(o for o, one in configs.items() if name in one.excluded_from),
        tagged={t: frozenset(o for o, one in configs.items() if t in one.tags) for t in wanted},
        approved_once=frozenset(world["spaces"][name].get("once", ())),
    )


def _item(item: dict[str, Any], world: World) -> ItemFacts:
    lobe = parse_address(item["in"])
    standing = None
    if "owner" in item:
        standing = Standing(item["owner"], _group_around(lobe, world), permission_of(item))
    return ItemFacts(lobe, standing, item.get("category", ""))


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


def every_lobe(world: World) -> list[str]:
    """Every address that could stand in an answer, also those nobody may know of."""
    return [
        *(f"space/{name}" for name in world.get("spaces", {})),
        *(f"personal/{name}" for name in world["people"]),
        *(f"{one['kind']}/{name}" for name, one in world.get("groups", {}).items()),
        *(f"guest/{name}" for name in world.get("shares", {})),
    ]


def resource_behind(lobe: str) -> str:
    """The resource that a verb is asked on for this lobe."""
    kind, _, name = lobe.partition("/")
    return (
        f"{ {'space': 'space', 'personal': 'person', 'guest': 'share'}.get(kind, 'group') }/{name}"
    )


# Drawn worlds -----------------------------------------------------------------------------------

PEOPLE = ["me", "ann", "bob", "cyd"]
SPACES = ["alpha", "beta", "gamma", "delta"]
GROUPS = {"core": "team", "eng": "department", "acme": "organization"}
SHARES = [ulid(n) for n in (901, 902, 903)]
ITEMS = [f"{kind}/{ulid(n)}" for n, kind in enumerate(["document", "memory", "session", "lesson"])]
VERB_LISTS = ["read_meta", "read_content", "add_content", "edit_content", "review", "export"]
SUBJECTS = ["user:me", "user:ann", "user:bob", "group:core", "group:eng", "group:acm", "all"]
BROKEN_PERMISSIONS = [
    "{}",
    '{"visibility": "public"',
    '{"visibility": "pubic", "grants": {}}',
    '{"visibility": "public", "visibility": "public", "grants": {}}',
    '{"visibility": "public", "grants": {"read_content ": ["all"]}}',
    '{"visibility": "public", "grants": {"read_content": "all"}}',
    '{"visibility": "public", "grants": {"read_content": ["user:Ann"]}}',
    '["public"]',
    "",
]


def draw_world(pick: Pick) -> World:
    """A small world; `pick` chooses one of a sequence, so any source of chance can drive it."""
    groups = {
        "core": {"kind": "team", "parent": pick(["eng", None])},
        "eng": {"kind": "department", "parent": pick(["acme", None])},
        "acme": {"kind": "organization"},
    }
    for group in groups.values():
        group["members"] = some(pick, PEOPLE, 2)
        group["owners"] = some(pick, PEOPLE, 1)
    return {
        "owner": "me",
        "people": list(PEOPLE),
        "superusers": pick([[], [], ["me"], ["bob"]]),
        "groups": groups,
        "spaces": {name: draw_space(pick) for name in SPACES},
        "shares": {
            name: {
                "owner": pick(["ann", "bob"]),
                "recipient": pick(["me", "me", "cyd"]),
                "live": pick([True, True, False]),
            }
            for name in SHARES
        },
        "items": {name: draw_item(pick) for name in ITEMS},
    }


def draw_space(pick: Pick) -> dict[str, Any]:
    return {
        "owner": pick(["me", "me", "me", "ann", "bob"]),
        "group": pick([None, None, "core", "eng", "acme"]),
        "permission": draw_permission(pick),
        "archived": pick([False, False, False, True]),
        "private": pick([False, False, False, True]),
        "cross_space": pick(["open", "open", "ask", "deny"]),
        "manifest": pick([None, None, None, "open", "ask", "deny"]),
        "lobe": pick([None] * 9 + ["broken"]),
        "excludes": pick([[], [], [], *([name] for name in SPACES)]),
        "subscribes": some(pick, SOURCES, 2),
        "tags": pick([[], ["craft"], ["home"], ["craft", "home"]]),
        "mutes": pick([[], [], *([one] for one in MUTABLE)]),
        "once": pick([[], [], *([name] for name in SPACES)]),
        "inherits": pick([None, None, [], ["taste"], ["health"]]),
    }


SOURCES = [
    *(f"space:{name}" for name in SPACES),
    "tag:craft",
    "tag:home",
    "team:core",
    "department:eng",
    "organization:acme",
    f"guest:{SHARES[0]}",
    "user:ann",
    "user:bob",
]
MUTABLE = [
    "space/alpha",
    "space/beta",
    "personal/me",
    "team/core",
    "department/eng",
    f"guest/{SHARES[0]}",
]


def draw_permission(pick: Pick) -> object:
    if pick([True, False, False]):
        return pick([None, None, *BROKEN_PERMISSIONS])
    listed = {verb: some(pick, SUBJECTS, 1) for verb in some(pick, VERB_LISTS, 3)}
    return {"visibility": pick(["public", "restricted", "private"]), "grants": listed}


def draw_item(pick: Pick) -> dict[str, Any]:
    lobes = [*(f"space/{n}" for n in SPACES), "personal/me", "personal/ann"]
    lobes += [f"{kind}/{name}" for name, kind in GROUPS.items()] + [f"guest/{SHARES[0]}"]
    item: dict[str, Any] = {"in": pick(lobes), "category": pick(["", "taste", "health"])}
    if pick([True, False]):
        item |= {"owner": pick(PEOPLE), "permission": draw_permission(pick)}
    return item


def some(pick: Pick, choices: Sequence[T], most: int) -> list[T]:
    found: list[T] = []
    for _ in range(most):
        one = pick([None, *choices])
        if one is not None and one not in found:
            found.append(one)
    return found


def draw_actor(pick: Pick) -> str:
    person = pick(PEOPLE)
    kind = pick(["human", "human", "ai", "job"])
    if kind == "human":
        return person
    return f"{kind}:{person}/{pick(['reader', 'proposer', 'editor'])}@{pick([*SPACES, 'nowhere'])}"


def every_resource(world: World) -> list[str]:
    return [
        *(f"space/{name}" for name in world.get("spaces", {})),
        *(f"person/{name}" for name in world["people"]),
        *(f"group/{name}" for name in world.get("groups", {})),
        *(f"share/{name}" for name in world.get("shares", {})),
        *world.get("items", {}),
        "home",
        "space/nowhere",
        "group/nobody",
        "person/nobody",
        f"share/{ulid(999)}",
        f"memory/{ulid(999)}",
    ]
