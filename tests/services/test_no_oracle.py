"""AZ-14: an id that is hidden costs what an id that never was costs, so that time tells nothing.

Counted: a clock on a busy machine tells less than the statements and the calls do. And timed, by
the processor's clock.
"""

from __future__ import annotations

import gc
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import pytest

from homes import AHome
from lobes.domain.actors import Ai, Human
from lobes.domain.errors import LobesError
from lobes.domain.ids import Slug
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import Subscription
from lobes.domain.permission_change import PermissionChange
from lobes.domain.resources import Resource
from lobes.services import lobe_changes, manifests, space_changes
from lobes.services.approvals import allow_once
from lobes.services.audit_log import Wanted, list_audit
from lobes.services.can import can
from lobes.services.explaining import explain
from lobes.services.group_changes import (
    NewGroup,
    add_group,
    edit_group,
    join_group,
    leave_group,
    remove_group,
    restore_group,
)
from lobes.services.groups import group_impact, show_group
from lobes.services.indexing import index_space
from lobes.services.installation import Caller, Installation
from lobes.services.lobes import lobe_view
from lobes.services.memories import show_memory
from lobes.services.people import add_person, set_superuser
from lobes.services.permissions import save_permission, show_permission
from lobes.services.reading import Range, read_memory, read_source
from lobes.services.search import search
from lobes.services.sensitivity import (
    clear_lines,
    list_sensitive,
    lower,
    raise_to,
    show_sensitivity,
)
from lobes.services.sessions import show_session
from lobes.services.space_groups import place_space
from lobes.services.spaces import pack_text, show_space, state_text
from remembered import remember
from world_home import document_id, session_id, write_session

Act = Callable[[Installation, Caller, str], Any]
OWN = Resource("space", "prj_own")


def granting(lobes: Installation, who: Caller, subject: str) -> None:
    change = PermissionChange(grant=(("read_meta", subject),))
    save_permission(lobes, who, OWN, change)


def subscribing(lobes: Installation, who: Caller, source: Subscription) -> None:
    lobe_changes.save(lobes, who, "prj_own", LobeChange(subscribe=(source,)))


def doc(id: str) -> Resource:
    return Resource("document", id)


def kept(id: str) -> Resource:
    return Resource("memory", id)


def said(id: str) -> Resource:
    return Resource("session", id)


SPACES: dict[str, Act] = {
    "search": lambda lobes, who, space: search(lobes, who, "zephyr", space=space),
    "space show": show_space,
    "lobe show": lobe_view,
    "explain": explain,
    "explain both": lambda lobes, who, space: explain(lobes, who, "prj_own", space),
    "file": lambda lobes, who, space: pack_text(lobes, who, space, "a.md"),
    "state": state_text,
    "waiting": manifests.waiting,
    "allow once": lambda lobes, who, space: allow_once(lobes, who, space, "prj_own", "zephyr"),
    "allow once from": lambda lobes, who, space: allow_once(lobes, who, "prj_own", space, "zephyr"),
    "lobe set": lambda lobes, who, space: lobe_changes.save(
        lobes, who, space, LobeChange(is_private=False)
    ),
    "subscribe": lambda lobes, who, space: subscribing(lobes, who, Subscription("space", space)),
    "index": index_space,
    "archive": space_changes.archive_space,
    "trash": space_changes.trash_space,
    "permission show": lambda lobes, who, space: show_permission(
        lobes, who, Resource("space", space)
    ),
    "can": lambda lobes, who, space: can(lobes, who, "me", "erase", Resource("space", space)),
    "can of an agent": lambda lobes, who, space: can(
        lobes, who, f"ai:me/reader@{space}", "read_meta", OWN
    ),
    "sensitive": list_sensitive,
    "audit": lambda lobes, who, space: list_audit(lobes, who, wanted=Wanted(resource=space)),
}
GROUPS: dict[str, Act] = {
    "group show": show_group,
    "group impact": group_impact,
    "group join": lambda lobes, who, group: join_group(lobes, who, group, "bob"),
    "group leave": leave_group,
    "group edit": lambda lobes, who, group: edit_group(lobes, who, group, name="Other"),
    "group remove": remove_group,
    "group restore": restore_group,
    "space edit": lambda lobes, who, group: place_space(lobes, who, "prj_own", group),
    "grant": lambda lobes, who, group: granting(lobes, who, f"group:{group}"),
    "subscribe": lambda lobes, who, group: subscribing(lobes, who, Subscription("team", group)),
    "explain": lambda lobes, who, group: explain(lobes, who, "prj_own", f"team/{group}"),
    "can": lambda lobes, who, group: can(lobes, who, "me", "read_meta", Resource("group", group)),
}
PEOPLE: dict[str, Act] = {
    "group join": lambda lobes, who, person: join_group(lobes, who, "grp_own", person),
    "group leave": lambda lobes, who, person: leave_group(lobes, who, "grp_own", person),
    "grant": lambda lobes, who, person: granting(lobes, who, f"user:{person}"),
    "subscribe": lambda lobes, who, person: subscribing(lobes, who, Subscription("user", person)),
    "can": lambda lobes, who, person: can(lobes, who, f"user:{person}", "read_meta", OWN),
    "can person": lambda lobes, who, person: can(
        lobes, who, "me", "read_meta", Resource("person", person)
    ),
    "superuser": lambda lobes, who, person: set_superuser(lobes, who, person, is_superuser=True),
}
DOCUMENTS: dict[str, Act] = {
    "permission show": lambda lobes, who, id: show_permission(lobes, who, doc(id)),
    "permission set": lambda lobes, who, id: save_permission(
        lobes, who, doc(id), PermissionChange(visibility="private")
    ),
    "can": lambda lobes, who, id: can(lobes, who, "me", "read_content", doc(id)),
    "sensitivity show": lambda lobes, who, id: show_sensitivity(lobes, who, doc(id)),
    "sensitivity raise": lambda lobes, who, id: raise_to(lobes, who, doc(id), "confidential"),
    "sensitivity lower": lambda lobes, who, id: lower(
        lobes, who, doc(id), "public", reason="Nothing in it."
    ),
    "sensitivity reveal": lambda lobes, who, id: clear_lines(lobes, who, doc(id)),
    "source read": lambda lobes, who, id: read_source(lobes, who, id, lines=Range()),
}
MEMORIES: dict[str, Act] = {
    "memory show": show_memory,
    "source read": read_memory,
    "permission show": lambda lobes, who, id: show_permission(lobes, who, kept(id)),
    "permission set": lambda lobes, who, id: save_permission(
        lobes, who, kept(id), PermissionChange(visibility="private")
    ),
    "can": lambda lobes, who, id: can(lobes, who, "me", "read_content", kept(id)),
}
SESSIONS: dict[str, Act] = {
    "session show": show_session,
    "permission show": lambda lobes, who, id: show_permission(lobes, who, said(id)),
    "permission set": lambda lobes, who, id: save_permission(
        lobes, who, said(id), PermissionChange(visibility="public")
    ),
    "can": lambda lobes, who, id: can(lobes, who, "me", "read_chat", said(id)),
}
KINDS: dict[str, dict[str, Act]] = {
    "space": SPACES,
    "group": GROUPS,
    "person": PEOPLE,
    "document": DOCUMENTS,
    "memory": MEMORIES,
    "session": SESSIONS,
}
HIDDEN = {
    "space": "prj_secret",
    "group": "grp_secret",
    "person": "per_secret",
    "session": session_id("prj_secret"),
}
UNKNOWN = {
    "space": "prj_nowher",
    "group": "grp_nowher",
    "person": "per_nowher",
    "document": "0" * 26,
    "memory": "0" * 26,
    "session": session_id("prj_nowher"),
}
FILES = {f"n{number}.md": f"# {number}\n\nzephyr {number}\n" for number in range(30)}


@dataclass
class Cost:
    """What one call took: SQL statements of its own thread, and Python and C calls."""

    statements: list[str] = field(default_factory=list[str])
    calls: int = 0


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Generator[Cost]:
    cost, mine, real = Cost(), threading.get_ident(), sqlite3.connect

    def traced(statement: str) -> None:
        if threading.get_ident() == mine:
            cost.statements.append(statement)

    def connect(*given: Any, **wanted: Any) -> sqlite3.Connection:
        store = real(*given, **wanted)
        store.set_trace_callback(traced)
        return store

    def called(frame: FrameType, event: str, argument: object) -> None:
        cost.calls += event in ("call", "c_call")

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect)
        before = sys.getprofile()
        gc.disable()  # what it finalizes is of other tests, and its calls would count
        sys.setprofile(called)
        try:
            yield cost
        finally:
            sys.setprofile(before)
            gc.enable()


@dataclass(frozen=True)
class Pair:
    """A thing that the caller may not know of, and one of its kind that never was."""

    home: AHome
    act: Act
    who: Caller
    hidden: str
    unknown: str

    def refused(self, id: str) -> tuple[object, ...]:
        """All that the caller is told, without the id that they gave."""
        with pytest.raises(LobesError) as error:
            self.act(self.home.lobes, self.who, id)
        told = error.value
        return type(told), told.message.replace(id, "ID"), told.hint.replace(id, "ID"), told.reason

    def cost_of(self, id: str, monkeypatch: pytest.MonkeyPatch) -> tuple[list[str], int]:
        """The statements with the id taken out, and the calls; a first call loads what is lazy."""
        self.refused(id)
        with counted(monkeypatch) as cost:
            self.refused(id)
        return [self.masked(one) for one in cost.statements], cost.calls

    def masked(self, statement: str) -> str:
        for id in (self.hidden, self.unknown):
            statement = statement.replace(f"{id}'", "ID'")
        return statement

    def seconds_of(self, id: str) -> float:
        """CPU of this thread for one call."""
        started = time.thread_time()
        self.refused(id)
        return time.thread_time() - started


@pytest.fixture
def world(home: AHome) -> AHome:
    """The hidden Space has a pack, the hidden group members: what is looked up for them must not
    be more for that. bob knows nobody but ada, who is in his group with him."""
    home.a_space("prj_own", {"a.md": "# Own\n\nzephyr\n"})
    secret = {"a.md": "# Secret\n\nzephyr\n", **FILES}
    home.a_space("prj_secret", secret, LobeChange(is_private=True))
    home.index()
    for person in ("bob", "per_secret"):
        add_person(home.lobes, home.me, person)
    for group in ("grp_own", "grp_secret"):
        add_group(home.lobes, home.me, NewGroup(group, "team"))
    join_group(home.lobes, home.me, "grp_own", "bob", role="owner")
    join_group(home.lobes, home.me, "grp_secret", "per_secret", role="owner")
    place_space(home.lobes, home.me, "prj_secret", "grp_secret")
    leave_group(home.lobes, home.me, "grp_secret")
    remember(home, "space/prj_secret", "The zephyr is on.")
    with closing(sqlite3.connect(home.folders.store)) as store, store:
        turns = [{"summary": f"zephyr {number}"} for number in range(30)]
        write_session(store, HIDDEN["session"], "prj_secret", "ada", turns=turns)
    return home


def a_pair(world: AHome, kind: str, name: str, caller: str) -> Pair:
    """For an agent of ada or for bob, whose own prj_own is then."""
    if caller == "person":
        world.execute("UPDATE space SET owner = 'bob' WHERE id = 'prj_own'")
        who = Caller(Human(Slug("bob")), "cli", is_present=True)
    else:
        who = world.agent("prj_own", preset=caller)
    ((memory,),) = world.rows("SELECT id FROM memory WHERE space = 'prj_secret'")
    inside = {"document": document_id("prj_secret", "a.md"), "memory": memory}
    hidden = {**HIDDEN, **inside}[kind]
    return Pair(world, KINDS[kind][name], who, hidden, UNKNOWN[kind])


def check(pair: Pair, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words, the same statements, and calls within 20 %."""
    assert pair.refused(pair.hidden) == pair.refused(pair.unknown), name
    hidden, hidden_calls = pair.cost_of(pair.hidden, monkeypatch)
    unknown, unknown_calls = pair.cost_of(pair.unknown, monkeypatch)
    assert hidden_calls > 20
    assert hidden == unknown, name
    assert abs(hidden_calls - unknown_calls) <= 0.2 * unknown_calls, name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("caller", ["reader", "editor", "person"])
def test_a_hidden_id_costs_and_says_what_an_unknown_one_does(
    world: AHome, monkeypatch: pytest.MonkeyPatch, kind: str, caller: str
) -> None:
    """AZ-14: in each act."""
    for name in KINDS[kind]:
        check(a_pair(world, kind, name, caller), name, monkeypatch)


@pytest.mark.parametrize("kind", ["document", "memory"])
@pytest.mark.parametrize("is_agent", [False, True])
def test_what_is_closed_in_a_space_that_is_open_costs_what_an_unknown_id_does(
    world: AHome, monkeypatch: pytest.MonkeyPatch, kind: str, is_agent: bool
) -> None:
    """AZ-14: it has a permission of its own, and that is asked beside its Space's."""
    world.a_space("prj_ours", {"a.md": "# Ours\n\nzephyr\n"})
    world.index()
    place_space(world.lobes, world.me, "prj_ours", "grp_own")
    memory = remember(world, "space/prj_ours", "The zephyr is on.")
    hidden = {"document": document_id("prj_ours", "a.md"), "memory": memory.id}[kind]
    save_permission(
        world.lobes, world.me, Resource(kind, hidden), PermissionChange(visibility="private")
    )
    agent = Ai(Slug("bob"), "editor", Slug("prj_ours"))
    bob = Caller(agent if is_agent else Human(Slug("bob")), "cli", is_present=not is_agent)
    for name, act in KINDS[kind].items():
        check(Pair(world, act, bob, hidden, UNKNOWN[kind]), name, monkeypatch)


@pytest.mark.parametrize("caller", ["reader", "person", "owner"])
def test_a_document_of_a_level_that_nobody_knows_answers_as_an_unknown_one(
    world: AHome, caller: str
) -> None:
    """AZ-14: nobody may know of it, so nothing says that it is there."""
    with closing(sqlite3.connect(world.folders.store)) as store, store:
        store.execute("PRAGMA ignore_check_constraints = ON")
        store.execute("UPDATE document_sensitivity SET level = 'secretish'")
    for name, act in DOCUMENTS.items():
        pair = a_pair(world, "document", name, caller if caller != "owner" else "reader")
        if caller == "owner":
            pair = Pair(world, act, world.me, pair.hidden, pair.unknown)
        assert pair.refused(pair.hidden) == pair.refused(pair.unknown), name


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("caller", ["reader", "person"])
def test_a_hidden_id_takes_the_time_of_an_unknown_one(world: AHome, caller: str) -> None:
    """AZ-14: CPU of the thread, the least of many calls in turns, within 20 %."""
    apart: dict[tuple[str, str], float] = {}
    for kind, name in [(kind, name) for kind, acts in KINDS.items() for name in acts]:
        pair = a_pair(world, kind, name, caller)
        least = {pair.hidden: 1.0, pair.unknown: 1.0}
        for _ in range(ROUNDS):
            for _ in range(REPEATS):
                for id in least:
                    least[id] = min(least[id], pair.seconds_of(id))
            apart[kind, name] = least[pair.hidden] / least[pair.unknown] - 1
            if abs(apart[kind, name]) <= 0.2:
                break
    assert {which: off for which, off in apart.items() if abs(off) > 0.2} == {}


REPEATS, ROUNDS = 12, 4
"""Calls of each in turns; again where a busy machine disturbed them."""
