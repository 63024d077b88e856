"""`memory erase` and `space erase` over real processes, with a real engine."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from lobes.domain.ids import derived_id
from shell import Shell, until
from traces import traces
from world_home import write_rows

MARKER = "Zephyrquokka Quibblewort"
ID = derived_id("memory", "prj_a")


@pytest.fixture
def marked(shell: Shell) -> Shell:
    """A home whose one memory holds the marker, in the index too."""
    with closing(sqlite3.connect(shell.folder / "data" / "lobes.db")) as store, store:
        item = {"in": "space/prj_a", "statement": MARKER, "person": "ada"}
        write_rows(store, {"people": [], "items": {f"memory/{ID}": item}})
    shell.json("index", "--wait")
    found = shell.json("search", MARKER, "--space", "prj_a")
    assert [one["id"] for one in found["items"]] == [ID]
    return shell


def left(shell: Shell) -> list[str]:
    return traces(shell.folder, MARKER, *MARKER.split(), without=(shell.folder / "spaces",))


@pytest.mark.slow
def test_erased_while_the_engine_runs_it_is_in_no_file(marked: Shell) -> None:
    """DU-11: with the model that comes with the package, and LanceDB."""
    assert len(marked.engines()) == 1
    done = marked.json("memory", "erase", ID, "--confirm", ID)
    assert (done["erased"], done["left"]) == (True, [])
    assert left(marked) == []
    found = marked.json("search", MARKER, "--space", "prj_a")
    assert ID not in [one["id"] for one in found["items"]]
    marked.json("index", "--wait")
    assert left(marked) == []


def test_yes_types_nothing_and_a_wrong_name_erases_nothing(marked: Shell) -> None:
    for more in (["--yes"], ["--confirm", "prj_a"], ["--yes", "--json"]):
        ran = marked.run("memory", "erase", ID, *more)
        assert ran.code == 5, ran
    assert ID in marked.run("memory", "erase", ID, "--yes").err
    shown = marked.run("memory", "erase", ID, "--dry-run")
    assert shown.code == 0
    for words in ("Loses it", "Not reached", "snapshots"):
        assert words in shown.out
    ran = marked.run("space", "erase", "prj_a", "--confirm", ID)
    assert ran.code == 5
    assert left(marked)


@pytest.mark.slow
def test_two_processes_that_erase_at_once(marked: Shell) -> None:
    words = marked.words("memory", "erase", ID, "--confirm", ID, "--json")
    both = [
        subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=marked.env)
        for _ in range(2)
    ]
    said = [json.loads(one.communicate(timeout=60)[0]) for one in both]
    codes = [one.returncode for one in both]
    assert sorted(codes) == [0, 3], said
    assert "Erasures" not in marked.run("doctor", "store").out
    assert left(marked) == []


@pytest.mark.slow
def test_space_erased_while_a_watch_follows_it(marked: Shell) -> None:
    with marked.started("index", "--watch", "--json") as watching:
        until(lambda: len(marked.engines()) == 1)
        done = marked.json("space", "erase", "prj_a", "--confirm", "prj_a")
        assert done["left"] == []
        assert left(marked) == []
        watching.terminate()
    assert marked.run("space", "show", "prj_a").code == 3
    assert (Path(marked.folder) / "spaces" / "prj_a" / "space.yaml").exists()
