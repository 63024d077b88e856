"""The seal: only it tells a whole chain that was computed anew; and the chain beyond retention."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path

import pytest
from audit_rows import note, recompute, run
from store_rows import Clock

from lobes.domain.secrets import Secret
from lobes.store.audit import ALL, Audit, Key, Wanted
from lobes.store.audit_chain import Anchor, Verdict
from lobes.store.audit_file import AuditFile
from lobes.store.audit_head import read_head
from lobes.store.audit_seal import made

KEY = Secret(b"k" * 32)
OTHER = Secret(b"o" * 32)
DAYS = 90


@dataclass
class Log:
    """An audit that is opened anew for each step, as processes come and go."""

    path: Path
    clock: Clock

    def write(self, rows: int, *, key: Secret | None = None) -> None:
        audit = self.open()
        if key is not None:
            assert audit.seal_with(key)
        for number in range(rows):
            note(audit, f"event.{number}")
        audit.close()

    def seal(self, key: Secret = KEY, *, is_new: bool = False) -> bool:
        audit = self.open()
        try:
            return audit.seal_with(key, is_new=is_new)
        finally:
            audit.close()

    def verify(self, key: Key | None = None) -> Verdict:
        audit = self.open()
        try:
            return audit.verify(key or Key(KEY, asked=True))
        finally:
            audit.close()

    def open(self) -> Audit:
        return Audit(self.path, clock=self.clock, keep_days=DAYS)

    @property
    def head(self) -> Path:
        return self.path.with_suffix(".head")


@pytest.fixture
def log(tmp_path: Path) -> Log:
    """Six rows, sealed."""
    made = Log(tmp_path / "audit.db", Clock())
    made.write(6)
    assert made.seal(is_new=True)
    return made


def forged(log: Log, *, key: Secret = OTHER) -> None:
    """Recomputed, with a seal of another key that names ours."""
    recompute(log.path, "UPDATE audit SET actor = 'human/eve' WHERE seq = 3")
    head, seal = read_head(log.head)
    assert head
    assert seal
    again = made(replace(seal, seq=head.seq, hash=head.hash), key)
    _write_seal(log.head, again.mac, again.hash)


def _write_seal(path: Path, mac: str, digest: str) -> None:
    noted = json.loads(path.read_text("ascii"))
    noted["seal"] |= {"mac": mac, "hash": digest}
    path.write_text(json.dumps(noted), "ascii")


def _without_seal(log: Log) -> None:
    recompute(log.path, "UPDATE audit SET actor = 'human/eve' WHERE seq = 3")
    noted = json.loads(log.head.read_text())
    del noted["seal"]
    log.head.write_text(json.dumps(noted))


def _all_gone(log: Log) -> None:
    log.path.unlink()
    log.head.unlink()


SWAP = (
    "UPDATE audit SET seq = 100 WHERE seq = 2",
    "UPDATE audit SET seq = 2 WHERE seq = 3",
    "UPDATE audit SET seq = 3 WHERE seq = 100",
)
DAMAGE: dict[str, tuple[Callable[[Log], None], str, str]] = {
    "untouched": (lambda log: None, "ok", "ok"),
    "a middle row edited": (
        lambda log: run(log.path, "UPDATE audit SET actor = 'x' WHERE seq = 3"),
        "edited",
        "edited",
    ),
    "two rows swapped": (lambda log: run(log.path, *SWAP), "edited", "reordered"),
    "a letter moved between two fields": (
        lambda log: run(log.path, "UPDATE audit SET event = 'event.2h', actor = 'uman/me'"
                        " WHERE seq = 3"),
        "edited",
        "edited",
    ),
    "the end cut, everything else computed anew": (
        lambda log: recompute(log.path, "DELETE FROM audit WHERE seq > 4"),
        "truncated",
        "truncated",
    ),
    "emptied, the numbers too": (
        lambda log: run(log.path, "DELETE FROM audit", "DELETE FROM sqlite_sequence"),
        "truncated",
        "empty",
    ),
    "everything gone, the head too": (_all_gone, "truncated", "empty"),
    "the whole chain computed anew": (
        lambda log: recompute(log.path, "UPDATE audit SET actor = 'human/eve' WHERE seq = 3"),
        "edited",
        "rewritten",
    ),
    "computed anew and sealed with another key": (forged, "edited", "rewritten"),
    "computed anew and the seal taken away": (_without_seal, "head missing", "seal_missing"),
    "the head deleted": (lambda log: log.head.unlink(), "head missing", "head_missing"),
    "the beginning cut, its end noted": (
        lambda log: run(log.path, "INSERT INTO anchor SELECT seq, hash, seq FROM audit"
                        " WHERE seq = 6", "DELETE FROM audit WHERE seq <= 5"),
        "edited",
        "edited",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", DAMAGE)
def test_each_kind_of_damage_to_a_sealed_log_has_its_verdict(log: Log, what: str) -> None:
    """DU-12, DU-13"""
    damage, word, state = DAMAGE[what]
    damage(log)
    verdict = log.verify()
    assert (verdict.word, verdict.state) == (word, state)
    assert verdict.is_whole == (what == "untouched")
    assert not log.seal() or what == "untouched", "what is damaged is never sealed"


def test_without_the_key_a_chain_computed_anew_can_not_be_told(log: Log) -> None:
    """DU-12: what a missing seal means."""
    recompute(log.path, "UPDATE audit SET actor = 'human/eve' WHERE seq = 3")
    verdict = log.verify(Key())
    assert (verdict.state, verdict.seal) == ("ok", "unchecked")


def test_the_seal_tells_how_far_it_speaks(log: Log) -> None:
    log.write(3)
    verdict = log.verify()
    assert (verdict.state, verdict.rows) == ("ok", 9)
    assert (verdict.seal, verdict.sealed_to) == ("whole", 6)
    assert verdict.sealed_at == log.clock.now.isoformat()
    assert log.seal()
    assert log.verify().sealed_to == 9


def test_a_process_with_the_key_seals_each_group_and_what_others_wrote_between(log: Log) -> None:
    audit = log.open()
    assert audit.seal_with(KEY)
    log.write(4)
    note(audit)
    audit.flush()
    assert audit.verify(Key(KEY, asked=True)).sealed_to == 11
    audit.close()


def test_a_rewriting_while_a_process_seals_is_not_made_good(log: Log) -> None:
    """DU-12: else the next group would seal what somebody computed anew."""
    audit = log.open()
    assert audit.seal_with(KEY)
    recompute(log.path, "UPDATE audit SET actor = 'human/eve' WHERE seq = 3")
    note(audit)
    audit.close()
    assert log.verify().state == "rewritten"


def test_a_key_that_is_gone_or_another_is_told(log: Log) -> None:
    """KR-06"""
    gone = log.verify(Key(None, asked=True))
    assert (gone.state, gone.word, gone.seal) == ("key_missing", "head missing", "no_key")
    changed = log.verify(Key(OTHER, asked=True))
    assert (changed.state, changed.seal) == ("key_changed", "broken")
    assert not log.seal(OTHER)


def test_a_log_that_never_had_a_seal_is_whole_without_one(tmp_path: Path) -> None:
    log = Log(tmp_path / "audit.db", Clock())
    log.write(2)
    for key in (Key(), Key(None, asked=True)):
        assert (log.verify(key).state, log.verify(key).seal) == ("ok", "none")


@pytest.mark.parametrize("seal", [[], {"seq": "x"}, {"seq": 6}, "text", None])
def test_a_garbled_seal_is_none(log: Log, seal: object) -> None:
    noted = json.loads(log.head.read_text())
    log.head.write_text(json.dumps({**noted, "seal": seal}))
    assert log.verify().state == "seal_missing"


def test_a_seal_with_letters_that_are_none_is_broken(log: Log) -> None:
    noted = json.loads(log.head.read_text())
    noted["seal"]["mac"] = noted["seal"]["at"] = "\ud800"
    log.head.write_text(json.dumps(noted))
    assert log.verify().state == "rewritten"


# Retention ---------------------------------------------------------------------------------------


def test_old_rows_go_and_the_chain_still_verifies(log: Log) -> None:
    log.clock.now += timedelta(days=50)
    log.write(4)
    assert log.seal()
    log.clock.now += timedelta(days=50)
    log.write(1)
    verdict = log.verify()
    assert (verdict.state, verdict.rows, verdict.pruned) == ("ok", 5, 6)
    assert (verdict.seal, verdict.sealed_to) == ("whole", 10)
    assert [row.seq for row in log.open().rows(100)] == [11, 10, 9, 8, 7]
    log.clock.now += timedelta(days=60)
    log.write(1, key=KEY)
    assert log.verify().pruned == 10
    assert log.verify(Key()).state == "ok"


def test_the_newest_row_stays_however_old(log: Log) -> None:
    log.clock.now += timedelta(days=500)
    log.write(1)
    log.clock.now += timedelta(days=500)
    audit = log.open()
    audit.flush()
    assert audit.count() == 1
    audit.close()


def test_a_sealed_row_that_retention_took_is_no_alarm_and_is_sealed_again(log: Log) -> None:
    log.write(1)
    log.clock.now += timedelta(days=100)
    log.write(2)
    verdict = log.verify()
    assert (verdict.state, verdict.seal) == ("ok", "lapsed")
    assert log.seal()
    assert log.verify().seal == "whole"


def test_a_beginning_that_was_cut_before_its_time_is_told(log: Log) -> None:
    """The chain fits from the noted anchor on; only the seal and its time tell."""
    log.write(3)
    run(
        log.path,
        "INSERT INTO anchor SELECT seq, hash, seq FROM audit WHERE seq = 8",
        "DELETE FROM audit WHERE seq <= 8",
    )
    assert log.verify(Key()).state == "ok"
    assert log.verify().state == "rewritten"


@pytest.mark.parametrize("change", ["hash = 'x'", "seq = 4", "rows = 3"])
def test_an_edited_anchor_is_told(log: Log, change: str) -> None:
    log.clock.now += timedelta(days=50)
    log.write(4)
    assert log.seal()
    log.clock.now += timedelta(days=50)
    log.write(1)
    run(log.path, f"UPDATE anchor SET {change}")
    assert not log.verify().is_whole


def test_ten_thousand_old_rows_go_in_turns(tmp_path: Path) -> None:
    log = Log(tmp_path / "audit.db", Clock())
    log.write(10_000)
    log.clock.now += timedelta(days=100)
    counts: list[int] = []
    for _ in range(7):
        log.write(1)
        counts.append(AuditFile(log.path).count(ALL))
    assert counts == [8001, 6002, 4003, 2004, 5, 6, 7]
    assert log.verify(Key()).state == "ok"


def test_a_file_of_the_first_schema_is_read_and_brought_up(log: Log) -> None:
    run(log.path, "DROP TABLE anchor", "PRAGMA user_version = 1")
    assert log.verify().state == "ok"
    log.write(1)
    assert log.verify().rows == 7


# Which rows --------------------------------------------------------------------------------------


def test_rows_are_found_by_each_filter_and_by_all_together(tmp_path: Path) -> None:
    clock = Clock()
    audit = Audit(tmp_path / "audit.db", clock=clock)
    note(audit, "space.searched", actor="ai:me/reader@prj_a")
    note(audit, "lobe.changed", actor="user:me")
    clock.jump(3600)
    note(audit, "access.denied", actor="user:meg", lobe="space/prj_b")
    assert seqs(audit, Wanted(actor="ai:me/reader")) == [1]
    assert seqs(audit, Wanted(actor="user:me")) == [2]
    assert seqs(audit, Wanted(event="lobe.*")) == [2]
    assert seqs(audit, Wanted(event="*")) == [3, 2, 1]
    assert seqs(audit, Wanted(event="%")) == []
    assert seqs(audit, Wanted(denied=True)) == [3]
    assert seqs(audit, Wanted(denied=False)) == [2, 1]
    assert seqs(audit, Wanted(since=clock.now)) == [3]
    assert seqs(audit, Wanted(space="prj_b")) == [3]
    assert seqs(audit, Wanted(resource="space/prj_home", actor="user:me", before=3)) == [2]
    assert seqs(audit, Wanted(after=1)) == [3, 2]
    assert audit.count(Wanted(denied=False, before=2)) == 2
    audit.close()


def seqs(audit: Audit, wanted: Wanted) -> list[int]:
    return [row.seq for row in audit.rows(50, wanted)]


def test_who_read_a_space_is_added_up_with_what_was_only_counted(tmp_path: Path) -> None:
    clock = Clock()
    audit = Audit(tmp_path / "audit.db", clock=clock)
    for _ in range(3):
        note(audit, actor="user:me")
    for number in range(250):
        audit.append(
            "access.denied",
            actor="ai:me/reader@prj_b",
            verb="read_content",
            resources=["space/prj_a" if number == 7 else f"space/s{number}"],
            channel="mcp",
            correlation="",
            answer="private",
        )
    audit.append(
        "lobe.changed", actor="user:bob", verb="write_meta", resources=["space/prj_a"],
        channel="cli", correlation="", answer="owner",
    )  # fmt: skip
    found = {one.actor: one for one in audit.readers(Wanted(space="prj_a"))}
    assert {name: (one.reads, one.refused) for name, one in found.items()} == {
        "user:me": (3, 0),
        "ai:me/reader@prj_b": (0, 1),
    }
    assert found["user:me"].spaces == ("prj_a", "prj_home")
    withheld = audit.readers(Wanted(space="prj_globex"))
    assert withheld == (), "what was withheld was read by nobody"
    audit.close()
    again = Audit(tmp_path / "audit.db", clock=clock)
    total = {one.actor: one.refused for one in again.readers(Wanted())}
    assert total["ai:me/reader@prj_b"] == 250
    again.close()


def test_the_anchor_of_a_new_file_is_the_beginning() -> None:
    assert Anchor() == Anchor(0, "0" * 64, 0)
