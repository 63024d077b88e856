"""A code that the app shows, typed in one terminal: once, for minutes, with few wrong tries."""

from __future__ import annotations

import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

import pytest

from homes import AHome
from lobes.domain.errors import Conflict, Invalid, NoPresence
from lobes.domain.presence import CODE_HOLDS, PRESENT_FOR, Terminal
from lobes.services import presence
from lobes.services.installation import Caller, Installation

MINE = Terminal("/dev/pts/3 34819", 4711, "boot 100")
PHRASE = "four words nobody guesses"


@dataclass
class Clock:
    now: datetime = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, **of: float) -> None:
        self.now += timedelta(**of)


@dataclass
class Guarded:
    """A home that asks, with a clock of its own."""

    home: AHome
    lobes: Installation
    clock: Clock

    @property
    def app(self) -> Caller:
        return self.lobes.owner_at("tui", is_present=True)

    def show(self, *, asked: bool = True) -> presence.ShownCode:
        return presence.show_code(self.lobes, self.app, asked=asked)

    def type(self, typed: str, terminal: Terminal = MINE) -> datetime:
        return presence.confirm(self.lobes, self.home.absent, terminal, typed)

    def wrong(self, typed: str, reason: str = "wrong_code") -> None:
        with pytest.raises(NoPresence) as refused:
            self.type(typed)
        assert refused.value.reason == reason

    def attended(self, terminal: Terminal = MINE) -> datetime | None:
        return presence.attended_until(self.lobes, terminal)


@pytest.fixture
def guarded(a_home: Callable[..., AHome]) -> Guarded:
    home = a_home(presence="on")
    clock = Clock()
    return Guarded(home, replace(home.lobes, clock=clock), clock)


def other_than(shown: presence.ShownCode) -> str:
    return f"{(int(shown.digits) + 1) % 1_000_000:06}"


def test_the_code_makes_this_terminal_attended_for_a_quarter_of_an_hour(guarded: Guarded) -> None:
    assert guarded.attended() is None
    until = guarded.type(guarded.show().digits)
    assert until == guarded.clock.now + PRESENT_FOR
    assert guarded.attended() == until
    guarded.clock.pass_by(minutes=15)
    assert guarded.attended() is None


@pytest.mark.parametrize(
    "other",
    [
        replace(MINE, device="/dev/pts/4 34820"),
        replace(MINE, leader=4712),
        replace(MINE, started="boot 101"),
        replace(MINE, started="another-boot 100"),
    ],
)
def test_no_other_terminal_inherits_it(guarded: Guarded, other: Terminal) -> None:
    """AG-15."""
    guarded.type(guarded.show().digits)
    assert guarded.attended(other) is None


def test_a_code_is_good_once(guarded: Guarded) -> None:
    shown = guarded.show()
    guarded.type(shown.digits)
    assert presence.state_of(guarded.lobes, shown) == "used"
    guarded.wrong(shown.digits)


def test_a_code_is_over_after_minutes(guarded: Guarded) -> None:
    shown = guarded.show()
    guarded.clock.pass_by(seconds=CODE_HOLDS.total_seconds())
    assert presence.state_of(guarded.lobes, shown) == "over"
    guarded.wrong(shown.digits)
    assert guarded.attended() is None


def test_a_newer_code_replaces_the_one_before(guarded: Guarded) -> None:
    first, second = guarded.show(), guarded.show()
    assert presence.state_of(guarded.lobes, first) == "replaced"
    assert presence.state_of(guarded.lobes, second) == "holds"
    if first.digits != second.digits:
        guarded.wrong(first.digits)
    guarded.type(second.digits)


def test_the_app_that_ends_takes_its_own_code_with_it(guarded: Guarded) -> None:
    first, second = guarded.show(), guarded.show()
    presence.hide_code(guarded.lobes, first)
    assert presence.state_of(guarded.lobes, second) == "holds"
    presence.hide_code(guarded.lobes, second)
    guarded.wrong(second.digits)


def test_without_a_code_nothing_fits(guarded: Guarded) -> None:
    for typed in ("000000", "", "null", "00" * 32):
        guarded.home.lobes.folders.presence.unlink(missing_ok=True)
        guarded.wrong(typed)


def test_five_wrong_tries_void_the_code(guarded: Guarded) -> None:
    shown = guarded.show()
    for _ in range(5):
        guarded.wrong(other_than(shown))
        guarded.clock.pass_by(seconds=30)
    guarded.wrong(shown.digits)
    assert guarded.attended() is None


def test_wrong_tries_are_slowed_down_and_waiting_ones_tell_nothing(guarded: Guarded) -> None:
    shown = guarded.show()
    for _ in range(4):
        guarded.wrong(other_than(shown))
    guarded.wrong(shown.digits, "wait")
    guarded.clock.pass_by(seconds=5)
    guarded.type(shown.digits)


def test_renewed_codes_forgive_no_wrong_try_but_one_that_a_person_asks_for_does(
    guarded: Guarded,
) -> None:
    for _ in range(4):
        guarded.wrong(other_than(guarded.show(asked=False)))
    guarded.wrong(guarded.show(asked=False).digits, "wait")
    guarded.type(guarded.show().digits)


def test_a_wait_from_a_clock_that_ran_ahead_locks_nobody_out(guarded: Guarded) -> None:
    guarded.clock.pass_by(days=400)
    for _ in range(4):
        guarded.wrong("000000")
    guarded.clock.pass_by(days=-400)
    guarded.type(guarded.show(asked=False).digits)


_TRY = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from lobes.store.presence import PresenceFile
reserved = PresenceFile(Path(sys.argv[1])).reserve(datetime(2026, 3, 1, 12, tzinfo=UTC))
print("wait" if reserved.until else "try")
"""


def test_tries_are_counted_over_all_processes(guarded: Guarded) -> None:
    """AG-15: twelve programs that try at once get no more tries than one."""
    guarded.show()
    words = [sys.executable, "-c", _TRY, str(guarded.lobes.folders.presence)]
    tries = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in range(12)]
    said = sorted(one.communicate(timeout=60)[0].strip() for one in tries)
    assert said == ["try"] * 4 + ["wait"] * 8


def test_at_rest_there_is_a_salted_slow_hash_in_a_private_file(guarded: Guarded) -> None:
    shown, again = guarded.show(), guarded.show()
    assert shown.mark != again.mark
    path = guarded.lobes.folders.presence
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert shown.digits.encode() not in path.read_bytes()
    started = time.process_time()
    guarded.wrong(other_than(again))
    assert time.process_time() - started > 0.02
    assert guarded.home.lobes.folders.store.read_bytes().find(again.mark.encode()) == -1


def test_the_record_has_the_channel_and_no_code(guarded: Guarded) -> None:
    shown = guarded.show()
    guarded.wrong(other_than(shown))
    guarded.type(shown.digits)
    told = {
        (event, row["channel"], row["answer"])
        for event in ("presence.code_shown", "access.denied", "presence.given")
        for row in guarded.home.audited(event)
    }
    assert told == {
        ("presence.code_shown", "tui", "owner"),
        ("access.denied", "cli", "wrong_code"),
        ("presence.given", "cli", "code"),
    }
    assert shown.digits not in str(guarded.home.lobes.audit.rows(100))


def test_a_passphrase_counts_like_a_code_and_any_number_of_times(guarded: Guarded) -> None:
    guarded.type(guarded.show().digits)
    presence.set_passphrase(guarded.lobes, guarded.home.me, PHRASE)
    assert guarded.attended() is None, "every terminal shows its person anew"
    for _ in range(2):
        guarded.type(PHRASE)
    guarded.wrong(PHRASE.upper())
    presence.set_passphrase(guarded.lobes, guarded.home.me, None)
    guarded.wrong(PHRASE)


def test_a_passphrase_needs_a_person_and_some_length(guarded: Guarded) -> None:
    with pytest.raises(NoPresence):
        presence.set_passphrase(guarded.lobes, guarded.home.absent, PHRASE)
    with pytest.raises(Invalid):
        presence.set_passphrase(guarded.lobes, guarded.home.me, "short")
    guarded.wrong(PHRASE)


def test_nobody_but_the_owner_in_the_app_gets_a_code(guarded: Guarded) -> None:
    from lobes.domain.errors import Forbidden, LobesError

    guarded.home.a_space("prj_a", {})
    for caller in (guarded.home.absent, guarded.home.agent("prj_a", preset="editor")):
        with pytest.raises(Forbidden):
            presence.show_code(guarded.lobes, caller)
    guarded.home.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'Bob', '2026')")
    from lobes.domain.actors import parse_actor

    with pytest.raises(LobesError):
        presence.show_code(guarded.lobes, Caller(parse_actor("user:bob"), "tui", is_present=True))
    assert not guarded.lobes.folders.presence.exists()


def test_a_home_without_presence_shows_no_code(home: AHome) -> None:
    with pytest.raises(Conflict):
        presence.show_code(home.lobes, home.me)


def test_a_damaged_file_makes_nobody_present(guarded: Guarded) -> None:
    guarded.type(guarded.show().digits)
    guarded.lobes.folders.presence.write_bytes(b"no database" * 100)
    assert guarded.attended() is None


def test_forgetting_ends_one_terminal_or_all(guarded: Guarded) -> None:
    other = replace(MINE, device="/dev/pts/9 1")
    for terminal in (MINE, other):
        guarded.type(guarded.show().digits, terminal)
    assert presence.forget(guarded.lobes, guarded.home.absent, MINE) == 1
    assert (guarded.attended(), guarded.attended(other) is None) == (None, False)
    assert presence.forget(guarded.lobes, guarded.home.absent, None) == 1
    assert guarded.attended(other) is None


def test_what_is_over_is_not_kept(guarded: Guarded) -> None:
    guarded.type(guarded.show().digits, replace(MINE, leader=1))
    guarded.clock.pass_by(minutes=16)
    guarded.type(guarded.show().digits)
    with closing(sqlite3.connect(guarded.lobes.folders.presence)) as file:
        assert file.execute("SELECT leader FROM attended").fetchall() == [(MINE.leader,)]
