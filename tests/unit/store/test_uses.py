"""The file of uses: bounded, lenient, and never a fault of an answer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from lobes.domain.ids import derived_id
from lobes.store import uses
from lobes.store.uses import Use, forget_taken, note_uses, take_uses

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
ONE, OTHER = derived_id("memory", "one"), derived_id("memory", "other")


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "lobes.db"


def test_lines_are_added_up_and_stay_until_they_are_forgotten(store: Path) -> None:
    later = NOON + timedelta(hours=1)
    note_uses(store, [ONE, OTHER], later)
    note_uses(store, [ONE], NOON)
    found = {Use(ONE, 2, later), Use(OTHER, 1, later)}
    assert set(take_uses(store, 7)) == found
    note_uses(store, [OTHER], NOON)
    assert set(take_uses(store, 7)) == found, "the unit was rolled back: the next one takes them"
    forget_taken(store, 7)
    assert take_uses(store, 8) == (Use(OTHER, 1, NOON),)
    forget_taken(store, 8)
    assert take_uses(store, 9) == ()
    assert list(store.parent.iterdir()) == []


def test_what_was_counted_and_not_forgotten_in_time_counts_once(store: Path) -> None:
    note_uses(store, [ONE], NOON)
    assert take_uses(store, 7) == (Use(ONE, 1, NOON),)
    note_uses(store, [OTHER], NOON)
    assert take_uses(store, 8) == (Use(OTHER, 1, NOON),)
    forget_taken(store, 7)
    assert take_uses(store, 8) == (Use(OTHER, 1, NOON),), "the slow one forgets its own alone"


def test_the_file_is_its_owners_alone(store: Path) -> None:
    note_uses(store, [ONE], NOON)
    assert (store.parent / uses.NOTED).stat().st_mode & 0o777 == 0o600


def test_nothing_given_makes_no_file(store: Path) -> None:
    note_uses(store, [], NOON)
    assert list(store.parent.iterdir()) == []


def test_what_somebody_else_wrote_into_it_counts_nothing(store: Path) -> None:
    note_uses(store, [ONE], NOON)
    with (store.parent / uses.NOTED).open("ab") as file:
        file.write(b"\xff\x00 x\n2026-01-01T00:00:00 " + ONE.encode() + b"\nnever " + ONE.encode())
        file.write(f"\n{NOON.isoformat()} ' OR 1=1 -- {OTHER}\n".encode())
    assert set(take_uses(store, 1)) == {Use(ONE, 1, NOON), Use(OTHER, 1, NOON)}


def test_it_has_an_end(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uses, "MOST", 120)
    for _ in range(100):
        note_uses(store, [ONE], NOON)
    assert (store.parent / uses.NOTED).stat().st_size <= 120
    assert take_uses(store, 1) == (Use(ONE, 2, NOON),)


def test_a_place_that_takes_no_file_is_no_fault(store: Path) -> None:
    note_uses(store.parent / "none" / "lobes.db", [ONE], NOON)
    (store.parent / uses.NOTED).mkdir()
    note_uses(store, [ONE], NOON)
    assert take_uses(store, 1) == ()


def test_a_link_in_its_place_is_not_followed(store: Path) -> None:
    target = store.parent / "target"
    target.write_text("mine")
    (store.parent / uses.NOTED).symlink_to(target)
    note_uses(store, [ONE], NOON)
    assert target.read_text() == "mine"
