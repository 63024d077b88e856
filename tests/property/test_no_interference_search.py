"""What is hidden changes nothing of an answer, through the services and their second look.

Any text may come, change or go in a lobe that the asking Space may not draw on: no id, order,
score, rank, reason or sentence moves, for the person and for an agent. The same holds for a
document that is closer than its Space, in a lobe that is drawn on, for who may not read it.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from homes import AHome, opened_home
from lobes.domain.actors import parse_actor
from lobes.domain.lobe_change import LobeChange
from lobes.domain.lobes import Subscription
from lobes.services.finding import find_named
from lobes.services.installation import Caller
from lobes.services.lobe_changes import save
from lobes.services.spaces import show_pack

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


# Documents that are closer than their Space ------------------------------------------------------

READS = ("read_meta", "read_content")
BOB = Caller(parse_actor("user:bob"), "cli", is_present=True)
BOBS_AGENT = Caller(parse_actor("ai:bob/reader@prj_own"), "cli")
WITHHELD = {
    "private.md": '{"visibility": "private"}',
    "named.md": json.dumps(
        {"visibility": "restricted", "grants": {verb: ["user:eve"] for verb in READS}}
    ),
    "known.md": json.dumps({"visibility": "public", "grants": {"read_meta": ["user:bob"]}}),
    "broken.md": "{}",
}
"""What Bob may not read: nothing of three, of `known.md` that it is there."""


@pytest.fixture(scope="module")
def shared() -> Iterator[AHome]:
    """Bob's Space draws on one of Ada's that lets him read all but four documents."""
    with tempfile.TemporaryDirectory() as folder, opened_home(Path(folder) / "home") as home:
        files = {f"{n}.md": f"# Note {n}\n\n{WORDS[n]} {WORDS[-n]} crane\n" for n in range(6)}
        home.a_space("prj_a", files | {path: f"# {path}\n\nzephyr crane\n" for path in WITHHELD})
        home.a_space("prj_own", {"o.md": "# Own\n\nharbour zephyr 部署\n"})
        for person in ("bob", "eve"):
            home.execute(
                "INSERT INTO person (id, name, created) VALUES (?, ?, '2026-01-01')", person, person
            )
        save(
            home.lobes, home.me, "prj_own", LobeChange(subscribe=(Subscription("space", "prj_a"),))
        )
        home.index()
        grants = {"visibility": "restricted", "grants": {verb: ["user:bob"] for verb in READS}}
        home.execute("UPDATE space SET permission = ? WHERE id = 'prj_a'", json.dumps(grants))
        home.execute("UPDATE space SET owner = 'bob' WHERE id = 'prj_own'")
        for path, text in WITHHELD.items():
            home.execute("UPDATE document SET permission = ? WHERE path = ?", text, path)
        yield home


def of_bob(home: AHome) -> list[Any]:
    """All that Bob and his agent could be shown of searches, lists and names."""
    found: list[Any] = [
        replace(home.ask(query, space, by=who, limit=limit), took_ms=0.0)
        for query in QUERIES
        for limit in (3, 100)
        for who, space in ((BOB, "prj_a"), (BOB, "prj_own"), (BOBS_AGENT, "prj_own"))
    ]
    for who in (BOB, BOBS_AGENT):
        pack = show_pack(home.lobes, who, "prj_a")
        known = [(one.path, one.title) for one in pack.pack if one.path != "known.md"]
        named = [one for one in find_named(home.lobes, who, "e") if one.path != "known.md"]
        found += [known, pack.missing_roles, named]
    return found


closer = st.lists(
    st.tuples(st.sampled_from(sorted(WITHHELD)), texts.filter(bool)), min_size=1, max_size=6
)


@pytest.mark.slow
@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(closer)
def test_what_is_written_in_withheld_documents_moves_nothing(
    shared: AHome, edits: list[tuple[str, str]]
) -> None:
    before = of_bob(shared)
    found = {hit.path for answer in before if hasattr(answer, "items") for hit in answer.items}
    assert found & WITHHELD.keys() == set()
    assert {"0.md", "o.md"} <= found
    for path, text in edits:
        shared.write("prj_a", path, f"# {path}\n\n{text} {text}\n\n## More\n\n{text}\n")
    shared.index("prj_a")
    assert of_bob(shared) == before


def test_a_home_without_what_is_withheld_gives_the_same(shared: AHome, tmp_path: Path) -> None:
    """Not only still: the statistics themselves are those of what Bob may read."""

    def scored(home: AHome) -> list[Any]:
        answers = [home.ask(query, "prj_a", by=BOB, limit=100) for query in QUERIES]
        return [
            (answer.words_found, answer.meaning_found,
             [(hit.path, hit.score, hit.fused, hit.words, hit.meaning) for hit in answer.items])
            for answer in answers
        ]  # fmt: skip

    with opened_home(tmp_path / "home") as other:
        files = {f"{n}.md": (shared.root("prj_a") / f"{n}.md").read_text() for n in range(6)}
        other.a_space("prj_a", files)
        other.index()
        other.execute("INSERT INTO person (id, name, created) VALUES ('bob', 'b', '2026-01-01')")
        other.execute("UPDATE space SET owner = 'bob' WHERE id = 'prj_a'")
        expected = scored(other)
    assert [len(hits) for _, _, hits in expected] != [0] * len(QUERIES)
    assert scored(shared) == expected


def test_whoever_may_read_them_finds_them(shared: AHome) -> None:
    """The properties above can fail: for their owner these documents count."""
    found = {hit.path for query in QUERIES for hit in shared.ask(query, "prj_a", limit=100).items}
    assert found >= WITHHELD.keys()
