"""The walk: bounded, complete or honest about what is missing, and silent about noise."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from lobes.domain.display import display_text
from lobes.store import walk as walking
from lobes.store.files import FoundFile, Limits, Listing, SafeRoot, Skipped


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    folder.mkdir()
    return folder


@pytest.fixture
def root(pack: Path) -> Iterator[SafeRoot]:
    with SafeRoot.open(pack) as opened:
        yield opened


def _make(pack: Path, *names: str) -> None:
    for name in names:
        file = pack / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("x")


def _paths(listing: Listing) -> list[str]:
    return [file.path for file in listing.files]


def _reasons(listing: Listing) -> dict[str, str]:
    return {one.path: one.reason for one in listing.skipped}


def test_only_markdown_is_listed_and_the_rest_is_not_even_skipped(
    root: SafeRoot, pack: Path
) -> None:
    _make(pack, "a.md", "B.MD", "c.markdown", "d.mdown", "e.txt", "f.py", "docs/deep/g.md", "h")
    listing = root.list()
    assert _paths(listing) == ["B.MD", "a.md", "c.markdown", "d.mdown", "docs/deep/g.md"]
    assert listing.skipped == listing.unreadable == ()
    status = (pack / "a.md").stat()
    assert listing.files[1] == FoundFile("a.md", 1, status.st_mtime_ns)


def test_tool_folders_and_editor_leftovers_are_passed_over(root: SafeRoot, pack: Path) -> None:
    """Editor saves by temporary name and rename: no flicker; agents' .git stays unread."""
    _make(pack, "a.md", ".git/x.md", ".obsidian/x.md", "node_modules/p/README.md", ".hidden.md")
    _make(pack, ".trash/x.md", "__pycache__/x.md", ".venv/x.md", "a.md~", ".#a.md", "#a.md#")
    _make(pack, "b.md.tmp", ".a.md.swp", ".lobes-12.tmp", "sub/node_modules/x.md")
    listing = root.list()
    assert _paths(listing) == ["a.md"]
    assert listing.skipped == ()


def test_names_that_collide_on_other_systems_are_both_reported(root: SafeRoot, pack: Path) -> None:
    """PA-12: case twins and NFC/NFD twins; neither wins."""
    _make(pack, "Notes.md", "notes.md", "other.md", "Docs/a.md", "docs/b.md")
    composed, split = "é.md", unicodedata.normalize("NFD", "é.md")
    _make(pack, composed, split)
    listing = root.list()
    assert _paths(listing) == ["other.md"]
    assert _reasons(listing) == dict.fromkeys(
        ("Notes.md", "notes.md", "Docs", "docs", composed, split), "name_collision"
    )


def test_unportable_names_are_skipped_and_shown_escaped(root: SafeRoot, pack: Path) -> None:
    """PA-11, PA-13: bytes that are not UTF-8, reserved names, colons, bidi controls."""
    for name in (b"\xff.md", b"CON.md", b"a:b.md", b"a.md.", b"a.md ", b"..\\x.md", b"~x.md"):
        with open(os.path.join(os.fsencode(pack), name), "wb"):
            pass
    _make(pack, "ok.md", "x\u202ey.md", "new\nline.md", "❤️ עברית.md")
    (Path(os.fsdecode(os.fsencode(pack) + b"/\xfe"))).mkdir()
    listing = root.list()
    assert _paths(listing) == ["ok.md", "❤️ עברית.md"]
    reasons = _reasons(listing)
    assert set(reasons.values()) == {"bad_name"}
    assert {"\\xff.md", "\\xfe", "CON.md", "a.md.", "a.md ", "x\\u{202e}y.md"} <= set(reasons)
    for path in reasons:
        assert display_text(path) == path
        path.encode("utf-8")


def test_folder_that_cannot_be_listed_is_named_not_taken_for_empty(
    root: SafeRoot, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-10, and the root that raises PermissionError in one process: nothing may be removed."""
    _make(pack, "a.md", "closed/b.md", "open/c.md")
    real = os.scandir
    closed = (pack / "closed").stat().st_ino

    def guarded(folder: int) -> object:
        if os.fstat(folder).st_ino in refused:
            raise PermissionError(13, "denied")
        return real(folder)

    refused = {closed}
    monkeypatch.setattr(walking.os, "scandir", guarded)
    listing = root.list()
    assert _paths(listing) == ["a.md", "open/c.md"]
    assert listing.unreadable == ("closed",)
    assert _reasons(listing) == {"closed": "unreadable"}
    refused.add(root.identity.inode)
    listing = root.list()
    assert (listing.files, listing.unreadable) == ((), ("",))
    refused.clear()
    assert root.list().unreadable == ()


def test_disk_that_fails_in_the_middle_of_a_folder_makes_it_unreadable(
    root: SafeRoot, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _make(pack, "a.md", "b.md")

    class Broken:
        def __init__(self, entries: Iterator[os.DirEntry[str]]) -> None:
            self.entries = entries

        def __enter__(self) -> Iterator[os.DirEntry[str]]:
            def some() -> Iterator[os.DirEntry[str]]:
                yield next(self.entries)
                raise OSError(5, "Input/output error")

            return some()

        def __exit__(self, *_: object) -> None:
            self.entries.close()  # type: ignore[attr-defined]

    real = os.scandir
    with monkeypatch.context() as broken:
        broken.setattr(walking.os, "scandir", lambda folder: Broken(real(folder)))
        listing = root.list()
    assert listing.unreadable == ("",)


def test_deep_tree_and_link_loop_end_the_walk(root: SafeRoot, pack: Path) -> None:
    """PA-08: deeper than any stack; a link that leads to its own folder."""
    here = os.open(pack, os.O_RDONLY)
    depth = 600
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.symlink(pack, "loop", dir_fd=here)
    os.close(here)
    (pack / "loop").symlink_to(".")
    _make(pack, "a.md")
    listing = root.list()
    assert _paths(listing) == ["a.md"]
    assert _reasons(listing) == {"loop": "link", "/".join(["d"] * 33): "too_deep"}


def test_too_many_entries_stop_the_walk_and_keep_what_was_not_seen(
    root: SafeRoot, pack: Path
) -> None:
    """PA-08: a bound that is hit never looks like deleted files."""
    _make(pack, *(f"many/{number}.md" for number in range(50)), "a.md", "zoo/b.md")
    listing = root.list(limits=Limits(entries=20))
    assert _paths(listing)[0] == "a.md"
    assert listing.unreadable == ("many", "zoo")
    assert _reasons(listing) == {"many": "too_many", "zoo": "too_many"}
    listing = root.list(limits=Limits(files=10))
    assert len(listing.files) == 10
    assert listing.unreadable == ("many", "zoo")
    assert root.list(limits=Limits(files=52)).unreadable == ()


def test_skipped_list_is_bounded(root: SafeRoot, pack: Path) -> None:
    for number in range(30):
        (pack / f"{number}.md").symlink_to("nowhere")
    assert len(root.list(limits=Limits(skipped=10)).skipped) == 10


def test_stopped_walk_says_so(root: SafeRoot, pack: Path) -> None:
    _make(pack, "a.md", "docs/b.md", "more/c.md")
    asked: list[None] = []

    def stop() -> bool:
        asked.append(None)
        return len(asked) > 1

    listing = root.list(stop=stop)
    assert listing.stopped
    assert (_paths(listing), listing.unreadable) == (["a.md"], ("docs", "more"))


def test_ignore_file_is_obeyed_at_once_and_touches_no_file(root: SafeRoot, pack: Path) -> None:
    _make(pack, "a.md", "draft/b.md", "draft/keep.md", "private/c.md", "docs/secret-1.md")
    _make(pack, "docs/open.md")
    assert len(root.list().files) == 6
    (pack / ".lobesignore").write_text(
        "# mine\r\nprivate/\r\ndraft/*\r\n!draft/keep.md\r\nsecret-*.md\r\n"
    )
    listing = root.list()
    assert _paths(listing) == ["a.md", "docs/open.md", "draft/keep.md"]
    assert listing.skipped == ()
    assert (pack / "private" / "c.md").exists()


@pytest.mark.parametrize("data", [b"\xff\xfe", b"private/\n\xff", b"x\0y"])
def test_ignore_file_that_cannot_be_read_closes_the_root(
    root: SafeRoot, pack: Path, data: bytes
) -> None:
    """What the person keeps out must not come in because their rules are damaged."""
    _make(pack, "a.md")
    (pack / ".lobesignore").write_bytes(data)
    listing = root.list()
    assert (listing.files, listing.unreadable) == ((), ("",))
    assert listing.skipped[0].path == ".lobesignore"


def test_ignore_pattern_of_many_stars_does_not_hang_the_scan(root: SafeRoot, pack: Path) -> None:
    """An agent may write this file: as one regular expression this takes longer than a life."""
    _make(pack, "a" * 200 + ".md", "b.md")
    (pack / ".lobesignore").write_text("*a" * 40 + "[az]z\n" + "b.md\n" + "x" * 301 + "\na//b\n")
    listing = root.list()
    assert _paths(listing) == ["a" * 200 + ".md"]
    assert listing.skipped == (Skipped(".lobesignore", "bad_pattern"),)


def test_root_with_hidden_parents_is_listed(tmp_path: Path) -> None:
    """Only names below the root are judged."""
    pack = tmp_path / ".hidden" / "node_modules"
    _make(pack, "a.md")
    with SafeRoot.open(pack) as root:
        assert _paths(root.list()) == ["a.md"]


def test_hint_takes_exactly_what_the_listing_holds(root: SafeRoot, pack: Path) -> None:
    """Watcher events are hints: a path that no scan would hold must not come in by one."""
    _make(pack, "a.md", "docs/b.md", ".git/c.md", "private/d.md", "e.md~", "f.txt", "drop.md")
    _make(pack, "x.md", "X.md", "Docs.md")
    (pack / "link.md").symlink_to("a.md")
    (pack / "way").symlink_to("docs")
    (pack / ".lobesignore").write_text("private/\ndrop.md\n")
    held = set(_paths(root.list()))
    assert held == {"a.md", "docs/b.md", "Docs.md"}
    asked = ["a.md", "docs/b.md", "Docs.md", ".git/c.md", "private/d.md", "e.md~", "f.txt", "x.md"]
    asked += ["X.md", "link.md", "way/b.md", "gone.md", "drop.md", "../a.md", "docs", ""]
    assert {path for path in asked if root.takes(path)} == held
