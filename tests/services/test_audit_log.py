"""The record for its owner: sealed by a key of the secret store, told to nobody else."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from homes import AHome
from kept_keys import Kept
from lobes.domain.errors import Conflict, Forbidden, LobesError, NoPresence, NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.services.audit_log import (
    Wanted,
    list_audit,
    list_readers,
    renew_audit,
    verify_audit,
)
from lobes.services.audit_words import SEALS, VERDICTS, seal_words, verdict_words
from lobes.services.lobe_changes import save
from lobes.services.search import search


@pytest.fixture
def kept(a_home: Callable[..., AHome], tmp_path: Path) -> Kept:
    home = a_home()
    home.a_space("prj_a", {"a.md": "# A\n\nsome words\n"})
    person = tmp_path / "person"
    person.mkdir()
    return Kept(home, person)


def test_a_whole_record_is_sealed_with_a_key_that_is_made_once(kept: Kept) -> None:
    home = kept.opened(kept.store())
    verdict = verify_audit(home.lobes, home.me)
    assert (verdict.word, verdict.seal, verdict.sealed_to) == ("ok", "whole", verdict.rows)
    assert kept.calls == ["get", "set", "get"]
    again = kept.opened(kept.store())
    assert verify_audit(again.lobes, again.me).seal == "whole"
    assert kept.calls == ["get", "set", "get", "get"]


def test_a_key_that_is_gone_is_told_and_never_made_again(kept: Kept) -> None:
    """KR-06"""
    home = kept.opened(kept.store())
    verify_audit(home.lobes, home.me)
    (kept.person / "ring.json").unlink()
    for _ in range(2):
        home = kept.opened(kept.store())
        verdict = verify_audit(home.lobes, home.me)
        assert (verdict.word, verdict.state) == ("head missing", "key_missing")
    assert kept.calls.count("set") == 1


def test_a_locked_store_asks_once_and_the_chain_is_told_without_its_seal(kept: Kept) -> None:
    """KR-05"""
    home = kept.opened(kept.store())
    verify_audit(home.lobes, home.me)
    kept.ring = "Locked"
    store = kept.store()
    home = kept.opened(store)
    for _ in range(4):
        verdict = verify_audit(home.lobes, home.me, asking="once")
        assert (verdict.word, verdict.seal) == ("ok", "unchecked")
    assert store.calls == 1
    (kept.person / "unlocked").touch()
    assert verify_audit(home.lobes, home.me, asking="person").seal == "whole"


def test_nobody_is_asked_where_nobody_needs_a_key(kept: Kept) -> None:
    """KR-07: a secret store that counts saw nothing of reading, changing, listing."""
    store = kept.store()
    home = kept.opened(store)
    home.ask("words", "prj_a")
    save(home.lobes, home.me, "prj_a", LobeChange(is_private=True))
    list_audit(home.lobes, home.me)
    assert verify_audit(home.lobes, home.me, asking="never").seal == "none"
    assert store.calls == 0


def test_a_record_that_was_rewritten_is_kept_aside_when_it_begins_anew(kept: Kept) -> None:
    home = kept.opened(kept.store())
    verify_audit(home.lobes, home.me)
    with pytest.raises(Conflict, match="whole"):
        renew_audit(home.lobes, home.me)
    kept.sql("UPDATE audit SET actor = 'user:eve' WHERE seq = 1")
    assert verify_audit(home.lobes, home.me).word == "edited"
    rows = home.lobes.audit.count()
    folder = renew_audit(home.lobes, home.me)
    assert sorted(path.name for path in folder.iterdir()) == ["audit.db", "audit.head"]
    (first,) = home.lobes.audit.rows(10)
    assert (first.event, first.counts) == ("home.audit_renewed", {"edited": 1, "rows": rows})
    assert verify_audit(home.lobes, home.me).seal == "whole"
    assert kept.calls.count("set") == 1


def test_another_process_goes_on_in_the_new_record(kept: Kept) -> None:
    from lobes.clock import utc_now
    from lobes.store.audit import Audit

    home = kept.opened(kept.store())
    other = Audit(home.folders.audit, clock=utc_now)
    other.append("x", actor="a", verb="v", channel="tui", correlation="", answer="")
    other.flush()
    kept.sql("UPDATE audit SET actor = 'user:eve' WHERE seq = 1")
    renew_audit(home.lobes, home.me)
    other.append("y", actor="a", verb="v", channel="tui", correlation="", answer="")
    other.close()
    assert [row.event for row in home.lobes.audit.rows(9)] == ["y", "home.audit_renewed"]
    assert verify_audit(home.lobes, home.me).is_whole


def test_nobody_but_the_person_who_owns_the_home_sees_the_record(
    a_home: Callable[..., AHome],
) -> None:
    home = a_home(presence="on", samples=True)
    agent = home.agent("prj_initech", preset="editor")
    acts = (
        lambda caller: list_audit(home.lobes, caller),
        lambda caller: list_readers(home.lobes, caller, Wanted()),
        lambda caller: verify_audit(home.lobes, caller),
        lambda caller: renew_audit(home.lobes, caller),
    )
    for act in acts:
        with pytest.raises((Forbidden, NotFound)):
            act(agent)
        with pytest.raises(NoPresence):
            act(home.absent)


def test_who_read_a_space_names_the_agent_that_searched_and_who_was_refused(
    a_home: Callable[..., AHome],
) -> None:
    home = a_home(samples=True)
    home.index()
    home.ask("release", "prj_notidian")
    agent = home.agent("prj_initech")
    with pytest.raises(LobesError):
        search(home.lobes, agent, "day rate", space="prj_globex")
    found = {
        one.actor: one for one in list_readers(home.lobes, home.me, Wanted(space="prj_globex"))
    }
    assert found["ai:ada/reader@prj_initech"].refused == 1
    read = {
        one.actor: one for one in list_readers(home.lobes, home.me, Wanted(space="prj_notidian"))
    }
    assert read["user:ada"].reads >= 1


def test_an_act_whose_transaction_fails_leaves_no_allowance_and_its_denials_stay(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lobes.store import unit_of_work

    home.a_space("prj_a", {})
    before = home.lobes.audit.count()

    def fail(self: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    agent = home.agent("prj_a", preset="editor")
    with pytest.raises(LobesError):
        save(home.lobes, agent, "prj_a", LobeChange(is_private=True))
    with monkeypatch.context() as patch:
        patch.setattr(unit_of_work.UnitOfWork, "commit", fail)
        with pytest.raises((LobesError, sqlite3.Error)):
            save(home.lobes, home.me, "prj_a", LobeChange(is_private=True))
    rows = home.lobes.audit.rows(10, Wanted(after=before))
    assert [(row.event, row.actor) for row in rows] == [("access.denied", "ai:ada/editor@prj_a")]


def test_ten_thousand_refused_calls_leave_few_rows_and_others_are_answered(
    a_home: Callable[..., AHome],
) -> None:
    """AZ-27: through the service itself, and a search between them isn't held up."""
    home = a_home(samples=True)
    home.index()
    agent = home.agent("prj_initech")
    home.ask("release", "prj_notidian")
    longest = 0.0
    for number in range(1_000):
        with pytest.raises(LobesError):
            search(home.lobes, agent, "x", space=f"prj_guess{number}")
        if number % 250 == 0:
            started = time.monotonic()
            home.ask("release", "prj_notidian")
            longest = max(longest, time.monotonic() - started)
    assert len(home.lobes.audit.rows(1_000, Wanted(denied=True))) <= 200
    assert longest < 5


def test_every_state_has_its_sentence_and_what_to_do(kept: Kept) -> None:
    verdict = verify_audit(kept.home.lobes, kept.home.me, asking="never")
    for state in VERDICTS:
        sentence, hint = verdict_words(replace(verdict, state=state))  # type: ignore[arg-type]
        assert sentence.endswith(".")
        assert bool(hint) != replace(verdict, state=state).is_whole  # type: ignore[arg-type]
    for seal in SEALS:
        assert seal_words(replace(verdict, seal=seal)).endswith(".")  # type: ignore[arg-type]
