"""`docs/scenarios.md` is played in order against a home of its own; every line of it must hold."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "scenarios.md"

NEVER = (
    ("Two clients", "--space prj_initech", "own  space/prj_globex"),
    ("Two clients", "search", "amira"),
    ("An agent in one Space", "--as ai", "globex"),
    ("Two groups", "--as user:bob", "writing"),
    ("Two groups", "--as user:ann", "notidian"),
    ("A superuser's agent", "--as ai", "globex"),
)
"""Chapter, part of the command, and what its answer may not hold, in small letters."""

WITHHELD = "routines.md"


def played() -> Iterator[tuple[str, str, list[str]]]:
    """Chapter, command and the lines that the page shows of its answer."""
    chapter = ""
    for part in re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE):
        chapter = part.splitlines()[0]
        for block in re.findall(r"```console\n(.*?)```", part, flags=re.DOTALL):
            for step in block.removeprefix("$ ").split("\n$ "):
                command, *lines = step.rstrip("\n").split("\n")
                yield chapter, command, lines


def lobes(home: Path, command: str) -> tuple[int, list[str]]:
    program, *words = shlex.split(command)
    assert program == "lobes"
    done = subprocess.run(
        [sys.executable, "-m", "lobes", *words],
        env={**os.environ, "LOBES_HOME": str(home), "COLUMNS": "200"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.splitlines()


def is_shown(wanted: list[str], came: list[str]) -> bool:
    """Whether the answer is as the page shows it; `…` alone stands for any lines, else for any
    text within one."""
    if not wanted:
        return not came
    if wanted[0] == "…":
        return any(is_shown(wanted[1:], came[skipped:]) for skipped in range(len(came) + 1))
    if not came:
        return False
    pattern = "".join(
        "*" if sign == "…" else f"[{sign}]" if sign in "*?[" else sign for sign in wanted[0]
    )
    return fnmatchcase(came[0], pattern) and is_shown(wanted[1:], came[1:])


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    lobes(tmp_path, "lobes engine stop")


@pytest.mark.timeout(240)
def test_the_six_scenarios_hold_as_they_are_written(home: Path) -> None:
    steps = list(played())
    assert len({chapter for chapter, _, _ in steps}) == 7  # what comes first, and the six
    for about, part, _ in NEVER:
        assert any(chapter.startswith(about) and part in command for chapter, command, _ in steps)
    hidden = False
    for chapter, command, lines in steps:
        wanted = [line for line in lines if not line.startswith("exit ")]
        code = int(lines[-1].removeprefix("exit ")) if lines and lines[-1].startswith("exit") else 0
        got, came = lobes(home, command)
        answer = "\n".join(came)
        assert got == code, f"{chapter}: {command}\n{answer}"
        assert is_shown(wanted, came), f"{chapter}: {command}\n{answer}"
        for about, part, word in NEVER:
            if chapter.startswith(about) and part in command:
                assert word not in answer.lower(), f"{command}\n{answer}"
        hidden = hidden or "--visibility private" in command
        if hidden and "--as user:ann" in command:
            assert WITHHELD not in answer, command
