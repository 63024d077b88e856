"""What the shell does when something is wrong: hung engines, damaged stores, faults of ours."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import psutil
import pytest

from lobes.cli.app import run
from lobes.cli.index import SLICE_SECONDS, _unconfirmed
from lobes.cli.session import Session
from lobes.config.folders import Folders
from lobes.engine.protocol import EngineStatus, Waited
from lobes.services.indexing import IndexReport
from lobes.services.installation import Installation
from shell import Shell, shell_on, until


@contextmanager
def hung(shell: Shell) -> Generator[psutil.Process]:
    """The home's engine, stopped in the middle; it is gone afterwards."""
    shell.json("search", "x", "--space", "prj_a")
    (engine,) = shell.engines()
    engine.suspend()
    try:
        yield engine
    finally:
        if engine.is_running():
            engine.kill()


# A hung engine ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_hung_engine_keeps_nothing_from_being_stored(shell: Shell) -> None:
    """Everything but search works; only that the words can be found is not confirmed."""
    shell.json("space", "new", "prj_b")
    with hung(shell):
        ran = shell.run("index", "--json")
        assert ran.code == 7, ran
        assert (ran.document["indexed"] > 0, ran.document["error"]["reason"]) == (
            True,
            "engine_hung",
        )
        assert {root["state"] for root in ran.document["roots"]} == {"ok"}
        plain = shell.run("index")
        assert "unchanged" in plain.out
        assert "lobes engine stop" in plain.err
        status = shell.json("status")
        assert status["documents"] == ran.document["indexed"] + ran.document["unchanged"]
        assert any("lobes engine stop" in one for one in status["problems"])
        assert shell.json("engine", "stop") == {"stopped": True}
        assert shell.engines() == []
    shell.json("index")


def test_ctrl_c_is_heard_while_words_are_waited_for(shell: Shell) -> None:
    """A hung engine would hold the wait for ten minutes."""
    with hung(shell), shell.started("index", "--json") as process:
        until(lambda: _documents(shell) > 0)
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, time.monotonic() - started < 6) == (130, True)
        assert b"Traceback" not in err
        assert json.loads(out)["indexed"] > 0


class Behind:
    """An engine that answers and isn't there yet; ctrl+c comes while it is asked again."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self.waits: list[float] = []

    def wait_words(self, seq: int, *, seconds: float) -> Waited:
        self.waits.append(seconds)
        if len(self.waits) == 3:
            self._stop.set()
        return Waited(False, EngineStatus("indexing"))


def test_words_are_waited_for_in_slices_that_hear_ctrl_c() -> None:
    """An engine with much to do may take ten minutes, and answers no signal of ours."""
    stop = threading.Event()
    engine = Behind(stop)
    home = cast("Installation", SimpleNamespace(engine=engine))
    session = Session(broken)
    assert _unconfirmed(session, home, IndexReport(seq=5), wait=True, stop=stop) is None
    assert engine.waits == [SLICE_SECONDS] * 3
    assert SLICE_SECONDS <= 1


def _documents(shell: Shell) -> int:
    import sqlite3
    from contextlib import closing

    with closing(sqlite3.connect(shell.folder / "data" / "lobes.db", timeout=10)) as store:
        return store.execute("SELECT count(*) FROM document").fetchone()[0]


# A damaged store -------------------------------------------------------------------------------


def test_the_doctor_answers_for_a_store_that_can_not_be_opened(shell: Shell) -> None:
    """DU-08: every command sends the person to the doctor, who must not send them on."""
    import subprocess

    data = shell.folder / "data"
    store = data / "lobes.db"
    (data / "backups").mkdir(exist_ok=True)
    sound = data / "backups" / "lobes-schema1-20260101T000000.db"
    sound.write_bytes(store.read_bytes())
    (data / "backups" / "lobes-schema1-20260102T000000.db").write_bytes(b"no store")
    with store.open("r+b") as file:
        file.write(b"\0" * 100)
    assert shell.run("status").code == 7
    ran = shell.run("doctor", "--json")
    assert ran.code == 1
    (problem,) = [one for one in ran.document["items"] if one["level"] == "problem"]
    assert "damaged" in problem["text"]
    assert sound.name in problem["hint"]
    assert "lobes doctor" not in problem["hint"]
    assert [one["text"] for one in ran.document["items"] if "20260102" in one["text"]] == []
    assert shell.run("doctor", "--fix").code == 1
    subprocess.run(problem["hint"], shell=True, check=True)
    assert shell.json("space", "list")["total"] == 1


@pytest.mark.parametrize("content", [b"", b"this is no database at all, but a text" * 9])
def test_the_doctor_names_a_store_without_a_backup(shell: Shell, content: bytes) -> None:
    (shell.folder / "data" / "lobes.db").write_bytes(content)
    ran = shell.run("doctor", "--json")
    assert ran.code == 1
    (problem,) = ran.document["items"]
    assert "no backup" in problem["hint"]


# The demo --------------------------------------------------------------------------------------


def test_the_demo_never_acts_in_a_home_that_it_did_not_make(tmp_path: Path) -> None:
    """It would add Spaces and change lobes as a person who isn't there."""
    with shell_on(tmp_path / "home") as shell:
        shell.json("init", "--user", "ada")
        ran = shell.run("demo", "--json")
        assert (ran.code, ran.document["error"]["reason"]) == (5, "not_a_demo")
        assert ran.document["error"]["hint"]
        assert shell.json("space", "list")["total"] == 0


@pytest.mark.slow
def test_the_demo_fills_its_home_once_and_nobody_counts_as_present_then(tmp_path: Path) -> None:
    with shell_on(tmp_path / "home") as shell:
        assert shell.run("demo").code == 0
        assert shell.json("space", "list")["total"] == 6
        shell.json("space", "archive", "area_health")
        again = shell.run("demo")
        assert (again.code, "asks:" in again.out) == (0, True)
        assert shell.json("space", "list")["total"] == 5
        assert shell.run("lobe", "set", "prj_initech", "--no-private").code == 4


# A person is asked only what a person may answer -------------------------------------------------


@pytest.mark.parametrize("words", [("--yes",), ()])
def test_trust_without_a_person_is_refused_before_anything_is_asked(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    with shell_on(tmp_path / "home") as shell:
        shell.json("init", "--user", "ada")
        manifest = tmp_path / "pack" / "space.yaml"
        manifest.parent.mkdir()
        text = "id: prj_a\ntype: project\nname: A\nmemory: {{cross_space_retrieval: {}}}\n"
        manifest.write_text(text.format("deny"))
        shell.json("space", "add", str(manifest.parent), "--yes")
        manifest.write_text(text.format("open"))
        shell.json("index")
        assert shell.json("space", "list")["items"][0]["waits_for_trust"]
        ran = shell.run("space", "trust", "prj_a", "--json", *words)
        assert (ran.code, ran.document["error"]["reason"]) == (4, "no_presence")


# A fault of ours -------------------------------------------------------------------------------


def broken(folders: Folders, *, demo: bool) -> int:
    secret = "/home/ada/secret-project"
    try:
        raise ValueError(secret)
    except ValueError as error:
        raise RuntimeError(f"it broke at {secret}") from error


@pytest.mark.parametrize("how", ["--debug", "LOBES_DEBUG"])
def test_a_fault_of_ours_is_noted_without_a_word_of_anybodys(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    how: str,
) -> None:
    words = ["--home", str(tmp_path / "h")]
    if how == "--debug":
        words.append(how)
    else:
        monkeypatch.setenv(how, "1")
    assert run(words, open_tui=broken) == 1
    err = capsys.readouterr().err
    (log,) = (tmp_path / "h" / "state" / "log").iterdir()
    assert log.name in err
    assert "secret" not in err
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    text = log.read_text()
    assert "builtins.RuntimeError" in text
    assert "builtins.ValueError" in text
    assert "  lobes.cli.app:root:" in text
    for word in ("secret", "it broke", str(tmp_path), "test_faults", ".py"):
        assert word not in text


def test_a_fault_of_ours_leaves_no_log_unasked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["--home", str(tmp_path / "h")], open_tui=broken) == 1
    assert "--debug" in capsys.readouterr().err
    assert not (tmp_path / "h").exists()


# Options ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["--no-color"], []])
def test_no_color_reaches_the_app(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """A home without a command opens the app, with or without the option."""
    monkeypatch.setenv("NO_COLOR", "")
    monkeypatch.delenv("NO_COLOR")
    opened: list[tuple[Folders, str | None]] = []

    def open_tui(folders: Folders, *, demo: bool) -> int:
        opened.append((folders, os.environ.get("NO_COLOR")))
        return 0

    assert run(["--home", str(tmp_path / "h"), *words], open_tui=open_tui) == 0
    ((folders, no_color),) = opened
    assert folders.data == tmp_path / "h" / "data"
    assert no_color == ("1" if words else None)


@pytest.mark.parametrize("flags", [(), ("--json",)])
def test_a_full_disk_behind_the_output_is_one_line_and_no_traceback(
    shell: Shell, flags: tuple[str, ...]
) -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "lobes", "--home", str(shell.folder), "status", *flags],
            stdout=full,
            stderr=subprocess.PIPE,
            env=shell.env,
            text=True,
            check=False,
        )
    assert ended.returncode == 1
    assert ended.stderr == "The output couldn't be written: its disk is full or gone.\n"
