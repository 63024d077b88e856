"""Hints: translated, merged, bounded, never lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.engine.hints import PATHS_LIMIT, Hints, relative
from lobes.engine.protocol import WatchEvent, WatchRoot
from lobes.engine.roots import identity, real_folders, real_identity, signature

ROOT = WatchRoot("prj_a", "/r")


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("/r/a.md", "a.md"),
        ("/r/deep/er/a.md", "deep/er/a.md"),
        ("/r", None),
        ("/r-evil/a.md", None),
        ("/other/a.md", None),
        ("/r/../x/a.md", None),
        ("/r/.git/HEAD", None),
        ("/r/x/node_modules/y/z.md", None),
        ("/r/.git", None),
        ("/r/a.md~", None),
        ("/r/.a.md.swp", None),
        ("/r/.#a.md", None),
        ("/r/#a.md#", None),
        ("/r/4913", None),
        ("/r/a.md.tmp", None),
        ("/r/a.md.crdownload", None),
        ("/r/.hidden/a.md", None),
        ("/r/site-packages/x/a.md", None),
        ("/r/.lobesignore", ".lobesignore"),
        ("/r/4913/a.md", "4913/a.md"),
        ("/r/a.md___jb_tmp___", None),
        ("/r/swimming.md", "swimming.md"),
        ("/r/tmp/a.md", "tmp/a.md"),
    ],
)
def test_only_what_is_worth_a_look_is_a_hint(path: str, inside: str | None) -> None:
    assert relative("/r", path) == inside


def test_what_lies_behind_a_link_is_no_hint_but_the_link_is(tmp_path: Path) -> None:
    """PA-27."""
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert relative(str(tmp_path), str(tmp_path / "link" / "a.md")) is None
    assert relative(str(tmp_path), str(tmp_path / "real" / "a.md")) == "real/a.md"
    assert relative(str(tmp_path), str(tmp_path / "link")) == "link"


def test_paths_of_one_root_merge_and_come_out_once() -> None:
    hints = Hints()
    hints.add(ROOT, ["b", "a"])
    hints.add(ROOT, ["a", "c"])
    assert hints.take() == WatchEvent("prj_a", "/r", ("a", "b", "c"))
    assert hints.take() is None


def test_the_whole_root_swallows_single_paths_in_any_order() -> None:
    for order in ((["a"], []), ([], ["a"])):
        hints = Hints()
        for paths in order:
            hints.add(ROOT, paths)
        assert hints.take() == WatchEvent("prj_a", "/r")


def test_more_than_the_limit_means_the_whole_root() -> None:
    hints = Hints()
    hints.add(ROOT, [str(number) for number in range(PATHS_LIMIT)])
    hints.add(ROOT, ["one more"])
    assert hints.take() == WatchEvent("prj_a", "/r")


def test_roots_take_turns_and_dropped_ones_are_forgotten() -> None:
    hints = Hints()
    other = WatchRoot("prj_b", "/s")
    hints.add(ROOT, ["a"])
    hints.add(other, ["b"])
    hints.keep([other])
    assert hints.take() == WatchEvent("prj_b", "/s", ("b",))
    assert not hints


@given(st.lists(st.lists(st.text(min_size=1, max_size=3), max_size=5), max_size=80))
def test_no_path_is_lost(batches: list[list[str]]) -> None:
    hints = Hints()
    for batch in batches:
        hints.add(ROOT, batch)
    found = hints.take()
    wanted = {path for batch in batches for path in batch}
    if found is None:
        assert not batches
    elif found.paths:
        assert set(found.paths) == wanted
    else:
        assert len(wanted) > PATHS_LIMIT or [] in batches


def test_real_folders_leave_out_links_and_ignored_ones(tmp_path: Path) -> None:
    for name in ("a/b", ".git/x", "node_modules"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "loop").symlink_to(tmp_path)
    os.mkdir(os.fsencode(tmp_path) + b"/\xff")
    wanted = {str(tmp_path), str(tmp_path / "a"), str(tmp_path / "a" / "b")}
    assert set(real_folders(str(tmp_path))) == wanted
    assert real_folders(str(tmp_path / "none")) == {}


def test_an_identity_belongs_to_a_folder_and_not_to_its_name(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "a")
    (tmp_path / "file").touch()
    assert identity(str(tmp_path / "link")) == identity(str(tmp_path / "a"))
    assert identity(str(tmp_path / "a")) != identity(str(tmp_path / "b"))
    assert identity(str(tmp_path / "file")) is None
    assert real_identity(str(tmp_path / "link")) is None
    assert real_identity(str(tmp_path / "a")) == identity(str(tmp_path / "a"))


def test_a_signature_changes_with_any_change_that_counts(tmp_path: Path) -> None:
    """PA-11: also for names that aren't UTF-8."""
    (tmp_path / "a").mkdir()
    (tmp_path / ".git").mkdir()
    seen = [signature(str(tmp_path))]
    (tmp_path / "a" / "x.md").write_text("1", encoding="utf-8")
    seen.append(signature(str(tmp_path)))
    (tmp_path / "a" / "x.md").write_text("22", encoding="utf-8")
    seen.append(signature(str(tmp_path)))
    with open(os.fsencode(tmp_path) + b"/a/\xff", "wb"):
        pass
    seen.append(signature(str(tmp_path)))
    (tmp_path / "a").rename(tmp_path / "b")
    seen.append(signature(str(tmp_path)))
    assert len(set(seen)) == len(seen)
    (tmp_path / ".git" / "index").write_text("x", encoding="utf-8")
    (tmp_path / ".git").touch()
    assert signature(str(tmp_path)) == seen[-1]
