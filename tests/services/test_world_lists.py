"""Every world of `tests/authz` as a real home, asked through every path that lists something.

What each path must show is worked out by the oracle for every actor whom the world's rows name,
over all Spaces, groups and documents of that world: the property `list = single check`. What a
home can't hold yet is counted, so that it joins here once it can.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from oracle import answer, groups_of, inherited, read_actor, verdict
from worlds import every_lobe

from homes import AHome
from lobes import services
from lobes.access.facts import Resource
from lobes.domain.actors import Human
from lobes.domain.errors import LobesError
from lobes.services import spaces
from lobes.services.authz_worlds import Story, actor_of, stories
from lobes.services.can import can
from lobes.services.explaining import explain
from lobes.services.finding import find_named
from lobes.services.groups import list_groups, show_group
from lobes.services.installation import Caller
from lobes.services.lobes import list_lobes, lobe_view
from lobes.services.matrix import matrix
from lobes.services.people import list_people
from lobes.services.permissions import show_permission
from lobes.services.search import search
from lobes.services.sensitivity import list_sensitive
from lobes.services.spaces import list_spaces, show_pack, which
from lobes.services.status import home_status
from lobes.tui.home import Home
from world_home import document_id, home_of
from world_memories import MEMORY_PATHS, is_proposed, with_memories
from world_sessions import SESSION_PATHS, with_sessions

World = dict[str, Any]
WORD = "zephyr"
NOT_YET = {"share": "no home holds a share"}


class Asked:
    """One actor in the home of one world: what the oracle says of them, and who they call as."""

    def __init__(self, home: AHome, world: World, who: str) -> None:
        self.home, self.who = home, who
        self.approved, self.world = world, unapproved(world)
        self.lobes = home.lobes
        actor = actor_of(who)
        self.is_person = isinstance(actor, Human)
        self.caller = Caller(actor, "cli", is_present=self.is_person)
        self.spaces: World = world.get("spaces", {})
        self.groups: World = world.get("groups", {})
        self.live = {id for id, one in self.spaces.items() if not one.get("archived")}

    def may(self, verb: str, what: str) -> bool:
        return answer(self.world, self.who, verb, what)[0]

    def known(self, verb: str = "read_meta", *, of: str = "space") -> set[str]:
        every = self.spaces if of == "space" else self.groups
        return {id for id in every if self.may(verb, f"{of}/{id}")}

    def documents(self, space: str, verb: str) -> set[str]:
        """The paths of the documents of a Space that the oracle allows this verb on."""
        return {
            item["path"]
            for id, item in self.world["items"].items()
            if item["in"] == f"space/{space}" and "path" in item and self.may(verb, id)
        }


def unapproved(world: World) -> World:
    """An approval is of one question, and these paths ask none."""
    spaces = {id: {**one, "once": []} for id, one in world.get("spaces", {}).items()}
    return {**world, "spaces": spaces}


def made(story: Story) -> World:
    """The world with one more document in each Space, memories and sessions; those of the world lie
    in files."""
    world = {**story.world}
    items = {id: dict(one) for id, one in world.get("items", {}).items()}
    for id, item in items.items():
        if id.startswith("document/") and item["in"].startswith("space/"):
            item["path"] = f"{id.removeprefix('document/').lower()}.md"
    for space in world.get("spaces", {}):
        items[f"document/of-{space}"] = {"in": f"space/{space}", "path": f"of-{space}.md"}
    return with_sessions(with_memories({**world, "items": items}, WORD))


def files_of(world: World) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {id: {} for id in world.get("spaces", {})}
    for item in world["items"].values():
        if "path" in item:
            text = f"# {item['path']}\n\n{WORD} {item['path']}\n"
            found[item["in"].removeprefix("space/")][item["path"]] = text
    return found


def approve(home: AHome, world: World) -> None:
    """What the world lets answer once, for the one question that is asked here."""
    from lobes.services.approvals import query_hash

    rows = [(a, b) for a, one in world.get("spaces", {}).items() for b in one.get("once", ())]
    for number, (a, b) in enumerate(rows):
        values = (f"{number:026d}", world["owner"], a, b, query_hash(WORD), "2999-01-01T00:00:00Z")
        home.execute("INSERT INTO approval VALUES (?, ?, ?, ?, ?, ?)", *values)


def tried(call: Callable[[], Any]) -> Any:
    """What a call gives; None where it is refused."""
    with suppress(LobesError):
        return call()
    return None


def test_a_list_that_leaves_out_nothing_is_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    story = next(one for one in stories() if one.name.startswith("Two groups"))
    world = made(story)
    monkeypatch.setattr(spaces, "knows", lambda *asked: True)
    with home_of(world, tmp_path / "home", files_of(world)) as home:
        shown, wanted = space_list(Asked(home, world, "ann"))
    assert wanted == {"brand", "anns"} != shown


# The paths ---------------------------------------------------------------------------------------

Path_ = Callable[[Asked], tuple[object, object]]
"""What the path shows, and what the oracle says."""


def space_list(one: Asked) -> tuple[object, object]:
    rows = list_spaces(one.lobes, one.caller, statuses=("active", "finished", "archived"))
    return {row.id for row in rows}, one.known()


def counts_of_the_space_list(one: Asked) -> tuple[object, object]:
    rows = list_spaces(one.lobes, one.caller)
    wanted = {id: len(one.documents(id, "read_meta")) for id in one.known() & one.live}
    return {row.id: row.documents for row in rows}, wanted


def status_counts(one: Asked) -> tuple[object, object]:
    status = home_status(one.lobes, one.caller)
    seen = one.known() & one.live
    documents = sum(len(one.documents(id, "read_meta")) for id in seen)
    roots = {root.space for root in status.roots}
    return (status.spaces, status.documents, roots), (len(seen), documents, seen)


def lobe_list(one: Asked) -> tuple[object, object]:
    shown = {row.address for row in list_lobes(one.lobes, one.caller)}
    wanted = {f"space/{id}" for id in one.known()}
    wanted |= {f"{one.groups[id]['kind']}/{id}" for id in one.known(of="group")}
    person = read_actor(one.who)["person"]
    if one.may("read_meta", f"person/{person}"):
        wanted.add(f"personal/{person}")
    return shown, wanted


def group_list(one: Asked) -> tuple[object, object]:
    return {row.id for row in list_groups(one.lobes, one.caller)}, one.known(of="group")


def group_show(one: Asked) -> tuple[object, object]:
    shown = {id: tried(lambda id=id: show_group(one.lobes, one.caller, id)) for id in one.groups}
    inside = {id: {space for space, _ in it.in_it} for id, it in shown.items() if it}
    wanted = {
        id: {space for space in one.known() if one.spaces[space].get("group") == id}
        for id in one.known("read_content", of="group")
    }
    return inside, wanted


def person_list(one: Asked) -> tuple[object, object]:
    actor = read_actor(one.who)
    wanted = {actor["person"]} & set(one.world["people"])
    if not actor["machine"]:
        readable = one.known("read_content", of="group")
        wanted |= {two for two in one.world["people"] if readable & set(groups_of(one.world, two))}
        if actor["person"] == one.world["owner"]:
            wanted = set(one.world["people"])
    elif not one.may("read_meta", f"person/{actor['person']}"):
        wanted = set()
    return {row.id for row in list_people(one.lobes, one.caller)}, wanted


def matrix_sides(one: Asked) -> tuple[object, object]:
    grid = matrix(one.lobes, one.caller)
    rows, columns = {row.id for row in grid.rows}, {row.id for row in grid.columns}
    return (rows, columns), (one.known("read_content"), one.known())


def matrix_cells(one: Asked) -> tuple[object, object]:
    grid = matrix(one.lobes, one.caller)
    shown = {
        (row.id, column.id): grid.code(down, across)
        for down, row in enumerate(grid.rows)
        for across, column in enumerate(grid.columns)
    }
    wanted: dict[tuple[str, str], object] = {}
    for a in one.known("read_content"):
        for b in one.known():
            found = verdict(one.world, one.who, a, f"space/{b}")
            wanted[a, b] = found and found[1]
    return shown, wanted


def lobes_of(one: Asked, space: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for lobe in every_lobe(one.world):
        told = verdict(one.world, one.who, space, lobe)
        # An agent is told of the lobes alone that it may know.
        hidden = not one.is_person and lobe.startswith("space/") and not one.may("read_meta", lobe)
        if told is not None and not lobe.startswith("guest/") and not hidden:
            found[lobe] = told[1]
    return found


def lobe_explain(one: Asked) -> tuple[object, object]:
    shown = {
        space: tried(lambda s=space: explain(one.lobes, one.caller, s)) for space in one.spaces
    }
    told = {a: {row.lobe: row.reason for row in rows} for a, rows in shown.items() if rows}
    return told, {a: lobes_of(one, a) for a in one.known("read_content")}


def lobe_show(one: Asked) -> tuple[object, object]:
    views = {a: tried(lambda a=a: lobe_view(one.lobes, one.caller, a)) for a in one.spaces}
    told = {a: {row.lobe: row.reason for row in view.sources} for a, view in views.items() if view}
    return told, {a: lobes_of(one, a) for a in one.known("read_content")}


def space_show(one: Asked) -> tuple[object, object]:
    packs = {a: tried(lambda a=a: show_pack(one.lobes, one.caller, a)) for a in one.spaces}
    shown = {a: {file.path for file in found.pack} for a, found in packs.items() if found}
    return shown, {a: one.documents(a, "read_meta") for a in one.known("read_content")}


def find_files(one: Asked) -> tuple[object, object]:
    hits = [hit for hit in find_named(one.lobes, one.caller, ".md", limit=1000) if hit.path]
    readable = one.known("read_content") & one.live
    wanted = {(a, path) for a in readable for path in one.documents(a, "read_meta")}
    return {(hit.space, hit.path) for hit in hits}, wanted


def find_spaces(one: Asked) -> tuple[object, object]:
    found = {id: find_named(one.lobes, one.caller, id) for id in one.spaces}
    shown = {id for id, hits in found.items() if any(h.space == id and not h.path for h in hits)}
    return shown, one.known() & one.live


def which_space(one: Asked) -> tuple[object, object]:
    found = {
        a: tried(lambda a=a: which(one.lobes, one.caller, one.home.root(a))) for a in one.spaces
    }
    return {a for a, here in found.items() if here is not None}, one.known() & one.live


def permission_show(one: Asked) -> tuple[object, object]:
    things = {f"space/{id}": Resource("space", id) for id in one.spaces}
    for id, item in one.world["items"].items():
        if "path" in item:
            real = document_id(item["in"].removeprefix("space/"), item["path"])
            things[id] = Resource("document", real)
    shown = {
        id
        for id, it in things.items()
        if tried(lambda it=it: show_permission(one.lobes, one.caller, it))
    }
    return shown, {id for id in things if one.may("change_permission", id)}


def sensitivity_list(one: Asked) -> tuple[object, object]:
    """An agent is asked about its own Space alone."""
    rows = tried(lambda: list_sensitive(one.lobes, one.caller))
    bound = read_actor(one.who).get("space")
    raised = {
        document_id(item["in"].removeprefix("space/"), item["path"])
        for id, item in one.world["items"].items()
        if item.get("sensitivity") in ("restricted", "confidential") and "path" in item
        if one.may("read_content", id)
    }
    if bound is not None and not one.may("read_content", f"space/{bound}"):
        return rows, None
    return {row.document for row in rows}, raised


def search_finds(one: Asked) -> tuple[object, object]:
    shown: dict[str, object] = {}
    wanted: dict[str, object] = {}
    for a in one.spaces:
        approve(one.home, one.approved)
        found = tried(lambda a=a: search(one.lobes, one.caller, WORD, space=a, limit=100))
        one.home.execute("DELETE FROM approval")
        if found is not None:
            shown[a] = {
                hit.id if hit.kind == "memory" else (hit.space, hit.path) for hit in found.items
            }
        if one.may("read_content", f"space/{a}") and (one.is_person or one.who.endswith(f"@{a}")):
            wanted[a] = drawn_on(one, a)
    return shown, wanted


def drawn_on(one: Asked, a: str) -> set[object]:
    """What `a` finds of each Space, the approvals for this question counted."""
    world = one.approved
    found: set[object] = set()
    for id, item in world["items"].items():
        told = verdict(world, one.who, a, item["in"])
        if not told or not told[0] or not answer(world, one.who, "read_content", id)[0]:
            continue
        if "path" in item:
            found.add((item["in"].removeprefix("space/"), item["path"]))
        elif "statement" in item and not is_proposed(item) and is_inherited(one, a, item):
            found.add(id.removeprefix("memory/"))
    return found


def is_inherited(one: Asked, a: str, item: World) -> bool:
    """Whoever asks: of a person's memories only the categories that `a` inherits."""
    return not item["in"].startswith("personal/") or inherited(one.spaces[a], item)


def picker_of_spaces(one: Asked) -> tuple[object, object]:
    source = Home(one.home.folders)
    source._opened = one.lobes, one.caller
    shown = {row.id for view in ("active", "archived") for row in source.spaces(view)}
    hits = {hit.space for id in one.spaces for hit in source.find(id) if not hit.path}
    return (shown, hits), (one.known(), one.known() & one.live)


PATHS: Mapping[str, Path_] = {
    path.__name__: path
    for path in (
        space_list,
        counts_of_the_space_list,
        status_counts,
        lobe_list,
        group_list,
        group_show,
        person_list,
        matrix_sides,
        matrix_cells,
        lobe_explain,
        lobe_show,
        space_show,
        find_files,
        find_spaces,
        which_space,
        permission_show,
        sensitivity_list,
        search_finds,
        picker_of_spaces,
    )
} | {**MEMORY_PATHS, **SESSION_PATHS}
STORIES = [pytest.param(one, id=one.name.split(":")[0]) for one in stories()]


LISTS = {
    "list_spaces": "space_list",
    "list_lobes": "lobe_list",
    "list_groups": "group_list",
    "list_people": "person_list",
    "list_sensitive": "sensitivity_list",
    "find_named": "find_files",
    "find_permission": "permission_show",
    "list_memories": "memory_list",
    "list_sessions": "session_list",
    "list_audit": "",
    "list_readers": "",
    "list_notices": "",
}
"""The lists of the services, and the path that asks each; "" for those of one person alone."""


def test_every_list_of_the_services_is_a_path_here() -> None:
    """A new list fails here until it is asked in every world too."""
    there: set[str] = set()
    for module in pkgutil.iter_modules(services.__path__):
        named = vars(importlib.import_module(f"lobes.services.{module.name}"))
        there |= {name for name in named if name.startswith(("list_", "find_"))}
    assert there == set(LISTS)
    assert {path for path in LISTS.values() if path} <= set(PATHS)


def actors_of(story: Story) -> list[str]:
    named = [row[0] for row in story.check]
    named += [row["who"] for row in (*story.list, *story.explain)]
    return list(dict.fromkeys((*named, *story.world["people"])))


@pytest.mark.parametrize("story", STORIES)
def test_every_list_shows_what_the_single_check_allows(story: Story, tmp_path: Path) -> None:
    world = made(story)
    wrong: list[str] = []
    with home_of(world, tmp_path / "home", files_of(world)) as home:
        for who in actors_of(story):
            one = Asked(home, world, who)
            for name, path in PATHS.items():
                shown, wanted = path(one)
                if shown != wanted:
                    wrong.append(f"{who}, {name}: {shown} is shown, {wanted} is right")
            wrong += rows_asked_aloud(one, story)
    assert wrong == [], "\n".join(wrong)


def rows_asked_aloud(one: Asked, story: Story) -> Iterator[str]:
    """The check rows of this actor by `can`, the list rows by the lists, as they are written."""
    for who, verb, what, allowed, _ in story.check:
        if who != one.who or waits(one.world, what):
            continue
        thing = real(one.world, what)
        found = tried(lambda verb=verb, thing=thing: can(one.lobes, one.caller, "me", verb, thing))
        # Of what they may not know nothing is told, whatever is asked of it.
        told = None if not one.may("read_meta", what) else allowed == "yes"
        if (found and found.allowed) is not told:
            yield f"{who} {verb} {what}: {found}, {allowed} is right"
    for row in story.list:
        if row["who"] == one.who:
            path = {"space": space_list, "group": group_list}[row["kind"]]
            if path(one)[0] != set(row["sees"]):
                yield f"{row}: {path(one)[0]}"


def real(world: World, what: str) -> Resource:
    kind, _, id = what.partition("/")
    if kind == "document" and what in world["items"]:
        item = world["items"][what]
        id = document_id(item["in"].removeprefix("space/"), item["path"])
    return Resource(kind, id)  # pyright: ignore[reportArgumentType]


def waits(world: World, what: str) -> str:
    """Why a row can't be asked of a home yet; "" where it can."""
    kind = what.partition("/")[0]
    item = world["items"].get(what, {})
    if item and item["in"].startswith("guest/"):
        kind = "share"
    return NOT_YET.get(kind, "")


def test_what_a_home_cannot_hold_yet_is_counted() -> None:
    """Whoever brings shares into the store takes them out of here."""
    waiting: Counter[str] = Counter()
    for story in stories():
        world = made(story)
        for row in story.check:
            waiting[waits(world, row[2])] += 1
        for row in story.explain:
            waiting[NOT_YET["share"]] += sum(lobe.startswith("guest/") for lobe in row["lobes"])
    del waiting[""]
    assert waiting == {NOT_YET["share"]: 15}
