"""Watching real folders by the system's own events, supervised."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from engine_home import Home, until

from lobes.engine.hints import Hints
from lobes.engine.protocol import WatchEvent, WatchRoot
from lobes.engine.watch import CANT_WATCH, LIMIT_REACHED, Native, Watcher, arm


@pytest.fixture
def root(tmp_path: Path) -> Path:
    made = tmp_path / "root"
    (made / "notes").mkdir(parents=True)
    (made / "notes" / "a.md").write_text("a", encoding="utf-8")
    return made


@pytest.fixture
def watch() -> Iterator[Callable[..., Watcher]]:
    started: list[Watcher] = []

    def begin(*roots: Path, hint_seconds: float = 300.0, **more: object) -> Watcher:
        watcher = Watcher(Hints(), hint_seconds=hint_seconds, **more)  # type: ignore[arg-type]
        started.append(watcher)
        watcher.watch([WatchRoot(f"prj_{one.name}", str(one)) for one in roots])
        return watcher

    yield begin
    for one in started:
        one.stop()


def event(watcher: Watcher, *, seconds: float = 5.0) -> WatchEvent:
    found = watcher.hints.wait(seconds=seconds)
    assert found is not None, "no hint came"
    return found


def paths_until(watcher: Watcher, wanted: set[str], *, seconds: float = 5.0) -> set[str]:
    """All paths hinted at until `wanted` are among them, or a hint for the whole root."""
    seen: set[str] = set()
    until_time = time.monotonic() + seconds
    while not wanted <= seen:
        found = watcher.hints.wait(seconds=max(0.0, until_time - time.monotonic()))
        assert found is not None, f"only {seen}"
        if not found.paths:
            return seen | wanted
        seen |= set(found.paths)
    return seen


def test_an_edited_file_is_hinted_at_by_its_relative_path(
    root: Path, watch: Callable[..., Watcher]
) -> None:
    watcher = watch(root)
    (root / "notes" / "a.md").write_text("b", encoding="utf-8")
    assert event(watcher) == WatchEvent("prj_root", str(root), ("notes/a.md",))


def test_editor_saves_hint_at_the_file_and_not_at_passing_ones(
    root: Path, watch: Callable[..., Watcher]
) -> None:
    """PA-26: temporary file and rename, delete and create, truncate."""
    watcher = watch(root)
    notes = root / "notes"
    (notes / "a.md.tmp").write_text("1", encoding="utf-8")
    os.replace(notes / "a.md.tmp", notes / "a.md")
    (notes / "4913").write_text("", encoding="utf-8")
    (notes / "4913").unlink()
    os.replace(notes / "a.md", notes / "a.md~")
    (notes / "a.md").write_text("2", encoding="utf-8")
    (notes / "a.md~").unlink()
    (notes / "last.md").write_text("", encoding="utf-8")
    assert paths_until(watcher, {"notes/a.md", "notes/last.md"}) == {"notes/a.md", "notes/last.md"}


@pytest.mark.slow
def test_five_thousand_files_at_once_become_one_hint_for_the_root(
    root: Path, watch: Callable[..., Watcher]
) -> None:
    """PA-26: no event storm; a checkout ends in hints for the whole root."""
    watcher = watch(root)
    for number in range(5000):
        (root / "notes" / f"{number}.md").write_text("x", encoding="utf-8")
    hints: list[WatchEvent] = []
    while (found := watcher.hints.wait(seconds=0.5)) is not None:
        hints.append(found)
    assert any(not one.paths for one in hints)
    assert all(len(one.paths) <= 200 for one in hints)


def test_a_file_in_a_folder_just_made_is_not_missed(
    root: Path, watch: Callable[..., Watcher]
) -> None:
    """PA-25: the new folders are watched, and the root is looked at as a whole."""
    watcher = watch(root)
    deep = root / "new" / "deep" / "er"
    deep.mkdir(parents=True)
    (deep / "a.md").write_text("a", encoding="utf-8")
    while event(watcher).paths:
        pass
    _calm(watcher)
    (deep / "a.md").write_text("b", encoding="utf-8")
    assert "new/deep/er/a.md" in paths_until(watcher, {"new/deep/er/a.md"})


def _calm(watcher: Watcher) -> None:
    while watcher.hints.wait(seconds=0.3) is not None:
        pass


def test_a_renamed_folder_means_the_whole_root(root: Path, watch: Callable[..., Watcher]) -> None:
    watcher = watch(root)
    (root / "notes").rename(root / "papers")
    assert event(watcher) == WatchEvent("prj_root", str(root))
    _calm(watcher)
    (root / "papers" / "a.md").write_text("new", encoding="utf-8")
    assert event(watcher).paths == ("papers/a.md",)


@pytest.mark.parametrize("which", ["folder", "root"])
def test_a_folder_made_again_at_once_is_watched_again(
    root: Path, which: str, watch: Callable[..., Watcher]
) -> None:
    """PA-07: the new folder may have the inode of the old one, whose watch is gone."""
    (root / "notes" / "a.md").unlink()
    watcher = watch(root)
    if which == "folder":
        (root / "notes").rmdir()
        (root / "notes").mkdir()
    else:
        shutil.rmtree(root)
        (root / "notes").mkdir(parents=True)
    assert not event(watcher).paths
    _calm(watcher)
    (root / "notes" / "b.md").write_text("b", encoding="utf-8")
    assert "notes/b.md" in event(watcher).paths


def test_ignored_folders_are_neither_watched_nor_hinted_at(
    root: Path, watch: Callable[..., Watcher]
) -> None:
    for name in (".git", "node_modules"):
        (root / name / "inner").mkdir(parents=True)
    armed: list[str] = []

    def noting(folders: Sequence[str]) -> Native:
        armed.extend(folders)
        return arm(folders)

    watcher = watch(root, arm=noting)
    (root / ".git" / "index").write_text("x", encoding="utf-8")
    (root / "node_modules" / "inner" / "x.md").write_text("x", encoding="utf-8")
    (root / "notes" / "last.md").write_text("", encoding="utf-8")
    assert event(watcher).paths == ("notes/last.md",)
    assert sorted(armed) == [str(root), str(root / "notes")]


def test_a_change_behind_a_link_to_a_folder_is_no_event(
    root: Path, tmp_path: Path, watch: Callable[..., Watcher]
) -> None:
    """PA-27: nothing outside the root is processed."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (root / "link").symlink_to(outside)
    watcher = watch(root)
    (outside / "secret.md").write_text("x", encoding="utf-8")
    (root / "notes" / "last.md").write_text("", encoding="utf-8")
    assert event(watcher).paths == ("notes/last.md",)


def test_a_name_that_is_not_utf8_stops_neither_the_watch_nor_other_roots(
    root: Path, tmp_path: Path, watch: Callable[..., Watcher]
) -> None:
    """PA-11: the watcher restarts; other events still arrive."""
    other = tmp_path / "other"
    other.mkdir()
    watcher = watch(root, other)
    with open(os.fsencode(root) + b"/notes/\xff\xfe.md", "wb") as file:
        file.write(b"x")
    assert not event(watcher).paths
    _calm(watcher)
    (other / "b.md").write_text("b", encoding="utf-8")
    assert event(watcher) == WatchEvent("prj_other", str(other), ("b.md",))
    (root / "notes" / "c.md").write_text("c", encoding="utf-8")
    assert event(watcher).paths == ("notes/c.md",)


def test_names_that_are_not_utf8_again_and_again_end_in_polling(
    root: Path, tmp_path: Path, watch: Callable[..., Watcher]
) -> None:
    """PA-11: the spoilt root is looked at every few seconds, the other is watched as before."""
    other = tmp_path / "other"
    other.mkdir()
    watcher = watch(root, other, poll_seconds=0.1)
    bad = os.fsencode(root) + b"/notes/\xff.md"
    turn = 0
    while CANT_WATCH not in watcher.problems:
        turn += 1
        assert turn < 200
        with open(bad, "wb") as file:
            file.write(b"%d" % turn)
        watcher.hints.wait(seconds=0.2)
    assert watcher.problems == (CANT_WATCH,)
    _calm(watcher)
    (other / "b.md").write_text("b", encoding="utf-8")
    assert event(watcher) == WatchEvent("prj_other", str(other), ("b.md",))
    with open(bad, "wb") as file:
        file.write(b"a longer text")
    assert event(watcher) == WatchEvent("prj_root", str(root))


@pytest.mark.parametrize("how", ["made again", "replaced", "moved away and back"])
def test_a_root_that_goes_and_comes_is_watched_again(
    root: Path, how: str, watch: Callable[..., Watcher]
) -> None:
    """PA-07: noticed by device and inode, then watched as the folder that is there now."""
    watcher = watch(root)
    away = root.with_name("away")
    if how == "replaced":
        root.with_name("fresh").mkdir()
        root.rename(away)
        root.with_name("fresh").rename(root)
    else:
        root.rename(away)
        assert event(watcher) == WatchEvent("prj_root", str(root))
        if how == "made again":
            root.mkdir()
        else:
            away.rename(root)
    assert event(watcher) == WatchEvent("prj_root", str(root))
    _calm(watcher)
    (root / "new.md").write_text("x", encoding="utf-8")
    assert event(watcher).paths == ("new.md",)


def test_a_root_that_is_missing_at_first_is_watched_when_it_comes(
    tmp_path: Path, watch: Callable[..., Watcher]
) -> None:
    late = tmp_path / "late"
    watcher = watch(late)
    late.mkdir()
    assert event(watcher) == WatchEvent("prj_late", str(late))
    (late / "a.md").write_text("a", encoding="utf-8")
    assert event(watcher).paths == ("a.md",)


def test_at_the_limit_of_watches_the_rest_is_polled_and_said_once(
    root: Path, tmp_path: Path, watch: Callable[..., Watcher]
) -> None:
    big = tmp_path / "big"
    big.mkdir()

    def limited(folders: Sequence[str]) -> Native:
        if str(big) in folders:
            raise OSError("OS file watch limit reached.")
        return arm(folders)

    watcher = watch(root, big, tmp_path / "third", arm=limited, poll_seconds=0.1)
    assert watcher.problems == (LIMIT_REACHED,)
    _calm(watcher)
    (root / "notes" / "a.md").write_text("b", encoding="utf-8")
    assert event(watcher) == WatchEvent("prj_root", str(root), ("notes/a.md",))
    (big / "b.md").write_text("b", encoding="utf-8")
    assert event(watcher) == WatchEvent("prj_big", str(big))


_AT_THE_LIMIT = """
import sys
from lobes.engine.hints import Hints
from lobes.engine.protocol import WatchRoot
from lobes.engine.watch import Watcher
open("/proc/sys/user/max_inotify_watches", "w").write("40")
watcher = Watcher(Hints(), hint_seconds=300)
watcher.watch([WatchRoot("small", sys.argv[1]), WatchRoot("big", sys.argv[2])])
print(watcher.problems)
"""


def test_the_systems_own_limit_of_watches_is_noticed(root: Path, tmp_path: Path) -> None:
    big = tmp_path / "big"
    for number in range(60):
        (big / str(number)).mkdir(parents=True)
    space = ["unshare", "-Ur", sys.executable, "-c", _AT_THE_LIMIT, str(root), str(big)]
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare")
    done = subprocess.run(space, capture_output=True, text=True, check=False)
    if "unshare failed" in done.stderr or "PermissionError" in done.stderr:
        pytest.skip("needs user namespaces")
    assert done.stdout.strip() == repr((LIMIT_REACHED,)), done.stderr


def test_every_root_is_hinted_at_as_a_whole_now_and_then(
    root: Path, watch: Callable[..., Watcher]
) -> None:
    """PA-25: what no event told of is found by the next look."""
    watcher = watch(root, hint_seconds=0.2)
    assert event(watcher) == WatchEvent("prj_root", str(root))


def test_new_roots_replace_the_old_ones_without_a_gap(
    root: Path, tmp_path: Path, watch: Callable[..., Watcher]
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    watcher = watch(root)
    watcher.watch([WatchRoot("prj_other", str(other))])
    (root / "notes" / "a.md").write_text("b", encoding="utf-8")
    (other / "b.md").write_text("b", encoding="utf-8")
    assert event(watcher) == WatchEvent("prj_other", str(other), ("b.md",))
    assert watcher.hints.take() is None


def test_a_face_gets_hints_through_the_engine(home: Home, root: Path) -> None:
    face = home.face()
    face.watch([WatchRoot("prj_one", str(root))])
    (root / "notes" / "a.md").write_text("b", encoding="utf-8")
    assert face.next_event(seconds=5) == WatchEvent("prj_one", str(root), ("notes/a.md",))
    assert face.next_event(seconds=0.05) is None
    assert face.status().watching == 1


def test_after_a_kill_the_roots_are_watched_again_and_looked_at(home: Home, root: Path) -> None:
    face = home.face()
    face.watch([WatchRoot("prj_one", str(root))])
    pid = home.pid()
    os.kill(pid, 9)
    assert face.next_event(seconds=5) == WatchEvent("prj_one", str(root))
    assert home.pid() not in (0, pid)
    (root / "notes" / "a.md").write_text("c", encoding="utf-8")
    assert face.next_event(seconds=5) == WatchEvent("prj_one", str(root), ("notes/a.md",))


def test_no_thread_of_a_stopped_watcher_is_left(root: Path) -> None:
    import threading

    watcher = Watcher(Hints(), hint_seconds=300)
    watcher.watch([WatchRoot("prj_one", str(root))])
    assert any(one.name == "engine-watch" for one in threading.enumerate())
    watcher.stop()
    until(lambda: not any(one.name == "engine-watch" for one in threading.enumerate()))
    assert watcher.hints.take() is None
