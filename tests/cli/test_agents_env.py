"""Inside a known agent's environment the command line acts as that agent, and no argument helps."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from shell import Ran, Shell, shell_on

AGENT = {"CLAUDECODE": "1"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """A home that asks for presence: one Space, one beside it, one that is closed."""
    with shell_on(tmp_path_factory.mktemp("agents") / "home") as shell:
        shell.json("init", "--user", "ada")
        for space in ("prj_a", "prj_open", "prj_secret"):
            shell.json("space", "new", space)
            (pack(shell, space) / "zephyr.md").write_text(f"# Zephyr\n\nzephyr of {space}\n")
        with closing(sqlite3.connect(shell.folder / "data" / "lobes.db")) as store, store:
            store.execute(
                "UPDATE space SET cross_space = 'deny', lobe_config = replace(lobe_config,"
                " '\"open\"', '\"deny\"') WHERE id = 'prj_secret'"
            )
        shell.json("index", "--wait")
        yield shell


def pack(shell: Shell, space: str) -> Path:
    return shell.folder / "spaces" / space


def agent(shell: Shell, *words: str, at: str = "prj_a", **env: str) -> Ran:
    return shell.run(*words, "--json", cwd=pack(shell, at), **(env or AGENT))


def reason(ran: Ran) -> tuple[int, str]:
    return ran.code, ran.document["error"]["reason"]


@pytest.mark.parametrize(
    "env",
    [{"CLAUDECODE": "1"}, {"CODEX_SANDBOX": "seatbelt"}, {"AGENT": "goose"}],
    ids=str,
)
def test_a_known_agent_is_bound_to_where_it_works(guarded: Shell, env: dict[str, str]) -> None:
    ran = agent(guarded, "lobe", "set", "prj_a", "--private", **env)
    assert reason(ran) == (4, "ai_bar")


def test_it_reads_what_its_space_draws_on_and_nothing_else(guarded: Shell) -> None:
    ran = agent(guarded, "search", "zephyr", "--space", "prj_a")
    assert {one["space"] for one in ran.document["items"]} == {"prj_a", "prj_open"}
    assert "prj_secret" not in ran.out
    unnamed = agent(guarded, "search", "zephyr")
    assert [one["id"] for one in unnamed.document["items"]] == [
        one["id"] for one in ran.document["items"]
    ]
    listed = agent(guarded, "space", "list")
    assert {one["id"] for one in listed.document["items"]} == {"prj_a", "prj_open"}


def test_a_deeper_folder_is_in_its_space_and_a_nested_space_wins(guarded: Shell) -> None:
    inner = pack(guarded, "prj_a") / "deep" / "er"
    inner.mkdir(parents=True, exist_ok=True)
    ran = guarded.run("space", "show", "prj_a", "--json", cwd=inner, **AGENT)
    assert ran.code == 0


@pytest.mark.parametrize("words", [("space", "list"), ("status",), ("search", "x", "--space",
                                   "prj_a"), ("which", "."), ("index",)])  # fmt: skip
def test_outside_any_space_it_is_nobody(guarded: Shell, words: tuple[str, ...]) -> None:
    ran = guarded.run(*words, "--json", cwd=guarded.folder.parent, **AGENT)
    assert reason(ran) == (4, "outside_space")
    assert "CLAUDECODE" in ran.document["error"]["message"]


@pytest.mark.parametrize("space", ["prj_open", "prj_secret", "prj_nowhere"])
def test_another_space_is_not_there_for_it(guarded: Shell, space: str) -> None:
    """The same answer for one that it may know, one that it may not, and one that never was."""
    said = {
        agent(guarded, *words, "--space", space).out
        for words in (("search", "zephyr"), ("space", "list"), ("index",))
    }
    assert len(said) == 1
    ran = agent(guarded, "search", "zephyr", "--space", space)
    assert reason(ran) == (3, "not_found")


@pytest.mark.parametrize("words", [
    ("space", "trash", "prj_a", "--yes"), ("space", "trust", "prj_a", "--yes"),
    ("space", "new", "prj_b"), ("space", "finish", "prj_a"), ("engine", "stop"),
    ("doctor", "--fix"), ("index", "prj_a"),
    ("presence", "passphrase"), ("space", "edit", "prj_a", "--name", "x"),
])  # fmt: skip
def test_a_reader_changes_and_decides_nothing(guarded: Shell, words: tuple[str, ...]) -> None:
    """AG-15."""
    assert agent(guarded, *words).code == 4
    assert guarded.json("space", "show", "prj_a")["name"] == "prj_a"


def test_the_record_is_not_there_for_it(guarded: Shell) -> None:
    for word in ("list", "verify"):
        assert reason(agent(guarded, "audit", word)) == (3, "not_found")


def test_it_makes_no_home_but_a_throwaway_one_where_it_is_told(
    guarded: Shell, tmp_path: Path
) -> None:
    with shell_on(tmp_path / "home") as fresh:
        assert fresh.run("init", **AGENT).code == 4
        assert not fresh.folder.exists()
        assert fresh.run("init", "--presence", "off", "--user", "ada", **AGENT).code == 0
        assert fresh.run("space", "new", "prj_x", **AGENT).code == 0
    with shell_on(tmp_path / "mine") as fresh:
        words = [one for one in fresh.words("init", "--presence", "off") if isinstance(one, str)]
        where = words.index("--home")
        import subprocess

        own = [*words[:where], *words[where + 2 :]]
        ran = subprocess.run(own, env={**fresh.env, **AGENT}, capture_output=True, check=False)
        assert ran.returncode == 4
        assert not (tmp_path / "mine-person" / "data" / "lobes").exists()


@pytest.mark.parametrize("name", ["user:ada", "user:nobody", "ai:ada/editor@prj_secret"])
def test_in_a_home_of_a_person_nobody_says_who_they_are(guarded: Shell, name: str) -> None:
    """Privacy, "any local process supplies another user_id": who acts is no argument."""
    for words in (("space", "list"), ("search", "zephyr", "--space", "prj_secret"), ("doctor",)):
        ran = guarded.run(*words, "--as", name, "--json")
        assert reason(ran) == (4, "no_presence"), words
        assert "prj_" not in ran.out


def test_a_home_without_presence_knows_no_agent(shell: Shell) -> None:
    assert shell.run("space", "trash", "prj_a", "--yes", **AGENT).code == 0


def test_neither_app_nor_demo_opens_for_it(guarded: Shell) -> None:
    for words in ((), ("demo",)):
        ran = guarded.run(*words, **AGENT)
        assert ran.code == 4, words


def test_it_is_told_who_it_counts_as(guarded: Shell) -> None:
    told = agent(guarded, "presence").document
    assert (told["presence"], told["present"], told["agent"]) == ("on", False, "Claude Code")
    mine = guarded.json("presence")
    assert (mine["present"], mine["agent"], mine["terminal"]) == (False, None, False)


def test_the_record_names_the_agent(guarded: Shell) -> None:
    agent(guarded, "space", "show", "prj_a")
    guarded.run("status", cwd=guarded.folder.parent, **AGENT)
    with closing(sqlite3.connect(guarded.folder / "data" / "audit.db")) as store:
        who = {row[0] for row in store.execute("SELECT DISTINCT actor FROM audit")}
    assert {"ai:ada/reader@prj_a", "ai:ada/reader@-"} <= who


@pytest.mark.parametrize("name", ["user:bob", "ai:bob/reader@prj_a", "ai:ada/reader@prj_gone",
                                  "ai:ada/editor@prj_trashed"])  # fmt: skip
def test_who_is_not_there_answers_like_what_is_not_there(shell: Shell, name: str) -> None:
    shell.json("space", "new", "prj_trashed")
    shell.json("space", "trash", "prj_trashed", "--yes")
    gone = shell.run("space", "show", "prj_none", "--json")
    for words in (("space", "list"), ("status",), ("space", "show", "prj_a")):
        ran = shell.run(*words, "--as", name, "--json")
        assert (ran.code, ran.out) == (gone.code, gone.out)


def test_the_app_is_not_opened_as_somebody_else(shell: Shell) -> None:
    assert shell.run("--as", "ai:ada/reader@prj_a").code == 4


def test_the_largest_preset_of_the_space_holds_from_the_next_call_on(shell: Shell) -> None:
    """The smaller of the two wins, whichever it is."""

    def codes() -> list[int]:
        asked = ("ai:ada/reader@prj_a", "ai:ada/proposer@prj_a", "ai:ada/editor@prj_a")
        return [shell.run("index", "prj_a", "--as", name).code for name in asked]

    assert codes() == [4, 4, 4], "a new Space lets agents be proposers at most"
    shell.json("lobe", "set", "prj_a", "--agent-preset", "editor")
    assert codes() == [4, 4, 0]
    shell.json("lobe", "set", "prj_a", "--agent-preset", "reader")
    assert codes() == [4, 4, 4]


def test_an_ai_that_a_superuser_drives_is_no_superuser(shell: Shell) -> None:
    """AZ-03."""
    with closing(sqlite3.connect(shell.folder / "data" / "lobes.db")) as store, store:
        store.execute(
            "INSERT INTO person (id, name, is_superuser, created)"
            " VALUES ('root', 'R', 1, '2026-01-01T00:00:00+00:00')"
        )
    assert shell.run("space", "show", "prj_a", "--as", "user:root").code == 0
    assert shell.run("lobe", "set", "prj_a", "--tag", "t", "--as", "user:root").code == 0
    for words in (("space", "show", "prj_a"), ("lobe", "set", "prj_a", "--private")):
        gone = shell.run(*words, "--as", "ai:root/editor@prj_none", "--json")
        ran = shell.run(*words, "--as", "ai:root/editor@prj_a", "--json")
        assert (ran.code, ran.out) == (3, gone.out)
    with closing(sqlite3.connect(shell.folder / "data" / "lobes.db")) as store, store:
        store.execute("UPDATE person SET is_superuser = 1 WHERE id = 'ada'")
    ran = shell.run("lobe", "set", "prj_a", "--private", "--as", "ai:ada/editor@prj_a", "--json")
    assert reason(ran) == (4, "ai_bar")
