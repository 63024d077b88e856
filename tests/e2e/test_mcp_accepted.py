"""From an agent's proposal to what every session finds, and out of it again: the official client,
real processes, and a person who is present."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import ClientSession
from tests.e2e.agent import client, told
from tests.e2e.reviewer import words

from shell import SECONDS, Shell, shell_on

CLAIM = {"kind": "observation", "derived_from_external": False}
OLD, NEW = "Zanzibar herons nest in March.", "Zanzibar herons nest in April."


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Shell]:
    """A home that asks for presence: no command line decides there unasked."""
    with shell_on(tmp_path / "home") as shell:
        shell.json("init", "--user", "ada")
        shell.json("space", "new", "prj_a")
        shell.json("index", "--wait")
        yield shell


def a_person_decides(home: Shell) -> list[dict[str, str]]:
    """What somebody present does with all that waits, in a process of its own."""
    ran = subprocess.run(
        words(home.folder),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=home.env,
        cwd=Path(__file__).parents[2],
        timeout=SECONDS,
        check=True,
    )
    return [json.loads(line) for line in ran.stdout.splitlines()]


async def found(agent: ClientSession) -> dict[str, Any]:
    """Id → item of the memories that a search gives."""
    answer = await told(agent, "search", query="Zanzibar herons nest", limit=50)
    return {one["id"]: one for one in answer["items"] if one["kind"] == "memory"}


async def test_what_a_person_accepts_is_found_by_every_session_and_what_it_replaces_no_more(
    guarded: Shell,
) -> None:
    async with client(guarded, "--space", "prj_a") as agent:
        old = (await told(agent, "propose_memory", statement=OLD, **CLAIM))["id"]
        assert await found(agent) == {}
        async with client(guarded, "--space", "prj_a") as other:
            assert await found(other) == {}
        refused = guarded.run("memory", "accept", old, "--yes", "--json", CLAUDECODE="1")
        assert refused.code != 0, "an agent may type the command, too"
        assert await found(agent) == {}
        assert a_person_decides(guarded) == [{"id": old, "act": "accept"}]
        guarded.json("index", "--wait")
        async with client(guarded, "--space", "prj_a") as other:
            for each in (agent, other):
                item = (await found(each))[old]
                assert item["memory"]["author"] == "agent"
                read = await told(each, "read_source", id=old)
                assert OLD in str(read)
            given = {"statement": NEW, "replaces": old, **CLAIM}
            new = (await told(other, "propose_memory", **given))["id"]
            assert set(await found(agent)) == {old}
            assert a_person_decides(guarded) == [{"id": new, "act": "supersede"}]
            guarded.json("index", "--wait")
            for each in (agent, other):
                assert set(await found(each)) == {new}
                gone = await told(each, "read_source", id=old)
                assert gone["error"]["code"] == "not_found"
