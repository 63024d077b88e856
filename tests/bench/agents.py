"""How long an agent's program waits: for `initialize`, for the list of tools, and for a call.

Both servers are started as processes, in turn, by the same Python, and asked the same.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.homes import fresh_folders, open_home
from tests.bench.processes import Cost, environment
from tests.bench.rows import Figure, median, ms, p95
from tests.bench.starts import QUESTION, SPACE, program, samples

GROUP = "Agents"
RUNS = 11
CALLS = 60
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


@dataclass(frozen=True, slots=True)
class Start:
    """From the start of the process to each answer."""

    greeted: Cost
    listed: Cost


def measure() -> Iterator[Figure]:
    with fresh_folders() as folders, open_home(folders) as (lobes, caller):
        samples(lobes, caller)
        home = str(folders.data.parent)
        ours = [*program(), "--home", home, "mcp", "--space", SPACE]
        bare = [sys.executable, str(Path(__file__).with_name("bare_agent.py"))]
        starts = _in_turn(ours, bare)
        for what, some in (
            ("`initialize` answered", [one.greeted for one in starts[0]]),
            ("tools listed", [one.listed for one in starts[0]]),
        ):
            other = [one.greeted if "init" in what else one.listed for one in starts[1]]
            yield _row(what, _median(some), _median(other))
        yield from _calls(ours)


def _row(what: str, ours: Cost, bare: Cost) -> Figure:
    return Figure(
        GROUP,
        f"`lobes mcp`: started → {what}, {RUNS} runs",
        str(ours),
        "≤ 1.3 × a bare server",
        f"bare server of the official package: {bare}",
        ours.cpu <= 1.3 * bare.cpu,
        f"{ours.wall / bare.wall:.2f} × wall, {ours.cpu / bare.cpu:.2f} × CPU",
    )


def _median(some: Sequence[Cost]) -> Cost:
    return Cost(median([one.wall for one in some]), median([one.cpu for one in some]))


def _in_turn(*lines: Sequence[str]) -> list[list[Start]]:
    taken: list[list[Start]] = [[] for _ in lines]
    for number in range(RUNS + 1):
        for place, words in enumerate(lines):
            one = _start(words)
            if number:
                taken[place].append(one)
    return taken


def _start(words: Sequence[str]) -> Start:
    started = time.perf_counter()
    with Server(words) as server:
        server.ask("initialize", **HELLO)
        greeted = Cost(time.perf_counter() - started, server.cpu())
        server.say("notifications/initialized")
        server.ask("tools/list")
        return Start(greeted, Cost(time.perf_counter() - started, server.cpu()))


def _calls(words: Sequence[str]) -> Iterator[Figure]:
    took: list[float] = []
    with Server(words) as server:
        server.ask("initialize", **HELLO)
        server.say("notifications/initialized")
        for number in range(CALLS + 1):
            started = time.perf_counter()
            found = server.ask("tools/call", name="search", arguments={"query": QUESTION})
            assert not found["isError"]
            if number:
                took.append(time.perf_counter() - started)
    what = f"`search` by an agent, engine up, {CALLS} calls"
    yield Figure(GROUP, what, f"p50 {ms(median(took))}, p95 {ms(p95(took))}", "")


class Server:
    """A server of agents at the other end of two pipes; ended at the end of the `with`."""

    def __init__(self, words: Sequence[str]) -> None:
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(LOBES_SECRET_STORE="off"),
        )
        self._id = 0

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()

    def ask(self, method: str, /, **params: Any) -> Any:
        self._id += 1
        self.say(method, id=self._id, **params)
        assert self._process.stdout is not None
        answer = json.loads(self._process.stdout.readline())
        assert answer["id"] == self._id, answer
        return answer["result"]

    def say(self, method: str, /, *, id: int | None = None, **params: Any) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if id is not None:
            message["id"] = id
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(message).encode() + b"\n")
        self._process.stdin.flush()

    def cpu(self) -> float:
        """Seconds of processor time so far; of its threads too, of its children not."""
        fields = Path(f"/proc/{self._process.pid}/stat").read_text("ascii").rpartition(")")[2]
        user, system = fields.split()[11:13]
        return (int(user) + int(system)) / 100
