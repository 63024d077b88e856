"""The two-group scenario at the shell: a Space of one group isn't there for a reader of another."""

from __future__ import annotations

import pytest

from shell import Shell


def test_a_space_of_one_group_does_not_exist_for_the_other(shell: Shell) -> None:
    for person in ("bob", "eve"):
        shell.json("person", "add", person)
    shell.json("group", "add", "acme", "--kind", "organization", "--name", "Acme")
    added = shell.json("group", "add", "red", "--kind", "team", "--in", "acme")
    assert (added["lobe"], added["parent"]) == ("team/red", "acme")
    shell.json("group", "add", "blue", "--kind", "team", "--in", "acme")
    shell.json("group", "join", "red", "--person", "bob")
    shell.json("group", "join", "blue", "--person", "eve")
    placed = shell.json("space", "edit", "prj_a", "--group", "red")
    assert (placed["gains"], placed["loses"]) == (["bob"], [])

    bob, eve = ("--as", "user:bob"), ("--as", "user:eve")
    assert shell.json("space", "list", *bob)["total"] == 1
    assert shell.json("space", "list", *eve)["total"] == 0
    hidden = shell.run("space", "show", "prj_a", *eve, "--json")
    unknown = shell.run("space", "show", "prj_never", *eve, "--json")
    assert (hidden.code, hidden.out, hidden.err) == (unknown.code, unknown.out, unknown.err)
    assert hidden.code == 3
    known = {one["id"] for one in shell.json("group", "list", *eve)["items"]}
    assert known == {"acme", "blue"}
    assert "red" not in str(shell.json("group", "show", "acme", *eve))
    lobes = {one["address"] for one in shell.json("lobe", "list", *eve)["items"]}
    assert lobes == {"personal/eve", "organization/acme", "team/blue"}

    removed = shell.json("group", "remove", "red", "--yes")
    assert removed["impact"]["spaces"] == ["prj_a"]
    assert shell.json("space", "list", *bob)["total"] == 0
    assert shell.json("space", "show", "prj_a")["group_known"] is False
    shell.json("group", "restore", "red")
    assert shell.json("group", "show", "red", *bob)["people"][1]["person"] == "bob"


def test_who_joins_and_leaves_is_told_by_name_as_is_the_group(shell: Shell) -> None:
    shell.json("person", "add", "bob", "--name", "Bob B.")
    shell.json("group", "add", "core", "--kind", "team", "--name", "Core Team")
    words = {
        ("group", "join", "core", "--person", "bob"): "Bob B. is a member of Core Team now.",
        ("group", "join", "core", "--person", "bob", "--role", "owner"): (
            "Bob B. is an owner of Core Team now."
        ),
        ("group", "leave", "core", "--person", "bob"): "Bob B. is out of Core Team.",
    }
    for command, line in words.items():
        assert shell.run(*command).out.strip() == line
    placed = shell.run("space", "edit", "prj_a", "--group", "core").out
    assert " is in Core Team now." in placed
    shown = shell.run("permission", "show", "space/prj_a").out
    assert "owner ada  group core" in shown


@pytest.mark.slow
def test_what_cant_be_is_refused_with_its_code_and_what_to_do(shell: Shell) -> None:
    shell.json("group", "add", "core", "--kind", "team")
    for words, code, reason in (
        (("group", "add", "x", "--kind", "department", "--in", "core"), 6, "wrong_nesting"),
        (("group", "add", "core", "--kind", "team"), 5, "exists"),
        (("group", "leave", "core"), 5, "last_owner"),
        (("group", "join", "core", "--person", "Bob"), 6, "bad_id"),
        (("group", "join", "core", "--person", "nobody"), 3, "not_found"),
        (("group", "join", "core", "--person", ""), 6, "bad_id"),
        (("group", "leave", "core", "--person", ""), 6, "bad_id"),
        (("group", "remove", "core"), 5, "not_confirmed"),
        (("group", "edit", "core"), 6, "no_change"),
        (("lobe", "subscribe", "prj_a", "--to", "department:core"), 6, "wrong_kind"),
        (("lobe", "subscribe", "prj_a", "--to", "group:core"), 6, "bad_subscription"),
        (("group", "join", "core", "--as", "ai:ada/editor@prj_a"), 4, "ai_bar"),
        (("person", "superuser", "nobody", "--add"), 3, "not_found"),
    ):
        ran = shell.run(*words, "--json")
        assert (ran.code, ran.document["error"]["reason"]) == (code, reason), words
