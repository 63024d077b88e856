"""A program on a pty of 120 × 40: what it sent and when, and what it had cost by then.

Nothing is drawn while the clock runs: the bytes are kept with their times and replayed on a screen
afterwards. No query of the program to its terminal is answered.
"""

from __future__ import annotations

import fcntl
import os
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import psutil
import pyte

COLUMNS, LINES = 120, 40
SILENCE = 0.3
"""Seconds without output after which a screen counts as settled."""
PATIENCE = 5.0
_QUERIES = (b"\x1b[?2026$p", b"\x1b[?2048$p")  # pyte would draw them


@dataclass(frozen=True, slots=True)
class Sent:
    """Some output: seconds since the start, the CPU seconds used by then (in ticks of 10 ms)."""

    at: float
    cpu: float
    data: bytes


class Terminal:
    """One running program. Leave the `with` and it is ended."""

    def __init__(self, words: Sequence[str], environ: Mapping[str, str]) -> None:
        self._started = time.perf_counter()
        self.pid, self._fd = os.forkpty()
        if self.pid == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
            os.execve(words[0], list(words), dict(environ))
        self._process = psutil.Process(self.pid)
        self.sent: list[Sent] = []

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        os.kill(self.pid, signal.SIGTERM)
        while self._take(PATIENCE):
            pass
        os.waitpid(self.pid, 0)
        os.close(self._fd)

    def settle(self, silence: float = SILENCE, *, patience: float = PATIENCE) -> None:
        """Read until nothing came for `silence` seconds, or for `patience` seconds in all."""
        until = time.perf_counter() + patience
        while not self.sent and time.perf_counter() < until:
            self._take(silence)
        while time.perf_counter() < until and self._take(silence):
            pass

    def answer_to(self, key: bytes, *, until: bytes = b"") -> float:
        """Seconds from a key to the first byte that the program sends then, or to `until`."""
        while self._take(0):
            pass  # what was on its way already is no answer
        started = time.perf_counter()
        os.write(self._fd, key)
        known = len(self.sent)
        while True:
            if not self._take(PATIENCE):
                raise TimeoutError("the key changed nothing")
            if until in b"".join(one.data for one in self.sent[known:]):
                break
        return time.perf_counter() - started

    def write(self, keys: bytes) -> None:
        os.write(self._fd, keys)

    def _take(self, seconds: float) -> bool:
        if not select.select([self._fd], [], [], seconds)[0]:
            return False
        try:
            data = os.read(self._fd, 1 << 16)
        except OSError:  # the program has closed its side
            return False
        at = time.perf_counter() - self._started
        self.sent.append(Sent(at, self._cpu(), data))
        return bool(data)

    def _cpu(self) -> float:
        try:
            times = self._process.cpu_times()
        except psutil.Error:
            return 0.0
        return times.user + times.system

    def memory(self) -> int:
        """Bytes resident."""
        return self._process.memory_info().rss

    def first(self, holds: Callable[[str], bool]) -> Sent | None:
        """The output with which the screen first was as asked."""
        screen = pyte.Screen(COLUMNS, LINES)
        stream = pyte.ByteStream(screen)
        for one in self.sent:
            data = one.data
            for query in _QUERIES:
                data = data.replace(query, b"")
            stream.feed(data)
            if holds("\n".join(screen.display)):
                return one
        return None


def is_drawn(screen: str) -> bool:
    """Whether anything stands on the screen."""
    return bool(screen.strip())
