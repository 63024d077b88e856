"""`search` with memories among its answers, as text and as JSON."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from lobes.domain.ids import derived_id
from shell import Shell

COLUMNS = (
    "id, lobe, space, statement, kind, class, epistemic, written_status, author, person,"
    " content_hash, subject, created, updated, seal"
)


def remember(shell: Shell, lobe: str, statement: str, status: str = "active") -> str:
    id = derived_id(lobe, statement)
    space = lobe.removeprefix("space/") if lobe.startswith("space/") else None
    now = "2026-01-01T00:00:00+00:00"
    row = (id, lobe, space, statement, "error_fix", "project", "agent_inference", status, "agent",
           "ada", f"h{id}", "retries", now, now, "-")  # fmt: skip
    with closing(sqlite3.connect(shell.folder / "data" / "lobes.db")) as store, store:
        marks = ",".join("?" * len(row))
        store.execute(f"INSERT INTO memory ({COLUMNS}) VALUES ({marks})", row)
        store.execute(
            "INSERT INTO outbox (op, kind, id, lobe, content_hash)"
            " VALUES ('upsert', 'document', ?, ?, ?)",
            (id, lobe, f"h{id}"),
        )
    return id


def test_a_memory_is_an_item_of_kind_memory(shell: Shell) -> None:
    id = remember(shell, "personal/ada", "Zephyr retries for a minute.")
    remember(shell, "space/prj_a", "Zephyr was wrong.", "rejected")
    shell.json("index", "--wait")
    (item,) = shell.json("search", "zephyr", "--space", "prj_a")["items"]
    assert (item["id"], item["kind"], item["lobe"]) == (id, "memory", "personal/ada")
    assert (item["reason"], item["title"]) == ("personal", "retries")
    assert item["snippet"] == "Zephyr retries for a minute."
    assert (item["status"], item["contested"], item["author"]) == ("active", False, "agent")
    assert (item["epistemic"], item["memory_kind"]) == ("agent_inference", "error_fix")
    scores = item["scores"]
    assert scores["evidence"] == 0.9
    assert 0.5 <= scores["freshness"] < 1
    factors = scores["fused"] * scores["weight"] * scores["freshness"] * scores["evidence"]
    assert abs(item["score"] - factors) < 0.0002


def test_as_text_it_says_that_it_is_a_memory(shell: Shell) -> None:
    remember(shell, "personal/ada", "Zephyr retries for a minute.")
    shell.json("index", "--wait")
    told = shell.run("search", "zephyr", "--space", "prj_a", "--explain").out
    assert "personal  personal/ada  memory, error fix, by agent" in told
    assert "× evidence 0.90" in told


def test_a_promotion_that_nobody_confirms_is_a_conflict_and_a_look_ahead_is_none(
    shell: Shell,
) -> None:
    """As of every other decision: a program sees at the exit code that nothing was done."""
    id = shell.json("memory", "add", "Owls sleep by day.", "--space", "prj_a")["id"]
    ran = shell.run("memory", "promote", id, "--to", "personal/me", "--json")
    assert (ran.code, ran.document["error"]["reason"]) == (5, "not_confirmed")
    ahead = shell.json("memory", "promote", id, "--to", "personal/me", "--dry-run")
    assert (ahead["promoted"], len(ahead["readers"])) == (False, 1)
    assert shell.json("memory", "list", "--status", "proposed")["items"] == []
