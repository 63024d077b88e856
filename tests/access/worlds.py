"""Drawn worlds, as plain dictionaries of the shape that the files of `tests/authz` have.

The oracle works on them directly; the core gets them as facts, so a mistake on the way shows as a
difference.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

World = dict[str, Any]
T = TypeVar("T")
Pick = Callable[[Sequence[Any]], Any]


def ulid(number: int) -> str:
    return f"{number:026d}"


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
        "agents_see_confidential": pick([False, True]),
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
    item["sensitivity"] = pick(["public", "internal", "internal", "restricted", "confidential"])
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
