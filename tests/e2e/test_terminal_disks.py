"""A home on a disk that takes nothing: the app starts, says what is not kept, and can be read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest
from tests.e2e.homes import lobes
from tests.e2e.pty import Terminal

from disks import READ_ONLY, REMOUNT, Disk, a_disk

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="mounts as Linux does"),
]

REFUSED = "Nothing was decided: it could not be kept."
KEPT = "Nothing you decide now would be kept."


def protect(disk: Disk) -> None:
    disk.become(REMOUNT | READ_ONLY, "128m")


def fill(disk: Disk) -> None:
    disk.fill(leaving=0)


@pytest.fixture
def disk() -> Iterator[Disk]:
    with a_disk() as made:
        yield made


@pytest.fixture
def with_samples(disk: Disk) -> Disk:
    home = disk.folder / "home"
    lobes(home, "init", "--sample", "--user", "ada")
    return disk


def opened(disk: Disk) -> Terminal:
    return Terminal(["-m", "lobes", "--home", str(disk.folder / "home")])


@pytest.mark.parametrize(
    ("take_nothing", "word"),
    [(protect, "it is read-only"), (fill, "disk full")],
    ids=["read-only", "full"],
)
def test_a_disk_that_takes_nothing_is_said_at_the_start_and_packs_are_read(
    with_samples: Disk, take_nothing: Callable[[Disk], object], word: str
) -> None:
    """Before anything is decided that would be lost; DU-05."""
    take_nothing(with_samples)
    shown = opened(with_samples)
    try:
        shown.until(f"can't write to the home: {word}. {KEPT}")
        shown.until("Notidian")
        shown.hold_over(1.0)
        before = [line for line in shown.lines() if "Globex" in line[:20]]
        shown.press("A")
        shown.until(REFUSED)
        assert [line for line in shown.lines() if "Globex" in line[:20]] == before
        shown.press("\x12")  # ctrl+r
        shown.settle()
        assert KEPT in shown.text()
        shown.press("7")
        shown.until("change_permission")
        shown.press("1")
        shown.until("Pack ")
        shown.press("ctrl+q")
        assert shown.ended() == 7
        assert b"could not all be kept in Activity" in shown.raw
        assert b"Traceback" not in shown.raw
        assert shown.modes() == shown.found_modes
    finally:
        shown.close()


def test_the_banner_goes_with_its_cause_and_the_key_is_taken_again(with_samples: Disk) -> None:
    protect(with_samples)
    shown = opened(with_samples)
    try:
        shown.until(KEPT)
        shown.until("Notidian")
        with_samples.become(REMOUNT, "128m")
        shown.press("\x12")  # ctrl+r
        shown.without(KEPT)
        shown.hold_over(1.0)  # a deciding key counts once its row has stood for a moment
        shown.press("A")
        shown.until("Archived Globex")
        shown.press("ctrl+q")
        assert shown.ended() == 0
    finally:
        shown.close()
        lobes(with_samples.folder / "home", "engine", "stop")


def test_the_first_run_on_a_read_only_disk_is_refused_in_words(disk: Disk) -> None:
    protect(disk)
    shown = opened(disk)
    try:
        shown.until("Start empty")
        shown.press("3")
        shown.until("My Spaces")
        shown.press("enter")
        shown.until("can't be made. Check who owns the place")
        shown.press("esc")
        shown.until("Sample Spaces")
        shown.press("q")
        assert shown.ended() == 0
    finally:
        shown.close()
