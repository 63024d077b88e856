"""What is wrong with what is remembered, named by ids alone."""

from __future__ import annotations

import pytest

from decided import do, done, remember
from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.services.doctor import examine
from lobes.services.installation import Caller


def problems(home: AHome, by: Caller | None = None) -> list[str]:
    found = examine(home.lobes, by or home.me, areas=("memory",))
    assert all(one.level == "problem" and one.hint for one in found)
    return [one.text for one in found]


@pytest.fixture
def three(home: AHome) -> tuple[str, ...]:
    """One in use, the one it superseded, and a proposal."""
    home.a_space("prj_a", {"a.md": "# A\n"})
    old = remember(home, "Owls sleep by day.", status="active")
    new = remember(home, "Owls sleep at noon.", status="active")
    done(do(home, "supersede", new, target=old))
    return new, old, remember(home, "Moles dig by night.")


def test_every_fault_of_memories_is_named_with_what_to_do(
    home: AHome, three: tuple[str, ...]
) -> None:
    new, old, proposed = three
    assert problems(home) == []
    home.execute("UPDATE memory SET written_status = 'active' WHERE id = ?", old)
    assert problems(home) == [f"In use, though another one in use supersedes it: {old}."]
    home.execute("UPDATE memory SET written_status = 'superseded' WHERE id = ?", old)
    home.execute("UPDATE memory SET statement = 'Owls never sleep.' WHERE id = ?", new)
    assert [new in one and "last version" in one for one in problems(home)] == [True]
    home.execute("UPDATE memory SET statement = 'Owls sleep at noon.' WHERE id = ?", new)
    home.execute("UPDATE memory SET written_status = 'disputed' WHERE id = ?", new)
    assert problems(home) == [f"In dispute with nothing, so nobody finds it: {new}."]
    home.execute("UPDATE memory SET written_status = 'active' WHERE id = ?", new)
    done(do(home, "reject", proposed))
    home.execute("UPDATE memory SET written_status = 'proposed' WHERE id = ?", proposed)
    assert [proposed in one and "rejected" in one for one in problems(home)] == [True]


def test_what_the_caller_may_not_know_is_not_named(home: AHome, three: tuple[str, ...]) -> None:
    stranger = Caller(parse_actor("user:bob"), "cli")
    home.execute("UPDATE memory SET statement = 'Owls never sleep.' WHERE id = ?", three[0])
    assert problems(home, stranger) == []
    assert len(problems(home)) == 1
