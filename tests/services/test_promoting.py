"""Making a memory readable more widely is a proposal there, by a person, that names the readers."""

from __future__ import annotations

import pytest

from decided import asked, do, done, get, reasons, remember, statuses
from homes import AHome
from lobes.domain.errors import Forbidden, LobesError
from lobes.domain.ids import parse_address
from lobes.services.promoting import promotion
from lobes.services.reviewing import decide, undo

PERSONAL = parse_address("personal/ada")


@pytest.fixture
def two(home: AHome) -> AHome:
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.a_space("prj_b", {"b.md": "# B\n"})
    return home


def test_it_waits_there_and_stays_where_it_was(two: AHome) -> None:
    """AG-22."""
    id = remember(two, "Short answers.", status="active", category="communication")
    decided = done(do(two, "promote", id, lobe=PERSONAL))
    ((before, made),) = decided.done[0].changes
    assert before is None
    assert (made.status, made.lobe, made.statement) == ("proposed", PERSONAL, "Short answers.")
    assert "wider_scope" in made.waits_for
    assert made.provenance.evidence == (f"memory/{id}",)
    assert get(two, id).status == "active"
    assert len(two.audited("memory.promoted")) == 1
    done(undo(two.lobes, two.me, decided))
    assert statuses(two, made.id, id) == ["deleted", "active"]
    done(do(two, "promote", id, lobe=PERSONAL))


def test_the_new_readers_are_named_before(two: AHome) -> None:
    two.execute("INSERT INTO person VALUES ('bob', 'Bob', 0, '2026-01-01')")
    two.execute("INSERT INTO person_group VALUES ('core', 'team', 'Core', NULL, '2026', NULL)")
    for person, role in (("ada", "owner"), ("bob", "member")):
        two.execute("INSERT INTO membership VALUES ('core', ?, ?, '2026')", person, role)
    id = remember(two, "Reviews take a day.", status="active")
    found = promotion(two.lobes, two.me, id, parse_address("team/core"))
    assert found.new_people == ("bob",)
    assert "bob" not in promotion(two.lobes, two.me, id, PERSONAL).new_people


def test_no_agent_promotes_whatever_it_was_told(two: AHome) -> None:
    id = remember(two, "Short answers.", status="active")
    for caller in (two.agent("prj_a", preset="editor"), two.absent):
        decided = decide(two.lobes, caller, "promote", asked(two, id), lobe=PERSONAL)
        assert isinstance(decided.left[0].error, Forbidden)
    assert two.rows("SELECT count(*) FROM memory") == [(1,)]


@pytest.mark.parametrize("level", ["restricted", "confidential"])
def test_what_is_sensitive_goes_no_further(two: AHome, level: str) -> None:
    id = remember(two, "Short answers.", status="active", level=level)
    assert reasons(do(two, "promote", id, lobe=PERSONAL)) == {id: "stays"}


def test_a_secret_goes_no_further_even_where_its_level_was_lowered(two: AHome) -> None:
    id = remember(two, "Plain.", status="active")
    secret = "Deploy with ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    done(do(two, "edit", id, text=secret, confirmed=True))
    two.execute("UPDATE memory SET level = 'internal' WHERE id = ?", id)
    assert reasons(do(two, "promote", id, lobe=PERSONAL)) == {id: "stays"}


def test_what_is_not_in_use_or_is_there_already_is_not_promoted(two: AHome) -> None:
    waiting = remember(two, "One.")
    used = remember(two, "Two.", status="active")
    assert reasons(do(two, "promote", waiting, lobe=PERSONAL)) == {waiting: "wrong_status"}
    own = parse_address("space/prj_a")
    assert reasons(do(two, "promote", used, lobe=own)) == {used: "same"}
    done(do(two, "promote", used, lobe=PERSONAL))
    with pytest.raises(LobesError):
        do(two, "promote", used)
