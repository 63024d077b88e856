"""A store that lacks the last writes, on the command line."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from homes import opened_home
from lobes.cli.app import run
from lobes.domain.agents import MARKERS
from lobes.domain.reasons import sentence
from lobes.store.sequence import head_of
from remembered import remember
from shell import Shell


def lacking_a_write(shell: Shell) -> None:
    store = shell.folder / "data" / "lobes.db"
    copy = shutil.copyfile(store, shell.folder / "copy.db")
    shell.json("memory", "add", "Owls sleep by day.", "--space", "prj_a")
    shutil.copyfile(copy, store)


def test_an_older_store_is_refused_named_and_taken_by_the_word_alone(shell: Shell) -> None:
    """DU-15"""
    lacking_a_write(shell)
    refused = shell.run("status")
    assert refused.code == 7
    assert "older" in refused.err
    assert "--accept-older" in shell.run("doctor").out
    assert shell.run("doctor", "--accept-older").code == 5
    assert shell.run("doctor", "--accept-older", "--confirm", "yes").code == 5
    for other in ("user:bob", "ai:ada/editor@prj_a"):
        words = ("doctor", "--accept-older", "--confirm", "older", "--as", other)
        assert shell.run(*words).code == 4
    taken = shell.run("doctor", "store", "--accept-older", "--confirm", "older")
    assert "without its last 1 write" in taken.out
    assert shell.json("memory", "list")["items"] == []


def test_a_home_that_knows_no_agents_takes_the_word_in_an_agents_environment_too(
    shell: Shell,
) -> None:
    lacking_a_write(shell)
    agent = {MARKERS[0].variable: "1"}
    assert shell.run("doctor", "store", "--accept-older", "--confirm", "older", **agent).code == 0


def test_under_json_nothing_is_asked(
    shell: Shell, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    lacking_a_write(shell)
    for stream in (sys.stdin, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    line = ["--home", str(shell.folder), "doctor", "--accept-older", "--json"]
    assert run(line, open_tui=lambda folders, demo: 0) == 5
    told = capsys.readouterr()
    assert json.loads(told.out)["error"]["reason"] == "not_confirmed"
    assert told.err == ""


@pytest.mark.parametrize("is_older", [True, False])
def test_where_presence_is_asked_for_the_word_takes_a_terminal_and_no_agent(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    is_older: bool,
) -> None:
    for marker in MARKERS:
        monkeypatch.delenv(marker.variable, raising=False)
    with opened_home(tmp_path / "home", presence="on") as home:
        home.a_space("prj_a", {})
        copy = shutil.copyfile(home.folders.store, tmp_path / "copy.db")
        remember(home, "space/prj_a", "Owls sleep by day.")
    if is_older:
        shutil.copyfile(copy, home.folders.store)
    before, noted = home.folders.store.read_bytes(), head_of(home.folders.store).read_bytes()
    line = ["--home", str(tmp_path / "home"), "doctor", "--accept-older", "--confirm", "older"]
    assert run(line, open_tui=lambda folders, demo: 0) == 4
    assert sentence("no_presence") in capsys.readouterr().err
    monkeypatch.setenv(MARKERS[0].variable, "1")
    monkeypatch.chdir(home.root("prj_a"))
    assert run(line, open_tui=lambda folders, demo: 0) == 4
    assert sentence("ai_bar" if is_older else "ceiling") in capsys.readouterr().err
    assert home.folders.store.read_bytes() == before
    assert head_of(home.folders.store).read_bytes() == noted
