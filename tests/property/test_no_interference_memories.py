"""Of memories a search gives exactly those that the rules let this caller have, and the others
change nothing of it: no id, order, score or count. The expected ones are worked out here from the
rules' words, not by the code.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homes import AHome, opened_home
from lobes.domain.actors import parse_actor
from lobes.domain.lobe_change import LobeChange
from lobes.domain.memories import STATUSES, Memory
from lobes.domain.permissions import parse_permission
from lobes.services.installation import Caller
from lobes.store.read import RETRIEVABLE
from remembered import a_memory

BOB = Caller(parse_actor("user:bob"), "cli", is_present=True)
DAY = timedelta(days=1)
PRIVATE = '{"visibility": "private"}'
SPANS = {"open": (None, None), "past": (None, -DAY), "future": (DAY, None), "now": (-DAY, DAY)}
LOBES = ("space/prj_a", "space/prj_b", "space/prj_lone", "space/prj_bob", "personal/ada",
         "personal/bob", "team/team_x", "team/team_y")  # fmt: skip
DRAWN_ON = {
    "ada": {"space/prj_a", "space/prj_b", "personal/ada", "team/team_x"},
    "agent": {"space/prj_a", "space/prj_b", "personal/ada", "team/team_x"},
    "bob": {"space/prj_bob", "personal/bob", "team/team_x"},
}


@dataclass(frozen=True)
class Spec:
    lobe: str
    status: str
    span: str
    category: str
    level: str
    is_private: bool
    disputes: bool
    """The one before it in the list."""
    words: str


specs = st.lists(
    st.builds(
        Spec,
        lobe=st.sampled_from(LOBES),
        status=st.sampled_from(("active",) * 8 + STATUSES),
        span=st.sampled_from(("open", "open", *SPANS)),
        category=st.sampled_from(("", "", "taste", "health")),
        level=st.sampled_from(("internal", "internal", "restricted", "confidential")),
        is_private=st.booleans(),
        disputes=st.booleans(),
        words=st.sampled_from(("zephyr", "zephyr crane", "zephyr zephyr ledger", "zephyr café")),
    ),
    max_size=9,
)


def may_have(who: str, one: Spec) -> bool:
    """Whether this caller may have it, were nothing disputed."""
    if one.status not in ("active", "disputed") or one.lobe not in DRAWN_ON[who]:
        return False
    if one.span in ("past", "future"):
        return False
    if one.lobe.startswith("personal/") and one.category == "health":
        return False
    if who == "agent" and one.level == "confidential":
        return False
    if who == "bob" and one.lobe == "team/team_x":
        # A member; the team is Ada's, and so is what she put there closer than it.
        return one.level == "internal" and not one.is_private
    return True


def expected(who: str, wanted: Sequence[Spec]) -> set[int]:
    found: set[int] = set()
    for place, one in enumerate(wanted):
        sides = [place - 1] if is_side(wanted, place) else []
        sides += [place + 1] if is_side(wanted, place + 1) else []
        if may_have(who, one) and (not sides or any(may_have(who, wanted[side]) for side in sides)):
            found.add(place)
    return found


def is_side(wanted: Sequence[Spec], place: int) -> bool:
    """Whether this one disputes the one before it: both are still said."""
    if not 0 < place < len(wanted) or not wanted[place].disputes:
        return False
    return all(one.status in ("active", "disputed") for one in wanted[place - 1 : place + 1])


@pytest.fixture(scope="module")
def world() -> Iterator[AHome]:
    with tempfile.TemporaryDirectory() as folder, opened_home(Path(folder) / "home") as home:
        home.a_space("prj_a", {"a.md": "# A\n\nzephyr harbour\n", "b.md": "# B\n\ncrane\n"})
        home.a_space("prj_b", {"c.md": "# C\n\nledger\n"})
        home.a_space("prj_lone", {}, LobeChange(is_private=True))
        home.a_space("prj_bob", {"d.md": "# D\n\nzephyr\n"})
        now = "2026-01-01T00:00:00+00:00"
        home.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'B', ?)", now)
        for team, owner, member in (("team_x", "ada", "bob"), ("team_y", "eve", "eve")):
            home.execute("INSERT OR IGNORE INTO person VALUES ('eve', 'E', 0, ?)", now)
            home.execute(
                "INSERT INTO person_group VALUES (?, 'team', 'T', NULL, ?, NULL)", team, now
            )
            home.execute("INSERT INTO membership VALUES (?, ?, 'owner', ?)", team, owner, now)
            home.execute(
                "INSERT OR IGNORE INTO membership VALUES (?, ?, 'member', ?)", team, member, now
            )
        home.index()
        home.execute("UPDATE space SET owner = 'bob' WHERE id = 'prj_bob'")
        yield home


def callers(home: AHome) -> dict[str, tuple[Caller, str]]:
    return {
        "ada": (home.me, "prj_a"), "agent": (home.agent("prj_a"), "prj_a"), "bob": (BOB, "prj_bob"),
    }  # fmt: skip


def put(home: AHome, wanted: Sequence[Spec]) -> list[Memory]:
    """The memories of these specs in an otherwise forgotten home."""
    now = home.lobes.clock()
    made: list[Memory] = []
    with home.lobes.database().begin() as unit:
        for (id,) in unit.reader.execute(f"SELECT id FROM memory WHERE {RETRIEVABLE}").fetchall():
            old = unit.memories.get(id)
            assert old is not None
            unit.memories.save(old, replace(old, status="deleted"), act="delete", actor="user:ada")
        for place, one in enumerate(wanted):
            begin, end = (None if by is None else now + by for by in SPANS[one.span])
            sided = is_side(wanted, place) or is_side(wanted, place + 1)
            alone = "active" if one.status == "disputed" else one.status
            memory = a_memory(
                home, one.lobe, f"{one.words} {place}", status="disputed" if sided else alone,
                category=one.category, level=one.level, valid_from=begin, valid_to=end,
                permission=parse_permission(PRIVATE) if one.is_private else None,
                person="bob" if one.lobe.endswith("bob") else "ada",
            )  # fmt: skip
            unit.memories.put(memory, act="add", actor="user:ada")
            made.append(memory)
            if is_side(wanted, place):
                unit.memories.link("disputes", memory.id, made[place - 1].id)
        unit.commit()
    home.settle()
    return made


def told(home: AHome, who: str) -> list[Any]:
    caller, space = callers(home)[who]
    return [
        replace(home.ask(query, space, by=caller, limit=100), took_ms=0.0)
        for query in ("zephyr", "crane ledger")
    ]


pytestmark = pytest.mark.timeout(600)
SLOWLY = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@settings(max_examples=12, deadline=None, suppress_health_check=SLOWLY)
@given(specs)
def test_exactly_what_the_rules_give_is_found_and_counted(world: AHome, wanted: list[Spec]) -> None:
    ids = [one.id for one in put(world, wanted)]
    for who in DRAWN_ON:
        answer = told(world, who)[0]
        found = {one.id for one in answer.items if one.kind == "memory"}
        right = expected(who, wanted)
        assert found == {ids[place] for place in right}, who
        assert answer.words_found == len(right) + 1, "and one file: nothing else was ranked"


@settings(max_examples=8, deadline=None, suppress_health_check=SLOWLY)
@given(specs, st.sampled_from(sorted(DRAWN_ON)), st.data())
def test_the_others_move_nothing(
    world: AHome, wanted: list[Spec], who: str, data: st.DataObject
) -> None:
    made = put(world, wanted)
    before = told(world, who)
    hidden = [made[place] for place in range(len(made)) if place not in expected(who, wanted)]
    with world.lobes.database().begin() as unit:
        for one in hidden:
            text = data.draw(st.sampled_from(("zephyr crane crane", "ledger", "zephyr " * 30)))
            changed = replace(one, statement=text, subject=text)
            unit.memories.save(one, changed, act="edit", actor="user:ada")
        unit.commit()
    world.settle()
    assert told(world, who) == before
