"""Where a home's engine is found: its files beside the index, and the endpoint it wrote there.

The lock lies beside the index that it protects, not in a runtime folder: a cron job, an ssh
session and a container may see different runtime folders for the same home. The process id in
the endpoint is for the doctor only; the kernel's lock says whether an engine lives.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, cast

_SIZE_LIMIT = 4096


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """From the home's config, never from the environment: all faces share one engine.

    `idle_seconds`: leave after that long without a call or a job. `hint_seconds`: how often a
    watched root is to be looked at as a whole, because events get lost. `build`: only tests set
    it; otherwise the engine says the version of the code that it runs.
    """

    idle_seconds: float = 600.0
    hint_seconds: float = 120.0
    build: str = ""


@dataclass(frozen=True, slots=True)
class EnginePlace:
    """The engine of one home.

    `folder` holds the index, `store` is the SQLite file. `runtime`: folders to try for the
    socket, in order; None: as the platform has them; empty: loopback TCP.
    """

    folder: Path
    store: Path
    runtime: tuple[Path, ...] | None = None
    settings: EngineSettings = field(default_factory=EngineSettings)

    @property
    def lock(self) -> Path:
        return self.folder / "engine.lock"

    @property
    def spawn_lock(self) -> Path:
        return self.folder / "spawn.lock"

    @property
    def endpoint(self) -> Path:
        return self.folder / "engine.json"

    @property
    def log(self) -> Path:
        return self.folder / "engine.log"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """How to reach a running engine: a socket's path or a loopback port, and the token."""

    kind: Literal["unix", "tcp"]
    address: str
    token: str
    pid: int
    build: str


def read_endpoint(path: Path) -> Endpoint | None:
    """What the engine wrote; None when it is missing or not an endpoint of ours."""
    try:
        with open(path, "rb") as file:
            found = json.loads(file.read(_SIZE_LIMIT))
    except (OSError, ValueError, RecursionError):
        return None
    match found:
        case {
            "kind": "unix" | "tcp" as kind,
            "address": str(address),
            "token": str(token),
            "pid": int(pid),
            "build": str(build),
        }:
            return Endpoint(cast("Literal['unix', 'tcp']", kind), address, token, pid, build)
        case _:
            return None


def write_endpoint(path: Path, endpoint: Endpoint) -> int:
    """Write it 0600 in one step and return the file's inode, to know it again."""
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with open(os.open(fresh, flags, 0o600), "w", encoding="utf-8") as file:
        json.dump(
            {
                "kind": endpoint.kind,
                "address": endpoint.address,
                "token": endpoint.token,
                "pid": endpoint.pid,
                "build": endpoint.build,
            },
            file,
        )
        inode = os.fstat(file.fileno()).st_ino
    try:
        os.replace(fresh, path)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    return inode


def build_order(build: str) -> tuple[int, ...]:
    """The numbers in a build's name, for "newer": `0.10.1` comes after `0.9`."""
    return tuple(int(number) for number in re.findall(r"\d+", build))
