"""What every world remembers, and the paths that list memories, each beside what the oracle says.

Each lobe of a world holds one memory that is retrieved and one proposal of an agent; those that a
world names itself get words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol

from oracle import read_actor
from worlds import every_lobe

from lobes.domain.errors import LobesError
from lobes.domain.ids import derived_id
from lobes.services.installation import Caller, Installation
from lobes.services.lobes import list_lobes
from lobes.services.memories import history, list_memories, pending_of, show_memory
from lobes.services.review_evidence import evidence
from lobes.services.review_groups import groups
from lobes.services.review_queue import queue
from lobes.services.status import home_status
from lobes.store.read_memories import EVERY, Where

World = dict[str, Any]


class Asks(Protocol):
    """One actor in the home of one world."""

    @property
    def who(self) -> str: ...
    @property
    def world(self) -> World: ...
    @property
    def lobes(self) -> Installation: ...
    @property
    def caller(self) -> Caller: ...
    @property
    def is_person(self) -> bool: ...
    def may(self, verb: str, what: str, /) -> bool: ...


def with_memories(world: World, word: str) -> World:
    """The world with a memory and a proposal in each lobe that a home holds."""
    items: World = {id: dict(one) for id, one in world.get("items", {}).items()}
    for id, item in items.items():
        if id.startswith("memory/") and not item["in"].startswith("guest/"):
            item["statement"] = f"{word} {id}"
    for lobe in every_lobe(world):
        for status in () if lobe.startswith("guest/") else ("active", "proposed"):
            id = f"memory/{derived_id(status, lobe)}"
            author = "agent" if status == "proposed" else "user"
            items[id] = {"in": lobe, "statement": f"{word} {id}", "status": status}
            items[id] |= {"author": author, "person": world["owner"]}
    return {**world, "items": items}


def memories_of(one: Asks, verb: str, *more: str) -> set[str]:
    """The ids of those on which the oracle allows these verbs; to an agent what waits is not."""
    return {
        id.removeprefix("memory/")
        for id, item in one.world["items"].items()
        if "statement" in item and (one.is_person or not is_proposed(item))
        if all(one.may(each, id) for each in (verb, *more))
    }


def is_proposed(item: World) -> bool:
    return item.get("status") == "proposed"


def tried(call: Callable[[], Any]) -> Any:
    with suppress(LobesError):
        return call()
    return None


def memory_list(one: Asks) -> tuple[object, object]:
    """Which are there, and of which the words are."""
    page = list_memories(one.lobes, one.caller, Where(statuses=EVERY), limit=1000)
    shown = {row.memory.id for row in page.items}
    readable = {row.memory.id for row in page.items if row.memory.statement}
    wanted = memories_of(one, "read_meta")
    return (shown, readable, page.total), (wanted, memories_of(one, "read_content"), len(wanted))


def memory_list_of_a_space(one: Asks) -> tuple[object, object]:
    shown: dict[str, object] = {}
    for space in one.world.get("spaces", {}):
        page = tried(lambda s=space: list_memories(one.lobes, one.caller, Where(), space=s))
        if page is not None:
            shown[space] = {row.memory.id for row in page.items}
    wanted = {
        space: {id for id in memories_of(one, "read_meta") if in_lobe(one, id, f"space/{space}")}
        for space in one.world.get("spaces", {})
        if one.may("read_meta", f"space/{space}")
    }
    return shown, wanted


def in_lobe(one: Asks, id: str, lobe: str) -> bool:
    return one.world["items"][f"memory/{id}"]["in"] == lobe


def memory_show(one: Asks) -> tuple[object, object]:
    every = every_memory(one)
    shown = {id for id in every if tried(lambda id=id: show_memory(one.lobes, one.caller, id))}
    told = {
        id for id in every if tried(lambda id=id: history(one.lobes, one.caller, id)) is not None
    }
    wanted = memories_of(one, "read_content")
    return (shown, told), (wanted, wanted)


def every_memory(one: Asks) -> list[str]:
    items = one.world["items"].items()
    return [id.removeprefix("memory/") for id, item in items if "statement" in item]


def memory_counts(one: Asks) -> tuple[object, object]:
    """Of all of them, and of each lobe that is no Space's."""
    wanted = {id for id in memories_of(one, "read_meta") if not waits_in(one, id)}
    rows = [row for row in list_lobes(one.lobes, one.caller) if not row.space]
    by_lobe = {row.address: sum(in_lobe(one, id, row.address) for id in wanted) for row in rows}
    shown = {row.address: row.memories for row in rows}
    return (home_status(one.lobes, one.caller).memories, shown), (len(wanted), by_lobe)


def waits_in(one: Asks, id: str) -> bool:
    return is_proposed(one.world["items"][f"memory/{id}"])


def review_queue(one: Asks) -> tuple[object, object]:
    """What waits, the groups of it and the evidence of each: for persons who may review."""
    found = queue(one.lobes, one.caller)
    grouped = {id for some in groups(found.items) for id in some}
    looked = {
        id for id in every_memory(one) if tried(lambda id=id: evidence(one.lobes, one.caller, id))
    }
    wanted = memories_of(one, "review", "read_content")
    waiting = {id for id in wanted if waits_in(one, id)}
    shown = {item.id for item in found.items}
    return (shown, grouped <= shown, looked, found.counters.waiting), (
        waiting,
        True,
        wanted,
        len(waiting),
    )


def review_queue_of_a_space(one: Asks) -> tuple[object, object]:
    shown: dict[str, object] = {}
    for space in one.world.get("spaces", {}):
        found = tried(lambda s=space: queue(one.lobes, one.caller, space=s))
        if found is not None:
            shown[space] = {item.id for item in found.items}
    seen = memories_of(one, "review", "read_content")
    wanted = {
        space: {id for id in seen if waits_in(one, id) and in_lobe(one, id, f"space/{space}")}
        for space in one.world.get("spaces", {})
        if one.may("review", f"space/{space}")
    }
    return shown, wanted


def pending_list(one: Asks) -> tuple[object, object]:
    """What agents proposed for this person alone: ids and states, to agents too."""
    shown: dict[str, object] = {}
    for space in one.world.get("spaces", {}):
        found = tried(lambda s=space: pending_of(one.lobes, one.caller, s))
        if found is not None:
            shown[space] = set(found)
    person = read_actor(one.who)["person"]
    wanted = {
        space: {
            (id, "proposed")
            for id in every_memory(one)
            if waits_in(one, id) and in_lobe(one, id, f"space/{space}")
            if one.may("read_meta", f"memory/{id}") and person == one.world["owner"]
        }
        for space in one.world.get("spaces", {})
        if one.may("propose", f"space/{space}")
    }
    return shown, wanted


MEMORY_PATHS: Mapping[str, Callable[[Any], tuple[object, object]]] = {
    path.__name__: path
    for path in (
        memory_list,
        memory_list_of_a_space,
        memory_show,
        memory_counts,
        review_queue,
        review_queue_of_a_space,
        pending_list,
    )
}
