"""A revoked grant and a withheld document, over the command line and between open processes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from shell import Shell, shell_on

BOB = ("--as", "user:bob")


@pytest.fixture
def shared(tmp_path: Path) -> Iterator[Shell]:
    """Ada's Space with two notes; the installation knows Bob."""
    with shell_on(tmp_path / "home") as shell:
        shell.json("init", "--presence", "off", "--user", "ada")
        shell.json("person", "add", "bob")
        shell.json("space", "new", "prj_a")
        root = Path(shell.json("space", "show", "prj_a")["root"])
        (root / "open.md").write_text("# Open\n\nThe zephyr crane lifts.\n")
        (root / "secret.md").write_text("# Secret\n\nThe zephyr vermilion is sealed.\n")
        shell.json("index", "--wait")
        yield shell


def found(shell: Shell, *who: str) -> set[str]:
    items = shell.json("search", "zephyr", "--space", "prj_a", "-k", "100", *who)["items"]
    return {item["path"] for item in items}


def pack(shell: Shell, *who: str) -> set[str]:
    return {one["path"] for one in shell.json("space", "show", "prj_a", *who)["pack"]}


def address(shell: Shell, path: str) -> str:
    files = shell.json("space", "show", "prj_a")["pack"]
    return next(f"doc/{one['id']}" for one in files if one["path"] == path)


def test_a_revoked_grant(shared: Shell) -> None:
    hidden = shared.run("search", "zephyr", "--space", "prj_a", "--json", *BOB)
    unknown = shared.run("search", "zephyr", "--space", "prj_no", "--json", *BOB)
    assert (hidden.code, hidden.out) == (3, unknown.out)
    shared.json("permission", "grant", "space/prj_a", "viewer", "user:bob")
    assert found(shared, *BOB) >= {"open.md", "secret.md"}
    assert shared.json("can", "user:bob", "read_content", "space/prj_a")["allowed"]
    lost = shared.json("permission", "revoke", "space/prj_a", "viewer", "user:bob")["loses"]
    assert lost == [{"person": "bob", "verbs": ["read_meta", "read_content"]}]
    again = shared.run("search", "zephyr", "--space", "prj_a", "--json", *BOB)
    assert (again.code, again.out) == (3, unknown.out)
    assert not shared.json("can", "user:bob", "read_content", "space/prj_a")["allowed"]


def test_a_withheld_document(shared: Shell) -> None:
    shared.json("permission", "grant", "space/prj_a", "viewer", "user:bob")
    whole = shared.json("space", "list", *BOB)["items"][0]["documents"]
    secret = address(shared, "secret.md")
    shared.json("permission", "set", secret, "--visibility", "private")
    assert "secret.md" not in found(shared, *BOB)
    assert "secret.md" not in pack(shared, *BOB)
    assert shared.json("space", "list", *BOB)["items"][0]["documents"] == whole - 1
    for words in (
        ("search", "vermilion sealed", "--space", "prj_a", "-k", "100"),
        ("space", "show", "prj_a"),
        ("lobe", "list"),
        ("status",),
        ("doctor",),
        ("permission", "show", secret),
        ("can", "me", "read_meta", secret),
    ):
        ran = shared.run(*words, "--json", *BOB)
        assert "vermilion" not in ran.out + ran.err, words
        assert "secret" not in (ran.out + ran.err).lower(), words
    assert shared.run("can", "me", "read_meta", secret, *BOB).code == 3
    shared.json("permission", "set", secret, "--visibility", "inherit")
    assert "secret.md" in found(shared, *BOB)


@contextmanager
def held_open(shell: Shell, actor: str) -> Generator[subprocess.Popen[str]]:
    script = Path(__file__).with_name("held_open.py")
    process = subprocess.Popen(
        [sys.executable, str(script), str(shell.folder), actor],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=shell.env,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def ask(process: subprocess.Popen[str], *line: str) -> Any:
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps(line) + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def test_what_one_process_takes_away_the_next_call_of_another_has_no_more(shared: Shell) -> None:
    secret = address(shared, "secret.md")
    gone = {"error": "not_found"}
    with held_open(shared, "user:ada") as ada, held_open(shared, "user:bob") as bob:
        assert ask(bob, "search", "prj_a", "zephyr") == gone
        for _ in range(3):
            assert ask(ada, "grant", "space/prj_a", "viewer", "user:bob") is True
            assert "secret.md" in ask(bob, "search", "prj_a", "zephyr")
            assert "vermilion" in ask(bob, "read", "prj_a", "secret.md")
            ask(ada, "change", secret, "private")
            assert "secret.md" not in ask(bob, "search", "prj_a", "zephyr vermilion")
            assert "secret.md" not in ask(bob, "show", "prj_a")
            assert ask(bob, "read", "prj_a", "secret.md") == gone
            ask(ada, "change", secret, "inherit")
            assert "secret.md" in ask(bob, "search", "prj_a", "zephyr")
            ask(ada, "change", "space/prj_a", "private")
            assert ask(bob, "search", "prj_a", "zephyr") == gone
            ask(ada, "change", "space/prj_a", "restricted")
            assert "secret.md" in ask(bob, "show", "prj_a")
            assert ask(ada, "revoke", "space/prj_a", "viewer", "user:bob") is True
            assert ask(bob, "search", "prj_a", "zephyr") == gone
            assert ask(bob, "read", "prj_a", "open.md") == gone
