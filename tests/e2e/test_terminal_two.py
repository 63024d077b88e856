"""Two windows on one home: each sees what the other did, and undoes nothing over its head."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.e2e.homes import sample_home
from tests.e2e.pty import Terminal

pytestmark = pytest.mark.slow

PAINTED = 1.0
"""Seconds after which a deciding key counts: its row has stood long enough to be read."""


@pytest.fixture
def windows(tmp_path: Path) -> Iterator[tuple[Terminal, Terminal]]:
    with sample_home(tmp_path / "home", indexed=False) as home:
        one = Terminal(["-m", "lobes", "--home", str(home)])
        other = Terminal(["-m", "lobes", "--home", str(home)])
        try:
            for shown in (one, other):
                shown.until("Notidian")
                shown.hold_over(PAINTED)
            yield one, other
            for shown in (one, other):
                shown.press("ctrl+q")
                assert shown.ended() == 0
                assert b"Traceback" not in shown.raw
        finally:
            one.close()
            other.close()


def listed(shown: Terminal) -> str:
    """The list alone, with the heading's counts."""
    return "\n".join([shown.lines()[1], *(line[:60] for line in shown.lines()[3:14])])


def test_what_one_window_archives_leaves_the_list_of_the_other(
    windows: tuple[Terminal, Terminal],
) -> None:
    one, other = windows
    one.press("A")
    one.until("Archived Globex")
    other.until(lambda: "5 Spaces" in listed(other))
    one.press("z")
    one.until("Restored Globex")
    other.until(lambda: "6 Spaces" in listed(other) and "Globex" in listed(other))
    one.until(lambda: "6 Spaces" in listed(one) and "Globex" in listed(one))
    assert "Archived" not in other.text(), "what the other one did is not told as one's own"


def test_what_the_other_window_did_since_is_not_undone_over_its_head(
    windows: tuple[Terminal, Terminal],
) -> None:
    """One archives, the other moves the same Space to the trash: the first one's undo is refused
    in words, and the Space stays in the trash."""
    one, other = windows
    one.press("A")
    one.until("Archived Globex")
    other.until(lambda: "5 Spaces" in listed(other))
    other.press("f")
    other.until(lambda: "archived" in other.lines()[1] and "Globex" in listed(other))
    other.hold_over(PAINTED)
    other.press("D")
    other.until("to the trash?")
    other.hold_over(PAINTED)
    other.press("tab", "enter")
    other.until("Trashed Globex")
    one.settle(1.5)
    one.press("z")
    one.until("Globex is in the trash since", 10)
    one.settle()
    assert "5 Spaces" in listed(one)
    assert "Restored" not in one.text()
