"""Two agents, a command line, a person who decides and the app, in which somebody decides too,
write into one home at once: nothing that was acknowledged is lost or there twice, and nobody hears
of a lock."""

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
LEFT = "agent 1"
"""Whose proposals are left to the app for as long as there are new ones."""
BY_KEY = 3
"""Of these the key `a` accepts so many before anybody stops, or all where there are fewer."""
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
    by: Counter[str] = field(default_factory=Counter[str])
    """How many each agent proposed."""
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
                    said.by[name] += 1
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
    with subprocess.Popen(
        words(home.folder, LEFT), stdin=pipe, stdout=pipe, stderr=pipe, **given
    ) as one:
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
    """The app, open all the while: it looks again, moves and accepts what the cursor is on."""
    shown = Terminal(["-m", "lobes", "--home", str(home.folder)], environ=home.env)
    stop = threading.Event()
    shown.until("prj_a", SECONDS)
    shown.press("3")
    shown.until("Nothing waits for you.", SECONDS)

    def decide() -> None:
        while not stop.is_set():
            for key in ("ctrl+r", "a", "down", "a"):
                shown.settle(0.4, patience=1)
                shown.press(key)

    decider = threading.Thread(target=decide)
    decider.start()
    try:
        yield
        stop.set()
        decider.join(SECONDS)
        shown.press("ctrl+q")
        assert shown.ended(SECONDS) == 0
        said.heard.append(shown.raw.decode("utf-8", "replace"))
    finally:
        stop.set()
        shown.close()


async def everybody(home: Shell, said: Said, seconds: float) -> None:
    with a_terminal(home, said), a_person(home, said):
        until = time.monotonic() + seconds
        await asyncio.gather(
            *(an_agent(home, f"agent {n}", said, until) for n in range(CLIENTS)),
            asyncio.to_thread(a_command_line, home, said, until),
        )
        await asyncio.to_thread(the_app_has_decided, home, said)


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
    by_app = accepted_in_the_app(home)
    assert by_app
    home.json("index", "--wait")
    with closing(sqlite3.connect(home.folder / "data" / "lobes.db")) as store:
        is_there_once(store, said)
        is_decided_once(store, said, by_app)
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


def the_app_has_decided(home: Shell, said: Said) -> None:
    """Waits until it has."""
    wanted, end = min(BY_KEY, said.by[LEFT]), time.monotonic() + SECONDS
    while len(accepted_in_the_app(home)) < wanted:
        assert time.monotonic() < end, "the key never accepts anything"


def accepted_in_the_app(home: Shell) -> frozenset[str]:
    """What the record has as accepted there."""
    rows = home.json("audit", "list", "--event", "memory.accepted", "-n", "1000")["items"]
    told = [one["resources"] for one in rows if one["channel"] == "tui"]
    return frozenset(each.removeprefix("memory/") for some in told for each in some)


def is_decided_once(store: sqlite3.Connection, said: Said, by_app: frozenset[str]) -> None:
    """By the one or by the other: who came second was told, and what the first decided stands."""
    assert {one["id"] for one in said.decided if "left" in one} <= by_app
    taken = [one for one in said.decided if "left" not in one]
    acts = {one["id"]: one["act"] for one in taken if one["act"] != "undo"}
    assert not acts.keys() & by_app
    acts |= dict.fromkeys(by_app, "accept")
    assert acts.keys() == said.proposed.keys()
    told_of = Counter(one["id"] for one in taken if one["act"] != "undo")
    assert set(told_of.values()) <= {1}
    status = dict(store.execute("SELECT id, status FROM memory WHERE author = 'agent'"))
    wanted = {"accept": "active", "reject": "rejected"}
    assert status == {id: wanted[act] for id, act in acts.items()}
    undone = {one["id"] for one in taken if one["act"] == "undo"}
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
