"""`permission` and `can` as other programs call them: shapes, exit codes, words."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shell import Shell, shell_on


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """A home of ada's with one Space; Bob is known."""
    import sqlite3
    from contextlib import closing

    with shell_on(tmp_path_factory.mktemp("permission") / "home") as shell:
        shell.json("init", "--presence", "off", "--user", "ada")
        shell.json("space", "new", "prj_a")
        shell.json("space", "new", "prj_b")
        shell.json("space", "new", "prj_c")
        store = Path(shell.folder) / "data" / "lobes.db"
        with closing(sqlite3.connect(store)) as opened, opened:
            opened.execute(
                "INSERT INTO person (id, name, created) VALUES ('bob', 'Bob', '2026-01-01')"
            )
        yield shell


BOB = ("--as", "user:bob")


def test_a_role_is_given_tried_out_shown_and_taken(two: Shell) -> None:
    tried = two.json("permission", "grant", "space/prj_a", "viewer", "user:bob", "--dry-run")
    assert tried["saved"] is False
    gains = [{"person": "bob", "verbs": ["read_meta", "read_content"]}]
    assert tried["gains"] == gains
    assert two.run("space", "show", "prj_a", *BOB).code == 3
    given = two.json("permission", "grant", "space/prj_a", "viewer", "user:bob")
    assert (given["saved"], given["gains"], given["loses"]) == (True, gains, [])
    shown = two.json("permission", "show", "space/prj_a")
    assert shown["subjects"] == [
        {"subject": "user:bob", "role": "viewer", "verbs": [], "trouble": ""}
    ]
    assert shown["grants"] == {"read_content": ["user:bob"], "read_meta": ["user:bob"]}
    assert (shown["visibility"], shown["owner"], shown["readable"]) == ("public", "ada", True)
    assert two.run("space", "show", "prj_a", *BOB).code == 0
    lines = two.run("permission", "show", "space/prj_a").out
    assert "user:bob" in lines
    assert "viewer" in lines
    taken = two.json("permission", "revoke", "space/prj_a", "viewer", "user:bob")
    assert taken["loses"] == gains
    assert two.run("space", "show", "prj_a", *BOB).code == 3


def test_that_no_one_gains_is_said_of_those_alone_whom_one_may_know(two: Shell) -> None:
    two.run("permission", "grant", "space/prj_b", "viewer", "user:bob")
    two.run("permission", "grant", "space/prj_b", "change_permission", "user:bob")
    closed = ("lobe", "set", "prj_b", "--private", "--dry-run")
    tried = ("permission", "revoke", "space/prj_b", "viewer", "user:bob", "--dry-run")
    assert "No one gains anything." in two.run(*tried).out
    assert "No one you know of gains anything." in two.run(*tried, *BOB).out
    assert "No one you know of gains anything." in two.run(*closed).out


def test_can_tells_of_the_rules_and_not_of_what_is_hidden(two: Shell) -> None:
    assert two.json("can", "me", "read_content", "space/prj_c") == {
        "allowed": True,
        "reason": "owner",
        "sentence": "You own it.",
        "rule": 7,
        "cause": "",
        "would_change": "",
    }
    assert two.json("can", "user:bob", "read_meta", "space/prj_c")["allowed"] is False
    answers = {
        (ran.code, ran.out, ran.err)
        for space in ("prj_c", "prj_unknown")
        for ran in [two.run("can", "me", "read_meta", f"space/{space}", "--json", *BOB)]
    }
    assert [code for code, _, _ in answers] == [3]


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("permission", "show", "space/prj_unknown"), 3, "not_found"),
        (("permission", "show", "Space/prj_a"), 6, "bad_resource"),
        (("permission", "grant", "space/prj_b", "reader", "user:bob"), 6, "unknown_verb"),
        (("permission", "grant", "space/prj_b", "erase", "user:bob"), 6, "owner_only"),
        (("permission", "grant", "space/prj_b", "viewer", "user:Bob"), 6, "bad_subject"),
        (("permission", "grant", "space/prj_b", "viewer", "user:eve"), 6, "unknown_subject"),
        (("permission", "grant", "space/prj_b", "viewer", "group:x"), 6, "unknown_subject"),
        (("permission", "set", "space/prj_b", "--visibility", "pubic"), 2, "usage"),
        (("permission", "set", "space/prj_b", "--visibility", "private", "--shown", "0"),
         5, "changed"),
        (("permission", "show", "space/prj_b", "--as", "ai:ada/editor@prj_b"), 4, "ai_bar"),
        (("can", "fred", "read_meta", "space/prj_b"), 6, "bad_actor"),
        (("can", "me", "read_meta", "prj_b"), 6, "bad_resource"),
    ],
)  # fmt: skip
def test_what_is_refused_says_why(
    two: Shell, words: tuple[str, ...], code: int, reason: str
) -> None:
    ran = two.run(*words, "--json")
    assert (ran.code, ran.document["error"]["reason"]) == (code, reason)
    assert ran.err == ""


def test_a_change_needs_a_person(tmp_path: Path) -> None:
    with shell_on(tmp_path / "home") as shell:
        shell.json("init", "--user", "ada")
        shell.json("space", "new", "prj_a", "--yes")
        ran = shell.run("permission", "set", "space/prj_a", "--visibility", "private", "--json")
        assert (ran.code, ran.document["error"]["reason"]) == (4, "no_presence")
        assert shell.json("permission", "show", "space/prj_a")["visibility"] == "public"
