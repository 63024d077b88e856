"""A line of an export is taken to the letter or not at all."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from lobes.domain.errors import Invalid
from lobes.domain.ids import LobeAddress, derived_id
from lobes.domain.memories import Link, Memory, Provenance, Version, statement_hash
from lobes.store.memory_lines import MemoryLine, dump_line, parse_lines

LOBE = LobeAddress("space", "prj_a")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ID, OTHER = derived_id("memory", "1"), derived_id("memory", "2")


def a_line() -> MemoryLine:
    said = "The port is 8080."
    memory = Memory(
        ID, LOBE, said, "decision", "project", "decision", "active", "user", "ada",
        statement_hash(said), NOW, NOW, provenance=Provenance("cli", evidence=("a.md",)),
    )  # fmt: skip
    version = Version(ID, 1, said, statement_hash(said), "active", "add", "user:ada", "", NOW)
    return MemoryLine(memory, (version,), (Link("supersedes", ID, OTHER, NOW),))


def changed(change: Callable[[dict[str, Any]], object]) -> str:
    data = json.loads(dump_line(a_line()))
    change(data)
    return json.dumps(data)


def test_a_line_comes_back_as_it_was() -> None:
    assert parse_lines(dump_line(a_line()) + "\n", LOBE) == [a_line()]


def test_a_moment_of_another_zone_is_kept_in_utc_as_all_are() -> None:
    text = changed(lambda data: data.update(created="2026-03-01T14:00:00+02:00"))
    (found,) = parse_lines(text, LOBE)
    assert found.memory.created.isoformat() == NOW.isoformat()


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data.pop("person"),
        lambda data: data.update(approved=True),
        lambda data: data["provenance"].pop("tool"),
        lambda data: data["provenance"].update(approved=True),
        lambda data: data["provenance"].update(is_external="no"),
        lambda data: data["provenance"].update(evidence="a.md"),
        lambda data: data["versions"][0].update(approved=True),
        lambda data: data["versions"].append(data["versions"][0]),
        lambda data: data["versions"][0].update(version=1 << 80),
        lambda data: data.update(version=1 << 80),
        lambda data: data.update(use_count=-1),
        lambda data: data.update(version=True),
        lambda data: data.update(confidence=True),
        lambda data: data.update(statement="\ud800"),
        lambda data: data.update(person="\udfff"),
        lambda data: data.update(category="Health care"),
        lambda data: data.update(status="deleted"),
        lambda data: data.update(status="Active"),
        lambda data: data.update(id=ID.lower()),
        lambda data: data.update(created="2026-03-01T12:00:00"),
        lambda data: data.update(created="0001-01-01T00:00:00+09:00"),
        lambda data: data.update(valid_to="9999-12-31T23:00:00-09:00"),
        lambda data: data.update(waits_for="policy"),
        lambda data: data.update(links={}),
        lambda data: data["links"].append(["supersedes", OTHER, OTHER, NOW.isoformat()]),
    ],
)
def test_a_line_that_says_anything_else_is_refused_by_its_number(
    change: Callable[[dict[str, Any]], object],
) -> None:
    """PA-19, PA-20, TE-11: nothing is coerced, and nothing gets in that no store can hold."""
    with pytest.raises(Invalid, match="Line 2 of") as caught:
        parse_lines(f"{dump_line(a_line())}\n{changed(change)}\n", LOBE)
    assert caught.value.reason == "bad_export"


def test_a_past_that_is_yet_to_come_is_refused() -> None:
    """The next decision on such a memory would write a version that it has."""
    text = changed(lambda data: data["versions"].append({**data["versions"][0], "version": 2}))
    with pytest.raises(Invalid) as caught:
        parse_lines(text, LOBE)
    assert caught.value.reason == "bad_export"
