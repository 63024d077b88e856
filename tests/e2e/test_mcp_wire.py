"""What a client can send that is no protocol, and how the process ends (AG-13, AG-14)."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import psutil
import pytest
from tests.e2e.agent import INITIALIZE, ByHand, by_hand

from lobes.domain.ids import derived_id
from lobes.mcp.calls import HANDLERS
from lobes.mcp.limits import PROPOSALS
from lobes.mcp.lines import LINE
from lobes.mcp.tools import PACK_TEXT
from lobes.mcp.wire import AT_ONCE
from shell import Shell, shell_on, until
from tool_calls import CALLS

MEGABYTE = 1024 * 1024
CLAIM = {
    "statement": "Zanzibar herons nest in March.",
    "kind": "observation",
    "derived_from_external": False,
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    with shell_on(tmp_path_factory.mktemp("wire") / "home") as shell:
        shell.json("init", "--presence", "off")
        shell.json("space", "new", "prj_a")
        shell.json("index")
        yield shell


@pytest.fixture
def hand(home: Shell) -> Iterator[ByHand]:
    with by_hand(home, "--space", "prj_a") as made:
        made.greet()
        yield made


def still_answers(hand: ByHand) -> None:
    hand.call("still", "search", query="goals")
    answer = hand.line()
    assert answer["id"] == "still"
    assert not answer["result"].get("isError")


def memory_of_all_that_it_loads(hand: ByHand) -> int:
    """What it holds once everything that is made ready ahead of a call is there."""
    still_answers(hand)
    hand.call("first", "propose_memory", **CLAIM)
    assert not hand.line()["result"].get("isError")
    return hand.memory()


LARGE = {
    "name": b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"',
    "text": b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"propose_pack_edit",'
    b'"arguments":{"path":"n.md","why":"w","text":"',
}


@pytest.mark.parametrize("place", LARGE)
def test_a_message_of_100_megabytes_is_refused_and_forgotten(hand: ByHand, place: str) -> None:
    before = memory_of_all_that_it_loads(hand)
    hand.send(LARGE[place])
    for _ in range(100):
        hand.send(b"x" * MEGABYTE)
    hand.send(b'"}}\n')
    refused = hand.line()
    assert (refused["id"], refused["error"]["code"]) == (7, -32600)
    assert "xxx" not in str(refused)
    still_answers(hand)
    assert hand.memory() - before < 16 * MEGABYTE


NO_MESSAGES: dict[str, bytes] = {
    "deep": b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":' + b"[" * 100_000,
    "deep and whole": b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"search",'
    b'"arguments":{"query":' + b"[" * 5_000 + b"]" * 5_000 + b"}}}",
    "no UTF-8": b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"\xff\xfe"}}',
    "half a surrogate": b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\\ud800"}}',
    "no JSON": b"hello",
    "a list": b'[{"jsonrpc":"2.0","id":7,"method":"ping"}]',
    "no version": b'{"id":7,"method":"ping"}',
    "a number": b"7",
    "nothing": b"null",
    "NUL": b"\0" * 1000,
    "params are none": b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":"search"}',
    "a huge number": b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":1e99999}}',
}


@pytest.mark.parametrize("name", NO_MESSAGES)
def test_what_is_no_message_is_answered_by_an_error_without_an_echo(
    hand: ByHand, name: str
) -> None:
    hand.send(NO_MESSAGES[name] + b"\n")
    answer = hand.line()
    assert answer["id"] in (7, None)
    assert set(answer["error"]) <= {"code", "message"}
    assert len(str(answer)) < 300
    still_answers(hand)


TWICE = {
    "in the arguments": b'"params":{"name":"search","arguments":{"query":"a","query":"goals"}}',
    "of the call": b'"params":{"name":"search","arguments":{"query":"a"},"arguments":{}}',
    "of the message": b'"params":{"name":"search"},"params":{"name":"list_pending"}',
    "deep": b'"params":{"name":"list_pending","arguments":{"a":[{"b":1,"b":1}]}}',
}


@pytest.mark.parametrize("place", TWICE)
def test_a_name_that_stands_twice_is_refused_and_the_last_never_wins(
    hand: ByHand, place: str
) -> None:
    """PA-18. Its id may stand behind what it asks for."""
    head = b'"jsonrpc":"2.0","method":"tools/call","id":7'
    for ask in (b"{%s,%s}" % (head, TWICE[place]), b"{%s,%s}" % (TWICE[place], head)):
        hand.send(ask + b"\n")
        answer = hand.line()
        assert answer["id"] == 7
        assert answer["error"]["message"].startswith("A name stands twice")
    still_answers(hand)


EDIT = (
    '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"propose_pack_edit",'
    '"arguments":{"path":"n.md","why":"w","text":%s}}}'
)
NO_TEXTS: dict[str, tuple[bytes, str]] = {
    "no UTF-8": (b'"\xff\xfe"', ""),
    "deep": (b"[" * 3_000 + b"]" * 3_000, ""),
    "deep objects": (b'{"a":' * 100 + b"1" + b"}" * 100, "bad_field"),
    "half a surrogate": (b'"\\ud800"', ""),
    "NUL": (b'"a\\u0000b"', "bad_text"),
    "beyond the tool's limit": (b'"' + b"x" * (PACK_TEXT + 1) + b'"', "bad_field"),
    "a list": (b'["# A"]', "bad_field"),
    "a number": (b"1e308", "bad_field"),
    "nothing": (b"null", "bad_field"),
}


@pytest.mark.parametrize("name", NO_TEXTS)
def test_what_is_no_text_of_a_file_is_refused_without_an_echo(hand: ByHand, name: str) -> None:
    """AG-13, of `propose_pack_edit`: as a message of the protocol, or as a field of the tool."""
    text, reason = NO_TEXTS[name]
    before, _, after = EDIT.encode().partition(b"%s")
    hand.send(before + text + after + b"\n")
    answer = hand.line()
    assert answer["id"] in (7, None)
    assert len(str(answer)) < 500
    if reason:
        told = json.loads(answer["result"]["content"][0]["text"])
        assert told["error"]["reason"] == reason
    else:
        assert set(answer["error"]) <= {"code", "message"}
    still_answers(hand)


SLOW = (
    "a" * PACK_TEXT,
    "- " * (PACK_TEXT // 2),
    "key = " * (PACK_TEXT // 6),
    "\n" * PACK_TEXT,
    "4111 1111 1111 1111 " * (PACK_TEXT // 20),
    "[a](" * (PACK_TEXT // 4),
    "---\n" + "a: b\n" * (PACK_TEXT // 5 - 2),
    "<private>" * (PACK_TEXT // 9),
)
"""What a detector or a parser might take long for."""


@pytest.mark.slow
def test_a_flood_of_the_longest_edits_is_bounded(home: Shell) -> None:
    """AG-07, AG-13: so many are taken in a session, none takes long, and the memory has an end."""
    with by_hand(home, "--space", "prj_a") as hand:
        hand.greet()
        still_answers(hand)
        process = psutil.Process(hand.process.pid)
        reasons: list[str] = []
        peak = hand.memory()
        for number in range(PROPOSALS + 20):
            text = f"{number} {SLOW[number] if number < len(SLOW) else SLOW[0]}"[:PACK_TEXT]
            spent = process.cpu_times()
            hand.call(number, "propose_pack_edit", path=f"n{number}.md", why="w", text=text)
            told = json.loads(hand.line()["result"]["content"][0]["text"])
            reasons.append(told["error"]["reason"] if "error" in told else told["status"])
            now = process.cpu_times()
            assert now.user - spent.user < 5, number
            if number == 8:
                peak = hand.memory()
        assert set(reasons[:PROPOSALS]) <= {"pending", "bad_head"}
        assert set(reasons[PROPOSALS:]) == {"limit_proposals"}
        assert hand.memory() - peak < 64 * MEGABYTE, "each thread keeps some of what it had"
        still_answers(hand)
    waits = home.json("review")["pack_edits"]
    assert 0 < waits <= PROPOSALS
    shown = home.json("review", home.json("review")["items"][0]["id"])
    assert shown["readers"]["you"]


def test_a_flood_that_nobody_reads_stays_in_the_pipe(hand: ByHand) -> None:
    """Requests wait in the pipe: the process takes so many, and its memory ends somewhere."""
    before = memory_of_all_that_it_loads(hand)
    assert hand.process.stdin is not None
    os.set_blocking(hand.process.stdin.fileno(), False)
    asked = {"name": "search", "arguments": {"query": "g" * 900}}
    sent, line = 0, b""
    for number in range(20_000):
        message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": asked}
        line = json.dumps(message).encode() + b"\n"
        try:
            taken = os.write(hand.process.stdin.fileno(), line)
        except BlockingIOError:
            break
        sent += 1
        if taken < len(line):
            line = line[taken:]
            break
    assert sent < 20_000, "it took everything"
    os.set_blocking(hand.process.stdin.fileno(), True)
    answers = [hand.line() for _ in range(min(sent, 3 * AT_ONCE))]
    assert all("result" in one for one in answers)
    assert hand.memory() - before < 32 * MEGABYTE


def test_many_notifications_and_cancellations_do_no_harm(hand: ByHand) -> None:
    for number in range(2_000):
        hand.send(
            b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}\n'
            % number
        )
        hand.send(b'{"jsonrpc":"2.0","method":"notifications/QZX","params":{"a":[1]}}\n')
    for number in range(3 * AT_ONCE):
        hand.call(number, "search", query="goals")
        hand.send(
            b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}\n'
            % number
        )
    hand.call("still", "list_pending")
    told = [hand.line()]
    while told[-1]["id"] != "still":
        told.append(hand.line())
    assert not told[-1]["result"].get("isError")
    assert {one["id"] for one in told[:-1]} <= set(range(3 * AT_ONCE))


def test_a_line_that_ends_with_the_pipe_is_still_answered(home: Shell) -> None:
    with by_hand(home, "--space", "prj_a") as hand:
        asked = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}
        hand.send(json.dumps(asked).encode())
        assert hand.process.stdin is not None
        hand.process.stdin.close()
        assert hand.line()["id"] == 1
        assert hand.ended() == 0


def children(process: psutil.Process) -> list[psutil.Process]:
    return process.children(recursive=True)


def test_it_ends_when_its_client_closes_the_pipe(home: Shell) -> None:
    """In the middle of a call too; no process of its own is left."""
    with by_hand(home, "--space", "prj_a") as hand:
        hand.greet()
        still_answers(hand)
        hand.call(2, "search", query="goals")
        own = [
            one for one in children(psutil.Process(hand.process.pid)) if one not in home.engines()
        ]
        assert hand.process.stdin is not None
        hand.process.stdin.close()
        assert hand.ended() == 0
    assert not [one for one in own if one.is_running()]


def test_it_ends_when_nobody_reads_its_answers(hand: ByHand) -> None:
    assert hand.process.stdout is not None
    hand.process.stdout.close()
    hand.call(1, "list_pending")
    assert hand.ended() == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_in_order_when_it_is_told_to(hand: ByHand, number: signal.Signals) -> None:
    still_answers(hand)
    hand.process.send_signal(number)
    assert hand.ended() == 0


def test_it_ends_when_its_client_is_killed(home: Shell, tmp_path: Path) -> None:
    """The parent goes without a word; its child follows."""
    said = tmp_path / "pid"
    code = textwrap.dedent(
        """
        import subprocess, sys, time
        child = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        child.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\\n')
        child.stdin.flush()
        child.stdout.readline()
        open(sys.argv[1], "w").write(str(child.pid))
        time.sleep(600)
        """
    )
    words = home.words("mcp", "--space", "prj_a")
    parent = subprocess.Popen(
        [sys.executable, "-c", code, str(said), *words], cwd=home.folder.parent, env=home.env
    )
    try:
        child = int(until(lambda: said.exists() and said.read_text("ascii")))
        assert psutil.pid_exists(child)
    finally:
        parent.kill()
        parent.wait()
    until(lambda: not psutil.pid_exists(child))


NOISE = """
import os, pathlib, subprocess, sys


class Noisy:
    said = False

    def find_spec(self, name, path=None, target=None):
        if name == "lobes.services.proposing":
            pathlib.Path(__file__).with_name("loaded").touch()
        if name.startswith(("mcp", "lobes.services", "lobes.engine", "lobes.store", "anyio")):
            if Noisy.said or name in ("mcp", "lobes.mcp.server"):
                Noisy.said = True
                print("NOISE by print")
                sys.stdout.flush()
                os.write(1, b"NOISE by descriptor\\n")
                subprocess.run(["echo", "NOISE by a child"])
        return None

sys.meta_path.insert(0, Noisy())
"""


def test_a_dependency_that_prints_does_not_spoil_the_protocol(home: Shell, tmp_path: Path) -> None:
    """AG-14: by print, by the descriptor, and by a child of its own, also while what the first
    call needs is loaded, which no call has asked for."""
    (tmp_path / "sitecustomize.py").write_text(NOISE, "utf-8")
    with by_hand(home, "--space", "prj_a", PYTHONPATH=str(tmp_path)) as hand:
        hand.greet()
        hand.ask(1, "tools/list")
        assert hand.line()["id"] == 1
        until((tmp_path / "loaded").exists)
        still_answers(hand)
        assert hand.process.stdin is not None
        hand.process.stdin.close()
        assert hand.process.stdout is not None
        assert hand.process.stdout.read() == b""
        assert hand.process.stderr is not None
        noise = hand.process.stderr.read()
    for way in (b"print", b"descriptor", b"a child"):
        assert b"NOISE by " + way in noise


def test_the_first_answers_come_before_anything_heavy_is_imported(home: Shell) -> None:
    """What `lobes.mcp.start` imports before it serves; the home is opened after that."""
    code = (
        "import json, sys, lobes.mcp.start, lobes.bootstrap, lobes.services.binding;"
        "import lobes.mcp.server, lobes.mcp.face;"
        "print(json.dumps(sorted(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE)
    imported = json.loads(ran.stdout)
    tops = {one.partition(".")[0] for one in imported}
    assert "mcp" in tops
    heavy = {"lancedb", "onnxruntime", "sqlmodel", "sqlalchemy", "numpy", "textual", "keyring"}
    assert tops & heavy == set()
    assert "lobes.services.search" not in imported


FIRST_CALL = """
import json, os, sys, threading
from functools import partial
from pathlib import Path
from lobes.bootstrap import open_installation
from lobes.config.folders import folders_under
from lobes.mcp.face import Face
from lobes.services.binding import bound_caller

folders = folders_under(Path(sys.argv[1]))
caller = bound_caller(folders, "editor", named="prj_a", folder=None)
face = Face(caller, partial(open_installation, folders), settle=0)
face.greet()
for thread in threading.enumerate():
    if thread.name == "prewarm":
        thread.join()
ready = set(sys.modules)
for tool, given in json.loads(sys.argv[2]).items():
    reply = face.call(tool, given)
    late = sorted(set(sys.modules) - ready)
    print(json.dumps([tool, reply.is_error and reply.text, late, "sqlmodel" in ready]), flush=True)
face.close()
sys.stdout.flush()
os._exit(0)
"""


def test_what_a_first_call_needs_is_loaded_once_the_client_is_greeted(home: Shell) -> None:
    """field.md: cold start under a client's time-out. Nothing of it is left for the first call."""
    calls = {**CALLS, "read_source": {"id": derived_id("document", "prj_a", "goals.md")}}
    assert set(calls) == set(HANDLERS)
    words = [sys.executable, "-c", FIRST_CALL, str(home.folder), json.dumps(calls)]
    ran = subprocess.run(words, env=home.env, check=True, stdout=subprocess.PIPE)
    told = [json.loads(line) for line in ran.stdout.splitlines()]
    assert told == [[tool, False, [], True] for tool in calls]


def test_a_longest_message_is_taken(hand: ByHand) -> None:
    """The limit is of the line, and what fits in it is judged by the tool."""
    filler = LINE - 400
    hand.call(1, "search", query="x" * filler)
    answer: Any = hand.line()
    assert json.loads(answer["result"]["content"][0]["text"])["error"]["reason"] == "bad_field"


def test_a_store_of_an_older_version_is_brought_up_before_the_first_word(tmp_path: Path) -> None:
    """After an upgrade an agent's program may well be the first that starts."""
    fixture = Path(__file__).parents[1] / "fixtures" / "schema_0005.sql"
    with shell_on(tmp_path / "home") as shell:
        shell.json("init", "--presence", "off")
        path = shell.folder / "data" / "lobes.db"
        path.unlink()
        with closing(sqlite3.connect(path)) as store:
            store.executescript(fixture.read_text("utf-8"))
            store.execute("PRAGMA user_version = 5")
        with by_hand(shell, "--space", "prj_notidian") as hand:
            hand.greet()
            hand.call(1, "list_pending")
            answer = hand.line()
        with closing(sqlite3.connect(path)) as store:
            assert store.execute("PRAGMA user_version").fetchone()[0] > 5
    assert not answer["result"]["isError"]
