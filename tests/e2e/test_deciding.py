"""What agents propose is decided on by a person: each story over real processes, to the search."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from shell import Shell, shell_on

AGENT = "ai:ada/reader@prj_a"


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """One home without presence; each story has its own words in one Space."""
    with shell_on(Path(tmp_path_factory.mktemp("deciding")) / "home") as made:
        made.json("init", "--presence", "off", "--user", "ada")
        made.json("space", "new", "prj_a")
        made.json("index", "--wait")
        yield made


def proposed(shell: Shell, text: str, *more: str) -> str:
    """What an agent proposes; its id. It waits."""
    found = shell.json("memory", "propose", text, "--space", "prj_a", "--as", AGENT, *more)
    assert found["outcome"] == "pending", found
    return str(found["id"])


def found(shell: Shell, query: str, of: set[str], *more: str) -> set[str]:
    """Those of these memories that a search finds."""
    shell.json("index", "--wait")
    answer = shell.json("search", query, "--space", "prj_a", "-k", "50", *more)
    return {one["id"] for one in answer["items"] if one["kind"] == "memory"} & of


def listed(shell: Shell) -> set[str]:
    items = shell.json("memory", "list", "--space", "prj_a", "--status", "active")["items"]
    return {one["id"] for one in items}


def refused(shell: Shell, *words: str) -> Any:
    ran = shell.run(*words, "--json")
    assert ran.code == 5, ran
    return ran.document["error"]


def test_a_corrected_memory_is_out_of_search_and_list_at_once(shell: Shell) -> None:
    added = shell.json("memory", "add", "Zephyr retries wait 60 seconds.", "--space", "prj_a")
    old = added["id"]
    assert found(shell, "zephyr retries", {old}) == {old}
    new = proposed(shell, "Zephyr retries wait 5 minutes.", "--replaces", old)
    for asking in ((), ("--as", AGENT)):  # AG-01
        assert found(shell, "zephyr retries", {new}, *asking) == set()
    error = refused(shell, "memory", "accept", new, "--yes")
    assert error["reason"] == "needs_choice"  # AG-06: what you typed isn't retired by accepting
    one = shell.json("review", new)
    assert one["replaced"]["id"] == old
    assert [line["sign"] for line in one["diff"]] == ["-", "+"]
    shell.json("memory", "supersede", new, "--shown", one["shown"])
    assert found(shell, "zephyr retries", {new, old}) == {new}
    assert (new in listed(shell), old in listed(shell)) == (True, False)
    links = shell.json("memory", "show", old)["links"]
    assert links == [{"kind": "supersedes", "memory": new, "other": old}]
    shell.json("memory", "delete", new, "--yes")
    assert found(shell, "zephyr retries", {new, old}) == {old}


@pytest.mark.slow
def test_of_two_that_contradict_a_winner_is_picked(shell: Shell) -> None:
    words = (
        "The harbour service listens on port 8080.",
        "The harbour service listens on port 9090.",
    )
    first = shell.json("memory", "add", words[0], "--space", "prj_a")["id"]
    second = proposed(shell, words[1])
    assert "conflict" in shell.json("review", second)["flags"]
    assert refused(shell, "memory", "accept", second, "--yes")["reason"] == "needs_choice"
    shell.json("memory", "dispute", second, first, "--yes")
    assert found(shell, "harbour service port", {first, second}) == {first, second}
    shell.json("memory", "supersede", first, second, "--yes")
    assert found(shell, "harbour service port", {first, second}) == {first}
    assert shell.json("memory", "show", first)["status"] == "active"


def test_eight_variants_are_one_decision(shell: Shell) -> None:
    base = "Crane locks come before file locks in every nightly run of the loader"
    ids = [proposed(shell, f"{base}{end}") for end in (".", " too.", " there.", " now.")]
    ids += [proposed(shell, f"{start} {base}.") for start in ("Note:", "Also", "Here", "So")]
    queue = shell.json("review", "--groups")
    groups = {one["group"] for one in queue["items"] if one["id"] in ids}
    assert len(groups) == 1
    assert {one["id"] for one in queue["items"] if one["group"] in groups} == set(ids)
    kept, *others = ids
    shell.json("memory", "merge", *others, "--into", kept, "--yes")
    assert found(shell, "crane locks loader", set(ids)) == {kept}
    assert not {one["id"] for one in shell.json("review")["items"]} & set(ids)


def test_a_rejected_one_stays_away_until_it_is_reopened(shell: Shell) -> None:
    text = "Ledger exports are signed by the quartz key."
    id = proposed(shell, text)
    shell.json("memory", "reject", id, "--reason", "too_vague")
    again = shell.json("memory", "propose", text, "--space", "prj_a", "--as", AGENT)
    assert (again["outcome"], again["id"]) == ("suppressed", "")
    decided = shell.json("review", "--decided")["items"]
    (one,) = [one for one in decided if one["id"] == id]
    assert one["decision"] == {"act": "reject", "reason": "too_vague", "by": "user:ada"}
    shell.json("memory", "reopen", id)
    assert found(shell, "ledger quartz", {id}) == set()
    shell.json("memory", "accept", id, "--yes")
    assert found(shell, "ledger quartz", {id}) == {id}
    acts = [one["act"] for one in shell.json("memory", "history", id)["items"]]
    assert acts[0] == "propose"
    assert [act for act in acts if act != "recheck"][1:] == ["reject", "reopen", "accept"]


@pytest.mark.slow
def test_an_approval_holds_for_what_was_shown_alone(shell: Shell) -> None:
    id = proposed(shell, "Marble tiles are counted twice.")
    shown = shell.json("review", id)["shown"]
    shell.json("memory", "edit", id, "--text", "Marble tiles are counted once.", "--yes")
    assert refused(shell, "memory", "accept", id, "--shown", shown)["reason"] == "changed"
    assert refused(shell, "memory", "accept", id)["reason"] == "not_confirmed"
    ran = shell.run("memory", "accept", id, "--yes")
    assert (ran.code, ran.out) == (0, "Accepted: Marble tiles are counted once.\n")
    assert "Readers      you; agents of the Space as proposer" in ran.err


@pytest.mark.slow
def test_a_scope_is_counted_before_it_goes(shell: Shell) -> None:
    ids = {proposed(shell, text) for text in ("Opal doors close.", "Velvet ropes hang.")}
    scope = ("memory", "delete", "--space", "prj_a", "--author", "agent")
    counted = shell.json(*scope, "--dry-run")
    assert (counted["deleted"], counted["count"] >= 2) == (False, True)
    assert refused(shell, *scope)["reason"] == "not_confirmed"
    mine = listed(shell)
    gone = shell.json(*scope, "--yes")
    assert ids <= {one["id"] for one in gone["done"]}
    assert not {one["id"] for one in shell.json("review")["items"]} & ids
    kept = shell.json("memory", "list", "--space", "prj_a")["items"]
    assert {one["author"] for one in kept} <= {"user"}
    assert mine
