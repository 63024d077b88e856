"""What is hidden changes nothing of an answer, through the services and their second look.

Any text may come, change or go in a lobe that the asking Space may not draw on: no id, order,
score, rank, reason or sentence moves, for the person and for an agent.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homes import AHome, opened_home
from lobes.domain.lobe_change import LobeChange
from lobes.services.installation import Caller

WORDS = ("crane", "harbour", "zephyr", "ledger", "the", "部署", "café", "retry_after")
QUERIES = ("zephyr crane", "harbour ledger 部署", "the café", "retry", "nothing of it")
HIDDEN = ("prj_private", "prj_closed", "prj_excluded", "area_muted")

texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=10).map(" ".join)
edits = st.lists(
    st.tuples(
        st.sampled_from(HIDDEN),
        st.sampled_from([f"{n}.md" for n in range(4)]),
        st.one_of(st.none(), texts),
    ),
    min_size=1,
    max_size=6,
)


@pytest.fixture(scope="module")
def world() -> Iterator[AHome]:
    with (
        tempfile.TemporaryDirectory() as folder,
        opened_home(Path(folder) / "home") as home,
    ):
        files = {f"{n}.md": f"# Note {n}\n\n{WORDS[n]} {WORDS[-n]} crane\n" for n in range(6)}
        home.a_space("prj_a", files)
        home.a_space("prj_b", {"b.md": "# B\n\nzephyr harbour 部署\n"})
        home.a_space("prj_private", {}, LobeChange(is_private=True))
        home.a_space("prj_closed", {}, LobeChange(cross_space="deny"))
        home.a_space("prj_excluded", {}, LobeChange(exclude=("prj_a",)))
        home.a_space("area_muted", {})
        from lobes.services.lobe_changes import save

        save(home.lobes, home.me, "prj_a", LobeChange(mute=("space/area_muted",)))
        home.index()
        yield home


def everything(home: AHome, who: Caller) -> list[Any]:
    """All that a face could show of these searches, but the time that they took."""
    return [
        replace(home.ask(query, "prj_a", by=who, limit=limit), took_ms=0.0)
        for query in QUERIES
        for limit in (3, 100)
    ]


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(edits)
def test_what_happens_in_hidden_lobes_moves_nothing(
    world: AHome, edits: list[tuple[str, str, str | None]]
) -> None:
    callers = (world.me, world.agent("prj_a"))
    before = [everything(world, who) for who in callers]
    assert {hit.space for answer in before[0] for hit in answer.items} == {"prj_a", "prj_b"}
    for space, path, text in edits:
        target = world.root(space) / path
        if text is None:
            target.unlink(missing_ok=True)
        else:
            target.write_text(f"# {text}\n\n{text} {text}\n")
    world.index()
    assert [everything(world, who) for who in callers] == before


def test_the_same_text_in_a_lobe_that_is_drawn_on_does_move_it(world: AHome) -> None:
    """The property above can fail: an allowed lobe's statistics are in the scores."""
    before = everything(world, world.me)
    note = world.write("prj_b", "more.md", "# More\n\nzephyr crane zephyr crane\n")
    world.index()
    assert everything(world, world.me) != before
    note.unlink()
    world.index()
    assert everything(world, world.me) == before
