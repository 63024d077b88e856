"""Archives that want out, or want everything: refused whole or stopped, and nothing written."""

from __future__ import annotations

import io
import json
import resource
import struct
import time
import zipfile
import zlib
from pathlib import Path

import pytest
from tests.unit.imports.sources import parted, raw_zip, reasons, zipped

from lobes.domain.imports import ImportSource, Unsupported
from lobes.imports.limits import MIB, Limits
from lobes.imports.reading import read
from lobes.imports.recognise import recognise

CHAT = json.dumps(
    [{"title": "t", "mapping": {"a": {"message": {"id": "1", "author": {"role": "user"},
      "content": {"parts": ["Remember that tea is at four."]}}}}}]
)  # fmt: skip
GPT = ImportSource("chatgpt_export", "")


def refused(path: Path) -> Unsupported:
    found = recognise(path)
    assert isinstance(found, Unsupported)
    candidates, skips = parted(read(path, GPT))
    assert candidates == []
    assert {one.reason for one in skips} == {one.reason for one in found.reasons}
    assert all(one.ends for one in skips)
    return found


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("../../outside.json", "traversal"),
        ("a/../../b.json", "traversal"),
        ("/etc/cron.d/x", "absolute"),
        ("a\\..\\b.json", "backslash"),
        ("C:x.json", "drive"),
        ("c:/x.json", "drive"),
        ("a//b.json", "member_name"),
        ("a\u202ejson.md", "member_name"),
        ("a\x1b[2J.json", "member_name"),
    ],
)
def test_a_name_that_leads_out_refuses_the_whole_archive(
    tmp_path: Path, name: str, reason: str
) -> None:
    """hostile PA-21."""
    path = zipped(tmp_path / "x.zip", {"conversations.json": CHAT, name: "x"})
    found = refused(path)
    assert [one.reason for one in found.reasons] == [reason]
    assert "\x1b" not in found.reasons[0].where


@pytest.mark.parametrize(
    ("mode", "reason"),
    [(0o120777, "member_link"), (0o020600, "device"), (0o060600, "device"), (0o010600, "device")],
)
def test_a_link_or_a_device_refuses_the_whole_archive(
    tmp_path: Path, mode: int, reason: str
) -> None:
    """hostile PA-21."""
    path = zipped(tmp_path / "x.zip", {"conversations.json": CHAT}, mode=mode)
    assert [one.reason for one in refused(path).reasons] == [reason]


def test_twins_refuse_the_whole_archive(tmp_path: Path) -> None:
    """hostile PA-21: the same name twice, and names that one file system takes for one."""
    path = tmp_path / "x.zip"
    names = ("conversations.json", "conversations.json", "A.txt", "a.TXT", "\u00e9", "e\u0301")
    with pytest.warns(UserWarning, match="Duplicate name"):
        path.write_bytes(raw_zip([(zipfile.ZipInfo(name), CHAT.encode()) for name in names]))
    found = refused(path)
    assert [one.reason for one in found.reasons] == ["duplicate_member", "case_twin", "case_twin"]


def test_every_reason_against_an_archive_is_listed(tmp_path: Path) -> None:
    path = zipped(tmp_path / "x.zip", {"../a": "", "/b": "", "c\\d": "", "ok.json": ""})
    found = refused(path)
    assert [one.reason for one in found.reasons] == ["traversal", "absolute", "backslash"]
    assert [one.where for one in found.reasons] == ["../a", "/b", "c\\d"]


def test_names_of_attached_files_are_no_reason_to_refuse(tmp_path: Path) -> None:
    path = zipped(
        tmp_path / "x.zip",
        {"conversations.json": CHAT, "file-1 a: b?.png": "", "CON.txt": "", "dalle/": "", "x.": ""},
    )
    assert recognise(path) == ImportSource("chatgpt_export", "ChatGPT export")


def test_a_bomb_that_says_so_is_refused_unopened(tmp_path: Path) -> None:
    """hostile PA-22: by ratio, stated."""
    path = zipped(tmp_path / "x.zip", {"conversations.json": b"[" + b" " * (8 * MIB)})
    assert [one.reason for one in refused(path).reasons] == ["bomb"]


def test_a_bomb_whose_header_lies_is_stopped_at_what_it_states(tmp_path: Path) -> None:
    """hostile PA-22: header size lies, in both directions."""
    honest = zipped(tmp_path / "x.zip", {"conversations.json": b"[" + b" " * (8 * MIB)})
    for stated in (100, 900_000):
        data = patched(honest.read_bytes(), stated)
        path = tmp_path / f"{stated}.zip"
        path.write_bytes(data)
        candidates, skips = parted(read(path, GPT))
        assert candidates == []
        assert any(one.ends for one in skips), skips


def patched(data: bytes, stated: int) -> bytes:
    """The first member's sizes as both of its headers state them."""
    out = bytearray(data)
    struct.pack_into("<I", out, data.index(b"PK\x03\x04") + 22, stated)
    struct.pack_into("<I", out, data.index(b"PK\x01\x02") + 24, stated)
    return bytes(out)


def test_what_swells_while_it_is_read_is_stopped(tmp_path: Path) -> None:
    """hostile PA-22: the ratio is counted on what comes out, whatever a header says."""
    path = zipped(tmp_path / "x.zip", {"conversations.json": b"[" + b" " * (3 * MIB)})
    with zipfile.ZipFile(path) as file:
        packed = file.infolist()[0].compress_size
    bounds = Limits(ratio=3 * MIB // packed + 1, unpacked_bytes=MIB)
    _, skips = parted(read(path, GPT, limits=bounds))
    assert reasons(skips) == {"too_large": 1}


def test_members_that_share_their_bytes_are_refused(tmp_path: Path) -> None:
    """hostile PA-22: overlap."""
    path = tmp_path / "x.zip"
    path.write_bytes(overlapping(200))
    assert "overlap" in {one.reason for one in refused(path).reasons}


def overlapping(count: int) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    body = packer.compress(b" " * MIB) + packer.flush()
    crc = zlib.crc32(b" " * MIB)
    out = io.BytesIO()
    out.write(struct.pack("<4s5HIIIHH", b"PK\x03\x04", 20, 0, 8, 0, 0, crc, len(body), MIB, 1, 0))
    out.write(b"a" + body)
    begin = out.tell()
    for number in range(count):
        name = f"{number}.json".encode()
        out.write(
            struct.pack("<4s6HIIIHHHHHII", b"PK\x01\x02", 20, 20, 0, 8, 0, 0, crc, len(body), MIB,
                        len(name), 0, 0, 0, 0, 0, 0) + name
        )  # fmt: skip
    size = out.tell() - begin
    out.write(struct.pack("<4s4HIIH", b"PK\x05\x06", 0, 0, count, count, size, begin, 0))
    return out.getvalue()


def test_a_million_empty_members_are_never_listed(tmp_path: Path) -> None:
    """hostile PA-22: 47 bytes of directory each; stopped before one of them is looked at."""
    entry = struct.pack("<4s6HIIIHHHHHII", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0,
                        0, 0, 0) + b"a"  # fmt: skip
    path = tmp_path / "x.zip"
    with path.open("wb") as file:
        file.write(struct.pack("<4s5HIIIHH", b"PK\x03\x04", 20, 0, 0, 0, 0, 0, 0, 0, 1, 0) + b"a")
        for _ in range(1000):
            file.write(entry * 1000)
        file.write(struct.pack("<4s4HIIH", b"PK\x05\x06", 0, 0, 1, 1, len(entry) * 10**6, 31, 0))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.process_time()
    found = recognise(path)
    assert isinstance(found, Unsupported)
    assert [one.reason for one in found.reasons] == ["too_many"]
    assert time.process_time() - begun < 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 30 * 1024


def test_an_archive_in_an_archive_is_named_and_not_opened(tmp_path: Path) -> None:
    """hostile PA-22: nested."""
    inner = zipped(tmp_path / "i.zip", {"conversations.json": CHAT}).read_bytes()
    only = recognise(zipped(tmp_path / "only.zip", {"conversations-000.zip": inner}))
    assert isinstance(only, Unsupported)
    assert [one.reason for one in only.reasons] == ["nested_archive"]
    both = zipped(tmp_path / "both.zip", {"conversations.json": CHAT, "more.zip": inner})
    candidates, skips = parted(read(both, GPT))
    assert [one.statement for one in candidates] == ["tea is at four."]
    assert [(one.where, one.reason) for one in skips] == [("more.zip", "nested_archive")]


def test_a_damaged_or_encrypted_archive_is_named(tmp_path: Path) -> None:
    whole = zipped(tmp_path / "x.zip", {"conversations.json": CHAT * 50}).read_bytes()
    for cut in range(4, len(whole), 7):
        path = tmp_path / "cut.zip"
        path.write_bytes(whole[:cut])
        assert isinstance(recognise(path), Unsupported)
    encrypted = bytearray(whole)
    encrypted[whole.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(encrypted)
    assert [one.reason for one in refused(path).reasons] == ["encrypted"]
    flipped = bytearray(whole)
    flipped[60] ^= 0xFF
    path.write_bytes(flipped)
    _, skips = parted(read(path, GPT))
    assert any(one.ends for one in skips)


def test_reading_an_archive_writes_nothing(tmp_path: Path) -> None:
    """hostile PA-23: there is no quarantine that a kill could leave behind."""
    path = zipped(tmp_path / "x.zip", {"conversations.json": CHAT})
    before = sorted(one.name for one in tmp_path.iterdir())
    half = read(path, GPT)
    next(half)
    assert sorted(one.name for one in tmp_path.iterdir()) == before
    half.close()  # type: ignore[attr-defined]
    assert sorted(one.name for one in tmp_path.iterdir()) == before
