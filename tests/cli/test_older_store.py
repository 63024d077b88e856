"""A store that lacks the last writes, on the command line."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from homes import opened_home
from lobes.cli.app import run
from lobes.domain.agents import MARKERS
from lobes.store.sequence import head_of
from shell import Shell


def test_an_older_store_is_refused_named_and_taken_by_the_word_alone(shell: Shell) -> None:
    """DU-15"""
    store = shell.folder / "data" / "lobes.db"
    copy = shutil.copyfile(store, shell.folder / "copy.db")
    shell.json("memory", "add", "Owls sleep by day.", "--space", "prj_a")
    shutil.copyfile(copy, store)
    refused = shell.run("status")
    assert refused.code == 7
    assert "older" in refused.err
    assert "--accept-older" in shell.run("doctor").out
    assert shell.run("doctor", "--accept-older").code == 5
    assert shell.run("doctor", "--accept-older", "--confirm", "yes").code == 5
    agent = {MARKERS[0].variable: "1"}
    assert shell.run("doctor", "--accept-older", "--confirm", "older", **agent).code == 4
    taken = shell.run("doctor", "store", "--accept-older", "--confirm", "older")
    assert "without its last 1 write" in taken.out
    assert shell.json("memory", "list")["items"] == []


def test_where_presence_is_asked_for_the_word_takes_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for marker in MARKERS:
        monkeypatch.delenv(marker.variable, raising=False)
    with opened_home(tmp_path / "home", presence="on") as home:
        pass
    line = ["--home", str(tmp_path / "home"), "doctor", "--accept-older", "--confirm", "older"]
    assert run(line, open_tui=lambda folders, demo: 0) == 4
    assert "terminal" in capsys.readouterr().err
    assert not head_of(home.folders.store).exists()
