"""How long a person waits for a command, for the engine, and for an engine that was killed."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.bench.homes import fresh_folders, open_home
from tests.bench.processes import Cost, costs, environment
from tests.bench.rows import Figure, ms
from tests.bench.timing import Stopwatch

from lobes.config.folders import Folders
from lobes.services.homes import add_samples
from lobes.services.indexing import index_all
from lobes.services.installation import Caller, Installation
from lobes.services.search import search

GROUP = "Starts"
RUNS = 15
ENGINE_RUNS = 7
SPACE = "prj_notidian"
QUESTION = "why does a note not link to itself"
_READ = "import sqlite3,sys; sqlite3.connect(sys.argv[1]).execute('SELECT * FROM home').fetchall()"


def program() -> list[str]:
    """The program as it was installed, else as a module."""
    script = Path(sys.executable).with_name("lobes")
    return [str(script)] if script.exists() else [sys.executable, "-m", "lobes"]


def measure() -> Iterator[Figure]:
    with fresh_folders() as folders, open_home(folders) as (lobes, caller):
        samples(lobes, caller)
        yield _help()
        yield _search(folders)
        yield from _engine(lobes, caller)


def samples(lobes: Installation, caller: Caller) -> None:
    """Add the sample Spaces and wait until their words and vectors are there."""
    add_samples(lobes, caller)
    report = index_all(lobes, caller)
    words = lobes.engine.wait_words(report.seq, seconds=60)
    vectors = lobes.engine.wait_vectors(seconds=120)
    assert words.reached, words.status
    assert vectors.reached, vectors.status


def _help() -> Figure:
    ours, bare = costs(
        [*program(), "--help"], [sys.executable, "-c", "pass"], environ=environment(), runs=RUNS
    )
    return _row("`lobes --help`", ours, bare, "`python -c pass`", most=0.15)


def _search(folders: Folders) -> Figure:
    asked = [*program(), "--home", str(folders.data.parent), "--space", SPACE, "search", QUESTION]
    bare = [sys.executable, "-c", _READ, str(folders.store)]
    ours, read = costs(asked, bare, environ=environment(), runs=RUNS)
    return _row("`lobes search`, engine up", ours, read, "Python, one read by sqlite3", most=0.3)


def _row(what: str, ours: Cost, bare: Cost, name: str, *, most: float) -> Figure:
    return Figure(
        GROUP,
        f"{what}, {RUNS} runs",
        str(ours),
        f"≤ {most:g} s",
        f"{name}: {bare}",
        ours.wall <= most,
        f"{ours.wall / bare.wall:.1f} × wall, {ours.cpu / bare.cpu:.1f} × CPU",
    )


def _engine(lobes: Installation, caller: Caller) -> list[Figure]:
    ready, first, again = Stopwatch(), Stopwatch(), Stopwatch()
    for _ in range(ENGINE_RUNS):
        lobes.engine.stop()
        ready.time(lambda: lobes.engine.wait_words(0, seconds=30))
        lobes.engine.stop()
        first.time(lambda: search(lobes, caller, QUESTION, space=SPACE))
        os.kill(lobes.engine.status().pid, signal.SIGKILL)
        again.time(lambda: lobes.engine.wait_words(0, seconds=30))
    return [
        _engine_row("engine: asked for → it answers", ready, 0.3),
        _engine_row("no engine → the first search is answered, by meaning too", first, 2.5),
        _engine_row("engine killed (SIGKILL) → another one answers", again, 0.5),
    ]


def _engine_row(what: str, watch: Stopwatch, most: float) -> Figure:
    return Figure(
        GROUP,
        f"{what}, {len(watch)} runs",
        ms(watch.p50),
        f"≤ {most:g} s",
        "",
        watch.p50 <= most,
        f"slowest {ms(max(watch.walls))}",
    )
