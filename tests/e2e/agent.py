"""An agent at the other end of `lobes mcp`: the official client, and bytes by hand."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.types import Implementation

from shell import SECONDS, Shell

INITIALIZE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "by hand", "version": "1"},
}


@asynccontextmanager
async def client(
    shell: Shell, *words: str, cwd: Path | None = None, name: str = "a client", **env: str
) -> AsyncGenerator[ClientSession]:
    """The official client, greeted, with the real process at the other end of its pipes."""
    command, *rest = map(str, shell.words("mcp", *words))
    parameters = StdioServerParameters(
        command=command, args=rest, cwd=cwd or shell.folder.parent, env={**shell.env, **env}
    )
    info = Implementation(name=name, version="1")
    async with (
        stdio_client(parameters) as (reads, writes),
        ClientSession(reads, writes, client_info=info) as session,
    ):
        await session.initialize()
        yield session


async def told(session: ClientSession, tool: str, /, **given: Any) -> Any:
    """The one JSON document that a tool answers with."""
    result = await session.call_tool(tool, given)
    (content,) = result.content
    document = json.loads(content.text)
    assert bool(result.is_error) is ("error" in document)
    return document


@dataclass
class ByHand:
    """Lines written and read as they are."""

    process: subprocess.Popen[bytes]

    def send(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def ask(self, id: int | str, method: str, /, **params: Any) -> None:
        message = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        self.send(json.dumps(message).encode() + b"\n")

    def call(self, id: int | str, tool: str, /, **given: Any) -> None:
        self.ask(id, "tools/call", name=tool, arguments=given)

    def line(self) -> Any:
        """The next message; fails where a line is none."""
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], SECONDS)
        assert ready, "nothing came"
        return json.loads(self.process.stdout.readline())

    def greet(self) -> None:
        self.ask(0, "initialize", **INITIALIZE)
        assert self.line()["id"] == 0
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')

    def memory(self) -> int:
        """Bytes that the process holds now."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return int(status.split("VmRSS:")[1].split()[0]) * 1024

    def ended(self) -> int:
        """Its exit code; waits for it."""
        started = time.monotonic()
        while (code := self.process.poll()) is None:
            assert time.monotonic() - started < SECONDS, "it didn't end"
            time.sleep(0.01)
        return code


@contextmanager
def by_hand(shell: Shell, *words: str, cwd: Path | None = None, **env: str) -> Generator[ByHand]:
    process = subprocess.Popen(
        shell.words("mcp", *words),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=cwd or shell.folder.parent,
        env={**shell.env, **env},
        bufsize=0,
    )
    try:
        yield ByHand(process)
    finally:
        if process.poll() is None:
            process.kill()
        for pipe in (process.stdin, process.stdout, process.stderr):
            assert pipe is not None
            try:
                pipe.close()
            except BrokenPipeError:
                os.close(pipe.fileno()) if not pipe.closed else None
        process.wait()
