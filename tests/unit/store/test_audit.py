"""The audit file: chained, grouped, bounded; each kind of damage has its own verdict."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from store_rows import Clock

from disks import READ_ONLY, REMOUNT, a_disk
from lobes.domain.errors import Unavailable
from lobes.store import audit_file
from lobes.store.audit import ALL, GROUP_ROWS, Audit, Wanted
from lobes.store.audit_chain import START, link_hash


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def audit(tmp_path: Path, clock: Clock) -> Iterator[Audit]:
    opened = Audit(tmp_path / "audit.db", clock=clock)
    yield opened
    opened.close()


def note(audit: Audit, event: str = "context.search", *, lobe: str = "space/prj_a") -> None:
    audit.append(
        event,
        actor="human/me",
        verb="read_content",
        resources=["space/prj_home"],
        decisions=[(lobe, "sibling", True), ("space/prj_globex", "private", False)],
        channel="cli",
        correlation="c1",
        answer="allowed",
        counts={"results": 3},
    )


def deny(audit: Audit, resource: str, *, actor: str = "ai/me") -> None:
    audit.append(
        "access.denied",
        actor=actor,
        verb="read_meta",
        resources=[resource],
        channel="mcp",
        correlation=resource,
        answer="not_found",
    )


def run(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as store:
        for statement in statements:
            store.execute(statement)


# What is written ---------------------------------------------------------------------------------


def test_a_row_comes_back_as_it_was_noted(audit: Audit, clock: Clock) -> None:
    note(audit)
    (row,) = audit.rows(10)
    assert (row.seq, row.at, row.event, row.answer) == (1, clock.now, "context.search", "allowed")
    assert row.decisions == (
        ("space/prj_a", "sibling", True),
        ("space/prj_globex", "private", False),
    )
    assert row.resources == ("space/prj_home",)
    assert row.counts == {"results": 3}


def test_rows_come_newest_first_in_pages_by_event_and_by_space(audit: Audit) -> None:
    for number in range(5):
        note(audit, "lobe.changed" if number == 2 else "context.search", lobe=f"space/s{number}")
    assert [row.seq for row in audit.rows(2)] == [5, 4]
    assert [row.seq for row in audit.rows(2, Wanted(before=4))] == [3, 2]
    assert [row.seq for row in audit.rows(9, Wanted(event="lobe.changed"))] == [3]
    assert [row.seq for row in audit.rows(9, Wanted(space="s3"))] == [4]
    assert len(audit.rows(9, Wanted(space="prj_home"))) == 5
    assert audit.rows(9, Wanted(space="s")) == []
    assert audit.rows(9, Wanted(space="%")) == []


def test_looking_makes_no_file(audit: Audit, tmp_path: Path) -> None:
    assert audit.rows(10) == []
    assert audit.count() == 0
    assert audit.verify().state == "ok"
    audit.flush()
    assert list(tmp_path.iterdir()) == []


def test_a_row_reaches_the_file_without_a_flush(audit: Audit, tmp_path: Path) -> None:
    note(audit)
    until_written(tmp_path / "audit.db", 1)


def until_written(path: Path, rows: int) -> None:
    """Wait for another thread's rows, looking as another process would."""
    until = time.monotonic() + 10
    while audit_file.AuditFile(path).count(ALL) < rows:
        assert time.monotonic() < until, "it was never written"


def test_order_is_by_number_when_the_clock_jumps_back(audit: Audit, clock: Clock) -> None:
    """DU-19"""
    note(audit, "first")
    clock.jump(-86_400)
    note(audit, "second")
    assert [row.event for row in audit.rows(2)] == ["second", "first"]
    assert audit.verify().state == "ok"


def test_ten_thousand_denials_leave_two_hundred_rows_and_a_count(
    audit: Audit, clock: Clock
) -> None:
    """AZ-27"""
    for number in range(10_000):
        deny(audit, f"space/guess{number}")
        clock.now += timedelta(milliseconds=5)
    assert audit.count() == 200
    deny(audit, "space/other", actor="ai/other")
    assert audit.count() == 201
    clock.jump(60)
    deny(audit, "space/later")
    newest = audit.rows(2)
    assert newest[0].resources == ("space/later",)
    assert newest[1].counts == {"repeated": 9_800}
    assert audit.verify().state == "ok"


def test_a_clock_that_jumps_back_ends_the_count(audit: Audit, clock: Clock) -> None:
    """AZ-27, DU-19: else nothing would be noted until the old time comes again."""
    for number in range(210):
        deny(audit, f"space/guess{number}")
    clock.jump(-3600)
    deny(audit, "space/later")
    newest = audit.rows(2)
    assert newest[0].resources == ("space/later",)
    assert newest[1].counts == {"repeated": 10}


def test_what_was_only_counted_is_written_at_the_end(tmp_path: Path, clock: Clock) -> None:
    """AZ-27"""
    audit = Audit(tmp_path / "audit.db", clock=clock)
    for number in range(203):
        deny(audit, f"space/guess{number}")
    audit.close()
    again = Audit(tmp_path / "audit.db", clock=clock)
    assert again.rows(1)[0].counts == {"repeated": 3}
    again.close()


def refused(tmp_path: Path, clock: Clock, *, actor: str = "ai/me/reader") -> None:
    """A command line of its own that is refused."""
    line = Audit(tmp_path / "audit.db", clock=clock)
    deny(line, "space/guess", actor=actor)
    line.close()


def test_a_flood_of_refused_command_lines_is_counted(tmp_path: Path, clock: Clock) -> None:
    """AZ-27: each of them is a process that ends before it has anything to count."""
    for _ in range(230):
        refused(tmp_path, clock)
        clock.now += timedelta(milliseconds=100)
    seen = Audit(tmp_path / "audit.db", clock=clock)
    assert seen.count() == 200
    refused(tmp_path, clock, actor="ai/other")
    note(seen, "space.read")
    assert seen.count() == 202, "others and other acts have their rows"
    clock.jump(61)
    for _ in range(5):
        refused(tmp_path, clock)
    assert [row.counts for row in seen.rows(2)] == [{"repeated": 30}, {"results": 3}]
    clock.jump(61)
    refused(tmp_path, clock)
    assert [row.counts for row in seen.rows(1)] == [{"repeated": 5}]
    clock.jump(61)
    note(seen, "space.read")
    assert [row.counts for row in seen.rows(2)] == [{"results": 3}, {"repeated": 1}]
    clock.jump(61)
    refused(tmp_path, clock)
    newest = seen.rows(1)[0]
    assert (newest.resources, newest.counts) == (("space/guess",), {}), "it was quiet for a minute"
    assert seen.verify().state == "ok"
    seen.close()


def test_a_flood_is_counted_whatever_the_clock_does(tmp_path: Path, clock: Clock) -> None:
    """AZ-27, DU-19"""
    for _ in range(203):
        refused(tmp_path, clock)
    clock.jump(-3600)
    refused(tmp_path, clock)
    seen = Audit(tmp_path / "audit.db", clock=clock)
    assert sum(row.counts.get("repeated", 0) for row in seen.rows(300)) == 3
    assert seen.verify().state == "ok"
    seen.close()


def test_allowed_calls_are_never_only_counted(audit: Audit) -> None:
    for _ in range(300):
        note(audit)
    assert audit.count() == 300


def test_threads_that_append_together_make_one_chain(audit: Audit) -> None:
    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(note, audit, f"event.{number}") for number in range(500)]:
            done.result()
    assert sorted(row.event for row in audit.rows(1000)) == sorted(
        f"event.{number}" for number in range(500)
    )
    assert audit.verify().state == "ok"


def test_a_caller_never_waits_for_a_write_that_waits(audit: Audit, tmp_path: Path) -> None:
    note(audit)
    audit.flush()
    with (
        ThreadPoolExecutor(1) as pool,
        closing(sqlite3.connect(tmp_path / "audit.db", isolation_level=None)) as other,
    ):
        other.execute("BEGIN IMMEDIATE")
        note(audit, "second")
        waiting = pool.submit(audit.flush)
        while not audit._writing.locked():
            assert not waiting.done()
        note(audit, "third")
        other.execute("ROLLBACK")
        waiting.result()
    assert [row.event for row in audit.rows(2)] == ["third", "second"]


def test_a_full_group_never_waits_for_another_process(audit: Audit, tmp_path: Path) -> None:
    """The search path: the 64th row came while another program held the audit's lock."""
    note(audit)
    audit.flush()
    with closing(sqlite3.connect(tmp_path / "audit.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        started = time.monotonic()
        for _ in range(GROUP_ROWS * 3):
            note(audit)
        took = time.monotonic() - started
        other.execute("ROLLBACK")
    assert took < 1.0
    until_written(tmp_path / "audit.db", GROUP_ROWS * 3 + 1)
    assert audit.verify().state == "ok"


def test_a_queue_at_its_end_says_so(
    audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DU-05: what can't be written isn't forgotten, and doesn't fill the memory."""
    note(audit, "first")
    audit.flush()
    monkeypatch.setattr("lobes.store.audit.MOST_QUEUED", 100)
    connection = audit._file._opened()
    pages = connection.execute("PRAGMA page_count").fetchall()[0][0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(Unavailable) as caught:
        flood(audit)
    assert caught.value.reason == "disk_full"
    connection.execute("PRAGMA max_page_count = 100000")
    audit.flush()
    assert 1 < audit.count() <= 101


def flood(audit: Audit) -> None:
    for _ in range(500):
        note(audit)


def test_a_disk_without_room_keeps_the_rows_for_the_next_try(
    audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DU-05: the audit says so, loses nothing and goes on."""
    note(audit, "first")
    audit.flush()
    connection = audit._file._opened()
    pages = connection.execute("PRAGMA page_count").fetchall()[0][0]
    connection.execute(f"PRAGMA max_page_count = {pages}")
    for _ in range(50):
        note(audit)
    with pytest.raises(Unavailable) as caught:
        audit.flush()
    assert caught.value.reason == "disk_full"
    assert audit._file.count(ALL) == 1
    connection.execute("PRAGMA max_page_count = 100000")
    audit.flush()
    assert audit.count() == 51
    assert audit.verify().state == "ok"


def test_files_are_private_under_any_umask(tmp_path: Path, clock: Clock) -> None:
    """DU-17"""
    before = os.umask(0)
    try:
        audit = Audit(tmp_path / "audit.db", clock=clock)
        note(audit)
        audit.close()
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"audit.db": 0o600, "audit.head": 0o600}


# What was done to it -----------------------------------------------------------------------------


def _recompute(path: Path) -> None:
    """Edit a row and make the whole chain fit again, as somebody who knows the format would."""
    columns = ", ".join(audit_file._COLUMNS)
    with closing(sqlite3.connect(path, isolation_level=None)) as store:
        store.execute("UPDATE audit SET actor = 'human/eve' WHERE seq = 3")
        previous = START
        for seq, *texts in store.execute(f"SELECT seq, {columns} FROM audit").fetchall():
            previous = link_hash(previous, seq, texts)
            store.execute("UPDATE audit SET hash = ? WHERE seq = ?", (previous, seq))


def _cut_and_go_on(path: Path) -> None:
    run(path, "DELETE FROM audit WHERE seq > 3")
    path.with_suffix(".head").unlink()
    audit = Audit(path, clock=Clock())
    note(audit)
    audit.close()


def _sql(*statements: str) -> Callable[[Path], None]:
    return lambda path: run(path, *statements)


SWAP = (
    "UPDATE audit SET seq = 100 WHERE seq = 2",
    "UPDATE audit SET seq = 2 WHERE seq = 3",
    "UPDATE audit SET seq = 3 WHERE seq = 100",
    "UPDATE sqlite_sequence SET seq = 6",
)
SWAP_CONTENT = (
    "CREATE TEMP TABLE t AS SELECT * FROM audit WHERE seq IN (2, 3)",
    "UPDATE audit SET event = (SELECT event FROM t WHERE t.seq = 5 - audit.seq)"
    " WHERE seq IN (2, 3)",
)
DAMAGE: dict[str, tuple[Callable[[Path], None], str, int]] = {
    "untouched": (lambda path: None, "ok", 0),
    "middle row edited": (_sql("UPDATE audit SET answer = 'allowed!' WHERE seq = 3"), "edited", 3),
    "number edited": (_sql("UPDATE audit SET seq = 9 WHERE seq = 6"), "edited", 6),
    "middle row deleted": (_sql("DELETE FROM audit WHERE seq = 3"), "edited", 3),
    "first row deleted": (_sql("DELETE FROM audit WHERE seq = 1"), "edited", 1),
    "two rows swapped": (_sql(*SWAP), "reordered", 2),
    "two contents swapped": (_sql(*SWAP_CONTENT), "reordered", 2),
    "tail cut": (_sql("DELETE FROM audit WHERE seq > 4"), "truncated", 5),
    "tail cut, counter too": (
        _sql("DELETE FROM audit WHERE seq > 4", "UPDATE sqlite_sequence SET seq = 4"),
        "truncated",
        5,
    ),
    "tail cut, then written on": (_cut_and_go_on, "truncated", 4),
    "emptied": (_sql("DELETE FROM audit"), "empty", 1),
    "file deleted": (lambda path: path.unlink(), "empty", 1),
    "whole chain recomputed": (_recompute, "rewritten", 1),
    "head deleted": (lambda path: path.with_suffix(".head").unlink(), "head_missing", 0),
    "head garbled": (lambda path: _garble(path.with_suffix(".head")), "head_missing", 0),
}


def _garble(path: Path) -> None:
    path.write_bytes(b"\xff\x00")


@pytest.mark.parametrize("what", DAMAGE)
def test_each_kind_of_damage_has_its_own_verdict(tmp_path: Path, what: str) -> None:
    """DU-12"""
    damage, state, seq = DAMAGE[what]
    path = tmp_path / "audit.db"
    audit = Audit(path, clock=Clock())
    for number in range(6):
        note(audit, f"event.{number}")
    audit.close()
    damage(path)
    audit = Audit(path, clock=Clock())
    verdict = audit.verify()
    audit.close()
    assert (verdict.state, verdict.seq) == (state, seq)


def test_rows_behind_the_head_are_unsealed_until_the_next_group(tmp_path: Path) -> None:
    """DU-01: killed between the commit and the note of the head."""
    path = tmp_path / "audit.db"
    audit = Audit(path, clock=Clock())
    note(audit)
    audit.flush()
    shutil.copy(path.with_suffix(".head"), tmp_path / "old.head")
    note(audit)
    audit.flush()
    shutil.copy(tmp_path / "old.head", path.with_suffix(".head"))
    verdict = audit.verify()
    assert (verdict.state, verdict.seq) == ("unsealed", 2)
    note(audit)
    assert audit.verify().state == "ok"
    audit.close()


def test_moving_a_letter_between_two_fields_changes_the_hash() -> None:
    """DU-13"""
    assert link_hash(START, 1, ["ab", "c"]) != link_hash(START, 1, ["a", "bc"])
    assert link_hash(START, 1, ["ab"]) != link_hash(START, 1, ["a", "b"])
    assert link_hash(START, 11, ["1"]) != link_hash(START, 1, ["11"])


@pytest.mark.skipif(sys.platform != "linux", reason="mounts as Linux does")
def test_what_a_read_only_disk_kept_back_is_written_once_it_takes_again(clock: Clock) -> None:
    """DU-05: SQLite opens a file there for reading, and goes on so when the disk takes again."""
    with a_disk() as disk, closing(Audit(disk.folder / "audit.db", clock=clock)) as first:
        note(first)
        first.close()
        disk.become(REMOUNT | READ_ONLY, "128m")
        with closing(Audit(disk.folder / "audit.db", clock=clock)) as audit:
            note(audit)
            with pytest.raises(Unavailable):
                audit.flush()
            disk.become(REMOUNT, "128m")
            audit.flush()
            assert (audit.count(), audit.verify().state) == (2, "ok")
