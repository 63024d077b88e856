"""A store that lacks the last writes, on the command line."""

from __future__ import annotations

import shutil

from lobes.domain.agents import MARKERS
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
