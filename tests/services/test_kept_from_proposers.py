"""Whoever proposes is judged by what they may read: what is kept from them might as well not be."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from decided import do, remember
from homes import AHome, opened_home
from lobes.domain.actors import Human
from lobes.domain.errors import NotFound
from lobes.domain.ids import Slug
from lobes.domain.permissions import Permission
from lobes.domain.proposals import Origin, Proposal
from lobes.services.group_changes import NewGroup, add_group, join_group
from lobes.services.importing import import_memories
from lobes.services.installation import Caller
from lobes.services.memories import show_memory
from lobes.services.people import add_person
from lobes.services.proposing import Proposed, propose
from lobes.services.space_groups import place_space
from proposed import policy, said, typed

BOB = Caller(Human(Slug("bob")), "cli", is_present=True)
SECRET = "The salary of Marit is 5000 EUR a month."


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AHome]:
    """bob is in the group whose Space prj_a is."""
    with opened_home(tmp_path_factory.mktemp("kept") / "home") as home:
        home.a_space("prj_a", {})
        add_person(home.lobes, home.me, "bob")
        add_group(home.lobes, home.me, NewGroup("grp_own", "team"))
        join_group(home.lobes, home.me, "grp_own", "bob")
        place_space(home.lobes, home.me, "prj_a", "grp_own")
        yield home


@pytest.fixture
def home(made: AHome) -> AHome:
    for table in ("memory", "memory_tombstone", "proposal_count", "outbox"):
        made.execute(f"DELETE FROM {table}")
    policy(made, "none")
    return made


def kept_by_level(home: AHome, text: str) -> str:
    return remember(home, text, status="active", author="user", level="confidential", waits_for=())


def kept_private(home: AHome, text: str) -> str:
    private = Permission("private")
    return remember(home, text, status="active", author="user", permission=private, waits_for=())


def by_agent(home: AHome, text: str) -> Proposed:
    return said(home, text)


def by_bob(home: AHome, text: str) -> Proposed:
    return propose(home.lobes, BOB, "prj_a", Proposal(text), Origin("user"))


KEPT: dict[str, tuple[Callable[[AHome, str], str], Callable[[AHome, str], Proposed]]] = {
    "agent": (kept_by_level, by_agent),
    "person": (kept_private, by_bob),
}


@pytest.mark.parametrize("who", KEPT)
@pytest.mark.parametrize(
    "text", [SECRET, f"{SECRET} So it is.", "The salary of Marit is 4000 EUR a month."]
)
def test_what_becomes_of_a_proposal_tells_nothing_of_what_is_kept_from_who_proposes(
    home: AHome, who: str, text: str
) -> None:
    """The same answer as in a lobe without it, for the same words, a near copy and a contradiction,
    and so for twenty of them, which would fill every place among the nearest."""
    keep, ask = KEPT[who]
    alone = ask(home, text)
    home.execute("DELETE FROM memory")
    kept = [keep(home, SECRET)]
    kept += [keep(home, f"{SECRET} That is number {number}.") for number in range(20)]
    found = ask(home, text)
    assert (found.outcome, found.waits_for) == (alone.outcome, alone.waits_for)
    assert (found.neighbours, found.id in kept) == ((), False)


@pytest.mark.parametrize("who", KEPT)
def test_what_is_kept_from_who_proposes_takes_no_place_of_what_they_may_read(
    home: AHome, who: str
) -> None:
    keep, ask = KEPT[who]
    for number in range(40):
        keep(home, f"The salary of Marit is 4000 EUR a month, says letter {number}.")
    text = "The salary of Marit is 5000 EUR a month, as the plan of last year has it."
    open_one = remember(home, text, status="active", author="user")
    found = ask(home, "The salary of Marit is 4000 EUR a month.")
    assert "conflict" in found.waits_for
    assert [one.id for one in found.neighbours] == [open_one]


def test_what_was_corrected_out_of_sight_lets_no_proposal_wait(home: AHome) -> None:
    remember(home, SECRET, status="superseded", level="confidential", waits_for=())
    assert said(home, SECRET).outcome == "active"


def test_what_was_deleted_out_of_sight_suppresses_no_proposal(home: AHome) -> None:
    """That it was there would be told by that."""
    do(home, "delete", kept_by_level(home, SECRET))
    assert said(home, SECRET).outcome == "active"


def test_what_was_deleted_out_of_sight_hides_no_rejection_that_is_known(home: AHome) -> None:
    """The newest tombstone of the words is kept from the agent, an older one isn't."""
    known = said(home, SECRET, is_external=True).id
    do(home, "reject", known)
    assert said(home, SECRET).outcome == "suppressed"
    do(home, "delete", kept_by_level(home, SECRET))
    assert said(home, SECRET).outcome == "suppressed"


def test_what_bob_may_not_read_is_not_told_to_bob_by_what_somebody_else_proposed(
    home: AHome,
) -> None:
    """The reasons that are stored are those of who proposed it."""
    hidden = kept_private(home, "Writing secret plan zulu nine.")
    policy(home, "all")
    found = typed(home, "Writing secret plan zulu nine now.", kind="context")
    assert "near_copy" in found.waits_for
    with pytest.raises(NotFound):
        show_memory(home.lobes, BOB, hidden)
    assert "near_copy" in show_memory(home.lobes, home.me, found.id).flags
    assert "near_copy" not in show_memory(home.lobes, BOB, found.id).flags
    again = by_bob(home, "Writing secret plan zulu nine now.")
    assert (again.id, again.outcome) == (found.id, "repeat")
    assert "near_copy" not in again.waits_for


@pytest.mark.parametrize("dry_run", [True, False])
def test_an_import_counts_no_repeat_of_what_bob_may_not_read(
    home: AHome, tmp_path: Path, dry_run: bool
) -> None:
    """Neither by its words nor by where it came from: a guess is no more than any new statement,
    and what he may read is still there already."""
    file = tmp_path / "CLAUDE.md"
    file.write_text(f"- {SECRET}\n- Saffron is bought on Mondays\n")
    import_memories(home.lobes, home.me, "prj_a", file)
    home.execute("UPDATE memory SET written_status = 'active'")
    home.execute(
        "UPDATE memory SET permission = ? WHERE statement = ?", '{"visibility":"private"}', SECRET
    )
    kept_private(home, "The salary of Bob is 4000 EUR a month.")
    file.write_text(f"{file.read_text()}- The salary of Bob is 4000 EUR a month.\n")
    found = import_memories(home.lobes, BOB, "prj_a", file, dry_run=dry_run)
    assert (found.proposed, found.repeats, found.suppressed) == (2, 1, 0)
