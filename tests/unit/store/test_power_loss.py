"""DU-18: after a power loss a pack file is the old one or the new one, whole, and never less."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from lobes.domain.errors import Conflict, Unavailable
from lobes.store import writing
from lobes.store.files import ReadFile, SafeRoot, write_atomic
from power_loss import Recorder, laid_out, recorded

OLD = "the old text\n"
NEW = "the new text, longer\n"
States = set[frozenset[tuple[str, bytes | None]]]


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    (folder / "sub").mkdir(parents=True)
    (folder / "a.md").write_text(OLD)
    (folder / "sub" / "b.md").write_text(OLD)
    return folder


def texts(states: States, name: str, tmp_path: Path) -> set[str]:
    """What Lobes reads at `name` after each of these losses; what else it lists is untouched."""
    found: set[str] = set()
    tmp_path.mkdir(exist_ok=True)
    for number, state in enumerate(states):
        with SafeRoot.open(laid_out(state, tmp_path / f"after-{number}")) as root:
            file = root.read(name)
            found.add(file.text if isinstance(file, ReadFile) else file.reason)
            listing = root.list()
            assert {one.path for one in listing.files} - {name} == {"a.md", "sub/b.md"} - {name}
            assert listing.skipped == ()
    return found


def lost(pack: Path, act: Callable[[SafeRoot], object]) -> Recorder:
    with SafeRoot.open(pack) as root, recorded(pack) as recorder:
        act(root)
    assert len(recorder.states) > 5
    return recorder


def write(name: str, *, over: str | None) -> Callable[[SafeRoot], object]:
    expected = None if over is None else hashlib.sha256(over.encode()).hexdigest()
    return lambda root: root.write(name, NEW, expect_hash=expected)


@pytest.mark.parametrize(
    ("name", "over", "before"),
    [
        ("a.md", OLD, OLD),
        ("sub/b.md", OLD, OLD),
        ("new.md", None, "gone"),
        ("sub/new.md", None, "gone"),
        ("docs/deep/new.md", None, "gone"),
    ],
)
def test_a_loss_at_any_moment_leaves_the_old_file_or_the_new_one(
    pack: Path, tmp_path: Path, name: str, over: str | None, before: str
) -> None:
    """DU-18: also in part, with what isn't synced lost, cut off or in any order."""
    recorder = lost(pack, write(name, over=over))
    assert texts(recorder.possible, name, tmp_path) == {before, NEW}


@pytest.mark.parametrize(
    ("name", "over"), [("a.md", OLD), ("new.md", None), ("docs/deep/new.md", None)]
)
def test_what_was_said_to_be_written_survives(
    pack: Path, tmp_path: Path, name: str, over: str | None
) -> None:
    """DU-18: the folders made for it as well."""
    recorder = lost(pack, write(name, over=over))
    assert texts(recorder.acknowledged, name, tmp_path) == {NEW}


def test_files_of_our_own_too(pack: Path, tmp_path: Path) -> None:
    """DU-18."""
    recorder = lost(pack, lambda _: write_atomic(pack / "a.md", NEW.encode()))
    assert texts(recorder.possible, "a.md", tmp_path) == {OLD, NEW}
    assert texts(recorder.acknowledged, "a.md", tmp_path / "later") == {NEW}


def test_a_write_that_is_refused_leaves_the_old_file(pack: Path, tmp_path: Path) -> None:
    """DU-18: somebody else's save, met when ours is already on the disk."""

    def refused() -> None:
        raise Conflict("changed", reason="changed_on_disk")

    def act(_: SafeRoot) -> None:
        folder = os.open(pack, os.O_RDONLY | os.O_DIRECTORY)
        with pytest.raises(Conflict):
            writing.replace_at(folder, "a.md", NEW.encode(), mode=0o600, before_rename=refused)
        os.close(folder)

    assert texts(lost(pack, act).possible, "a.md", tmp_path) == {OLD}


# What the disk would do to other writers: else the above could not fail ---------------------------


def in_place(folder: int) -> None:
    descriptor = os.open("a.md", os.O_WRONLY | os.O_TRUNC, dir_fd=folder)
    while (done := os.lseek(descriptor, 0, os.SEEK_CUR)) < len(NEW):
        os.write(descriptor, NEW.encode()[done:])
    os.fsync(descriptor)
    os.close(descriptor)


def renamed_unsynced(folder: int) -> None:
    descriptor = os.open(".new", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600, dir_fd=folder)
    while (done := os.lseek(descriptor, 0, os.SEEK_CUR)) < len(NEW):
        os.write(descriptor, NEW.encode()[done:])
    os.close(descriptor)
    os.rename(".new", "a.md", src_dir_fd=folder, dst_dir_fd=folder)
    os.fsync(folder)


@pytest.mark.parametrize("writer", [in_place, renamed_unsynced])
def test_the_disk_tells_a_careless_writer(
    pack: Path, tmp_path: Path, writer: Callable[[int], None]
) -> None:
    folder = os.open(pack, os.O_RDONLY | os.O_DIRECTORY)
    recorder = lost(pack, lambda _: writer(folder))
    os.close(folder)
    found = texts(recorder.possible, "a.md", tmp_path)
    assert found > {OLD, NEW}
    assert "" in found


def test_the_disk_tells_a_name_that_is_not_synced(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last call fails: the old file or the new one, and nobody was told that it is done."""
    real = os.fsync

    def only_files(descriptor: int) -> None:
        if os.path.isdir(f"/proc/self/fd/{descriptor}"):
            raise OSError(5, "broken")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", only_files)

    def act(root: SafeRoot) -> None:
        with pytest.raises(Unavailable):
            write("a.md", over=OLD)(root)

    assert texts(lost(pack, act).acknowledged, "a.md", tmp_path) == {OLD, NEW}
