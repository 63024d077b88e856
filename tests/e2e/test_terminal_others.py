"""A second process writes while a list is open: the list follows, and the cursor stays."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.homes import lobes, sample_home
from tests.e2e.pty import Terminal


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with sample_home(tmp_path_factory.mktemp("home"), indexed=False) as home:
        yield home


def test_a_space_that_another_process_adds_shows_up_under_the_cursor(
    home: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "fresh"
    folder.mkdir()
    (folder / "README.md").write_text("# Fresh\n\nA new thing.\n")
    shown = Terminal(["-m", "lobes", "--home", str(home)])
    try:
        shown.until("Writing")
        shown.press("G")
        shown.until(lambda: any(line.startswith("▌◇ Writing") for line in shown.lines()))
        lobes(home, "space", "add", str(folder), "--id", "prj_fresh", "--yes")
        shown.until("◆ Fresh")
        assert any(line.startswith("▌◇ Writing") for line in shown.lines())
        shown.press("ctrl+q")
        assert shown.ended() == 0
    finally:
        shown.close()


@pytest.mark.slow
def test_a_second_window_opens_the_same_home(samples: Path) -> None:
    first = Terminal(["-m", "lobes", "--home", str(samples)])
    second = Terminal(["-m", "lobes", "--home", str(samples)])
    try:
        for one in (first, second):
            one.until("Notidian")
        for one in (first, second):
            one.press("ctrl+q")
            assert one.ended() == 0
        assert os.path.exists(samples / "data" / "lobes.db")
    finally:
        first.close()
        second.close()
