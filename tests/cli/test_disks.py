"""A home on a disk that is full or read-only: real ones, where this system lets us mount any."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from shell import Shell, shell_on

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mounts as Linux does")

READ_ONLY, REMOUNT = 1, 32


@dataclass(frozen=True)
class Disk:
    """A file system of its own at `folder`."""

    folder: Path

    def become(self, flags: int, size: str) -> None:
        mount(self.folder, flags, size)

    def fill(self, *, leaving: int) -> Path:
        found = os.statvfs(self.folder)
        filler = self.folder / "filler"
        with open(filler, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, found.f_bavail * found.f_frsize - leaving)
        return filler


def mount(folder: Path, flags: int, size: str) -> None:
    """A tmpfs at `folder`, or the one there with other flags; `OSError` where it isn't allowed."""
    system = ctypes.CDLL(None, use_errno=True)
    done = system.mount(b"lobes-test", bytes(folder), b"tmpfs", flags, f"size={size}".encode())
    if done != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))


@pytest.fixture
def disk() -> Iterator[Disk]:
    folder = Path(tempfile.mkdtemp(prefix="ld"))
    try:
        mount(folder, 0, "128m")
    except OSError as error:
        folder.rmdir()
        pytest.skip(f"nothing can be mounted here: {error}")
    yield Disk(folder)
    ctypes.CDLL(None).umount2(bytes(folder), 2)
    shutil.rmtree(folder)


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
