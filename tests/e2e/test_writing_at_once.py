"""Two agents, a command line, a person who decides and an open terminal write into one home at
once: nothing that was acknowledged is lost or there twice, and nobody hears of a lock."""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.agent import client, told
from tests.e2e.pty import Terminal
from tests.e2e.reviewer import words

from lobes.domain.passages import memory_passage_hash
from lobes.domain.proposals import PER_HOUR
from lobes.mcp.limits import PROPOSALS
from shell import SECONDS, Shell, shell_on

CLIENTS = 2
LEAST = 0.5
"""Seconds between two proposals of a client."""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Shell]:
    with shell_on(tmp_path / "home") as shell:
        shell.json("init", "--presence", "off", "--user", "ada")
        for space in ("prj_a", "prj_b"):
            shell.json("space", "new", space)
        shell.json("index", "--wait")
        yield shell


@dataclass
class Said:
    """What each of them was told: ids → statements, decisions, and all that could name a lock."""

    proposed: dict[str, str] = field(default_factory=dict[str, str])
    typed: dict[str, str] = field(default_factory=dict[str, str])
    decided: list[dict[str, str]] = field(default_factory=list[dict[str, str]])
    wrong: list[str] = field(default_factory=list[str])
    heard: list[str] = field(default_factory=list[str])


def statement(who: str, number: int) -> str:
    """A sentence whose words no other one has."""
    digest = hashlib.sha256(f"{who} {number}".encode()).hexdigest()
    letters = digest.translate(str.maketrans("0123456789", "ghijklmnop"))
    return f"{letters[:8].title()} {letters[8:16]} follows {letters[16:24]} {letters[24:32]}."


async def an_agent(home: Shell, name: str, said: Said, until: float) -> None:
    """Proposes in session after session, and searches in between."""
    number, most = 0, (PER_HOUR - 20) // CLIENTS
    pause = max(LEAST, (until - time.monotonic()) / most)
    while time.monotonic() < until and number < most:
        async with client(home, "--space", "prj_a", name=name) as agent:
            for _ in range(PROPOSALS):
                if time.monotonic() >= until or number >= most:
                    return
                number, text = number + 1, statement(name, number)
                given = {"statement": text, "kind": "observation"}
                answer = await told(agent, "propose_memory", **given, derived_from_external=False)
                if answer.get("status") == "pending":
                    said.proposed[answer["id"]] = text
                else:
                    said.wrong.append(f"{name}: {answer}")
                if number % 5 == 0:
                    said.heard.append(str(await told(agent, "search", query=text)))
                await asyncio.sleep(pause)


def a_command_line(home: Shell, said: Said, until: float) -> None:
    """Adds, edits what it added, and searches, one process after the other."""
    number = 0
    while time.monotonic() < until:
        number += 1
        text, better = statement("typed", number), statement("edited", number)
        added = home.run("memory", "add", text, "--space", "prj_b", "--json")
        edited = None
        if added.code == 0:
            id = added.document["id"]
            said.typed[id] = text
            edited = home.run("memory", "edit", id, "--text", better, "--yes", "--json")
            if edited.code == 0:
                said.typed[id] = better
        found = home.run("search", better, "--space", "prj_b", "--json")
        for ran in (added, edited, found):
            if ran is None or ran.code:
                said.wrong.append(f"command line: {ran}")
            else:
                said.heard.append(ran.out + ran.err)


@contextmanager
def a_person(home: Shell, said: Said) -> Iterator[None]:
    """Decides on all that waits, until nothing does any more."""
    pipe = subprocess.PIPE
    given = {"env": home.env, "cwd": Path(__file__).parents[2]}
    with subprocess.Popen(words(home.folder), stdin=pipe, stdout=pipe, stderr=pipe, **given) as one:
        read: list[bytes] = []
        assert one.stdout is not None
        assert one.stdin is not None
        listener = threading.Thread(target=lambda out=one.stdout: read.extend(out))
        listener.start()
        try:
            yield
            one.stdin.close()
            listener.join(SECONDS * 2)
            assert not listener.is_alive(), "what waits is never decided on"
            assert one.stderr is not None
            said.heard.append(one.stderr.read().decode())
            assert one.wait(SECONDS) == 0, said.heard[-1]
        finally:
            one.kill()
        said.decided = [json.loads(line) for line in read]


@contextmanager
def a_terminal(home: Shell, said: Said) -> Iterator[None]:
    """The app, open all the while: it moves, opens and closes."""
    shown = Terminal(["-m", "lobes", "--home", str(home.folder)], environ=home.env)
    stop = threading.Event()

    def move() -> None:
        shown.until("prj_a", SECONDS)
        while not stop.is_set():
            for key in ("down", "up"):
                shown.press(key)
                shown.settle(0.2, patience=1)

    mover = threading.Thread(target=move)
    mover.start()
    try:
        yield
        stop.set()
        mover.join(SECONDS)
        shown.press("ctrl+q")
        assert shown.ended(SECONDS) == 0
        said.heard.append(shown.raw.decode("utf-8", "replace"))
    finally:
        stop.set()
        shown.close()


async def everybody(home: Shell, said: Said, seconds: float) -> None:
    until = time.monotonic() + seconds
    with a_terminal(home, said), a_person(home, said):
        await asyncio.gather(
            *(an_agent(home, f"agent {n}", said, until) for n in range(CLIENTS)),
            asyncio.to_thread(a_command_line, home, said, until),
        )


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seconds", [10.0, pytest.param(120.0, marks=pytest.mark.slow)])
async def test_who_writes_at_once_loses_nothing_and_hears_of_no_lock(
    home: Shell, seconds: float
) -> None:
    said = Said()
    await everybody(home, said, seconds)
    assert said.wrong == []
    for text in said.heard:
        for word in ("locked", "busy", "Traceback", "OperationalError"):
            assert word not in text
    assert len(said.proposed) > seconds / 10
    assert said.typed
    home.json("index", "--wait")
    with closing(sqlite3.connect(home.folder / "data" / "lobes.db")) as store:
        is_there_once(store, said)
        is_decided_once(store, said)
        assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        kept = retrieved(store)
    assert home.run("audit", "verify", "--json").code == 0
    home.json("engine", "stop")
    assert indexed(home) == kept


def is_there_once(store: sqlite3.Connection, said: Said) -> None:
    """All that was acknowledged, as it was said last, and nothing besides."""
    found = dict(store.execute("SELECT id, statement FROM memory"))
    assert found == {**said.proposed, **said.typed}
    twice = "SELECT statement FROM memory GROUP BY content_hash HAVING count(*) > 1"
    assert store.execute(twice).fetchall() == []


def is_decided_once(store: sqlite3.Connection, said: Said) -> None:
    assert [one for one in said.decided if "left" in one] == []
    acts = {one["id"]: one["act"] for one in said.decided if one["act"] != "undo"}
    assert acts.keys() == said.proposed.keys()
    told_of = Counter(one["id"] for one in said.decided if one["act"] != "undo")
    assert set(told_of.values()) == {1}
    status = dict(store.execute("SELECT id, status FROM memory WHERE author = 'agent'"))
    wanted = {"accept": "active", "reject": "rejected"}
    assert status == {id: wanted[act] for id, act in acts.items()}
    undone = {one["id"] for one in said.decided if one["act"] == "undo"}
    sql = "SELECT count(*) FROM memory_version WHERE memory = ? AND act IN ('accept', 'reject')"
    for id in acts.keys() - undone:
        assert store.execute(sql, (id,)).fetchone() == (1,)


def retrieved(store: sqlite3.Connection) -> dict[str, str]:
    """Id → content hash of all that the index should hold."""
    found = dict(store.execute("SELECT id, content_hash FROM passage"))
    sql = "SELECT id, subject, statement FROM memory WHERE status IN ('active', 'disputed')"
    return found | {id: memory_passage_hash(*words) for id, *words in store.execute(sql)}


def indexed(home: Shell) -> dict[str, str]:
    """Id → content hash of what the index's files hold."""
    found: dict[str, str] = {}
    for path in home.folder.rglob("*"):
        if not path.is_file() or not path.read_bytes().startswith(b"SQLite format 3"):
            continue
        with closing(sqlite3.connect(path)) as kept:
            tables: list[Any] = kept.execute("SELECT name FROM sqlite_master").fetchall()
            if {("passage",), ("post",)} <= set(tables):
                found |= dict(kept.execute("SELECT id, hash FROM passage"))
    return found
