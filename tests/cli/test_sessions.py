"""`session` as other programs call it: shapes, exit codes, words, and who is told."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from shell import Shell, shell_on
from world_home import document_id, session_id, write_session

KEY = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
EVIL = "Moved \x1b[31mthe ledger.\u202e\nIn two lines."
GOALS = document_id("prj_a", "goals.md")
AGENT = ("--as", "ai:ada/proposer@prj_a")
BOB = ("--as", "user:bob")
ABOUT = {"id", "space", "person", "actor", "client", "visibility", "started"}
TURN = {
    "turn",
    "at",
    "actor",
    "summary",
    "decisions",
    "evidence",
    "is_external",
    "sensitivity",
    "detectors",
}


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """A home of ada's with two Spaces; in the first one there are a session of hers and one of
    Bob's, who may converse there."""
    with shell_on(tmp_path_factory.mktemp("session") / "home") as shell:
        shell.json("init", "--presence", "off", "--user", "ada")
        for space in ("prj_a", "prj_b"):
            shell.json("space", "new", space)
        shell.json("person", "add", "bob")
        shell.json("index")
        shell.json("permission", "grant", "space/prj_a", "collaborator", "user:bob")
        shell.json("permission", "set", "space/prj_a", "--visibility", "restricted")
        with closing(sqlite3.connect(shell.folder / "data" / "lobes.db")) as store, store:
            turns = (
                {"summary": EVIL, "decisions": [f"Keep {KEY}."], "evidence": [GOALS]},
                {"summary": f"Took {KEY}.", "sensitivity": "confidential"},
            )
            mine = session_id("prj_a"), "prj_a", "ada"
            write_session(store, *mine, client="codex \x1b[31m", turns=turns)
            write_session(store, session_id("prj_a", "bobs"), "prj_a", "bob")
        yield shell


def test_the_list_holds_ones_own_alone(two: Shell) -> None:
    for words in ((), ("--space", "prj_a"), AGENT):
        found = two.json("session", "list", *words)
        assert found["total"] == 1
        assert found["next"] is None
        (row,) = found["items"]
        assert row.keys() == ABOUT | {"last", "turns"}
        assert (row["id"], row["visibility"]) == (session_id("prj_a"), "private")
        assert row["turns"] == (1 if words == AGENT else 2)
    assert [one["person"] for one in two.json("session", "list", *BOB)["items"]] == ["bob"]
    assert two.json("session", "list", "--space", "prj_b")["items"] == []
    assert "No sessions yet" in two.run("session", "list", "--space", "prj_b").out


def test_one_is_shown_turn_by_turn(two: Shell) -> None:
    found = two.json("session", "show", session_id("prj_a"))
    assert found["session"].keys() == ABOUT
    one, other = found["items"]
    assert one.keys() == other.keys() == TURN
    assert (one["turn"], one["evidence"], found["total"]) == (1, [GOALS], 2)
    assert other["sensitivity"] == "confidential"
    assert other["detectors"] != []
    assert KEY not in str(found)
    (told,) = two.json("session", "show", session_id("prj_a"), *AGENT)["items"]
    assert told["turn"] == 1


def test_what_is_shown_passed_the_gate(two: Shell) -> None:
    for words in (("session", "show", session_id("prj_a")), ("session", "list")):
        out = two.run(*words).out
        assert not {"\x1b", "\u202e"} & set(out), words
        assert KEY not in out
    lines = two.run("session", "show", session_id("prj_a")).out.split("\n")
    assert "   In two lines." in lines
    assert any(one.startswith("   - Keep [") for one in lines)
    assert f"   rests on {GOALS}" in lines


def test_what_one_may_not_know_is_answered_as_what_never_was(two: Shell) -> None:
    never = session_id("never")
    for who in ((), BOB, AGENT):
        own = session_id("prj_a", "bobs" if who == BOB else "session")
        hidden = session_id("prj_a", "session" if who == BOB else "bobs")
        assert two.run("session", "show", own, *who).code == 0
        told = {
            (ran.code, ran.out)
            for id in (hidden, never, "x", "../x")
            for ran in (two.run("session", "show", id, "--json", *who),)
        }
        assert len(told) == 1
        assert next(iter(told))[0] == 3
    assert two.run("session", "list", "--space", "prj_b", *BOB).code == 3


def test_its_author_opens_it_by_permission(two: Shell) -> None:
    address = f"session/{session_id('prj_a')}"
    shown = two.json("permission", "show", address)
    assert (shown["owner"], shown["visibility"]) == ("ada", "private")
    assert two.run("permission", "show", address, *BOB).code == 3
    assert two.run("permission", "set", address, "--visibility", "inherit").code == 6
    two.json("permission", "set", address, "--visibility", "restricted")
    for verb in ("read_meta", "read_chat"):
        two.json("permission", "grant", address, verb, "user:bob")
    try:
        assert two.json("session", "list", *BOB)["total"] == 2
        assert two.json("can", "user:bob", "read_chat", address)["allowed"] is True
        assert two.json("can", "user:bob", "converse", address)["allowed"] is False
    finally:
        two.json("permission", "set", address, "--visibility", "private")
    assert two.json("session", "list", *BOB)["total"] == 1
