"""A second `authorize` and `resolve`, written from the rule tables alone: plain if-chains.

It shares no line with the core, neither types nor constants, and asks one question at a time.
`answer` gives (allowed, reason) of who may do what; `verdict` gives (allowed, reason, weight) of
one lobe, or None for a lobe that is not in the answer. The rule numbers are those of the tables.
"""

from __future__ import annotations

import json
import re
from typing import Any

DATA = [
    "read_meta",
    "write_meta",
    "read_content",
    "add_content",
    "edit_content",
    "read_chat",
    "converse",
    "execute",
    "use_terminal",
    "propose",
    "export",
]
LISTED = ["change_permission", "review", "promote"]
OWNER = ["share", "confirm_reach", "erase"]
EVERY_VERB = DATA + LISTED + OWNER
NEVER_BY_MACHINE = [
    "change_permission",
    "use_terminal",
    "review",
    "promote",
    "share",
    "confirm_reach",
    "export",
    "erase",
]
PRESETS = {
    "reader": ["read_meta", "read_content", "propose"],
    "proposer": ["read_meta", "read_content", "propose", "read_chat", "converse"],
    "editor": [
        "read_meta",
        "read_content",
        "propose",
        "read_chat",
        "converse",
        "add_content",
        "edit_content",
    ],
}
HIGH = ["health", "finance", "identity", "credentials", "people"]

Answer = tuple[bool, str]


def answer(world: dict[str, Any], who: str, verb: str, what: str) -> Answer:
    actor = read_actor(who)
    if verb not in EVERY_VERB:  # 0
        return False, "unknown_verb"
    if actor["machine"]:
        if verb in NEVER_BY_MACHINE:  # 1
            return False, "ai_bar"
        if verb not in ceiling_of(world, actor):  # 3
            return False, "ceiling"
    layers = layers_of(world, what)
    if not layers:
        return False, "not_found"
    if actor["machine"] and out_of_reach(world, who, actor, verb, what):  # 4
        return False, "not_found"
    if verb != "read_meta":  # 5, for the thing as a whole
        for layer in layers:
            if not ask(world, actor, "read_meta", layer)[0]:
                return False, "not_found"
    last: Answer = (False, "internal_error")
    for layer in layers:
        last = ask(world, actor, verb, layer)
        if not last[0]:
            return last
    return last


def read_actor(who: str) -> dict[str, Any]:
    match = re.fullmatch(r"(ai|job):(.*)/(.*)@(.*)", who)
    if match is None:
        return {"machine": False, "person": who}
    return {
        "machine": True,
        "person": match.group(2),
        "preset": match.group(3),
        "space": match.group(4),
    }


def ceiling_of(world: dict[str, Any], actor: dict[str, Any]) -> list[str]:
    """The smaller of the process's preset and the largest that the Space lets agents have."""
    space = world.get("spaces", {}).get(actor["space"], {})
    most = "reader" if space.get("lobe") == "broken" else space.get("agents", "editor")
    return [verb for verb in PRESETS[actor["preset"]] if verb in PRESETS[most]]


# The things -------------------------------------------------------------------------------------


def layers_of(world: dict[str, Any], what: str) -> list[dict[str, Any]]:
    """What must all say yes: the lobe around, then the thing's own permission if it has one."""
    kind, _, name = what.partition("/")
    if kind == "space":
        return around(world, f"space/{name}")
    if kind == "group":
        group = world.get("groups", {}).get(name)
        return around(world, f"{group['kind']}/{name}") if group else []
    if kind == "person":
        return around(world, f"personal/{name}")
    if kind == "home":
        return around(world, f"personal/{world['owner']}")
    if kind == "share":
        # The record of a share: rule 2 does not open it.
        return [{**layer, "sealed": True} for layer in around(world, f"guest/{name}")]
    item = world.get("items", {}).get(what)
    if item is None:
        return []
    outer = around(world, item["in"])
    if not outer:
        return []
    outer[0]["in"] = item["in"]
    level = item.get("sensitivity", "internal")
    if "owner" not in item:
        return [{**outer[0], "level": level}]
    own = {**outer[0], "level": level, "own": True, "owners": [item["owner"]], "narrow": False}
    own["visibility"], own["grants"] = read_permission(item.get("permission"))
    return [outer[0], own]


def around(world: dict[str, Any], lobe: str) -> list[dict[str, Any]]:
    kind, _, name = lobe.partition("/")
    layer = {"visibility": "public", "grants": {}, "group": None, "sealed": False}
    layer |= {"narrow": False, "guest": False, "to": None}
    layer |= {"level": "internal", "own": False, "in": lobe}
    if kind == "space":
        space = world.get("spaces", {}).get(name)
        if space is None:
            return []
        layer |= {"owners": [space["owner"]], "group": space.get("group")}
        layer["visibility"], layer["grants"] = read_permission(space.get("permission"))
    elif kind == "personal":
        if name not in world["people"] and name != world["owner"]:
            return []
        layer |= {"owners": [name], "sealed": True}
    elif kind == "guest":
        share = world.get("shares", {}).get(name)
        if share is None:
            return []
        to = share["recipient"] if share.get("live", True) else None
        layer |= {"owners": [share["owner"]], "guest": True, "to": to}
    else:
        group = world.get("groups", {}).get(name)
        if group is None or group["kind"] != kind:
            return []
        layer |= {"owners": group.get("owners", []), "group": name, "narrow": True}
    return [layer]


def read_permission(value: object) -> tuple[str, dict[str, list[str]]]:
    """None is public; what isn't exactly a permission is for the owner alone."""
    if value is None:
        return "public", {}
    if isinstance(value, str):
        try:
            value = json.loads(value, object_pairs_hook=no_twins)
        except ValueError:
            return "private", {}
    if not isinstance(value, dict) or not set(value) <= {"visibility", "grants"}:
        return "private", {}
    grants = value.get("grants", {})
    if value.get("visibility") not in ("public", "restricted", "private"):
        return "private", {}
    if not isinstance(grants, dict):
        return "private", {}
    for verb, subjects in grants.items():
        if verb not in EVERY_VERB or not isinstance(subjects, list):
            return "private", {}
        for subject in subjects:
            shape = r"all|(user|group):[a-z0-9][a-z0-9_-]{0,62}"
            if not isinstance(subject, str) or not re.fullmatch(shape, subject):
                return "private", {}
    return value["visibility"], grants


def no_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("twice")
    return dict(pairs)


def too_confidential(world: dict[str, Any], actor: dict[str, Any], thing: dict[str, Any]) -> bool:
    """Rule 14 for agents: every Space concerned says whether its agents see confidential things."""
    if thing["level"] != "confidential":
        return False
    concerned = [actor["space"]]
    if thing["in"].startswith("space/"):
        concerned.append(thing["in"].removeprefix("space/"))
    for name in concerned:
        space = world.get("spaces", {}).get(name, {})
        if space.get("lobe") == "broken" or not space.get("agents_see_confidential"):
            return True
    return False


# The rules --------------------------------------------------------------------------------------


def out_of_reach(
    world: dict[str, Any], who: str, actor: dict[str, Any], verb: str, what: str
) -> bool:
    """Rule 4."""
    kind, _, name = what.partition("/")
    if kind == "home":
        return True  # the installation is the lobe of no Space
    lobe = {
        "space": f"space/{name}",
        "person": f"personal/{name}",
        "share": f"guest/{name}",
        "group": f"{world.get('groups', {}).get(name, {}).get('kind')}/{name}",
    }.get(kind) or world["items"][what]["in"]
    if lobe == f"space/{actor['space']}":
        return False
    if verb != "read_meta" and verb != "read_content":
        return True
    found = verdict(world, who, actor["space"], lobe)
    if found is None or not found[0]:
        return True
    if lobe.startswith("personal/") and kind != "person":
        return not inherited(world["spaces"][actor["space"]], world["items"][what])
    return False


def inherited(space: dict[str, Any], item: dict[str, Any]) -> bool:
    category = item.get("category", "")
    wanted = [] if space.get("lobe") == "broken" else space.get("inherits")
    if wanted is None:
        return category not in HIGH
    return category in wanted


def ask(world: dict[str, Any], actor: dict[str, Any], verb: str, layer: dict[str, Any]) -> Answer:
    """Rules 2 and 6 to 13 for one layer."""
    person = actor["person"]
    if not actor["machine"] and person in world.get("superusers", []) and not layer["sealed"]:
        return True, "superuser"
    if actor["machine"] and too_confidential(world, actor, layer):  # 14
        return False, "not_found"
    member = layer["group"] is not None and layer["group"] in groups_of(world, person)
    named = any(names(world, person, subjects) for subjects in layer["grants"].values())
    hidden = layer["visibility"] == "private"
    holds = layer["guest"] and layer["to"] == person
    owner = person in layer["owners"]
    if not owner and not member and not holds and (hidden or not named):
        return False, "not_found"
    if owner:
        return True, "owner"
    if verb in OWNER:
        return False, "owner_only"
    if hidden:
        return False, "not_found"
    if layer["level"] in ("restricted", "confidential"):  # 14
        listed = layer["own"] and any(
            names(world, person, layer["grants"].get(one, []))
            for one in ([verb, "edit_content"] if verb == "add_content" else [verb])
        )
        stays = layer["guest"] or layer["group"] is not None
        if stays and (layer["guest"] or layer["level"] == "confidential" or not listed):
            return False, "not_found" if verb == "read_meta" else "not_granted"
    return open_to_others(world, person, verb, layer, member=member)


def open_to_others(
    world: dict[str, Any], person: str, verb: str, layer: dict[str, Any], *, member: bool
) -> Answer:
    """Rules 10 to 13."""
    named = names(world, person, layer["grants"].get(verb, []))
    if verb in LISTED:
        return (True, "granted") if named else (False, "not_granted")
    if layer["guest"]:
        if verb in ("read_meta", "read_content"):
            return True, "shared"
        return False, "share_is_read_only"
    narrow = layer["narrow"] and verb not in ("read_meta", "read_content", "propose")
    if layer["visibility"] == "public" and member and not narrow:
        return True, "public"
    if verb == "add_content" and names(world, person, layer["grants"].get("edit_content", [])):
        named = True
    return (True, "granted") if named else (False, "not_granted")


def names(world: dict[str, Any], person: str, subjects: list[str]) -> bool:
    for subject in subjects:
        if subject == "all" and person in world["people"]:
            return True
        if subject == "user:" + person:
            return True
        if subject.startswith("group:") and subject[6:] in groups_of(world, person):
            return True
    return False


def groups_of(world: dict[str, Any], person: str) -> dict[str, int]:
    """Group → how far up: 1 for a group joined, 2 for the one above it, …"""
    found: dict[str, int] = {}
    for name, group in world.get("groups", {}).items():
        if person in group.get("members", []) or person in group.get("owners", []):
            climb(world, name, found)
    return found


def climb(world: dict[str, Any], name: str | None, found: dict[str, int]) -> None:
    steps = 1
    while name is not None and name in world["groups"]:
        found[name] = min(steps, found.get(name, steps))
        name = world["groups"][name].get("parent")
        steps += 1


# Which lobes -----------------------------------------------------------------------------------

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
    """Rule 7: the nearer of the person's and the Space's way up. Where nobody can read what a Space
    mutes, it is closed."""
    if world["spaces"][a].get("lobe") == "broken":
        return False, "closed", DENIED
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
