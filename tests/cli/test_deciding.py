"""Decisions on memories as the shell tells them."""

from __future__ import annotations

from shell import Shell

KEY = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


def test_no_decision_tells_the_secret_of_what_was_decided(shell: Shell) -> None:
    id = shell.json("memory", "add", f"Deploy with {KEY}.", "--space", "prj_a")["id"]
    for words in (
        ("accept", id),
        ("edit", id, "--text", f"Deploy twice with {KEY}."),
        ("archive", id),
        ("restore", id),
        ("delete", id),
    ):
        ran = shell.run("memory", *words, "--yes")
        assert ran.code == 0, ran.err
        assert "hidden]" in ran.out
        assert KEY not in ran.out + ran.err
