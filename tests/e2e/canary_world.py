"""The world of the leak canaries: one word that stands nowhere else in each compartment.

Who may see a word is worked out by the oracle, which is written from the rules and not from the
code. A word of a text needs `read_content`, of a name `read_meta`; a Space in the trash is in no
answer but the list of what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import oracle

from lobes.domain.ids import derived_id
from lobes.domain.sensitivity import LEVELS
from world_home import document_id

COMMON = "zephyr"
"""In every text, so that one question finds whatever may be found."""
TOKEN = "ghp_{word}A1b2C3d4E5f6G7h8I9j0K1l2M3n4"

PEOPLE = ("me", "ann", "bob", "vera", "sid", "sue")
VIEWERS = {"read_meta": ["user:vera"], "read_content": ["user:vera"]}
FOR_ANN = {"read_meta": ["user:ann"], "read_content": ["user:ann"]}
SPACES: dict[str, dict[str, Any]] = {
    "prj_own": {"owner": "me", "agents": "editor"},
    "prj_ga": {"owner": "me", "group": "team_a", "agents": "editor"},
    "prj_gb": {"owner": "bob", "group": "team_b", "agents": "editor"},
    "prj_view": {
        "owner": "bob",
        "agents": "editor",
        "permission": {"visibility": "restricted", "grants": VIEWERS},
    },
    "prj_name": {
        "owner": "bob",
        "permission": {"visibility": "restricted", "grants": {"read_meta": ["user:ann"]}},
    },
    "prj_lone": {"owner": "me", "private": True, "cross_space": "deny", "agents": "editor"},
    "prj_asks": {"owner": "me", "group": "team_a", "cross_space": "ask", "holds": True},
    "prj_shut": {"owner": "me", "group": "team_a", "permission": {"visibility": "private"}},
    "prj_torn": {"owner": "bob", "group": "team_b", "permission": '{"visibility": "pub'},
    "area_old": {"owner": "me", "group": "team_a", "archived": True},
    "area_bobs_old": {"owner": "bob", "group": "team_b", "archived": True},
    "area_gone": {"owner": "me", "group": "team_a", "status": "deleted"},
    "area_bobs_gone": {"owner": "bob", "group": "team_b", "status": "deleted"},
}
CLOSER: dict[str, tuple[str, dict[str, Any]]] = {
    "closed": ("prj_ga", {"permission": {"visibility": "private"}}),
    "anns": ("prj_shut", {"permission": {"visibility": "restricted", "grants": FOR_ANN}}),
    "listed": ("prj_ga", {"permission": {"visibility": "restricted", "grants": FOR_ANN}}),
    "veras": ("prj_view", {"permission": {"visibility": "private"}}),
    "secret": ("prj_ga", {"sensitivity": "confidential"}),
    "key": ("prj_own", {"sensitivity": "confidential"}),
    "rates": ("prj_gb", {"sensitivity": "restricted"}),
}
"""Documents that are closer than their Space: by a permission of their own, or by their level."""
SECRETS = ("secret", "key")
"""Documents with a token in them, which nobody sees, whoever may read the rest."""

MEMORIES: dict[str, dict[str, Any]] = {
    **{
        f"in_{lobe.replace('/', '_')}": {"in": lobe}
        for lobe in (
            *(f"space/{one}" for one in ("prj_own", "prj_ga", "prj_gb", "prj_view", "prj_lone")),
            *("space/area_bobs_gone", "personal/me", "personal/bob", "personal/ann"),
            *("team/team_a", "team/team_b", "department/dept_b"),
        )
    },
    "close": {"in": "space/prj_ga", "sensitivity": "confidential"},
    "kept_a": {"in": "team/team_a", "sensitivity": "restricted"},
    "health": {"in": "personal/me", "category": "health"},
    "past": {"in": "space/prj_ga", "valid_to": "2020-01-01T00:00:00+00:00"},
    **{
        f"{status}_{lobe.partition('/')[0]}": {"in": lobe, "status": status}
        for status in ("proposed", "rejected", "superseded", "archived", "deleted")
        for lobe in ("space/prj_ga", "personal/me", "team/team_a")
    },
}
"""One memory in every kind of lobe, and one of each status that is never retrieved."""
LISTS_OF_MEMORIES = ("memory ", "review", "space export")
"""The commands that may show one which isn't retrieved."""

EDITS: dict[str, dict[str, Any]] = {
    **{
        f"new_in_{space}": {"in": f"space/{space}"}
        for space in ("prj_own", "prj_ga", "prj_gb", "prj_view", "prj_lone", "area_bobs_gone")
    },
    **{
        f"of_{name}": {"in": f"space/{CLOSER[name][0]}", "of": name}
        for name in ("closed", "listed", "veras", "secret", "key")
    },
    "of_prj_ga": {"in": "space/prj_ga", "of": ""},
    "close": {"in": "space/prj_ga", "sensitivity": "confidential"},
    "no_a": {"in": "space/prj_ga", "status": "rejected"},
    "no_b": {"in": "space/prj_gb", "status": "rejected"},
    "outside": {"in": "space/prj_asks", "of": "", "cause": "changed_outside"},
    "outside_new": {
        "in": "space/prj_asks",
        "sensitivity": "confidential",
        "cause": "changed_outside",
    },
}
"""Edits of packs that wait or were rejected: of new files and (`of`) of files that are there, by
agents of each Space's owner; two were made outside of Lobes."""
LISTS_OF_EDITS = ("review", "pack ")
"""The commands that may show an edit."""

FOR_CHAT = {"read_meta": ["user:ann"], "read_chat": ["user:ann"]}
SESSIONS: dict[str, dict[str, Any]] = {
    "mine": {"in": "space/prj_ga", "owner": "me"},
    "anns": {"in": "space/prj_ga", "owner": "ann"},
    "bobs": {"in": "space/prj_gb", "owner": "bob"},
    "veras": {"in": "space/prj_view", "owner": "vera"},
    "lone": {"in": "space/prj_lone", "owner": "me"},
    "open": {"in": "space/prj_ga", "owner": "me", "permission": {"visibility": "public"}},
    "listed": {
        "in": "space/prj_ga",
        "owner": "me",
        "permission": {"visibility": "restricted", "grants": FOR_CHAT},
    },
    "named": {
        "in": "space/prj_ga",
        "owner": "me",
        "permission": {"visibility": "restricted", "grants": {"read_meta": ["user:ann"]}},
    },
    "torn": {"in": "space/prj_gb", "owner": "bob", "permission": '{"visibility": "pub'},
    "gone": {"in": "space/area_bobs_gone", "owner": "bob"},
}
"""Sessions of agents of their owners: private, or opened as far as the permission says. Each has a
turn of every level, which names as evidence whatever there is."""
LISTS_OF_SESSIONS = ("session ", "space export", "doctor", "look_through")
"""The commands that may show one."""
ERASING = ("memory erase", "space erase")
"""Those that may name one, in the trash too: where words stay that are said to be gone."""

AGENTS = (
    "ai:me/reader@prj_own",
    "ai:me/editor@prj_ga",
    "ai:me/proposer@prj_lone",
    "ai:ann/reader@prj_ga",
    "ai:bob/editor@prj_gb",
    "ai:vera/editor@prj_view",
    "ai:sue/editor@prj_view",
    "ai:sid/reader@prj_own",
)
Knows = Callable[[str], bool]


@dataclass(frozen=True)
class Marker:
    """A word, what it is the word of, and who may see it, an actor being written as the oracle
    writes it. `is_id` where the audit, which holds ids and never texts, may hold it too."""

    word: str
    of: str
    may_see: Knows
    is_id: bool = False
    only_in: tuple[str, ...] = ()
    """The commands that may show it at all; none: every one."""

    def may_stand_in(self, line: str) -> bool:
        return not self.only_in or line.startswith(self.only_in)


@dataclass(frozen=True)
class CanaryWorld:
    world: Mapping[str, Any]
    files: Mapping[str, Mapping[str, str]]
    markers: tuple[Marker, ...]
    secrets: tuple[str, ...]


def word(kind: str, of: str) -> str:
    """A word of letters alone that no other compartment has."""
    import hashlib

    digest = hashlib.sha256(f"{kind} {of}".encode()).hexdigest()[:10]
    return "q" + digest.translate(str.maketrans("0123456789", "ghijklmnop")) + "x"


def path_of(space: str, document: str = "") -> str:
    return f"{word('file', space + document)}.md"


def canary_world() -> CanaryWorld:
    world: dict[str, Any] = {
        "owner": "me",
        "people": list(PEOPLE),
        "names": {one: word("person", one) for one in PEOPLE},
        "superusers": ["sue"],
        "groups": {
            "team_a": {"kind": "team", "owners": ["me"], "members": ["ann"]},
            "team_b": {"kind": "team", "owners": ["bob"], "parent": "dept_b"},
            "dept_b": {"kind": "department", "owners": ["bob"]},
            "team_v": {"kind": "team", "owners": ["vera"]},
        },
        "spaces": {id: {**one, "tags": [word("tag", id)]} for id, one in SPACES.items()},
        "items": {},
    }
    for id, group in world["groups"].items():
        group["name"] = word("group", id)
    files = {id: {"space.yaml": _manifest(id), **_file(id)} for id in SPACES}
    for name, (space, closer) in CLOSER.items():
        own = {"owner": SPACES[space]["owner"]} if "permission" in closer else {}
        item = {"in": f"space/{space}", "path": path_of(space, name), **own, **closer}
        world["items"][f"document/{name}"] = item
        files[space].update(_file(space, name))
    for space in SPACES:
        world["items"][f"document/{space}"] = {"in": f"space/{space}", "path": path_of(space)}
    for name, memory in MEMORIES.items():
        text = f"{COMMON} {word('statement', name)}"
        item = {**memory, "statement": text, "subject": word("subject", name)}
        world["items"][f"memory/{memory_id(name)}"] = item
    for name in EDITS:
        world["items"][f"edit/{edit_id(name)}"] = _edit(world, files, name)
    for name in SESSIONS:
        _add_session(world, name)
    markers = tuple(_markers(world))
    assert len({one.word for one in markers}) == len(markers)
    tokens = tuple(TOKEN.format(word=word("token", one)) for one in (*SECRETS, "edit", "turn"))
    return CanaryWorld(world, files, markers, tokens)


def _manifest(space: str) -> str:
    kind = "area" if space.startswith("area_") else "project"
    name, about = word("name", space), word("description", space)
    return f"id: {space}\ntype: {kind}\nname: {name}\ndescription: {about}\n"


def _file(space: str, document: str = "") -> dict[str, str]:
    of = space + document
    text = f"# {word('title', of)}\n\n## {word('heading', of)}\n\n{COMMON} {word('text', of)}\n"
    if document in SECRETS:
        text += f"token = {TOKEN.format(word=word('token', document))}\n"
    return {path_of(space, document): text}


def edit_id(name: str) -> str:
    return derived_id("pack_edit", name)


def _edit(world: dict[str, Any], files: Mapping[str, Mapping[str, str]], name: str) -> Any:
    """The edit as a thing of its Space; of a file that is there it has that one's own rights."""
    edit = dict(EDITS[name])
    space = edit["in"].removeprefix("space/")
    path, text = f"{word('edit file', name)}.md", f"{COMMON} {word('edit text', name)}\n"
    of = edit.pop("of", None)
    if of is not None:
        path = path_of(space, of)
        edit["before"] = files[space][path]
        text = edit["before"] + text
        file = world["items"][f"document/{of or space}"]
        edit |= {key: file[key] for key in ("owner", "permission", "sensitivity") if key in file}
    if name == "new_in_prj_ga":
        text += f"token = {TOKEN.format(word=word('token', 'edit'))}\n"
        edit["sensitivity"] = "confidential"
    if edit.get("cause") != "changed_outside":
        edit |= {"why": word("edit why", name), "client": word("edit client", name)}
        edit |= {"session": word("edit session", name), "person": SPACES[space]["owner"]}
    if edit.get("status") == "rejected":
        edit["reason"] = word("edit reason", name)
    return {**edit, "edit": path, "text": text}


def _markers(world: dict[str, Any]) -> list[Marker]:
    found: list[Marker] = []
    for space in SPACES:
        found += _of_space(world, space)
    for item in world["items"]:
        if item.startswith("document/"):
            found += _of_document(world, item)
    for name in MEMORIES:
        found += _of_memory(world, name)
    for name in EDITS:
        found += _of_edit(world, name)
    for name in SESSIONS:
        found += _of_session(world, name)
    for group in world["groups"]:
        what = f"group/{group}"
        # The owner of a Space, and whoever else may change who sees it, is told its group.
        inside = [f"space/{id}" for id, one in SPACES.items() if one.get("group") == group]

        def told(who: str, what: str = what, inside: list[str] = inside) -> bool:
            changes = any(allowed(world, who, "change_permission", one) for one in inside)
            return changes or allowed(world, who, "read_meta", what)

        def known(who: str, what: str = what) -> bool:
            return allowed(world, who, "read_meta", what)

        found.append(Marker(group, what, told, is_id=True))
        found.append(Marker(word("group", group), f"name of {what}", known))
    for person in PEOPLE:
        found.append(
            Marker(word("person", person), f"name of {person}", _knows_person(world, person))
        )
    return found


def _of_space(world: dict[str, Any], space: str) -> list[Marker]:
    what = f"space/{space}"
    knows = _may(world, "read_meta", what)
    return [
        Marker(space, what, knows, is_id=True),
        Marker(word("name", space), f"name of {what}", knows),
        Marker(word("description", space), f"description of {what}", knows),
        Marker(word("tag", space), f"tag of {what}", knows),
    ]


def _of_document(world: dict[str, Any], item: str) -> list[Marker]:
    space, path = world["items"][item]["in"], world["items"][item]["path"]
    id = space.removeprefix("space/")
    of = id + ("" if item == f"document/{id}" else item.removeprefix("document/"))
    gone = SPACES[id].get("status") == "deleted"
    lists, knows = _may(world, "read_content", space), _may(world, "read_meta", item)
    reads = _may(world, "read_content", item)

    def listed(who: str) -> bool:
        return not gone and lists(who) and knows(who)

    def read(who: str) -> bool:
        return not gone and reads(who)

    return [
        Marker(document_id(id, path), f"id of {item}", listed, is_id=True),
        Marker(path.removesuffix(".md"), f"file of {item}", listed),
        Marker(word("title", of), f"title of {item}", listed),
        Marker(word("heading", of), f"heading of {item}", read),
        Marker(word("text", of), f"text of {item}", read),
    ]


def memory_id(name: str) -> str:
    return derived_id("memory", name)


def _of_memory(world: dict[str, Any], name: str) -> list[Marker]:
    """Of one that isn't retrieved the words are in no search, count or context of anybody; one
    in the trash with its Space is shown to who erases it, and then alone."""
    memory, what = MEMORIES[name], f"memory/{memory_id(name)}"
    gone = memory.get("status") == "deleted"
    kept = "status" in memory or "valid_to" in memory
    knows, reads = _may(world, "read_meta", what), _may(world, "read_content", what)
    only_in = LISTS_OF_MEMORIES if kept else ()
    if memory["in"] == "space/area_bobs_gone":
        only_in = ("memory erase ",)

    def known(who: str) -> bool:
        return not gone and knows(who)

    def read(who: str) -> bool:
        return not gone and reads(who)

    return [
        Marker(memory_id(name), f"id of {what}", known, is_id=True, only_in=only_in),
        Marker(word("subject", name), f"subject of {what}", read, only_in=only_in),
        Marker(word("statement", name), f"statement of {what}", read, only_in=only_in),
    ]


def _of_edit(world: dict[str, Any], name: str) -> list[Marker]:
    """It is its reviewers' alone; its id also what it was told to, an agent of that person. Whoever
    brings a pack up to date is told which of its files are held."""
    what = f"edit/{edit_id(name)}"
    edit = world["items"][what]
    space = edit["in"].removeprefix("space/")
    gone = SPACES[space].get("status") == "deleted"
    knows, reviews = _may(world, "read_meta", what), _may(world, "review", what)
    reads = _may(world, "read_content", what)

    def sees(who: str) -> bool:
        return not gone and reviews(who) and reads(who)

    def made(who: str) -> bool:
        actor = oracle.read_actor(who)
        mine = actor["machine"] and (actor["person"], actor["space"]) == (edit.get("person"), space)
        return sees(who) or (mine and edit.get("status") != "rejected")

    def told(who: str) -> bool:
        return sees(who) or ("client" not in edit and knows(who))

    texts = ("text", "why", "client", "session", "reason")
    return [
        Marker(edit_id(name), f"id_of_edit {name}", made, is_id=True),
        *([] if "before" in edit else [Marker(edit["edit"][:-3], f"path_of_edit {name}", told)]),
        *(
            Marker(
                word(f"edit {kind}", name), f"{kind}_of_edit {name}", sees, only_in=LISTS_OF_EDITS
            )
            for kind in texts
            if kind == "text" or kind in edit
        ),
    ]


def session_id(name: str) -> str:
    return derived_id("session", name)


def _add_session(world: dict[str, Any], name: str) -> None:
    """The session, and each of its turns as a thing of its own with the session's rights."""
    session = {"permission": {"visibility": "private"}, **SESSIONS[name]}
    evidence = [document_id(space, path_of(space)) for space in ("prj_ga", "prj_gb", "prj_lone")]
    evidence += [document_id("prj_ga", path_of("prj_ga", "closed")), memory_id("in_team_team_b")]
    turns: list[dict[str, Any]] = []
    for level in LEVELS:
        of = f"{name} {level}"
        summary = f"{COMMON} {word('summary', of)}"
        if level == "confidential":
            summary += f" token = {TOKEN.format(word=word('token', 'turn'))}"
        decisions = [word("decision", of)]
        turn = {"summary": summary, "decisions": decisions, "sensitivity": level}
        turns.append({**turn, "evidence": evidence})
        world["items"][f"turn/{of}"] = {**session, "sensitivity": level}
    session |= {"turns": turns, "client": word("client", name)}
    world["items"][f"session/{session_id(name)}"] = session


def _of_session(world: dict[str, Any], name: str) -> list[Marker]:
    """Of a turn whoever may not read it hears nothing, though they may read the session."""
    what = f"session/{session_id(name)}"
    gone = SPACES[SESSIONS[name]["in"].removeprefix("space/")].get("status") == "deleted"

    def sees(verb: str, thing: str) -> Knows:
        return lambda who: not gone and allowed(world, who, verb, thing)

    reads, where = sees("read_chat", what), ERASING if gone else (*LISTS_OF_SESSIONS, *ERASING)
    found = [
        Marker(
            session_id(name), f"id_of_session {name}", _may(world, "read_chat", what), True, where
        ),
        Marker(word("client", name), f"client_of_session {name}", reads, only_in=LISTS_OF_SESSIONS),
    ]
    for of in (f"{name} {level}" for level in LEVELS):
        reads = sees("read_chat", f"turn/{of}")
        found += [
            Marker(word(kind, of), f"{kind} of turn {of}", reads, only_in=("session ",))
            for kind in ("summary", "decision")
        ]
    return found


def _may(world: dict[str, Any], verb: str, what: str) -> Knows:
    return lambda who: allowed(world, who, verb, what)


_TOLD: dict[tuple[str, str, str], bool] = {}


def allowed(world: dict[str, Any], who: str, verb: str, what: str) -> bool:
    """By the oracle alone; remembered, because every output of every actor asks it."""
    key = (who, verb, what)
    if key not in _TOLD:
        _TOLD[key] = oracle.answer(world, who, verb, what)[0]
    return _TOLD[key]


def _knows_person(world: dict[str, Any], person: str) -> Knows:
    """Of themself, of who is in a group that they may read, the installation's owner of everybody;
    an agent of its speaker alone."""
    groups = [f"group/{one}" for one in oracle.groups_of(world, person)]

    @cache
    def knows(who: str) -> bool:
        actor = oracle.read_actor(who)
        if actor["person"] == person:
            return True
        if actor["machine"]:
            return False
        reads = (allowed(world, who, "read_content", one) for one in groups)
        return actor["person"] == world["owner"] or any(reads)

    return knows
