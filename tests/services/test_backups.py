"""A home in one file and back: whole while others write, judged before a byte is written."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import stat
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from homes import AHome, opened_home
from lobes.clock import utc_now
from lobes.config.folders import folders_under
from lobes.domain.backups import MANIFEST, STORE
from lobes.domain.errors import Conflict, Forbidden, Invalid, LobesError, NoPresence, Unavailable
from lobes.services.backups import back_up_home
from lobes.services.doctor import examine
from lobes.services.erasing import erase_memory, erase_space
from lobes.services.restoring import judge, restore_new, restore_over
from remembered import remember
from traces import traces

MARKER = "Zephyrquokka Quibblewort"


def anybody(presence: str) -> None:
    """Nobody is refused."""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[AHome]:
    with opened_home(tmp_path / "home") as made:
        made.a_space("prj_a", {"goals.md": "# Goals\n\nSaffron lanterns.\n"})
        made.index()
        made.folders.settings_file.write_text('theme = "lobes-day"\n')
        yield made


def made(home: AHome, name: str = "one.lobes") -> Path:
    return back_up_home(home.lobes, home.me, home.folders.data.parent.parent / name).file


def dumped(home: AHome) -> list[str]:
    with closing(sqlite3.connect(home.folders.store)) as store:
        return [
            line
            for line in store.iterdump()
            if not any(name in line for name in ('"home"', '"outbox"', "sqlite_sequence"))
        ]


def test_backup_and_restore_elsewhere_is_the_same_home(home: AHome, tmp_path: Path) -> None:
    """DU-14: no secrets, no index; the epoch rises; packs in the home are found where they are
    now, others are named as missing and nothing of them is wiped."""
    memory = remember(home, "space/prj_a", MARKER)
    away = tmp_path / "away"
    away.mkdir()
    (away / "space.yaml").write_text("id: prj_away\ntype: project\nname: Away\n")
    from lobes.services.space_adding import AddOptions, add_space

    add_space(home.lobes, home.me, away, AddOptions())
    file = made(home)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    with zipfile.ZipFile(file) as archive:
        names = set(archive.namelist())
    assert {MANIFEST, STORE, "audit.db", "config/lobes.toml", "spaces/prj_a/goals.md"} <= names
    assert not any("presence" in one or "index" in one for one in names)
    away.rename(tmp_path / "gone")
    restored = restore_new(folders_under(tmp_path / "other"), file, clock=utc_now, may=anybody)
    assert (restored.epoch, restored.missing, restored.kept) == (2, ("prj_away",), ())
    with opened_home(tmp_path / "other") as other:
        assert other.rows("SELECT id, statement FROM memory") == [(memory.id, MARKER)]
        assert other.folders.settings_file.read_text() == 'theme = "lobes-day"\n'
        other.index("prj_a")
        assert ("prj_a", "goals.md") in other.found("saffron", "prj_a")
        other.index("prj_a")
        found = [one.text for one in examine(other.lobes, other.me, areas=("store", "audit"))]
        assert any("epoch 2" in one for one in found)
        assert not any("cut off" in one or "edited" in one for one in found)
        assert other.rows("SELECT id FROM space ORDER BY id") == [("prj_a",), ("prj_away",)]


def test_backup_while_others_write_is_one_moment(home: AHome) -> None:
    """DU-14: two rows that are always written together are both there, or neither."""
    stop = threading.Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            with home.lobes.database().begin() as unit:
                for space in ("prj_a", "prj_b"):
                    home_row = f"{space} {number}"
                    unit.reader.execute(
                        "INSERT INTO proposal_count VALUES ('2026-01-01', ?, 'came', ?)",
                        (home_row, number),
                    )
                unit.commit()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        files = [made(home, f"{one}.lobes") for one in range(5)]
    finally:
        stop.set()
        writer.join()
    for file in files:
        with zipfile.ZipFile(file) as archive:
            target = file.with_suffix(".db")
            target.write_bytes(archive.read(STORE))
        with closing(sqlite3.connect(target)) as store:
            assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            lonely = store.execute(
                "SELECT count FROM proposal_count GROUP BY count HAVING count(*) <> 2"
            ).fetchall()
        assert lonely == []
        judge(file)


def test_restore_over_a_home_brings_back_and_keeps_what_was_there(home: AHome) -> None:
    """What was there is backed up first; another window goes on with what was restored; the
    record isn't put back."""
    old = remember(home, "space/prj_a", "Saffron before")
    before = dumped(home)
    file = made(home)
    new = remember(home, "space/prj_a", MARKER)
    home.settle()
    home.write("prj_a", "goals.md", "# Goals\n\nChanged since.\n")
    rows = len(home.lobes.audit.rows(1000))
    with opened_home(home.folders.data.parent) as second:
        second.lobes.database()
        restored = restore_over(home.lobes, home.me, file)
        assert second.rows("SELECT id FROM memory") == [(old.id,)]
        remember(second, "space/prj_a", "Written behind it")
        second.execute("DELETE FROM memory WHERE id <> ?", old.id)
    assert restored.before is not None
    assert restored.kept == ("spaces/prj_a/goals.md",)
    assert "Changed since" in (home.root("prj_a") / "goals.md").read_text()
    assert len(home.lobes.audit.rows(1000)) > rows
    assert len(home.audited("home.restored")) == 1
    assert [line for line in before if "Saffron before" in line]
    home.settle()
    ids = {hit.id for hit in home.ask(f"{MARKER} saffron", "prj_a").items}
    assert old.id in ids
    assert new.id not in ids
    restore_over(home.lobes, home.me, restored.before)
    home.settle()
    assert new.id in {hit.id for hit in home.ask(MARKER, "prj_a").items}
    assert home.rows("SELECT epoch FROM home") == [(3,)]


def test_presence_of_a_home_is_not_changed_by_a_backup(home: AHome) -> None:
    file = made(home)
    home.execute("UPDATE home SET presence = 'on'")
    restore_over(home.lobes, home.me, file)
    assert home.rows("SELECT presence FROM home") == [("on",)]


def test_restore_waits_and_then_says_that_another_window_writes(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = made(home)
    monkeypatch.setattr("lobes.store.home_copy._PATIENCE", 0.2)
    monkeypatch.setattr("lobes.store.home_copy.BUSY_MS", 100)
    before = dumped(home)
    with closing(sqlite3.connect(home.folders.store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable) as told:
            restore_over(home.lobes, home.me, file)
        assert told.value.reason == "store_busy"
        other.execute("ROLLBACK")
    assert dumped(home) == before


def test_only_its_person_backs_up_and_restores(home: AHome) -> None:
    file = made(home)
    for act in (
        lambda caller: back_up_home(home.lobes, caller, file.with_name("two.lobes")),
        lambda caller: restore_over(home.lobes, caller, file),
    ):
        with pytest.raises(NoPresence):
            act(home.absent)
        with pytest.raises(LobesError) as told:
            act(home.agent("prj_a", preset="editor"))
        assert told.value.code in ("forbidden", "not_found")
    assert not file.with_name("two.lobes").exists()
    with pytest.raises(Conflict):
        made(home)
    with pytest.raises(Conflict):
        restore_new(home.folders, file, clock=utc_now, may=anybody)

    def nobody(presence: str) -> None:
        raise Forbidden("No.", reason="no_presence")

    other = folders_under(home.folders.data.parent.with_name("other"))
    with pytest.raises(Forbidden):
        restore_new(other, file, clock=utc_now, may=nobody)
    assert not other.store.exists()


# Hostile files -----------------------------------------------------------------------------------


def rewritten(file: Path, target: Path, change: Callable[[dict[str, bytes]], None]) -> None:
    """The same archive with other members, its list as it was."""
    with zipfile.ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    change(members)
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)


def listed(name: str, data: bytes = b"x") -> Callable[[dict[str, bytes]], None]:
    """Add a member that the list names as well."""

    def add(members: dict[str, bytes]) -> None:
        manifest = json.loads(members[MANIFEST])
        digest = hashlib.sha256(data).hexdigest()
        manifest["files"].append({"path": name, "bytes": len(data), "sha256": digest})
        members[MANIFEST] = json.dumps(manifest).encode()
        members[name] = data

    return add


def removed(name: str) -> Callable[[dict[str, bytes]], None]:
    return lambda members: members.pop(name) and None


def manifest_of(**fields: object) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        manifest = json.loads(members[MANIFEST]) | fields
        members[MANIFEST] = json.dumps(manifest).encode()

    return change


def both(*changes: Callable[[dict[str, bytes]], None]) -> Callable[[dict[str, bytes]], None]:
    def change(members: dict[str, bytes]) -> None:
        for one in changes:
            one(members)

    return change


def broken_store(members: dict[str, bytes]) -> None:
    """One that its list names as it is, and that is no sound store."""
    data = members[STORE][:4096] + b"x" * (len(members[STORE]) - 4096)
    manifest = json.loads(members[MANIFEST])
    for one in manifest["files"]:
        if one["path"] == STORE:
            one["sha256"] = hashlib.sha256(data).hexdigest()
    members[STORE] = data
    members[MANIFEST] = json.dumps(manifest).encode()


HOSTILE: dict[str, Callable[[dict[str, bytes]], None]] = {
    "traversal": listed("spaces/../../evil"),
    "absolute": listed("/tmp/evil"),
    "backslash": listed("spaces\\evil"),
    "drive": listed("C:/evil"),
    "elsewhere": listed("data/evil"),
    "git": listed("spaces/a/.git/hooks/post-commit"),
    "device": listed("spaces/CON"),
    "case twins": both(listed("spaces/A"), listed("spaces/a")),
    "not listed": lambda members: members.update({"spaces/more": b"x"}),
    "listed and gone": removed("spaces/prj_a/goals.md"),
    "no manifest": removed(MANIFEST),
    "no store": removed(STORE),
    "other format": manifest_of(format="zip"),
    "newer": manifest_of(version=2),
    "broken list": manifest_of(files=[{"path": 1}]),
    "newer schema": manifest_of(schema=10_000),
    "deep": lambda members: members.update({MANIFEST: b"[" * 100_000}),
    "another store": lambda members: members.update({STORE: b"SQLite format 3\0" + b"x" * 4096}),
    "broken store": broken_store,
    "other bytes": lambda members: members.update({"spaces/prj_a/goals.md": b"# Goals"}),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_backup_is_refused_whole(home: AHome, tmp_path: Path, name: str) -> None:
    """PA-21, PA-22: traversal, links, lies; nothing is written."""
    file = made(home)
    bad = tmp_path / "bad.lobes"
    rewritten(file, bad, HOSTILE[name])
    refused_everywhere(home, tmp_path, bad)


def here(home: AHome) -> list[str]:
    """The files of the home, without those of a commit under way."""
    names = (str(one) for one in home.folders.data.rglob("*"))
    return sorted(one for one in names if "-journal" not in one and "audit" not in one)


def refused_everywhere(home: AHome, tmp_path: Path, bad: Path) -> None:
    before = dumped(home)
    files = here(home)
    with pytest.raises(LobesError) as told:
        restore_over(home.lobes, home.me, bad)
    assert told.value.code in ("invalid", "corrupt")
    assert dumped(home) == before
    assert here(home) == files
    with pytest.raises(LobesError):
        restore_new(folders_under(tmp_path / "other"), bad, clock=utc_now, may=anybody)
    assert not (tmp_path / "other").exists()
    assert not (tmp_path / "evil").exists()


def test_truncated_flipped_swollen_and_linked_backups_are_refused(
    home: AHome, tmp_path: Path
) -> None:
    """PA-22: a flipped byte anywhere, a cut anywhere, compression, a link."""
    data = made(home).read_bytes()
    bad = tmp_path / "bad.lobes"
    for cut in (0, 10, len(data) // 2, len(data) - 1):
        bad.write_bytes(data[:cut])
        with pytest.raises(Invalid):
            judge(bad)
    for at in range(40, len(data), len(data) // 40):
        bad.write_bytes(data[:at] + bytes([data[at] ^ 0x40]) + data[at + 1 :])
        try:
            judge(bad)
        except LobesError:
            continue
        # A byte that nobody reads: then what comes out is what was written.
        with zipfile.ZipFile(bad) as archive:
            assert archive.testzip() is None
    with zipfile.ZipFile(bad, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, b"0" * 50_000_000)
    refused_everywhere(home, tmp_path, bad)
    link = zipfile.ZipInfo("spaces/link")
    link.external_attr = 0o120777 << 16
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr(link, "/etc/passwd")
    refused_everywhere(home, tmp_path, bad)
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr(MANIFEST, b"{}")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr(MANIFEST, b"{}")
    refused_everywhere(home, tmp_path, bad)


def test_a_pipe_is_no_backup(home: AHome, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", tmp_path, tmp_path / "none"):
        with pytest.raises(Unavailable):
            judge(path)


def test_erased_goes_out_of_our_own_backups_of_the_home(home: AHome) -> None:
    """What is erased can't come back by one of our own backups, and the rest of them can."""
    home.write("prj_a", "goals.md", f"# Goals\n\n{MARKER} in the pack.\n")
    home.index()
    memory = remember(home, "space/prj_a", f"{MARKER} remembered")
    other = remember(home, "space/prj_a", "Saffron stays")
    file = back_up_home(home.lobes, home.me).file
    erased = erase_memory(home.lobes, home.me, memory.id)
    assert erased.rest.rewritten == (file.name,)
    spaces = home.folders.spaces
    assert traces(home.folders.data.parent, "remembered", without=(spaces,)) == []
    judge(file)
    with zipfile.ZipFile(file) as archive:
        assert b"Saffron stays" in archive.read(STORE)
        assert MARKER.encode() in archive.read("spaces/prj_a/goals.md")
    assert other.id
    erase_space(home.lobes, home.me, "prj_a")
    assert traces(home.folders.data.parent, MARKER, without=(spaces,)) == []
    judge(file)


def test_disk_full_leaves_no_half_backup(home: AHome, monkeypatch: pytest.MonkeyPatch) -> None:
    """DU-05, DU-18: there whole, flushed before it has its name, or not at all."""
    folder = home.folders.data.parent.parent

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("lobes.store.backup_file.os.fsync", full)
        with pytest.raises(Unavailable) as told:
            made(home)
    assert told.value.reason == "disk_full"
    assert [one.name for one in folder.iterdir() if "lobes" in one.name] == []
    assert [one.name for one in home.folders.data.iterdir() if "stage" in one.name] == []
