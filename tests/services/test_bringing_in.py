"""Memories that went out alone come into a Space that is there, as they were, or not at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from homes import AHome, opened_home
from lobes.domain.actors import Human
from lobes.domain.errors import Conflict, Forbidden, Invalid, LobesError, NoPresence, NotFound
from lobes.domain.permissions import parse_permission
from lobes.services.bringing_in import bring_in
from lobes.services.erasing import erase_memory
from lobes.services.exporting import export_memories
from lobes.services.installation import Caller
from lobes.services.people import add_person
from proposed import FACT, said
from remembered import change, remember

LINKS = "SELECT kind, memory, other FROM memory_link ORDER BY 1, 2, 3"
WAITS = "SELECT id FROM memory WHERE statement = 'Saffron waits'"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[AHome]:
    with opened_home(tmp_path / "home") as made:
        made.a_space("prj_a", {"goals.md": "# Goals\n\nLanterns.\n"})
        made.a_space("prj_b", {})
        yield made


@pytest.fixture
def other(tmp_path: Path) -> Iterator[AHome]:
    with opened_home(tmp_path / "other") as made:
        made.a_space("prj_c", {})
        yield made


@pytest.fixture
def file(home: AHome, tmp_path: Path) -> Path:
    """Of each kind: in use, waiting, rejected, contradicting each other, merged."""
    one = remember(home, "space/prj_a", "Saffron lanterns are cheap")
    remember(home, "space/prj_a", "Saffron lanterns are dear", disputes=one)
    grows = remember(home, "space/prj_a", "Saffron grows", subject="saffron")
    with home.lobes.database().begin() as unit:
        unit.memories.link("merged", grows.id, one.id)
        unit.commit()
    remember(home, "space/prj_a", "Saffron waits", status="proposed", author="agent")
    remember(home, "space/prj_a", FACT, status="rejected")
    file = tmp_path / "out.jsonl"
    export_memories(home.lobes, home.me, "prj_a", file, every=True)
    return file


def kept(home: AHome) -> list[tuple[object, ...]]:
    return home.rows("SELECT id, statement, status, version FROM memory ORDER BY id")


def test_an_export_of_memories_comes_back_as_it_was(home: AHome, other: AHome, file: Path) -> None:
    done = bring_in(other.lobes, other.me, "prj_c", file)
    assert (done.memories, done.same) == (5, 0)
    assert kept(other) == kept(home)
    assert other.rows(LINKS) == home.rows(LINKS) != []
    assert {lobe for (lobe,) in other.rows("SELECT lobe FROM memory")} == {"space/prj_c"}
    other.index()
    other.settle()
    found = {one.text for one in other.ask("saffron", "prj_c").items}
    assert "Saffron grows" in found
    assert "Saffron waits" not in found
    told = other.audited("memory.brought_in")
    assert [one["resources"] for one in told] == [["space/prj_c"]]
    assert said(other, FACT, space="prj_c").outcome == "suppressed"


def test_what_is_there_and_the_same_stays_and_the_rest_comes_with_its_links(
    home: AHome, file: Path
) -> None:
    before, links = kept(home), home.rows(LINKS)
    home.execute("UPDATE memory SET use_count = use_count + 3")
    assert bring_in(home.lobes, home.me, "prj_a", file).same == 5
    one = home.rows("SELECT memory FROM memory_link WHERE kind = 'merged'")[0][0]
    erase_memory(home.lobes, home.me, str(one))
    done = bring_in(home.lobes, home.me, "prj_a", file)
    assert (done.memories, done.same) == (1, 4)
    assert kept(home) == before
    assert home.rows(LINKS) == links


@pytest.mark.parametrize("way", ["said otherwise", "decided otherwise", "elsewhere"])
def test_one_that_is_there_and_another_refuses_the_whole_file(
    home: AHome, file: Path, way: str
) -> None:
    space = "prj_b" if way == "elsewhere" else "prj_a"
    some = home.rows("SELECT id FROM memory WHERE statement = 'Saffron grows'")[0][0]
    with home.lobes.database().begin() as unit:
        memory = unit.memories.get(str(some))
        unit.commit()
    assert memory is not None
    if way == "said otherwise":
        change(home, memory, statement="Saffron withers")
    elif way == "decided otherwise":
        change(home, memory, permission=parse_permission('{"visibility": "private"}'))
    erase_memory(home.lobes, home.me, str(home.rows(WAITS)[0][0]))
    before = kept(home)
    with pytest.raises(Conflict) as told:
        bring_in(home.lobes, home.me, space, file)
    assert told.value.reason == "exists"
    assert kept(home) == before


def test_only_a_person_who_reviews_there_takes_them_in(other: AHome, file: Path) -> None:
    for caller, error in (
        (other.absent, NoPresence),
        (other.agent("prj_c", preset="editor"), Forbidden),
    ):
        with pytest.raises(error):
            bring_in(other.lobes, caller, "prj_c", file)
    with pytest.raises(NotFound):
        bring_in(other.lobes, other.me, "prj_never", file)
    reviewer = _who_reviews_alone(other)
    with pytest.raises(Forbidden):
        bring_in(other.lobes, reviewer, "prj_c", file)
    assert kept(other) == []


def _who_reviews_alone(home: AHome) -> Caller:
    """Somebody who may review in the Space, and not say who may do what there."""
    add_person(home.lobes, home.me, "bob", name="Bob")
    grants = {verb: ["user:bob"] for verb in ("read_meta", "read_content", "review")}
    permission = json.dumps({"visibility": "restricted", "grants": grants})
    home.execute("UPDATE space SET permission = ?", permission)
    return Caller(Human("bob"), "cli", is_present=True)


@pytest.mark.parametrize("spoilt", ["a line", "twice", "a link elsewhere", "markdown", "a link"])
def test_a_file_that_is_no_whole_export_gives_nothing(
    other: AHome, file: Path, tmp_path: Path, spoilt: str
) -> None:
    text = file.read_text("utf-8")
    first = text.split("\n")[0]
    at = tmp_path / "spoilt.jsonl"
    if spoilt == "a link":
        at.symlink_to(file)
    else:
        at.write_text(
            {
                "a line": text + '{"id": 1}\n',
                "twice": text + first + "\n",
                "a link elsewhere": first + "\n",
                "markdown": "# What Prj_A remembers\n",
            }[spoilt]
        )
    with pytest.raises(LobesError) as told:
        bring_in(other.lobes, other.me, "prj_c", at)
    assert isinstance(told.value, Invalid)
    assert kept(other) == []


def test_a_look_ahead_takes_nothing_in(other: AHome, file: Path) -> None:
    assert bring_in(other.lobes, other.me, "prj_c", file, dry_run=True).memories == 5
    assert kept(other) == []
