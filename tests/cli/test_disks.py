"""A home on a disk that is full or read-only: real ones, where this system lets us mount any."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest

from disks import READ_ONLY, REMOUNT, Disk, a_disk
from shell import Shell, shell_on

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mounts as Linux does")


@pytest.fixture
def disk() -> Iterator[Disk]:
    with a_disk() as made:
        yield made


@pytest.fixture
def shell(disk: Disk) -> Iterator[Shell]:
    with shell_on(disk.folder / "home") as made:
        made.json("init", "--user", "ada", "--presence", "off")
        made.run("engine", "stop")
        yield made


def files(shell: Shell) -> list[str]:
    ran = shell.run("doctor", "store", "files", "audit", "--json")
    assert ran.err == ""
    assert ran.code == 1
    assert all(one["hint"] for one in ran.document["items"] if one["level"] == "problem")
    return [one["text"] for one in ran.document["items"] if one["level"] == "problem"]


def test_little_room_is_named_before_the_disk_is_full(disk: Disk, shell: Shell) -> None:
    """DU-05."""
    filler = disk.fill(leaving=20_000_000)
    (text,) = files(shell)
    assert "MB left" in text
    filler.unlink()
    assert shell.run("doctor", "files").code == 0


FULL: tuple[str, Callable[[Disk], object]] = ("full", lambda disk: disk.fill(leaving=0))
WRITE_PROTECTED: tuple[str, Callable[[Disk], object]] = (
    "read-only",
    lambda disk: disk.become(REMOUNT | READ_ONLY, "128m"),
)


@pytest.mark.parametrize(("word", "act"), [FULL, WRITE_PROTECTED], ids=["full", "read-only"])
def test_a_disk_that_takes_nothing_is_named_and_the_rest_is_looked_at(
    disk: Disk, shell: Shell, word: str, act: Callable[[Disk], object]
) -> None:
    """DU-05."""
    act(disk)
    texts = files(shell)
    assert len(texts) > 1
    assert all(word in text for text in texts)
    ran = shell.run("space", "list", "--json")
    assert (ran.code, ran.err) == (0, "")
    made = shell.run("space", "new", "prj_x", "--json")
    assert made.code != 0
    assert "Traceback" not in made.err
