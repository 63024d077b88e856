"""A second `resolve`, written from the rule table alone: one lobe at a time, plain if-chains.

`verdict` gives (allowed, reason, weight), or None for a lobe that is not in the answer at all.
"""

from __future__ import annotations

from typing import Any

from oracle_authorize import answer, climb, groups_of, read_actor

Verdict = tuple[bool, str, float]
DENIED = 0.0


def verdict(world: dict[str, Any], who: str, space: str, lobe: str) -> Verdict | None:
    actor = read_actor(who)
    person = actor["person"]
    if actor["machine"]:  # the human part, as if the speaker were no superuser
        world = {**world, "superusers": []}
    if space not in world.get("spaces", {}):
        return None
    if not answer(world, person, "read_meta", f"space/{space}")[0]:
        return None
    kind, _, name = lobe.partition("/")
    thing = {"space": "space/", "personal": "person/", "guest": "share/"}.get(kind, "group/") + name
    if kind == "guest" and world["shares"].get(name, {}).get("recipient") != person:
        return None  # a guest lobe is what someone shared with me
    if not answer(world, person, "read_meta", thing)[0]:
        return None
    if not answer(world, person, "read_content", thing)[0]:
        return False, "no_access", DENIED
    if kind == "space":
        return another_space(world, person, space, name)
    if kind == "personal":
        return True, "personal", 0.9
    if lobe in settings(world, space)["mutes"]:
        return False, "muted", DENIED
    if kind == "guest":
        return guest(world, space, name)
    return group(world, person, space, name)


def settings(world: dict[str, Any], space: str) -> dict[str, Any]:
    """The lobe of a Space with every default filled in."""
    it = world["spaces"][space]
    if it.get("lobe") == "broken":
        it = {"owner": it["owner"], "private": True, "cross_space": "deny", "once": it.get("once")}
    filled = {key: it.get(key) or [] for key in ("excludes", "subscribes", "tags", "mutes", "once")}
    manifest = world["spaces"][space].get("manifest")
    filled["mode"] = strictest([it.get("cross_space", "open"), manifest or "open"])
    filled["private"] = it.get("private", False)
    return filled


def strictest(modes: list[str]) -> str:
    if "deny" in modes:
        return "deny"
    return "ask" if "ask" in modes else "open"


def another_space(world: dict[str, Any], person: str, a: str, b: str) -> Verdict:
    """Rules 1 to 6 and what follows for a Space."""
    if a == b:
        return True, "own", 1.0
    mine, theirs = settings(world, a), settings(world, b)
    if b in mine["excludes"] or a in theirs["excludes"]:
        return False, "excluded", DENIED
    if world["spaces"][b].get("archived"):
        return False, "inactive", DENIED
    if theirs["private"]:
        return False, "private", DENIED
    if f"space/{b}" in mine["mutes"]:
        return False, "muted", DENIED
    both = world["spaces"][a]["owner"] == person and world["spaces"][b]["owner"] == person
    mode = strictest([mine["mode"], theirs["mode"]])
    if both and mode == "open":
        return True, "sibling", 0.6
    if subscribes(world, a, b, both=both):
        return True, "subscribed", 0.4
    if both and b in mine["once"]:
        return True, "once", 0.4
    if both:
        return False, "ask" if mode == "ask" else "closed", DENIED
    return False, "not_linked", DENIED


def subscribes(world: dict[str, Any], a: str, b: str, *, both: bool) -> bool:
    """Rule 9 for a Space. A tag pulls only between Spaces of one owner, who is the speaker."""
    for source in settings(world, a)["subscribes"]:
        kind, _, name = source.partition(":")
        if kind == "space" and name == b:
            return True
        if kind == "tag" and both and name in settings(world, b)["tags"]:
            return True
        in_group = world["spaces"][b].get("group") == name
        if kind in ("team", "department", "organization") and in_group:
            return True
    return False


def group(world: dict[str, Any], person: str, a: str, name: str) -> Verdict:
    """Rule 7: the nearer of the person's and the Space's way up."""
    ways = [groups_of(world, person).get(name)]
    of_space: dict[str, int] = {}
    climb(world, world["spaces"][a].get("group"), of_space)
    ways.append(of_space.get(name))
    reached = [hops for hops in ways if hops is not None]
    if not reached:
        return False, "not_linked", DENIED
    return True, "member", 1 / (1 + min(reached))


def guest(world: dict[str, Any], a: str, name: str) -> Verdict:
    for source in settings(world, a)["subscribes"]:
        if source in (f"guest:{name}", f"user:{world['shares'][name]['owner']}"):
            return True, "shared", 0.4
    return False, "not_linked", DENIED
