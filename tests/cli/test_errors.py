"""Exit codes, where errors go, and that nothing else goes anywhere."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from lobes.cli.app import COMMANDS
from shell import Ran, Shell, shell_on

FAILS: list[tuple[tuple[str | bytes, ...], int, str]] = [
    (("nothing",), 2, "usage"),
    (("search",), 2, "usage"),
    (("search", "x", "-k", "0"), 2, "usage"),
    (("lobe", "set", "prj_a", "--cross-space", "wide"), 2, "usage"),
    (("space", "show", "prj_x"), 3, "not_found"),
    (("search", "x", "--space", "prj_x"), 3, "not_found"),
    (("search", "x", "--space", b"\xff"), 3, "not_found"),
    (("space", "show", b"\xff\xfe"), 3, "not_found"),
    (("space", "show", "' OR 1=1 --"), 3, "not_found"),
    (("which", "/"), 3, "not_found"),
    (("index", "prj_x"), 3, "not_found"),
    (("index", "prj_x", "--rebuild"), 3, "not_found"),
    (("space", "finish", "prj_x"), 3, "not_found"),
    (("space", "finish", "prj_a", "--as", "ai:ada/reader@prj_a"), 4, "ceiling"),
    (("lobe", "set", "prj_a", "--private", "--as", "ai:ada/editor@prj_a"), 4, "ai_bar"),
    (("init",), 5, "exists"),
    (("space", "new", "prj_a"), 5, "exists"),
    (("space", "trash", "prj_a"), 5, "not_confirmed"),
    (("space", "new", "../x"), 6, ""),
    (("search", "x"), 6, "no_space"),
    (("lobe", "set", "prj_a"), 6, "no_change"),
    (("lobe", "set", "prj_a", "--tag", "a", "--untag", "a"), 6, "contradiction"),
    (("lobe", "set", "prj_a", "--tag", "a b"), 6, ""),
    (("lobe", "subscribe", "prj_a", "--to", "nothing"), 6, "bad_subscription"),
    (("space", "list", "--as", "root"), 6, "bad_actor"),
    (("space", "add", "/"), 6, "root_is_filesystem"),
    (("space", "add", "/no/such/folder"), 7, "root_missing"),
    (("space", "add", "x" * 5000, "--yes"), 6, "bad_name"),
    (("person", "superuser", "eve"), 2, "usage"),
    (("backup", ""), 6, "no_name"),
    (("memory", "export", "--space", "prj_a", "--to", ""), 6, "no_name"),
    (("space", "export", "prj_a", "--to", ""), 6, "no_name"),
    (("memory", "export", "--space", "prj_a", "--to", "/no/such/x.md"), 5, "changed_on_disk"),
    (("memory", "restore", b"a\xff\x1b[2Jb"), 3, "not_found"),
    (("memory", "delete", "--space", "prj_a", "--dry-run", "--session", b"a\xff"), 3, "not_found"),
]


@pytest.mark.parametrize(("words", "code", "reason"), FAILS)
def test_a_failure_has_its_code_and_is_one_document_or_two_lines(
    still: Shell, words: tuple[str | bytes, ...], code: int, reason: str
) -> None:
    """AZ-14, TE-16."""
    ran = still.run(*words, "--json")
    assert (ran.code, ran.err) == (code, "")
    error = ran.document["error"]
    assert error.keys() >= {"code", "reason", "message", "hint"}
    assert not reason or error["reason"] == reason
    plain = still.run(*words)
    assert plain.code == code
    assert plain.out == "" or reason == "not_confirmed"  # what it would do is shown first
    assert 1 <= len(plain.err.splitlines()) <= 2
    assert error["hint"] or code == 3
    assert_decent(ran, still)
    if reason != "not_confirmed":
        assert_decent(plain, still)


def assert_decent(ran: Ran, shell: Shell) -> None:
    said = ran.out + ran.err
    for word in ("Traceback", "sqlite", "SELECT", str(shell.folder), 'File "'):
        assert word not in said


def test_no_home_says_what_to_do_and_makes_nothing(tmp_path: Path) -> None:
    """Field: any read-only command on a fresh machine."""
    with shell_on(tmp_path / "fresh") as shell:
        person = tmp_path / "fresh-person"
        looks = [("status",), ("space", "list"), ("search", "x", "--space", "y"), ("lobe", "list"),
                 ("audit", "list"), ("doctor",), ("engine", "status"), ("engine", "stop"),
                 ("which", "."), ("index",)]  # fmt: skip
        for words in looks:
            ran = shell.run(*words, "--json")
            assert (ran.code, ran.document["error"]["reason"]) == (7, "no_home"), words
        for words in (("config", "path"), ("config", "show"), ("--help",), ("--version",)):
            assert shell.run(*words).code == 0
        assert not shell.folder.exists()
        assert list(person.iterdir()) == []


def test_a_damaged_store_is_said_and_left_alone(shell: Shell) -> None:
    """DU-07, DU-08."""
    store = shell.folder / "data" / "lobes.db"
    for content in (b"this is no database at all, but a text", b"", os.urandom(8192)):
        store.write_bytes(content)
        for words in (("status",), ("search", "x", "--space", "prj_a"), ("space", "new", "prj_q")):
            ran = shell.run(*words, "--json")
            assert ran.code == 7, (content[:10], words, ran)
            assert_decent(ran, shell)
        assert store.read_bytes() == content


def test_a_store_of_a_newer_lobes_is_read_and_never_written(shell: Shell) -> None:
    """DU-07."""
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(shell.folder / "data" / "lobes.db")) as store, store:
        store.execute("PRAGMA user_version = 99")
    assert shell.json("space", "list")["total"] == 1
    ran = shell.run("space", "new", "prj_q", "--json")
    assert (ran.code, ran.document["error"]["reason"]) == (7, "newer_schema")


def test_presence_is_asked_and_audited(tmp_path: Path) -> None:
    with shell_on(tmp_path / "home") as shell:
        shell.json("init", "--user", "ada")
        shell.json("space", "new", "prj_a")
        for words in (
            ("lobe", "set", "prj_a", "--private"),
            ("lobe", "subscribe", "prj_a", "--to", "tag:t"),
            ("space", "trash", "prj_a", "--yes"),
            ("audit", "list"),
            ("audit", "verify"),
        ):
            ran = shell.run(*words, "--json", "--yes")
            assert (ran.code, ran.document["error"]["reason"]) == (4, "no_presence"), words
        ran = shell.run("space", "list", "--as", "user:ada", "--json")
        assert (ran.code, ran.document["error"]["reason"]) == (4, "no_presence")
        assert shell.json("lobe", "show", "prj_a")["is_private"] is False
        assert shell.json("lobe", "set", "prj_a", "--private", "--dry-run")["saved"] is False
        again = shell.run("init", "--presence", "off", "--json")
        assert again.code == 5


def test_presence_off_can_not_be_set_on_a_home_that_is_there(tmp_path: Path) -> None:
    with shell_on(tmp_path / "home") as shell:
        shell.json("init", "--user", "ada")
        assert shell.run("init", "--presence", "off").code == 5
        assert shell.run("space", "list", "--as", "user:ada").code == 4


def test_interrupted_work_says_so(shell: Shell) -> None:
    pack = shell.folder / "spaces" / "prj_a"
    for number in range(1500):
        (pack / f"n{number}.md").write_text(f"# {number}\n\n{'word ' * 200}{number}\n")
    with shell.started("index", "--json") as process:
        _wait_for_documents(shell)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130, (out, err)
    assert b"Traceback" not in err
    report = shell.json("index")
    assert report["indexed"] + report["unchanged"] >= 1500


def _wait_for_documents(shell: Shell) -> None:
    import sqlite3
    from contextlib import closing

    from shell import until

    def some() -> bool:
        with closing(sqlite3.connect(shell.folder / "data" / "lobes.db", timeout=10)) as store:
            return store.execute("SELECT count(*) FROM document").fetchone()[0] > 0

    until(some)


@pytest.mark.parametrize("before", [True, False])
def test_global_options_stand_before_and_after_the_command(sampled: Shell, before: bool) -> None:
    options = ("--json", "--space", "prj_initech", "--quiet")
    command = ("search", "ledger", "-k", "1")
    ran = sampled.run(*options, *command) if before else sampled.run(*command, *options)
    assert (ran.code, len(ran.document["items"])) == (0, 1)


def test_the_home_may_come_from_the_environment_of_the_command_line(tmp_path: Path) -> None:
    with shell_on(tmp_path / "home") as shell:
        shell.json("init", "--user", "ada")
        words = [one for one in shell.words("space", "list", "--json")]
        index = words.index("--home")
        moved = [*words[:index], *words[index + 2 :], "--home", str(shell.folder)]
        ran = subprocess.run(moved, env=shell.env, capture_output=True, timeout=60, check=False)
        assert ran.returncode == 0


@pytest.mark.parametrize("command", [(), *((name,) for name in COMMANDS)])
def test_every_command_explains_itself(sampled: Shell, command: tuple[str, ...]) -> None:
    ran = sampled.run(*command, "--help")
    assert (ran.code, ran.err) == (0, "")
    assert "Usage: lobes" in ran.out
    assert all(len(line) <= 100 for line in ran.out.splitlines())


def test_every_command_in_a_group_explains_itself() -> None:
    from click.testing import CliRunner

    from lobes.cli.app import LazyGroup, root
    from lobes.cli.session import Session

    runner = CliRunner()
    for name in COMMANDS:
        command = root.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        if not isinstance(command, LazyGroup):
            continue
        for inner in command.lazy:
            ran = runner.invoke(root, [name, inner, "--help"], obj=Session(print))
            assert ran.exit_code == 0, (name, inner, ran.output)
            assert "Usage:" in ran.output


def test_without_a_terminal_the_app_is_not_opened(tmp_path: Path) -> None:
    with shell_on(tmp_path / "home") as shell:
        ran = shell.run()
        assert ran.code == 2
        assert "Traceback" not in ran.err


def test_files_are_the_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    """DU-17."""
    with shell_on(tmp_path / "home") as shell:
        old = os.umask(0)
        try:
            shell.json("init", "--sample", "--presence", "off")
            shell.json("index")
        finally:
            os.umask(old)
        loose = {
            str(one.relative_to(shell.folder))
            for one in [shell.folder, *shell.folder.rglob("*")]
            if not one.is_socket() and one.stat().st_mode & 0o077
        }
        assert loose == set()


@pytest.mark.parametrize("mark", ["Dropbox", ".stfolder"])
def test_a_home_in_a_synced_folder_is_refused_before_anything_is_written(
    tmp_path: Path, mark: str
) -> None:
    """DU-16."""
    (tmp_path / mark).mkdir()
    folder = tmp_path / "Dropbox" / "home" if mark == "Dropbox" else tmp_path / "home"
    with shell_on(folder) as shell:
        ran = shell.run("init", "--json")
        assert (ran.code, ran.document["error"]["reason"]) == (7, "synced_folder")
        assert not folder.exists()
        shell.json("init", "--accept-synced")


def test_the_app_asked_for_json_says_so_in_json(still: Shell) -> None:
    ran = still.run("--json")
    assert (ran.code, ran.err, ran.document["error"]["reason"]) == (2, "", "usage")
