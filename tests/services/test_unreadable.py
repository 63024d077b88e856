"""What the system itself refuses to let us read, to a process that isn't root."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

DROPPED = Path(__file__).parents[1] / "dropped.py"
WHOLE = {
    "state": ["ok"],
    "skipped": {},
    "indexed": 1,
    "removed": 0,
    "found": ["lantern", "obelisk", "saffron"],
}
MODES = [
    "000",
    pytest.param("444", marks=pytest.mark.slow),
    pytest.param("111", marks=pytest.mark.slow),
]
"""Closed, listed but not searchable, searchable but not listed."""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that somebody else than the test's user can be given; `tmp_path` is closed."""
    made = Path(tempfile.mkdtemp(prefix="lu"))
    yield made
    shutil.rmtree(made)


def looks(folder: Path, *modes: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What the look at the closed pack gave, and the one after it was opened again."""
    done = subprocess.run(
        [sys.executable, str(DROPPED), str(folder), *modes],
        env={**os.environ, "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    return told["refused"], told["after"]


@pytest.mark.parametrize("sub_mode", MODES)
def test_a_file_and_a_folder_of_mode_0000_are_named_and_stay_indexed(
    folder: Path, sub_mode: str
) -> None:
    """PA-10."""
    refused, after = looks(folder, "000", sub_mode, "700")
    assert refused["state"] == ["ok"]
    assert refused["skipped"].pop("closed.md") == "unreadable"
    assert refused["skipped"].keys() <= {"sub", "sub/deep.md"}
    assert set(refused["skipped"].values()) == {"unreadable"}
    assert (refused["indexed"], refused["removed"]) == (1, 1)
    assert refused["found"] == ["lantern", "obelisk", "quokka"]
    assert after == WHOLE


@pytest.mark.parametrize("root_mode", MODES)
def test_a_root_that_can_not_be_read_removes_nothing(folder: Path, root_mode: str) -> None:
    """PA-10, and the field's pack root that raises in one process."""
    refused, after = looks(folder, "600", "700", root_mode)
    assert refused["removed"] == 0
    assert refused["found"] == ["marimba", "obelisk", "quokka", "zephyr"]
    assert refused["state"] == ["unreadable"] or refused["skipped"] != {}
    assert after == {**WHOLE, "indexed": 2, "removed": 1}
