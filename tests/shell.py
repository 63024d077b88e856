"""The program as a person runs it: a process of its own on a home of its own, and its engine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil

SECONDS = 60.0


@dataclass(frozen=True)
class Ran:
    """What one run gave: `code` is the exit code, `out` and `err` are bytes as text."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)


@dataclass
class Shell:
    """Runs `lobes` on the home in `folder`, with nothing of this process's environment."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict[str, str])

    def run(self, *words: str | bytes, cwd: Path | None = None, **env: str) -> Ran:
        ran = subprocess.run(
            self.words(*words),
            capture_output=True,
            stdin=subprocess.DEVNULL,
            cwd=cwd or self.folder.parent,
            env={**self.env, **env},
            timeout=SECONDS,
            check=False,
        )
        return Ran(
            ran.returncode,
            ran.stdout.decode("utf-8", "surrogateescape"),
            ran.stderr.decode("utf-8", "surrogateescape"),
        )

    def json(self, *words: str | bytes) -> Any:
        """The document of a run that must succeed."""
        ran = self.run(*words, "--json")
        assert ran.code == 0, (words, ran)
        return ran.document

    def words(self, *words: str | bytes) -> list[str | bytes]:
        return [sys.executable, "-m", "lobes", "--home", str(self.folder), *words]

    @contextmanager
    def started(self, *words: str) -> Generator[subprocess.Popen[bytes]]:
        """A run that goes on; killed at the end if it is still there."""
        process = subprocess.Popen(
            self.words(*words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder.parent,
            env=self.env,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.communicate()

    def engines(self) -> list[psutil.Process]:
        """The engine processes of this home."""
        return [one for one in psutil.process_iter() if self._is_ours(one)]

    def _is_ours(self, process: psutil.Process) -> bool:
        try:
            line = process.cmdline()
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            return False
        return "lobes.engine" in line and str(self.folder) in " ".join(line)


@contextmanager
def shell_on(folder: Path) -> Generator[Shell]:
    """A shell whose engine is stopped at the end; none may be left."""
    # Short, because the path of a socket has room for about a hundred bytes.
    runtime = tempfile.mkdtemp(prefix="lr")
    person = folder.with_name(f"{folder.name}-person")
    person.mkdir(parents=True, exist_ok=True)
    shell = Shell(folder, environment(person, runtime))
    try:
        yield shell
    finally:
        if shell.engines():
            shell.run("engine", "stop")
        left = shell.engines()
        for one in left:
            one.kill()
        shutil.rmtree(runtime, ignore_errors=True)
    assert not left, "an engine was left"


def environment(person: Path, runtime: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(person),
        "LANG": "C.UTF-8",
        "XDG_RUNTIME_DIR": runtime,
        "LOBES_SECRET_STORE": "off",
        **{f"XDG_{name}_HOME": str(person / name.lower()) for name in ("DATA", "STATE", "CACHE")},
        "XDG_CONFIG_HOME": str(person / "config"),
    }


def until(there: Callable[[], Any], *, seconds: float = SECONDS) -> Any:
    """Wait for a state; what it gave."""
    started = time.monotonic()
    while not (found := there()):
        assert time.monotonic() - started < seconds, "it never came"
        time.sleep(0.01)
    return found


def lines_of(process: subprocess.Popen[bytes]) -> Iterator[Any]:
    """The JSON documents that a running command tells, one a line."""
    assert process.stdout is not None
    for line in process.stdout:
        yield json.loads(line)
