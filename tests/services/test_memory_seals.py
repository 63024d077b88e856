"""What is in use has a seal, where there is a secret store; a status alone puts nothing in use."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from decided import asked, do, done, get, reasons, remember
from homes import AHome
from kept_keys import Kept
from lobes.domain.errors import Conflict, LobesError, NotFound, Unavailable
from lobes.domain.memories import Provenance
from lobes.domain.permission_change import PermissionChange
from lobes.domain.proposals import Origin, Proposal
from lobes.domain.resources import Resource
from lobes.domain.secrets import Secret
from lobes.services import memory_seals
from lobes.services.audit_log import verify_audit
from lobes.services.doctor import examine
from lobes.services.memories import list_memories, show_memory
from lobes.services.memory_sensitivity import set_levels, undo_levels
from lobes.services.permissions import save_permission
from lobes.services.proposing import Proposed, propose_many
from lobes.services.review_queue import queue
from lobes.services.reviewing import undo
from lobes.store import seals
from lobes.store.read_memories import Where
from proposed import policy, said, typed

WORDS = "Zephyr retries for a minute."
OTHER = "Crane counts the folders first."


@pytest.fixture
def kept(a_home: Callable[..., AHome], tmp_path: Path) -> Kept:
    home = a_home()
    home.a_space("prj_a", {"a.md": "# A\n\nsome words\n"})
    person = tmp_path / "person"
    person.mkdir()
    return Kept(home, person)


@pytest.fixture
def sealing(kept: Kept) -> AHome:
    """A home that seals since it had one memory in use."""
    home = kept.opened(kept.store())
    typed(home, OTHER)
    verify_audit(home.lobes, home.me)
    home.index()
    return home


def found(home: AHome, query: str) -> list[str]:
    return [one.id for one in home.ask(query, "prj_a").items if one.kind == "memory"]


def listed(home: AHome) -> dict[str, tuple[str, tuple[str, ...]]]:
    page = list_memories(home.lobes, home.me, Where())
    return {one.memory.id: (one.memory.status, one.flags) for one in page.items}


def problems(home: AHome, *areas: str) -> list[str]:
    seen = examine(home.lobes, home.me, areas=areas)  # type: ignore[arg-type]
    return [f"{one.text} {one.hint}" for one in seen if one.level == "problem"]


def refused(home: AHome, *, act: str, id: str) -> LobesError:
    with pytest.raises(Unavailable) as error:
        do(home, act, id)
    assert error.value.reason == "no_seal"
    return error.value


def test_an_active_flag_in_the_database_is_a_proposal_that_a_person_can_take(
    sealing: AHome,
) -> None:
    """AG-16"""
    home, agent = sealing, sealing.agent("prj_a")
    id = said(home, WORDS).id
    with pytest.raises(sqlite3.OperationalError):
        home.execute("UPDATE memory SET status = 'active' WHERE id = ?", id)
    home.execute("UPDATE memory SET written_status = 'active', waits_for = '[]' WHERE id = ?", id)
    home.execute(
        "INSERT INTO outbox (op, kind, id, lobe, content_hash)"
        " SELECT 'upsert', 'document', id, lobe, content_hash FROM memory WHERE id = ?", id
    )  # fmt: skip
    home.index()
    assert id not in found(home, "zephyr")
    assert listed(home)[id] == ("proposed", ("unsealed",))
    assert id not in {
        one.memory.id for one in list_memories(home.lobes, agent, Where(), space="prj_a").items
    }
    with pytest.raises(NotFound):
        show_memory(home.lobes, agent, id)
    (item,) = queue(home.lobes, home.me).items
    assert (item.id, item.row.status, item.row.waits_for) == (id, "proposed", ("unsealed",))
    (problem,) = problems(home, "memory")
    assert id in problem
    assert "lobes memory accept" in problem
    done(do(home, "accept", id))
    home.settle()
    assert listed(home)[id] == ("active", ())
    assert id in found(home, "zephyr")
    assert problems(home, "memory", "secrets") == []


def test_a_row_put_into_the_database_is_no_memory_in_use(sealing: AHome) -> None:
    """AG-16: whole, with every field but a seal."""
    (id,) = listed(sealing)
    columns = "lobe, space, kind, class, epistemic, author, person, content_hash, created, updated"
    sealing.execute(
        f"INSERT INTO memory (id, statement, written_status, {columns})"
        f" SELECT '01K0000000000000000000000Z', 'Forged.', 'active', {columns} FROM memory"
    )
    assert listed(sealing)["01K0000000000000000000000Z"] == ("proposed", ("unsealed",))
    assert listed(sealing)[id][0] == "active"


@pytest.mark.parametrize("forged", ["of another", "-", "0" * 32])
def test_a_seal_that_is_not_its_own_is_found_with_the_key(sealing: AHome, forged: str) -> None:
    (other,) = listed(sealing)
    id = said(sealing, WORDS).id
    if forged == "of another":
        forged = sealing.rows("SELECT seal FROM memory WHERE id = ?", other)[0][0]
    sealing.execute("UPDATE memory SET written_status = 'active', seal = ?", forged)
    (problem,) = problems(sealing, "secrets")
    assert id in problem
    looked = memory_seals.seal(sealing.lobes, sealing.me)
    assert id in looked.taken_out
    assert listed(sealing)[id] == ("proposed", ("inferred", "unsealed"))
    assert problems(sealing, "secrets") == []
    assert (looked.state, looked.sealed) == ("checked", 0 if forged in ("-", "0" * 32) else 1)


def test_a_first_decision_looks_at_every_seal(sealing: AHome) -> None:
    (old,) = listed(sealing)
    forged, id = said(sealing, WORDS).id, said(sealing, "Moles dig by night.").id
    copied = sealing.rows("SELECT seal FROM memory WHERE id = ?", old)[0][0]
    sql = "UPDATE memory SET written_status = 'active', seal = ? WHERE id = ?"
    sealing.execute(sql, copied, forged)
    sealing.lobes.database().key = None  # as another process
    done(do(sealing, "accept", id))
    assert listed(sealing)[forged] == ("proposed", ("inferred", "unsealed"))
    assert {listed(sealing)[one][0] for one in (old, id)} == {"active"}
    (row,) = sealing.audited("home.seals_checked")
    assert row["resources"] == [f"memory/{forged}"]


def test_words_changed_in_the_database_have_no_seal_any_more(sealing: AHome) -> None:
    (id,) = listed(sealing)
    sealing.execute("UPDATE memory SET statement = 'Crane deletes the folders first.'")
    assert any(id in one for one in problems(sealing, "memory"))
    assert memory_seals.seal(sealing.lobes, sealing.me).taken_out == (id,)
    assert found(sealing, "crane") == []


def test_every_decision_leaves_what_is_in_use_sealed(sealing: AHome) -> None:
    """Edited, rechecked, superseded and back, archived and back, undone."""
    home, (id,) = sealing, listed(sealing)
    done(do(home, "edit", id, text="Crane counts the folders last."))
    done(do(home, "recheck", id))
    done(do(home, "archive", id))
    done(do(home, "restore", id))
    new = said(home, "Crane counts nothing.").id
    done(do(home, "supersede", new, target=id))
    done(do(home, "delete", new))
    undone = undo(home.lobes, home.me, done(do(home, "archive", id)))
    assert undone.left == ()
    assert get(home, id).status == "active"
    assert problems(home, "memory", "secrets") == []


def test_the_key_is_fetched_once_and_not_by_who_reads_or_proposes(kept: Kept) -> None:
    """KR-07: of a home that seals as of any other."""
    first = kept.opened(kept.store())
    typed(first, OTHER)
    verify_audit(first.lobes, first.me)
    first.lobes.database().key = None  # as another process, whose cache is empty
    store = kept.store()
    home = kept.opened(store)
    said(home, WORDS)
    found(home, "crane")
    listed(home)
    assert problems(home, "store", "memory") == []
    assert store.calls == 0
    (id,) = [one.id for one in queue(home.lobes, home.me).items]
    done(do(home, "accept", id))
    done(do(home, "archive", id))
    done(do(home, "restore", id))
    assert store.calls == 1


def test_a_locked_store_takes_nothing_out_of_use_and_puts_nothing_in(
    kept: Kept, sealing: AHome
) -> None:
    (old,) = listed(sealing)
    sealing.lobes.database().key = None
    kept.ring = "Locked"
    home = kept.opened(kept.store())
    id = said(home, WORDS).id
    assert found(home, "crane") == [old]
    error = refused(home, act="accept", id=id)
    assert "locked" in error.message
    assert "--end" in error.hint
    done(do(home, "reject", id))
    done(do(home, "reopen", id))
    assert (typed(home, "Owls sleep by day.").waits_for) == ("unsealed",)
    policy(home, "none")
    assert said(home, "Moles dig by night.").waits_for == ("unsealed",)
    (kept.person / "unlocked").touch()
    done(do(home, "accept", id))
    assert listed(home)[id][0] == "active"


def test_a_key_that_is_gone_is_made_again_by_a_person_alone(kept: Kept, sealing: AHome) -> None:
    """KR-06"""
    (old,) = listed(sealing)
    (kept.person / "ring.json").unlink()
    sealing.lobes.database().key = None
    home = kept.opened(kept.store())
    id = said(home, WORDS).id
    assert "gone" in refused(home, act="accept", id=id).message
    verify_audit(home.lobes, home.me)
    with pytest.raises(Unavailable):
        memory_seals.seal(home.lobes, home.me)
    assert len(problems(home, "secrets")) == 1
    assert memory_seals.seal(home.lobes, home.me, anew=True).sealed == 1
    done(do(home, "accept", id))
    assert {old, id} == set(listed(home))
    assert problems(home, "memory", "secrets") == []


def test_a_store_that_says_that_it_never_sealed_is_not_believed(sealing: AHome) -> None:
    """What was forged isn't taken in by beginning anew."""
    id = said(sealing, WORDS).id
    sealing.execute("UPDATE home SET sealed_with = ''")
    sealing.execute("UPDATE memory SET written_status = 'active', seal = '-'")
    verify_audit(sealing.lobes, sealing.me)
    assert sealing.rows("SELECT sealed_with FROM home") == [("",)]
    (problem,) = problems(sealing, "secrets")
    assert "knows nothing" in problem
    with pytest.raises(Conflict) as error:
        memory_seals.seal(sealing.lobes, sealing.me)
    assert error.value.reason == "seals_gone"
    assert memory_seals.seal(sealing.lobes, sealing.me, anew=True).sealed == len({id, "old"})


def test_who_ends_it_puts_nothing_in_use_by_that(sealing: AHome) -> None:
    (old,) = listed(sealing)
    id = said(sealing, WORDS).id
    sealing.execute("UPDATE memory SET written_status = 'active' WHERE id = ?", id)
    memory_seals.end(sealing.lobes, sealing.me)
    assert {one: row[0] for one, row in listed(sealing).items()} == {old: "active", id: "proposed"}
    done(do(sealing, "accept", id))
    assert listed(sealing)[id][0] == "active"
    with pytest.raises(Conflict):
        memory_seals.end(sealing.lobes, sealing.me)
    assert memory_seals.seal(sealing.lobes, sealing.me).state == "begun"


def test_where_no_secret_store_is_nothing_is_sealed_and_nothing_waits_for_it(home: AHome) -> None:
    home.a_space("prj_a", {"a.md": "# A\n"})
    id = typed(home).id
    verify_audit(home.lobes, home.me)
    new = said(home, WORDS).id
    home.execute("UPDATE memory SET written_status = 'active' WHERE id = ?", new)
    assert {listed(home)[id][0], listed(home)[new][0]} == {"active"}
    with pytest.raises(Unavailable):
        memory_seals.seal(home.lobes, home.me)


def test_what_a_decision_left_is_told_of_the_seal_alone(sealing: AHome) -> None:
    """A decision on several: each is sealed for itself."""
    ids = [remember(sealing, text) for text in ("Owls sleep by day.", "Moles dig by night.")]
    decided = do(sealing, "accept", *ids)
    assert reasons(decided) == {}
    seals = sealing.rows("SELECT DISTINCT seal FROM memory WHERE status = 'active'")
    assert len(seals) == 3


def test_who_sees_what_is_in_use_is_changed_and_it_stays_in_use(sealing: AHome) -> None:
    """Also by a process that has not fetched the key yet."""
    id = remember(sealing, "Otters sleep by day.")
    done(do(sealing, "accept", id))
    sealing.lobes.database().key = None
    change = PermissionChange(visibility="private")
    save_permission(sealing.lobes, sealing.me, Resource("memory", id), change)
    assert get(sealing, id).status == "active"
    assert memory_seals.seal(sealing.lobes, sealing.me).taken_out == ()


def test_a_level_set_by_another_process_leaves_what_is_in_use_in_use(sealing: AHome) -> None:
    """Set and taken back, each by a process that hasn't the key yet."""
    (id,) = listed(sealing)
    sealing.lobes.database().key = None
    decided = set_levels(sealing.lobes, sealing.me, asked(sealing, id), "restricted")
    assert (listed(sealing)[id], get(sealing, id).level) == (("active", ()), "restricted")
    sealing.lobes.database().key = None
    assert undo_levels(sealing.lobes, sealing.me, decided).left == ()
    assert (listed(sealing)[id], get(sealing, id).level) == (("active", ()), "internal")
    assert problems(sealing, "memory", "secrets") == []


def test_a_level_that_can_not_be_sealed_is_not_set(kept: Kept, sealing: AHome) -> None:
    (id,) = listed(sealing)
    sealing.lobes.database().key = None
    kept.ring = "Locked"
    home = kept.opened(kept.store())
    with pytest.raises(Unavailable) as error:
        set_levels(home.lobes, home.me, asked(home, id), "restricted")
    assert error.value.reason == "no_seal"
    assert (listed(home)[id], get(home, id).level) == (("active", ()), "internal")


def test_no_write_takes_what_is_in_use_out_of_use_for_want_of_the_key(sealing: AHome) -> None:
    (id,) = listed(sealing)
    sealing.lobes.database().key = None
    memory = get(sealing, id)
    with sealing.lobes.database().begin() as unit, pytest.raises(Unavailable) as error:
        unit.memories.save(memory, replace(memory, verified=unit.now), act="recheck", actor="x")
    assert error.value.reason == "no_seal"
    assert listed(sealing)[id] == ("active", ())


def in_dispute(home: AHome) -> tuple[str, str]:
    (one,) = listed(home)
    other = typed(home, "Owls sleep by day.").id
    done(do(home, "dispute", one, target=other))
    return one, other


def test_one_side_of_a_dispute_is_deleted_and_the_other_is_sealed_once_the_store_is_unlocked(
    kept: Kept, sealing: AHome
) -> None:
    """A person who deletes it is there to unlock the store."""
    one, other = in_dispute(sealing)
    sealing.lobes.database().key = None
    kept.ring = "Locked"
    home = kept.opened(kept.store())
    said(home, WORDS)
    assert not memory_seals.prepare(home.lobes)
    (kept.person / "unlocked").touch()
    done(do(home, "delete", one))
    assert listed(home)[other] == ("active", ())


def test_one_side_of_a_dispute_goes_under_a_locked_store_and_the_other_one_waits_seen(
    kept: Kept, sealing: AHome
) -> None:
    """What Lobes could seal without the key, anybody could."""
    one, other = in_dispute(sealing)
    sealing.lobes.database().key = None
    kept.ring = "Locked"
    home = kept.opened(kept.store())
    done(do(home, "delete", one))
    assert listed(home)[other] == ("proposed", ("unsealed",))
    assert [item.id for item in queue(home.lobes, home.me).items] == [other]


def test_a_look_at_the_seals_that_nobody_asked_for_claims_no_right(sealing: AHome) -> None:
    id = said(sealing, WORDS).id
    sealing.execute("UPDATE memory SET written_status = 'active', seal = 'x' WHERE id = ?", id)
    sealing.lobes.database().key = None
    done(do(sealing, "accept", said(sealing, "Moles dig by night.").id))
    (row,) = sealing.audited("home.seals_checked")
    assert row["answer"] == "automatic"


def test_seals_are_looked_at_while_others_write(
    sealing: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of all that is in use; what was found is looked at once more where nobody else writes."""
    id = said(sealing, WORDS).id
    sealing.execute("UPDATE memory SET written_status = 'active', seal = 'x' WHERE id = ?", id)
    looked: list[Iterable[str] | None] = []
    misfits = seals.misfits

    def while_somebody_writes(
        store: sqlite3.Connection, key: Secret, *, among: Iterable[str] | None = None
    ) -> list[str]:
        looked.append(among)
        if among is None:
            sealing.execute("UPDATE home SET sequence = sequence")
        return misfits(store, key, among=among)

    monkeypatch.setattr(seals, "misfits", while_somebody_writes)
    assert memory_seals.seal(sealing.lobes, sealing.me).taken_out == (id,)
    assert looked == [None, [id]]


def test_an_end_that_leaves_the_key_says_so_and_takes_it_later(kept: Kept, sealing: AHome) -> None:
    kept.ring = "Locked"
    home = kept.opened(kept.store())
    with pytest.raises(Unavailable) as error:
        memory_seals.end(home.lobes, home.me)
    assert error.value.reason == "key_kept"
    assert home.rows("SELECT sealed_with FROM home") == [("",)]
    with pytest.raises(Unavailable) as again:
        memory_seals.end(home.lobes, home.me)
    assert again.value.reason == "key_kept"
    (kept.person / "unlocked").touch()
    assert len(problems(home, "secrets")) == 1
    memory_seals.end(home.lobes, home.me)
    assert problems(home, "secrets") == []
    assert memory_seals.seal(home.lobes, home.me).state == "begun"


def test_what_a_policy_accepts_of_an_import_is_sealed_by_a_process_without_the_key(
    sealing: AHome,
) -> None:
    policy(sealing, "none")
    sealing.lobes.database().key = None
    some = [
        (Proposal(text), Origin("agent", Provenance("mcp", "s1")))
        for text in ("Owls sleep by day.", "Moles dig by night.")
    ]
    taken = propose_many(sealing.lobes, sealing.me, "prj_a", some)
    outcomes = {one.outcome for one in taken if isinstance(one, Proposed)}
    assert outcomes == {"active"}, taken


def test_the_doctor_says_since_when_what_is_in_use_is_sealed(sealing: AHome) -> None:
    day = sealing.rows("SELECT substr(sealed_since, 1, 10) FROM home")[0][0]
    notes = [one.text for one in examine(sealing.lobes, sealing.me, areas=("secrets",))]
    assert any(f"sealed since {day}" in one for one in notes)
