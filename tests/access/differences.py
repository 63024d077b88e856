"""Where the core answers otherwise than the specification: named, narrow, and each with a test.

A comparison skips exactly these cases; `test_exhaustive.py` holds one strict expected failure for
each, so an entry can't outlive the difference.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from oracle_authorize import PRESETS, ask, layers_of, read_actor

World = dict[str, Any]
Told = Callable[[World, str, str, str], bool]


def entry_denied_by_the_item(world: World, who: str, verb: str, what: str) -> bool:
    """Rule 5 for an item: the Space's own denial is told though the item may not be known."""
    layers = layers_of(world, what)
    if verb == "read_meta" or len(layers) < 2:
        return False
    actor = read_actor(who)
    known = ask(world, actor, "read_meta", layers[0])[0]
    return known and not ask(world, actor, "read_meta", layers[1])[0]


def superuser_and_share(world: World, who: str, verb: str, what: str) -> bool:
    """§3: share records are open to their person only; rule 2 does not open them."""
    return who in world.get("superusers", []) and what.startswith("share/")


def machine_and_home(world: World, who: str, verb: str, what: str) -> bool:
    """Rule 4: `home` is the lobe of no Space, so no agent reaches it."""
    return read_actor(who)["machine"] and what == "home"


def personal_without_category(world: World, who: str, verb: str, what: str) -> bool:
    """Rule 4: a personal memory without a category is in no category that is inherited."""
    item = world.get("items", {}).get(what)
    if item is None or not item["in"].startswith("personal/") or item.get("category"):
        return False
    actor = read_actor(who)
    space = world["spaces"].get(actor.get("space"), {})
    return actor["machine"] and space.get("inherits") is not None


def preset_of_the_space(world: World, who: str, verb: str, what: str) -> bool:
    """§3 Presets: the smaller of the Space's preset and the process's, at every call."""
    actor = read_actor(who)
    space = world.get("spaces", {}).get(actor.get("space"), {})
    most = "reader" if space.get("lobe") == "broken" else space.get("agents", "editor")
    return actor["machine"] and verb in PRESETS[actor["preset"]] and verb not in PRESETS[most]


DIFFERENCES: tuple[Told, ...] = (
    entry_denied_by_the_item,
    superuser_and_share,
    machine_and_home,
    personal_without_category,
    preset_of_the_space,
)


def is_known(world: World, who: str, verb: str, what: str) -> bool:
    return any(told(world, who, verb, what) for told in DIFFERENCES)
