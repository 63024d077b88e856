"""Writing through the gate: whole, expected, or not at all."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lobes.domain.errors import Conflict, Invalid, LobesError, Unavailable
from lobes.store import writing
from lobes.store.files import ReadFile, SafeRoot, write_atomic


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    folder.mkdir()
    return folder


@pytest.fixture
def root(pack: Path) -> Iterator[SafeRoot]:
    with SafeRoot.open(pack) as opened:
        yield opened


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def test_new_file_is_private_and_keeps_its_line_ends(root: SafeRoot, pack: Path) -> None:
    """DU-17: under umask 000 too; folders on the way are 0700."""
    old = os.umask(0)
    try:
        written = root.write("docs/deep/a.md", "a\r\nb\n", expect_hash=None)
    finally:
        os.umask(old)
    file = pack / "docs" / "deep" / "a.md"
    assert file.read_bytes() == b"a\r\nb\n"
    assert written.content_hash == _hash(b"a\r\nb\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    found = root.read("docs/deep/a.md")
    assert isinstance(found, ReadFile)
    assert found.content_hash == written.content_hash


def test_existing_file_keeps_its_mode_and_byte_order_mark(root: SafeRoot, pack: Path) -> None:
    file = pack / "a.md"
    file.write_bytes(b"\xef\xbb\xbfold")
    file.chmod(0o644)
    written = root.write("a.md", "new", expect_hash=_hash(b"\xef\xbb\xbfold"))
    assert file.read_bytes() == b"\xef\xbb\xbfnew"
    assert written.content_hash == _hash(b"\xef\xbb\xbfnew")
    assert stat.S_IMODE(file.stat().st_mode) == 0o644


def test_existing_title_is_never_overwritten_by_a_new_file(root: SafeRoot, pack: Path) -> None:
    """An agent writes a note whose title has a day of content."""
    (pack / "a.md").write_text("a day of content")
    with pytest.raises(Conflict) as caught:
        root.write("a.md", "stub", expect_hash=None)
    assert caught.value.reason == "already_exists"
    with pytest.raises(Conflict) as caught:
        root.write("A.md", "stub", expect_hash=None)
    assert caught.value.reason == "name_collision"
    assert (pack / "a.md").read_text() == "a day of content"
    assert os.listdir(pack) == ["a.md"]


def test_file_changed_since_it_was_shown_is_a_conflict(root: SafeRoot, pack: Path) -> None:
    (pack / "a.md").write_text("theirs")
    for name in ("a.md", "gone.md", "no/folder.md"):
        with pytest.raises(Conflict) as caught:
            root.write(name, "mine", expect_hash=_hash(b"shown"))
        assert caught.value.reason == "changed_on_disk"
    assert (pack / "a.md").read_text() == "theirs"
    assert os.listdir(pack) == ["a.md"]


def test_save_by_somebody_else_while_ours_is_written_wins(
    root: SafeRoot, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (pack / "a.md").write_text("shown")
    real = os.fsync

    def racing(descriptor: int) -> None:
        (pack / "a.md").write_text("theirs")
        real(descriptor)

    monkeypatch.setattr(writing.os, "fsync", racing)
    with pytest.raises(Conflict):
        root.write("a.md", "mine", expect_hash=_hash(b"shown"))
    assert (pack / "a.md").read_text() == "theirs"
    assert os.listdir(pack) == ["a.md"]


@pytest.mark.parametrize("call", ["write", "fsync", "rename", "fchmod"])
@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (errno.ENOSPC, "disk_full"),
        (errno.EDQUOT, "disk_full"),
        (errno.EROFS, "read_only"),
        (errno.EIO, "io_error"),
        (errno.EACCES, "no_permission"),
    ],
)
def test_failing_disk_leaves_the_old_file_and_no_rubbish(
    root: SafeRoot, pack: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int, reason: str
) -> None:
    """DU-05, for an existing and for a new file in a new folder."""
    (pack / "a.md").write_text("old")

    def failing(*_: object, **__: object) -> int:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patched:
        patched.setattr(writing.os, call, failing)
        for name, expected in (("a.md", _hash(b"old")), ("docs/sub/new.md", None)):
            with pytest.raises(Unavailable) as caught:
                root.write(name, "new", expect_hash=expected)
            assert caught.value.reason == reason
            assert caught.value.hint
    assert (pack / "a.md").read_text() == "old"
    assert os.listdir(pack) == ["a.md"]
    root.write("a.md", "new", expect_hash=_hash(b"old"))
    assert (pack / "a.md").read_text() == "new"


def test_content_reaches_the_disk_before_its_name_does(
    root: SafeRoot, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DU-18: the order that makes "old or new, never empty" true after a power loss."""
    calls: list[str] = []
    real_sync, real_rename = os.fsync, os.rename

    def sync(descriptor: int) -> None:
        kind = "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
        calls.append(
            f"sync {kind} {os.fstat(descriptor).st_size if kind == 'file' else ''}".strip()
        )
        real_sync(descriptor)

    def rename(*args: str, **named: int) -> None:
        calls.append("rename")
        real_rename(*args, **named)

    monkeypatch.setattr(writing.os, "fsync", sync)
    monkeypatch.setattr(writing.os, "rename", rename)
    root.write("a.md", "text", expect_hash=None)
    write_atomic(pack / "own", b"data")
    assert calls == ["sync file 4", "rename", "sync folder"] * 2


def test_other_name_of_a_hard_link_is_spared(root: SafeRoot, pack: Path) -> None:
    (pack / "a.md").write_text("shared")
    os.link(pack / "a.md", pack.parent / "elsewhere")
    with pytest.raises(Invalid) as caught:
        root.write("a.md", "mine", expect_hash=_hash(b"shared"))
    assert caught.value.reason == "hard_link"
    write_atomic(pack / "a.md", b"new")
    assert (pack.parent / "elsewhere").read_text() == "shared"


@pytest.mark.parametrize(
    "name", [".git/hooks/x.md", ".GIT/config", "sub/.git/x", ".g\u200cit/x", "GIT~1/x", ".hg/x"]
)
def test_nothing_is_written_inside_a_version_control_folder(
    root: SafeRoot, pack: Path, name: str
) -> None:
    with pytest.raises(Invalid):
        root.write(name, "x", expect_hash=None)
    assert os.listdir(pack) == []


def test_link_is_not_written_through(root: SafeRoot, pack: Path) -> None:
    outside = pack.parent / "outside.md"
    outside.write_text("keep")
    (pack / "a.md").symlink_to(outside)
    for expected in (None, _hash(b"keep")):
        with pytest.raises(LobesError):
            root.write("a.md", "x", expect_hash=expected)
    assert outside.read_text() == "keep"
    assert (pack / "a.md").is_symlink()


def test_text_that_cannot_be_stored_is_refused(pack: Path) -> None:
    with SafeRoot.open(pack, max_bytes=10) as root:
        for text in ("\ud800", "x" * 11):
            with pytest.raises(Invalid):
                root.write("a.md", text, expect_hash=None)
    assert os.listdir(pack) == []


def test_kill_while_writing_leaves_the_old_file(pack: Path) -> None:
    """DU-01 in small: the process ends between the write and the rename."""
    (pack / "own").write_text("old")
    script = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from lobes.store import writing\n"
        "writing.os.rename = lambda *a, **k: os._exit(9)\n"
        "writing.write_atomic(Path(sys.argv[1]), b'new')\n"
    )
    ended = subprocess.run([sys.executable, "-c", script, str(pack / "own")], check=False)
    assert ended.returncode == 9
    assert (pack / "own").read_text() == "old"
    with SafeRoot.open(pack) as root:
        assert root.list().files == root.list().skipped == ()


def test_own_file_is_0600_under_any_umask(pack: Path) -> None:
    """DU-17."""
    old = os.umask(0)
    try:
        write_atomic(pack / "own", b"x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((pack / "own").stat().st_mode) == 0o600


def test_nothing_is_written_where_other_programs_act_on_it(root: SafeRoot, pack: Path) -> None:
    """Agents propose edits: an editor's task file or a plugin must not be among them."""
    for name in (".vscode/tasks.json", ".obsidian/x.md", ".envrc", "sub/.github/a.md", "a.md~"):
        with pytest.raises(Invalid):
            root.write(name, "x", expect_hash=None)
    assert os.listdir(pack) == []
    root.write(".lobesignore", "private/\n", expect_hash=None)
