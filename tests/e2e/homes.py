"""Homes made by the command line, as a person makes them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


def lobes(home: Path, *words: str) -> str:
    """What the command prints; it must succeed."""
    done = subprocess.run(
        [sys.executable, "-m", "lobes", "--home", str(home), *words],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    return done.stdout


@contextmanager
def sample_home(folder: Path, *, indexed: bool = True) -> Generator[Path]:
    """The sample Spaces, found by words; their engine ends with the block."""
    lobes(folder, "init", "--sample", "--user", "ada")
    if indexed:
        lobes(folder, "index")
    try:
        yield folder
    finally:
        lobes(folder, "engine", "stop")
