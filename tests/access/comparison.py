"""Puts core and oracle side by side; the core is a parameter, so a mutant can stand in for it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from oracle import EVERY_VERB, answer, verdict
from worlds import (
    BROKEN_PERMISSIONS,
    SPACES,
    World,
    draw_actor,
    draw_world,
    every_lobe,
    every_resource,
    ulid,
)

from lobes.services.authz_worlds import actor_of, facts_of, resource_of

Authorize = Callable[..., Any]
Resolve = Callable[..., Any]
Case = tuple[str, str, str]
MISSPELT = ["", "Read_Meta", "read_meta ", " read_content", "readmeta", "own"]


def authorize_difference(authorize: Authorize, world: World, cases: Sequence[Case]) -> str | None:
    """The first case in which the core says something else than the oracle."""
    facts = facts_of(world)
    for who, verb, what in cases:
        got = authorize(actor_of(who), verb, resource_of(what), facts)
        wanted = answer(world, who, verb, what)
        if (got.allowed, got.reason) != wanted:
            return f"{who} {verb} {what}: wanted {wanted}, got {got}"
    return None


def resolve_difference(resolve: Resolve, world: World, who: str, space: str) -> str | None:
    """The first lobe on which the core says something else than the oracle."""
    decisions = resolve(actor_of(who), space, facts_of(world))
    got = {str(one.lobe): one for one in decisions}
    if len(got) != len(decisions):
        return f"{who} in {space}: a lobe stands twice"
    for lobe in sorted({*every_lobe(world), *got}):
        wanted = verdict(world, who, space, lobe)
        one = got.get(lobe)
        if one is None or wanted is None:
            if one is not None or wanted is not None:
                return f"{who} in {space}, {lobe}: wanted {wanted}, got {one}"
        elif (one.allowed, one.reason) != wanted[:2] or abs(one.weight - wanted[2]) > 1e-9:
            return f"{who} in {space}, {lobe}: wanted {wanted}, got {one}"
    return None


# The enumerated space ---------------------------------------------------------------------------

PERSONS = ["olga", "mia", "nat", "stan", "sue", "rey", "me"]
"""owner, member of the group, named, stranger, superuser, recipient of a share, installation."""

GRANTS: list[dict[str, list[str]]] = [
    {},
    {"read_meta": ["user:nat"], "read_content": ["user:nat"], "edit_content": ["user:nat"]},
    {"edit_content": ["user:nat"]},
    {"read_meta": ["group:core"], "review": ["user:mia"], "add_content": ["user:nat"]},
    {"read_meta": ["all"], "export": ["all"], "promote": ["user:nat"], "erase": ["user:nat"]},
    {"read_meta": ["group:cor", "user:na", "group:nat"], "read_content": ["group:core2"]},
]
PERMISSIONS: list[object] = [
    *(
        {"visibility": seen, "grants": g}
        for seen in ("public", "restricted", "private")
        for g in GRANTS
    ),
    None,
    *BROKEN_PERMISSIONS,
]


def enumerated_world(permission: object) -> World:
    """One of each kind of thing, governed by `permission` where it can be."""
    everybody = {"read_meta": ["user:nat", "user:rey"], "read_content": ["user:nat"]}
    own = {"owner": "nat", "permission": permission}
    hers = {"owner": "olga", "permission": permission}
    return {
        "owner": "me",
        "people": PERSONS,
        "superusers": ["sue"],
        "groups": {
            "core": {"kind": "team", "members": ["mia"], "owners": ["olga"], "parent": "eng"},
            "eng": {"kind": "department"},
        },
        "spaces": {
            "site": {
                "owner": "olga",
                "group": "core",
                "permission": permission,
                "agents_see_confidential": True,
            },
            "other": {
                "owner": "olga",
                "group": "core",
                "permission": {"visibility": "public", "grants": everybody},
                "subscribes": ["space:site", f"guest:{ulid(1)}"],
            },
        },
        "shares": {
            ulid(1): {"owner": "olga", "recipient": "rey"},
            ulid(2): {"owner": "olga", "recipient": "rey", "live": False},
        },
        "items": {
            f"document/{ulid(3)}": {"in": "space/site"},
            f"memory/{ulid(4)}": {"in": "space/other", **own},
            f"session/{ulid(5)}": {"in": "space/site", "owner": "mia", "permission": permission},
            f"memory/{ulid(6)}": {"in": "personal/olga", "category": "taste"},
            f"memory/{ulid(7)}": {"in": "personal/olga", "category": "health"},
            f"document/{ulid(8)}": {"in": f"guest/{ulid(1)}"},
            f"memory/{ulid(9)}": {"in": "team/core", **own},
            f"document/{ulid(10)}": {"in": "space/site", "sensitivity": "confidential"},
            f"document/{ulid(11)}": {"in": "space/other", "sensitivity": "restricted"},
            f"document/{ulid(12)}": {"in": "space/other", "sensitivity": "restricted", **hers},
            f"document/{ulid(13)}": {"in": "space/other", "sensitivity": "confidential", **hers},
            f"document/{ulid(14)}": {"in": f"guest/{ulid(1)}", "sensitivity": "restricted"},
            f"document/{ulid(15)}": {
                "in": f"guest/{ulid(1)}",
                "sensitivity": "restricted",
                "owner": "olga",
                "permission": {"visibility": "public", "grants": {"read_meta": ["user:rey"]}},
            },
        },
    }


RESOURCES = [
    "space/site",
    f"document/{ulid(3)}",
    f"memory/{ulid(4)}",
    f"session/{ulid(5)}",
    f"memory/{ulid(6)}",
    f"memory/{ulid(7)}",
    f"document/{ulid(8)}",
    f"memory/{ulid(9)}",
    *(f"document/{ulid(n)}" for n in range(10, 16)),
    "person/olga",
    "group/core",
    "group/eng",
    f"share/{ulid(1)}",
    f"share/{ulid(2)}",
    "home",
    f"memory/{ulid(99)}",
]


def enumerated_cases(machines: Sequence[str]) -> list[Case]:
    """`machines` are kinds of agents and jobs, as `ai/reader`."""
    who = list(PERSONS)
    for machine in machines:
        kind, preset = machine.split("/")
        who += [f"{kind}:{p}/{preset}@{space}" for p in PERSONS for space in ("site", "other")]
    verbs = [*EVERY_VERB, *MISSPELT]
    return [(one, verb, what) for one in who for verb in verbs for what in RESOURCES]


# Drawn worlds, the same at every run -------------------------------------------------------------


def drawn(seed: int, count: int) -> Iterator[tuple[World, list[Case], list[tuple[str, str]]]]:
    """Worlds with questions for both functions: (world, authorize cases, resolve questions)."""
    chance = random.Random(seed)

    def pick(choices: Sequence[Any]) -> Any:
        return choices[chance.randrange(len(choices))]

    for _ in range(count):
        world = draw_world(pick)
        whos = [draw_actor(pick) for _ in range(4)]
        verbs = ["read_meta", "read_content", pick(EVERY_VERB), pick(EVERY_VERB)]
        things = every_resource(world)
        cases = [(who, verb, what) for who in whos for verb in verbs for what in things]
        yield world, cases, [(who, pick(SPACES)) for who in whos]


def all_agree(
    authorize: Authorize, resolve: Resolve, *, worlds: int, every: int, seed: int = 7
) -> str | None:
    """The first difference over the enumerated and the drawn worlds; None where all agree.

    Of the enumerated cases only each `every`th is asked.
    """
    for permission in PERMISSIONS:
        cases = enumerated_cases(["ai/editor"])[::every]
        world = enumerated_world(permission)
        found = authorize_difference(authorize, world, cases)
        if found:
            return found
    for world, cases, questions in drawn(seed, worlds):
        found = authorize_difference(authorize, world, cases)
        for who, space in questions:
            found = found or resolve_difference(resolve, world, who, space)
        if found:
            return found
    return None
