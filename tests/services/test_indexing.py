"""Following a pack: what a look at the disk adds, keeps and removes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from homes import AHome
from lobes.domain.errors import NotFound
from lobes.services import indexing
from lobes.services.indexing import IndexReport, index_space
from lobes.services.space_changes import trash_space
from lobes.store.files import SafeRoot
from lobes.store.found import Listing, ReadFile, Skipped

SPACE = "prj_a"


@pytest.fixture
def pack(home: AHome) -> AHome:
    files = {f"n{n}.md": f"# Note {n}\n\nThe word{n} stands here.\n" for n in range(6)}
    home.a_space(SPACE, {**files, "sub/deep.md": "# Deep\n\nThe deepword is below.\n"})
    home.index()
    assert paths(home) == {*files, "sub/deep.md"}
    return home


def paths(home: AHome, space: str = SPACE) -> set[str]:
    return {row[0] for row in home.rows("SELECT path FROM document WHERE space = ?", space)}


def reasons(report: IndexReport) -> dict[str, str]:
    return {one.path: one.reason for one in report.skipped}


def is_found(home: AHome, query: str, path: str) -> bool:
    return (SPACE, path) in home.found(query, SPACE)


# Nothing is removed on a doubt ------------------------------------------------------------------


def commits(home: AHome) -> int:
    """SQLite counts them in the file's header (bytes 24 to 27)."""
    return int.from_bytes(home.folders.store.read_bytes()[24:28], "big")


def test_many_folders_that_are_gone_are_noted_in_one_write(home: AHome) -> None:
    """Each write has every window read its lists again: ten thousand made the keys late."""
    for number in range(5):
        home.a_space(f"prj_{number}", {"a.md": "# A\n\nText.\n"})
    home.index()
    home.index()  # what the engine has followed by now is taken out of the outbox
    for number in range(1, 5):
        home.root(f"prj_{number}").rename(home.folders.spaces / f"away{number}")
    before = commits(home)
    report = home.index()
    assert [one.state for one in report.roots] == ["ok", *["missing"] * 4]
    states = dict(home.rows("SELECT id, root_state FROM space"))
    assert [states[f"prj_{number}"] for number in range(5)] == ["ok", *["missing"] * 4]
    assert commits(home) == before + 1
    home.index()
    assert commits(home) == before + 1


def test_a_root_that_is_gone_removes_nothing(pack: AHome) -> None:
    """PA-07: unmounted, or the folder moved away."""
    before = paths(pack)
    pack.root(SPACE).rename(pack.folders.spaces / "away")
    report = pack.index(SPACE)
    assert [(one.space, one.state) for one in report.roots] == [(SPACE, "missing")]
    assert (report.removed, paths(pack)) == (0, before)
    assert is_found(pack, "deepword", "sub/deep.md")
    (pack.folders.spaces / "away").rename(pack.root(SPACE))
    report = pack.index(SPACE)
    assert ([one.state for one in report.roots], report.removed) == (["ok"], 0)


def test_an_empty_mount_point_in_the_roots_place_removes_nothing(pack: AHome) -> None:
    """PA-07: replaced by another directory."""
    before = paths(pack)
    pack.root(SPACE).rename(pack.folders.spaces / "away")
    pack.root(SPACE).mkdir()
    report = pack.index(SPACE)
    assert [one.state for one in report.roots] == ["replaced"]
    assert (report.removed, paths(pack)) == (0, before)


def test_a_root_that_goes_away_during_the_scan_removes_nothing(
    pack: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-07: between the listing and the look at its files."""
    before = paths(pack)
    real = SafeRoot.list

    def listing(self: SafeRoot, **wanted: Any) -> Listing:
        shutil.move(str(self.path), str(self.path.with_name("away")))
        return real(self, **wanted)

    monkeypatch.setattr(SafeRoot, "list", listing)
    report = index_space(pack.lobes, pack.me, SPACE)
    assert [one.state for one in report.roots] == ["missing"]
    assert paths(pack) == before


def test_a_root_that_can_not_be_read_removes_nothing(
    pack: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-10: permission lost on the root itself."""
    before = paths(pack)
    refuse(monkeypatch, lambda name: name == str(pack.root(SPACE)))
    report = index_space(pack.lobes, pack.me, SPACE)
    assert [one.state for one in report.roots] == ["unreadable"]
    assert paths(pack) == before


def test_a_folder_that_can_not_be_listed_removes_nothing_below_it(
    pack: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-10: directory not searchable; the rest goes on."""
    (pack.root(SPACE) / "n0.md").unlink()
    refuse(monkeypatch, lambda name: name == "sub")
    report = index_space(pack.lobes, pack.me, SPACE)
    assert reasons(report)["sub"] == "unreadable"
    assert report.removed == 1
    assert "sub/deep.md" in paths(pack)
    monkeypatch.undo()
    assert index_space(pack.lobes, pack.me, SPACE).skipped == ()


def test_a_file_that_can_not_be_read_keeps_what_was_indexed_and_is_tried_again(
    pack: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-10: vanished and unreadable are not the same."""
    pack.write(SPACE, "n1.md", "# Note 1\n\nThe newword stands here.\n")
    (pack.root(SPACE) / "n2.md").unlink()
    refuse(monkeypatch, lambda name: name == "n1.md")
    report = index_space(pack.lobes, pack.me, SPACE)
    assert reasons(report) == {"n1.md": "unreadable"}
    assert paths(pack) >= {"n1.md"}
    assert "n2.md" not in paths(pack)
    monkeypatch.undo()
    pack.index(SPACE)
    assert is_found(pack, "newword", "n1.md")


def refuse(monkeypatch: pytest.MonkeyPatch, closed: Callable[[str], bool]) -> None:
    """The system denies opening these names: as root no mode would."""
    real = os.open

    def opened(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if closed(os.fspath(path)):
            raise PermissionError(13, "denied", path)
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", opened)
    monkeypatch.setattr(os, "supports_dir_fd", {*os.supports_dir_fd, opened})


def test_a_note_written_while_a_scan_runs_survives_the_deletion_step(
    pack: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Field: the deletion step looks at the disk again when it applies."""
    old = (pack.root(SPACE) / "n3.md").read_text()
    (pack.root(SPACE) / "n3.md").unlink()
    (pack.root(SPACE) / "n4.md").unlink()
    real = SafeRoot.list

    def listing(self: SafeRoot, **wanted: Any) -> Listing:
        found = real(self, **wanted)
        pack.write(SPACE, "n3.md", old)
        pack.write(SPACE, "late.md", "# Late\n\nThe lateword.\n")
        return found

    monkeypatch.setattr(SafeRoot, "list", listing)
    report = index_space(pack.lobes, pack.me, SPACE)
    assert report.removed == 1
    assert "n3.md" in paths(pack)
    assert "n4.md" not in paths(pack)
    monkeypatch.undo()
    pack.index(SPACE)
    assert {"n3.md", "late.md"} <= paths(pack)


def test_a_scan_that_is_stopped_removes_nothing(pack: AHome) -> None:
    """Cancelled work leaves a consistent state."""
    (pack.root(SPACE) / "n0.md").unlink()
    report = index_space(pack.lobes, pack.me, SPACE, stop=lambda: True)
    assert report.stopped
    assert "n0.md" in paths(pack)
    pack.index(SPACE)
    assert "n0.md" not in paths(pack)


# What the disk says is so ------------------------------------------------------------------------


def test_a_file_that_is_gone_leaves_store_and_search(pack: AHome) -> None:
    """field "source removed, re-sync": stale items are removed."""
    (pack.root(SPACE) / "n0.md").unlink()
    report = pack.index(SPACE)
    assert (report.removed, report.indexed) == (1, 0)
    assert not is_found(pack, "word0", "n0.md")
    assert pack.rows("SELECT count(*) FROM passage WHERE text LIKE '%word0%'") == [(0,)]


def test_a_renamed_file_moves_and_a_copy_at_the_old_place_is_a_second_one(pack: AHome) -> None:
    """Field: the copy is not mistaken for the move's remains."""
    root = pack.root(SPACE)
    (root / "n0.md").rename(root / "moved.md")
    pack.index(SPACE)
    assert pack.found("word0", SPACE) == {(SPACE, "moved.md")}
    shutil.copy(root / "moved.md", root / "n0.md")
    pack.index(SPACE)
    assert pack.found("word0", SPACE) == {(SPACE, "moved.md"), (SPACE, "n0.md")}


def test_touching_and_moving_embeds_nothing_anew(pack: AHome) -> None:
    """Field: Syncthing touching mtimes; the content hash decides."""
    embedded = len(pack.embedder.embedded)
    for path in pack.root(SPACE).rglob("*.md"):
        os.utime(path, ns=(1, 1))
    report = pack.index(SPACE)
    assert (report.indexed, report.unchanged) == (0, 7)
    assert len(pack.embedder.embedded) == embedded
    assert pack.rows("SELECT DISTINCT mtime_ns FROM document") == [(1,)]
    again = pack.index(SPACE)
    assert again.unchanged == 7


def test_a_change_of_the_same_size_within_the_same_second_is_seen(pack: AHome) -> None:
    """The time counts in nanoseconds, and the hash decides."""
    before = (pack.root(SPACE) / "n0.md").stat()
    pack.write(SPACE, "n0.md", "# Note 0\n\nThe wyrd0 stands here.\n")
    os.utime(pack.root(SPACE) / "n0.md", ns=(before.st_mtime_ns + 1, before.st_mtime_ns + 1))
    pack.index(SPACE)
    assert is_found(pack, "wyrd0", "n0.md")
    assert not is_found(pack, "word0", "n0.md")


def test_an_ignore_file_that_comes_later_takes_what_was_indexed_out(pack: AHome) -> None:
    """Field: newly ignored items leave at once; the files stay."""
    pack.write(SPACE, ".lobesignore", "sub/\nn1.md\n")
    report = pack.index(SPACE)
    assert report.removed == 2
    assert not is_found(pack, "deepword", "sub/deep.md")
    assert (pack.root(SPACE) / "sub" / "deep.md").exists()
    (pack.root(SPACE) / ".lobesignore").unlink()
    pack.index(SPACE)
    assert is_found(pack, "deepword", "sub/deep.md")


def test_an_ignore_file_that_can_not_be_read_takes_nothing_in_or_out(
    pack: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    pack.write(SPACE, ".lobesignore", "secret/\n")
    pack.write(SPACE, "secret/s.md", "# Secret\n\nThe secretword.\n")
    before = paths(pack)
    refuse(monkeypatch, lambda name: name == ".lobesignore")
    index_space(pack.lobes, pack.me, SPACE)
    assert paths(pack) == before


def test_twins_that_differ_only_in_form_are_both_named_and_neither_wins(pack: AHome) -> None:
    """PA-12: NFC/NFD and case."""
    pack.write(SPACE, "caf\u00e9.md", "# One\n\nThe twinword.\n")
    pack.write(SPACE, "cafe\u0301.md", "# Two\n\nThe twinword.\n")
    pack.write(SPACE, "Read.md", "# One\n\nThe caseword.\n")
    pack.write(SPACE, "read.md", "# Two\n\nThe caseword.\n")
    report = pack.index(SPACE)
    assert set(reasons(report).values()) == {"name_collision"}
    assert pack.found("twinword caseword", SPACE) == set()
    (pack.root(SPACE) / "cafe\u0301.md").unlink()
    pack.index(SPACE)
    assert pack.found("twinword", SPACE) == {(SPACE, "caf\u00e9.md")}


def test_a_name_in_nfd_is_one_item_that_edits_reach(pack: AHome) -> None:
    """Field: the watcher reports another form than the scan."""
    decomposed = pack.write(SPACE, "re\u0301sume\u0301.md", "# R\n\nThe firstword.\n")
    pack.index(SPACE)
    decomposed.write_text("# R\n\nThe secondword.\n")
    report = index_space(pack.lobes, pack.me, SPACE, paths=["re\u0301sume\u0301.md"])
    assert (report.indexed, report.removed) == (1, 0)
    pack.settle()
    assert pack.found("secondword", SPACE) == {(SPACE, "r\u00e9sum\u00e9.md")}


@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("bom.md", b"\xef\xbb\xbf# Bom\n\nThe oddword.\n", None),
        ("crlf.md", b"# Crlf\r\n\r\nThe oddword.\r\n", None),
        ("cr.md", b"# Mixed\n\nThe\r\noddword.\r", None),
        ("emoji \U0001f980.md", b"# Emoji\n\nThe oddword.\n", None),
        ("\u05e9\u05dc\u05d5\u05dd.md", b"# Rtl\n\nThe oddword.\n", None),
        ("empty.md", b"", None),
        ("utf16.md", "# U\n\nThe oddword.\n".encode("utf-16"), "not_utf8"),
        ("latin.md", b"# caf\xe9\n\nThe oddword.\n", "not_utf8"),
        ("binary.md", b"# N\n\nThe \x00 oddword.\n", "binary"),
        ("big.md", b"# B\n" + b"oddword " * 200_000, "too_large"),
        ("CON.md", b"# C\n\nThe oddword.\n", "bad_name"),
        ("a:b.md", b"# C\n\nThe oddword.\n", "bad_name"),
        ("a.md ", b"# C\n\nThe oddword.\n", "bad_name"),
        ("a\\b.md", b"# C\n\nThe oddword.\n", "bad_name"),
    ],
)
def test_each_odd_file_is_indexed_or_named_with_its_reason(
    pack: AHome, name: str, content: bytes, reason: str | None
) -> None:
    """PA-13, PA-14, PA-15, field: encodings and names."""
    pack.write(SPACE, name, content)
    report = pack.index(SPACE)
    if reason is None:
        assert report.skipped == ()
        assert name in paths(pack)
        assert not content or is_found(pack, "oddword", name)
    else:
        assert list(reasons(report).values()) == [reason]
        assert report.indexed == 0
    assert (pack.root(SPACE) / name).read_bytes() == content


def test_links_pipes_and_second_names_are_skipped_and_nothing_waits(
    pack: AHome, tmp_path: Path
) -> None:
    """PA-03, PA-09."""
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "o.md").write_text("# O\n\nThe outsideword.\n")
    root = pack.root(SPACE)
    (root / "link.md").symlink_to(outside / "o.md")
    (root / "folder").symlink_to(outside)
    (root / "loop").symlink_to(root)
    os.mkfifo(root / "pipe.md")
    os.link(outside / "o.md", root / "hard.md")
    report = pack.index(SPACE)
    assert reasons(report) == {
        "link.md": "link",
        "folder": "link",
        "loop": "link",
        "pipe.md": "not_regular",
        "hard.md": "hard_link",
    }
    assert pack.found("outsideword", SPACE) == set()


def test_a_name_that_is_no_utf8_is_listed_and_the_rest_goes_on(pack: AHome) -> None:
    """PA-11."""
    with open(os.fsencode(pack.root(SPACE)) + b"/\xff.md", "wb") as file:
        file.write(b"# X\n")
    pack.write(SPACE, "fine.md", "# Fine\n\nThe fineword.\n")
    report = pack.index(SPACE)
    assert list(reasons(report).values()) == ["bad_name"]
    assert is_found(pack, "fineword", "fine.md")
    assert all(path.isprintable() for path in reasons(report))


def test_the_hash_belongs_to_the_text_when_a_file_is_replaced_in_between(
    pack: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-16."""
    real = SafeRoot.read

    def read(self: SafeRoot, name: str) -> ReadFile | Skipped:
        found = real(self, name)
        if name == "n0.md":
            pack.write(SPACE, "n0.md", "# Note 0\n\nThe replacedword.\n")
        return found

    pack.write(SPACE, "n0.md", "# Note 0\n\nThe firstword stands here.\n")
    monkeypatch.setattr(SafeRoot, "read", read)
    index_space(pack.lobes, pack.me, SPACE)
    monkeypatch.undo()
    pack.index(SPACE)
    assert is_found(pack, "replacedword", "n0.md")
    assert not is_found(pack, "firstword", "n0.md")


def test_a_file_in_two_spaces_leaves_only_the_one_that_it_was_deleted_from(home: AHome) -> None:
    """Field: ownership is per compartment."""
    text = "# Shared\n\nThe sharedword, the very same bytes.\n"
    home.a_space("prj_a", {"s.md": text})
    home.a_space("prj_b", {"s.md": text})
    home.index()
    (home.root("prj_a") / "s.md").unlink()
    home.index("prj_a")
    assert home.found("sharedword", "prj_a") == {("prj_b", "s.md")}
    assert home.found("sharedword", "prj_b") == {("prj_b", "s.md")}


def test_hints_are_looked_at_and_believed_only_so_far(pack: AHome, tmp_path: Path) -> None:
    """Events are hints: bad names, unknown files and outside paths do nothing."""
    (pack.root(SPACE) / "n0.md").unlink()
    pack.write(SPACE, "n1.md", "# Note 1\n\nThe hintword.\n")
    (tmp_path / "x.md").write_text("# X\n\nThe outsideword.\n")
    hints = ["n0.md", "n1.md", "n2.md", "../x.md", "/etc/passwd", "", ".", "no/such.md", "n1.md",
             "a\x00b.md", "sub"]  # fmt: skip
    report = index_space(pack.lobes, pack.me, SPACE, paths=hints)
    assert (report.indexed, report.removed) == (1, 1)
    pack.settle()
    assert is_found(pack, "hintword", "n1.md")
    assert is_found(pack, "deepword", "sub/deep.md")
    assert pack.found("outsideword", SPACE) == set()


def test_what_was_skipped_and_then_mended_is_no_longer_named(pack: AHome) -> None:
    pack.write(SPACE, "bad.md", b"\xff\xfe\x00bad")
    assert reasons(pack.index(SPACE)) != {}
    pack.write(SPACE, "bad.md", "# Mended\n\nThe mendedword.\n")
    index_space(pack.lobes, pack.me, SPACE, paths=["bad.md"])
    pack.settle()
    assert is_found(pack, "mendedword", "bad.md")
    assert pack.rows("SELECT * FROM skipped_file WHERE space = ?", SPACE) == []


def test_a_trashed_space_is_not_followed_and_stays_trashed(pack: AHome) -> None:
    """Field: its files are still in the folder."""
    trash_space(pack.lobes, pack.me, SPACE)
    with pytest.raises(NotFound):
        index_space(pack.lobes, pack.me, SPACE)
    assert indexing.live_spaces(pack.lobes, pack.me) == []


def test_a_rebuild_gives_the_same_answers_to_the_bit(pack: AHome) -> None:
    """DU-08: from the store alone."""

    def answers() -> list[Any]:
        return [
            [replace(one, snippet="") for one in pack.ask(f"word{n} note", SPACE).items]
            for n in range(6)
        ]

    before = answers()
    pack.lobes.engine.rebuild()
    pack.settle()
    assert answers() == before


def test_progress_reaches_its_end_and_says_so(home: AHome) -> None:
    home.a_space(SPACE, {f"{n}.md": f"# {n}\n\nText {n}.\n" for n in range(120)})
    seen: list[tuple[int, int]] = []
    index_space(home.lobes, home.me, SPACE, watch=lambda one: seen.append((one.done, one.total)))
    assert seen[-1] == (120, 120)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
