"""A Space is erased in the open app, beside the engine that runs: nothing is left to be done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.homes import lobes
from tests.e2e.pty import Terminal

MARK = "quaggas graze at dusk"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    home = tmp_path / "home"
    lobes(home, "init", "--user", "ada", "--presence", "off")
    for space in ("prj_a", "prj_b"):
        lobes(home, "space", "new", space)
    lobes(home, "memory", "add", f"The {MARK}.", "--space", "prj_b")
    lobes(home, "index", "--wait")
    yield home
    lobes(home, "engine", "stop")


@pytest.mark.slow
def test_a_space_is_erased_by_its_name_while_the_engine_runs(home: Path) -> None:
    lobes(home, "search", MARK, "--space", "prj_b")
    shown = Terminal(["-m", "lobes", "--home", str(home)])
    try:
        shown.until("prj_b")
        shown.settle(1.0)
        shown.press("G", "D")
        shown.until("Move the Project prj_b to the trash?")
        shown.hold_over(1.2)
        shown.press("tab", "tab", "enter")
        shown.until("Erase the Project prj_b?")
        shown.hold_over(1.2)
        for key in (*"prj_b", "tab"):
            shown.press(key)
            shown.settle(0.3)
        shown.press("tab")
        shown.until("[ Erase ]")
        shown.press("enter")
        shown.until("Erased prj_b", 60)
        assert "Still to do" not in shown.text()
        shown.until(lambda: "1 Space " in shown.text())
        shown.press("ctrl+q")
        assert shown.ended() == 0
    finally:
        shown.close()
    for folder in ("data", "state", "cache"):
        for path in (home / folder).rglob("*"):
            assert not path.is_file() or MARK.encode() not in path.read_bytes(), path
