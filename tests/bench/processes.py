"""What a process costs from its start to its end: wall and CPU time, in turn with others."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tests.bench.rows import median


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall * 1000:,.0f} ms, CPU {self.cpu * 1000:,.0f} ms"


def environment(**more: str) -> dict[str, str]:
    """What a person's shell would hand on; bytecode is written, as it is after an installation."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return {**kept, "LANG": "C.UTF-8", **more}


def cost(words: Sequence[str], environ: Mapping[str, str]) -> Cost:
    """Run it to its end; raises where it fails."""
    started = time.perf_counter()
    process = subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=environ
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"it ended with {process.returncode}: {words}")
    return Cost(wall, usage.ru_utime + usage.ru_stime)


def costs(*lines: Sequence[str], environ: Mapping[str, str], runs: int) -> list[Cost]:
    """The medians of each command line, run in turn; the first round is not counted."""
    taken: list[list[Cost]] = [[] for _ in lines]
    for number in range(runs + 1):
        for place, words in enumerate(lines):
            one = cost(words, environ)
            if number:
                taken[place].append(one)
    return [
        Cost(median([one.wall for one in some]), median([one.cpu for one in some]))
        for some in taken
    ]
