"""Leak canaries over the agents' tools: each is called as every agent, with whatever there is in
its places, and what it gave is searched for words that this agent may not see.

The tools come from their registry: a new one fails here until it is said how it is called.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.canaries import Canaries
from tests.e2e.canary_world import AGENTS, COMMON, SPACES, allowed, canary_world
from tests.e2e.test_canaries import found

from lobes.bootstrap import open_installation
from lobes.config.folders import folders_under
from lobes.domain.actors import parse_actor
from lobes.mcp.face import Face
from lobes.mcp.limits import Limits
from lobes.mcp.tools import TOOLS
from lobes.services import reading
from lobes.services.installation import Caller
from world_home import home_of

NEVER = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
AT_ONCE = ("ai:me/editor@prj_ga", "ai:bob/editor@prj_gb")
"""Who is walked in every run; the others as `slow`."""
ULID = "[0-9A-HJKMNP-TV-Z]{26}"
Given = dict[str, Any]


def calls(ids: list[str]) -> dict[str, list[Given]]:
    """How each tool is called, with every id that there is where it takes one."""
    claim = {"statement": f"{COMMON} is common.", "kind": "observation"}
    claim = {**claim, "derived_from_external": False}
    return {
        "search": [
            {"query": COMMON, "limit": 50},
            {"query": COMMON, "limit": 3, "cursor": "3"},
            *({"query": f"{COMMON} {space}"} for space in SPACES),
        ],
        "read_source": [{"id": one} for one in ids],
        "get_context": [{"query": COMMON}, {"query": COMMON, "budget": 20_000}],
        "propose_pack_edit": [
            {"path": path, "text": COMMON, "why": COMMON, **base}
            for path in paths_there()
            for base in ({}, {"base_hash": "0" * 64})
        ],
        "propose_memory": [
            claim,
            {**claim, "destination": "personal"},
            *({**claim, "statement": f"{COMMON} {one}", "replaces": one} for one in ids),
            *({**claim, "statement": f"{one} {COMMON}", "evidence": [one]} for one in ids),
        ],
        "propose_lesson": [{"claim": COMMON, "rationale": COMMON}],
        "record_turn": [
            {"summary": COMMON, "decisions": [COMMON]},
            *({"summary": COMMON, "evidence": [one]} for one in ids),
        ],
        "list_pending": [{}],
    }


def paths_there() -> list[str]:
    """Each file that is there or would be by an edit, one that never was, and no file's name."""
    items = canary_world().world["items"].values()
    paths = (one.get("path") or one.get("edit") for one in items)
    return [*dict.fromkeys(path for path in paths if path), "never.md", "x/../y.md"]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = canary_world()
    folder = tmp_path_factory.mktemp("tools") / "home"
    with home_of(made.world, folder, made.files, names=True):
        pass
    return folder


@pytest.fixture
def canaries(template: Path, tmp_path: Path) -> Iterator[Canaries]:
    with closing(Canaries(canary_world(), template, tmp_path / "home")) as one:
        one.afresh()
        yield one


def ids_of(home: Path) -> list[str]:
    """Every document, passage, memory, edit and session that there is, and one that never was."""
    with closing(sqlite3.connect(home / "data" / "lobes.db")) as store:
        tables = ("document", "passage", "memory", "pack_edit", "session")
        return [
            *(row[0] for one in tables for row in store.execute(f"SELECT id FROM {one}")),
            NEVER,
        ]


def walk(canaries: Canaries, who: str) -> Iterator[tuple[str, Given, str]]:
    """Each call with its answer; what leaked is noted on the way."""
    folders = folders_under(canaries.home)
    with open_installation(folders, engine="inline", environ={}) as lobes:
        limits = Limits(proposals=10_000, characters=10_000_000, turns=10_000)
        face = Face(Caller(parse_actor(who), "mcp"), lambda: nullcontext(lobes), limits=limits)
        for tool, several in calls(ids_of(canaries.home)).items():
            for given in several:
                said = face.call(tool, given, client="a client").text
                typed = [str(value) for value in given.values()]
                canaries.search(said, who, line=f"mcp {tool}", typed=typed)
                yield tool, given, said
    canaries.search_files()


def test_every_tool_is_called() -> None:
    assert set(calls([NEVER])) == set(TOOLS)
    for tool, several in calls([NEVER]).items():
        wanted = {one.name for one in TOOLS[tool].fields if one.is_required}
        assert all(wanted <= set(given) for given in several)


@pytest.mark.parametrize(
    "who", [one if one in AT_ONCE else pytest.param(one, marks=pytest.mark.slow) for one in AGENTS]
)
def test_no_tool_shows_what_its_agent_may_not_see(canaries: Canaries, who: str) -> None:
    """And what is hidden is answered as what never was."""
    said = {(tool, str(given)): text for tool, given, text in walk(canaries, who)}
    assert found(canaries) == []
    never = said["read_source", str({"id": NEVER})]
    refused = [
        text for (tool, _), text in said.items() if tool == "read_source" and "error" in text
    ]
    assert len(refused) > 5
    assert {one for one in refused if "not_found" in one} == {never}
    edits = [(given, text) for (tool, given), text in said.items() if tool == "propose_pack_edit"]
    assert not [text for _, text in edits if "too_many" in text], "these would tell nothing"
    # What names a file that may not be known is taken, or refused, as for one that never was.
    told = {re.sub(ULID, "ID", text) for given, text in edits if "base_hash" not in given}
    based = {text for given, text in edits if "base_hash" in given}
    if not allowed(dict(canaries.made.world), who, "propose", f"space/{who.partition('@')[2]}"):
        assert len(told | based) == 1, "one answer to all, whatever is named"
        return
    words = ("pending", "repeat", "already_exists", "bad_name")
    assert all(any(f'"{word}"' in one for word in words) for one in told), told
    assert {json.loads(one)["error"]["reason"] for one in based} == {"changed_on_disk", "bad_name"}


def test_agents_are_shown_what_they_may_see(canaries: Canaries) -> None:
    """The walk can find something: texts, titles and files."""
    answers = [json.loads(text) for _, _, text in walk(canaries, AT_ONCE[0])]
    kinds = {one.partition(" ")[0] for one in canaries.heard}
    assert kinds >= {"text", "heading", "title", "file", "id"}
    assert any("parts" in one for one in answers)


def test_a_planted_leak_is_found(canaries: Canaries, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that lets everything be drawn on: the canaries must sing."""

    def require(*given: Any, **named: Any) -> None:
        return None

    monkeypatch.setattr(reading, "require", require)
    list(walk(canaries, AT_ONCE[0]))
    assert {one.marker.partition(" ")[0] for one in canaries.leaks} >= {"text", "title"}
