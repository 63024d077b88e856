"""Edits of files over real processes: an agent proposes, a watcher sees, a person decides."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.agent import client, told

from shell import SECONDS, Shell, shell_on


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Shell]:
    with shell_on(tmp_path / "home") as made:
        made.json("init", "--presence", "off", "--user", "ada")
        made.json("space", "new", "prj_a")
        made.json("index")
        yield made


def finds(home: Shell, word: str) -> bool:
    items = home.json("search", word, "--space", "prj_a")["items"]
    return any(word in one["snippet"] for one in items)


async def test_what_an_agent_proposes_over_its_protocol_is_a_file_once_a_person_accepts_it(
    home: Shell,
) -> None:
    async with client(home, "--space", "prj_a") as agent:
        (hit,) = (await told(agent, "search", query="goals should be true", limit=1))["items"]
        source = await told(agent, "read_source", id=hit["document"])
        asked = {"path": source["path"], "why": "Newer."}
        path = home.folder / "spaces" / "prj_a" / source["path"]
        before = path.read_text()
        taken = await told(agent, "propose_pack_edit", text="# x\n", **asked)
        assert taken["error"]["reason"] == "already_exists"
        assert str(home.folder) not in str(taken)
        done = await told(
            agent,
            "propose_pack_edit",
            text=before + "\nquokkas\n",
            base_hash=source["content_hash"],
            **asked,
        )
        assert done["status"] == "pending"
        assert [one["id"] for one in (await told(agent, "list_pending"))["items"]] == [done["id"]]
        assert path.read_text() == before
        assert not finds(home, "quokkas")
        (item,) = home.json("review")["items"]
        assert (item["id"], item["about"]) == (done["id"], "pack_edit")
        shown = home.json("review", done["id"])
        assert [one["text"] for one in shown["diff"] if one["sign"] == "+"] == ["quokkas", ""]
        readers = shown["readers"]
        assert (readers["you"], readers["agents"], readers["people"]) == (True, "proposer", [])
        home.json("pack", "accept", done["id"], "--shown", shown["shown"])
        assert path.read_text() == before + "\nquokkas\n"
        assert finds(home, "quokkas")
        assert (await told(agent, "list_pending"))["items"] == []
    assert home.run("pack", "accept", done["id"], "--shown", shown["shown"]).code == 5


def test_a_watcher_holds_what_changes_outside_until_it_is_accepted(home: Shell) -> None:
    """AG-17"""
    home.json("lobe", "set", "prj_a", "--hold")
    file = home.folder / "spaces" / "prj_a" / "goals.md"
    with home.started("index", "--watch"):
        until = time.monotonic() + SECONDS
        while not home.json("review")["items"]:
            assert time.monotonic() < until
            # Again, as the first may come before it watches: an editor saves more than once.
            file.write_text("# Goals\n\nquokkas\n")
    held = home.json("index")["held"]
    assert held == [{"space": "prj_a", "path": "goals.md", "change": "changed", "state": "waiting"}]
    assert not finds(home, "quokkas")
    (item,) = home.json("review")["items"]
    assert item["statement"] == "changed outside: goals.md"
    rejected = home.json("pack", "reject", item["id"], "--reason", "wrong")
    assert [one["status"] for one in rejected["done"]] == ["rejected"]
    assert [one["state"] for one in home.json("index")["held"]] == ["rejected"]
    home.json("pack", "reopen", item["id"])
    home.json("pack", "accept", item["id"], "--yes")
    assert finds(home, "quokkas")
    assert home.json("index")["held"] == []
