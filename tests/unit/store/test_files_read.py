"""Reading through the gate: what is refused, and that the hash belongs to the text."""

from __future__ import annotations

import hashlib
import os
import socket
import threading
import time
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from lobes.domain.errors import Invalid, Unavailable
from lobes.store import reading
from lobes.store.files import SKIP_REASONS, ReadFile, RootId, SafeRoot, Skipped


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    folder = tmp_path / "pack"
    folder.mkdir()
    return folder


@pytest.fixture
def root(pack: Path) -> Iterator[SafeRoot]:
    with SafeRoot.open(pack) as opened:
        yield opened


def _skip(root: SafeRoot, name: str) -> str:
    found = root.read(name)
    assert isinstance(found, Skipped)
    assert found.sentence == SKIP_REASONS[found.reason]
    return found.reason


def _text(root: SafeRoot, name: str) -> str:
    found = root.read(name)
    assert isinstance(found, ReadFile), found
    return found.text


@pytest.mark.parametrize(
    "name", ["../x", "a/../../x", "/etc/passwd", "//x", "./x", "a//b", "", ".", "..", "a/", "~/x"]
)
def test_name_that_leaves_the_root_is_refused_before_any_system_call(
    root: SafeRoot, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-01: read and write alike."""

    def never(*_: object, **__: object) -> int:
        raise AssertionError("a system call for a bad name")

    with monkeypatch.context() as patched:
        for call in ("open", "stat", "dup", "scandir"):
            patched.setattr(os, call, never)
        for act in (root.read, lambda n: root.write(n, "x", expect_hash=None)):
            with pytest.raises(Invalid) as caught:
                act(name)
            assert caught.value.reason == "bad_name"


def test_sibling_folder_with_the_same_prefix_is_not_inside(root: SafeRoot, pack: Path) -> None:
    """PA-02."""
    evil = pack.with_name("pack-evil")
    evil.mkdir()
    (evil / "a.md").write_text("secret")
    with pytest.raises(Invalid):
        root.read("../pack-evil/a.md")
    with pytest.raises(Invalid):
        root.read(str(evil / "a.md"))


def test_links_are_refused_however_they_are_made(root: SafeRoot, pack: Path) -> None:
    """PA-03: file and folder links; relative, absolute, a chain of three; also to inside."""
    outside = pack.parent / "outside"
    outside.mkdir()
    (outside / "a.md").write_text("secret")
    (pack / "real.md").write_text("inside")
    (pack / "absolute.md").symlink_to(outside / "a.md")
    (pack / "relative.md").symlink_to("../outside/a.md")
    (pack / "one.md").symlink_to("two.md")
    (pack / "two.md").symlink_to("three.md")
    (pack / "three.md").symlink_to("../outside/a.md")
    (pack / "inside.md").symlink_to("real.md")
    (pack / "docs").symlink_to("../outside")
    for name in ("absolute.md", "relative.md", "one.md", "inside.md", "docs/a.md"):
        assert _skip(root, name) == "link"
    skipped = {one.path: one.reason for one in root.list().skipped}
    assert skipped["docs"] == "link"
    assert skipped["absolute.md"] == "link"
    assert [file.path for file in root.list().files] == ["real.md"]
    with pytest.raises(Invalid):
        root.write("docs/new.md", "x", expect_hash=None)
    assert sorted(os.listdir(outside)) == ["a.md"]


def test_fifo_socket_and_device_neither_block_nor_open(root: SafeRoot, pack: Path) -> None:
    """PA-09: within a moment, although nobody writes to the FIFO."""
    os.mkfifo(pack / "fifo.md")
    server = socket.socket(socket.AF_UNIX)
    with server:
        server.bind(str(pack / "s.md"))
        (pack / "folder.md").mkdir()
        started = time.monotonic()
        for name in ("fifo.md", "s.md", "folder.md"):
            assert _skip(root, name) == "not_regular"
        assert time.monotonic() - started < 1
        reasons = {one.path: one.reason for one in root.list().skipped}
    assert reasons == {"fifo.md": "not_regular", "s.md": "not_regular"}


def test_file_without_permission_is_named_and_read_after_chmod(
    root: SafeRoot, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-10, by an injected refusal: root may read everything."""
    (pack / "a.md").write_text("text")
    real = os.open

    def refused(path: str, *rest: object, **named: object) -> int:
        if path == "a.md":
            raise PermissionError(13, "denied")
        return real(path, *rest, **named)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", refused)
        assert _skip(root, "a.md") == "unreadable"
    assert _text(root, "a.md") == "text"


def test_huge_sparse_file_is_refused_without_filling_memory(root: SafeRoot, pack: Path) -> None:
    """PA-14: 10 GiB that take no space."""
    with (pack / "sparse.md").open("wb") as file:
        file.truncate(10 * 1024**3)
    assert _skip(root, "sparse.md") == "too_large"
    assert root.list().skipped == (Skipped("sparse.md", "too_large"),)


def test_file_that_grows_while_it_is_read_is_capped(
    pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-14: the reported size is small, the reads never end."""
    (pack / "a.md").write_bytes(b"x")
    reads: list[int] = []

    def endless(_: int, count: int) -> bytes:
        reads.append(count)
        return b"x" * count

    with SafeRoot.open(pack, max_bytes=1000) as root:
        monkeypatch.setattr(reading.os, "read", endless)
        assert _skip(root, "a.md") == "too_large"
    assert sum(reads) == 1001


def test_file_of_exactly_the_cap_is_read(pack: Path) -> None:
    (pack / "a.md").write_bytes(b"x" * 100)
    (pack / "b.md").write_bytes(b"x" * 101)
    with SafeRoot.open(pack, max_bytes=100) as root:
        assert _text(root, "a.md") == "x" * 100
        assert _skip(root, "b.md") == "too_large"


@pytest.mark.parametrize(
    ("data", "reason", "detail"),
    [
        ("hé".encode("utf-16"), "not_utf8", "UTF-16"),
        ("hé".encode("utf-16-le"), "binary", ""),
        (b"a\0b", "binary", ""),
        (b"good \xe4\xbd", "not_utf8", "byte 5"),
        ("caf\xe9".encode("latin-1"), "not_utf8", "byte 3"),
        (b"\xed\xa0\x80", "not_utf8", "byte 0"),
    ],
)
def test_other_encodings_are_skipped_with_their_reason(
    root: SafeRoot, pack: Path, data: bytes, reason: str, detail: str
) -> None:
    """PA-15."""
    (pack / "a.md").write_bytes(data)
    found = root.read("a.md")
    assert found == Skipped("a.md", reason, detail)  # type: ignore[arg-type]


def test_text_is_the_file_minus_its_byte_order_mark(root: SafeRoot, pack: Path) -> None:
    """PA-15: mixed line ends stay; the hash is of the bytes, mark included."""
    data = b"\xef\xbb\xbf# A\r\nb\nc\rd"
    (pack / "a.md").write_bytes(data)
    found = root.read("a.md")
    assert isinstance(found, ReadFile)
    assert found.text == "# A\r\nb\nc\rd"
    assert found.content_hash == hashlib.sha256(data).hexdigest()
    assert found.size == len(data)
    (pack / "empty.md").write_bytes(b"")
    assert _text(root, "empty.md") == ""


def test_hash_belongs_to_the_text_when_the_file_is_replaced_meanwhile(
    root: SafeRoot, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-16: the name leads to new content between the open and the read."""
    (pack / "a.md").write_text("old")
    (pack / "next").write_text("new and longer")
    real = os.read

    def swapping(descriptor: int, count: int) -> bytes:
        if (pack / "next").exists():
            (pack / "next").rename(pack / "a.md")
        return real(descriptor, count)

    monkeypatch.setattr(reading.os, "read", swapping)
    found = root.read("a.md")
    assert isinstance(found, ReadFile)
    assert found.content_hash == hashlib.sha256(found.text.encode()).hexdigest()


def test_file_that_changes_at_every_read_is_skipped(
    root: SafeRoot, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (pack / "a.md").write_text("old")
    real = os.read

    def appending(descriptor: int, count: int) -> bytes:
        piece = real(descriptor, count)
        with (pack / "a.md").open("a") as file:
            file.write("more" if not piece else "")
        return piece

    monkeypatch.setattr(reading.os, "read", appending)
    assert _skip(root, "a.md") == "changed_while_reading"


def test_second_name_of_a_file_elsewhere_is_not_read(root: SafeRoot, pack: Path) -> None:
    (pack.parent / "secret").write_text("secret")
    os.link(pack.parent / "secret", pack / "a.md")
    assert _skip(root, "a.md") == "hard_link"
    assert root.list().skipped == (Skipped("a.md", "hard_link"),)


def test_decomposed_name_on_disk_is_read_by_its_composed_form(root: SafeRoot, pack: Path) -> None:
    """Wikilink typed NFC, file and folder stored NFD: one file, listed as NFC."""
    composed = "Café/Übung.md"
    stored = pack / unicodedata.normalize("NFD", "Café")
    stored.mkdir()
    (stored / unicodedata.normalize("NFD", "Übung.md")).write_text("hallo")
    assert [file.path for file in root.list().files] == [composed]
    found = root.read(composed)
    assert isinstance(found, ReadFile)
    assert (found.path, found.text) == (composed, "hallo")
    assert root.read(unicodedata.normalize("NFD", composed)) == found
    root.write(composed, "neu", expect_hash=found.content_hash)
    assert len(os.listdir(stored)) == 1


def test_missing_file_and_missing_folder_are_gone(root: SafeRoot) -> None:
    assert _skip(root, "a.md") == "gone"
    assert _skip(root, "no/such/a.md") == "gone"
    assert _skip(root, "nö/such/ä.md") == "gone"


def test_root_states_are_told_apart(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """PA-07: missing, replaced, unreadable; never an empty listing."""
    with SafeRoot.open(pack) as root:
        identity = root.identity
        (pack / "a.md").write_text("x")
        pack.rename(pack.with_name("moved"))
        with pytest.raises(Unavailable) as caught:
            root.list()
        assert caught.value.reason == "root_missing"
        pack.mkdir()
        with pytest.raises(Unavailable) as caught:
            root.list()
        assert caught.value.reason == "root_replaced"
    with pytest.raises(Unavailable) as caught:
        SafeRoot.open(pack, expect=identity)
    assert caught.value.reason == "root_replaced"
    with pytest.raises(Unavailable) as caught:
        SafeRoot.open(pack / "none")
    assert caught.value.reason == "root_missing"

    def denied(*_: object, **__: object) -> int:
        raise PermissionError(13, "denied")

    with monkeypatch.context() as patched:
        patched.setattr(os, "open", denied)
        patched.setattr(os, "supports_dir_fd", {denied})
        with pytest.raises(Unavailable) as caught:
            SafeRoot.open(pack)
    assert caught.value.reason == "root_unreadable"
    moved = SafeRoot.open(pack.with_name("moved"), expect=identity)
    with moved:
        assert moved.identity == identity != RootId(0, 0)


def test_folder_swapped_for_a_link_while_reading_never_leads_outside(tmp_path: Path) -> None:
    """PA-03 as a race: a thread swaps the folder for a link to a folder with a secret."""
    pack, outside = tmp_path / "pack", tmp_path / "outside"
    (pack / "docs").mkdir(parents=True)
    outside.mkdir()
    (pack / "docs" / "a.md").write_text("inside")
    (outside / "a.md").write_text("SECRET")
    (outside / "SECRET.md").write_text("SECRET")
    done = threading.Event()

    def swap() -> None:
        while not done.is_set():
            (pack / "docs").rename(pack / "aside")
            (pack / "docs").symlink_to(outside)
            (pack / "docs").unlink()
            (pack / "aside").rename(pack / "docs")

    thread = threading.Thread(target=swap)
    seen: set[str] = set()
    listed: set[str] = set()
    with SafeRoot.open(pack) as root:
        thread.start()
        start = time.monotonic()
        try:
            # A thread may not get its turn at once on a busy machine: both states are awaited.
            while (spent := time.monotonic() - start) < 0.7 or (
                spent < 20 and not ("inside" in seen and len(seen) > 1)
            ):
                found = root.read("docs/a.md")
                seen.add(found.text if isinstance(found, ReadFile) else found.reason)
                listed |= {file.path for file in root.list().files}
        finally:
            done.set()
            thread.join()
    assert "SECRET" not in seen
    assert "inside" in seen
    assert len(seen) > 1, "the swap was never met"
    assert listed <= {"docs/a.md", "aside/a.md"}


def test_file_swapped_for_a_link_between_the_look_and_the_open_is_refused(
    root: SafeRoot, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-03, PA-16: the look says "regular file", the open meets a link."""
    (pack.parent / "outside").write_text("SECRET")
    (pack / "a.md").write_text("inside")
    real = os.stat

    def swapping(path: str, **named: object) -> os.stat_result:
        found = real(path, **named)  # type: ignore[arg-type]
        (pack / "a.md").unlink()
        (pack / "a.md").symlink_to(pack.parent / "outside")
        return found

    monkeypatch.setattr(reading.os, "stat", swapping)
    assert _skip(root, "a.md") == "link"


def test_special_file_is_not_even_opened(
    root: SafeRoot, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-09: opening a device can act on it."""
    os.mkfifo(pack / "a.md")
    opened: list[str] = []
    real = os.open

    def noting(path: str, *rest: object, **named: object) -> int:
        opened.append(path)
        return real(path, *rest, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", noting)
    assert _skip(root, "a.md") == "not_regular"
    assert "a.md" not in opened


def test_other_disk_inside_the_root_is_not_entered(
    root: SafeRoot, pack: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PA-03's kin: a bind mount needs no link. The root is told that it is on another device."""
    (pack / "docs").mkdir()
    (pack / "docs" / "a.md").write_text("x")
    (pack / "b.md").write_text("x")
    root.identity = RootId(root.identity.device + 1, root.identity.inode)
    assert _skip(root, "b.md") == "other_mount"
    assert _skip(root, "docs/a.md") == "other_mount"
    with pytest.raises(Invalid) as caught:
        root.write("docs/c.md", "x", expect_hash=None)
    assert caught.value.reason == "other_mount"
    monkeypatch.setattr(SafeRoot, "check", lambda _: None)
    listing = root.list()
    assert listing.files == ()
    # The root itself is open already; what is below it is another disk.
    assert {one.path: one.reason for one in listing.skipped} == {
        "b.md": "other_mount",
        "docs": "other_mount",
    }


def test_root_that_goes_away_while_it_is_listed_gives_no_listing(pack: Path) -> None:
    """PA-07: half a walk over what is no longer the root is no ground for removing anything."""
    (pack / "docs").mkdir()
    (pack / "a.md").write_text("x")

    def moving() -> bool:
        if pack.exists():
            pack.rename(pack.with_name("moved"))
        return False

    with SafeRoot.open(pack) as root:
        with pytest.raises(Unavailable) as caught:
            root.list(stop=moving)
        assert caught.value.reason == "root_missing"

        def never() -> bool:
            raise AssertionError("walked a root that is not there")

        with pytest.raises(Unavailable):
            root.list(stop=never)
