"""Memories that went out alone come into a Space that is there, as they were, or not at all."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.unit.classify.labelled import GITHUB

from homes import AHome, opened_home
from lobes.classify import VERSION
from lobes.domain.actors import Human
from lobes.domain.errors import Conflict, Forbidden, Invalid, LobesError, NoPresence, NotFound
from lobes.domain.memories import Provenance
from lobes.domain.permissions import parse_permission
from lobes.services import ingress
from lobes.services.bringing_in import bring_in
from lobes.services.erasing import erase_memory
from lobes.services.exporting import export_memories
from lobes.services.installation import Caller
from lobes.services.people import add_person
from lobes.store.database import Database
from lobes.store.unit_of_work import UnitOfWork
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


def test_the_store_was_locked_while_all_memories_were_looked_at(
    home: AHome, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is there already was looked at when it came in, and the lines before."""
    home.execute(f"UPDATE memory SET classifier = {VERSION}")
    looks: list[bool] = []
    locked: list[bool] = []
    begin, assess = Database.begin, ingress.assess

    @contextmanager
    def begun(database: Database) -> Generator[UnitOfWork]:
        with begin(database) as unit:
            locked.append(True)
            yield unit
        locked.clear()

    def seen(text: str) -> ingress.Assessed:
        looks.append(bool(locked))
        return assess(text)

    monkeypatch.setattr(Database, "begin", begun)
    monkeypatch.setattr(ingress, "assess", seen)
    assert bring_in(home.lobes, home.me, "prj_a", file).same == 5
    assert looks == [False] * 5


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


EDITED: dict[str, tuple[dict[str, Any], str]] = {
    "nothing but private": ({"statement": "<private>hid</private>"}, "not_a_statement"),
    "a NUL": ({"statement": "aa \0 bb"}, "bad_export"),
    "context that was given": ({"statement": "<lobes-recalled>aa bb"}, "not_a_statement"),
    "a secret in its subject": ({"subject": GITHUB}, "bad_subject"),
    "a secret in its evidence": ({"evidence": [GITHUB]}, "bad_evidence"),
    "too much evidence": ({"evidence": [f"e{n}" for n in range(100)]}, "too_much_evidence"),
    "a secret in its source": ({"ref": GITHUB}, "bad_source"),
    "a secret in its client": ({"client": GITHUB}, "bad_source"),
    "no versions": ({"versions": []}, "bad_export"),
    "versions that are lost": ({"version": 9}, "bad_export"),
}


@pytest.mark.parametrize("what", EDITED)
def test_a_line_that_no_proposal_could_be_refuses_the_whole_file(
    home: AHome, other: AHome, tmp_path: Path, what: str
) -> None:
    """Somebody wrote into the file: it passes what each other way in passes."""
    remember(home, "space/prj_a", "Saffron grows")
    fields, reason = EDITED[what]
    with pytest.raises(Invalid) as told:
        bring_in(other.lobes, other.me, "prj_c", edited(home, tmp_path, fields))
    assert told.value.reason == reason
    assert GITHUB not in told.value.message
    assert kept(other) == []


def edited(home: AHome, tmp_path: Path, fields: dict[str, Any]) -> Path:
    """An export of one memory, with other fields."""
    file = tmp_path / "edited.jsonl"
    export_memories(home.lobes, home.me, "prj_a", file)
    line = json.loads(file.read_text())
    for name, value in fields.items():
        (line["provenance"] if name in line["provenance"] else line)[name] = value
    if "statement" in fields:
        line["versions"][-1]["statement"] = fields["statement"]
    file.write_text(json.dumps(line) + "\n")
    return file


def test_a_statement_that_its_last_version_does_not_say_refuses_the_file(
    home: AHome, other: AHome, tmp_path: Path
) -> None:
    remember(home, "space/prj_a", "Saffron grows")
    file = edited(home, tmp_path, {})
    file.write_text(file.read_text().replace("Saffron grows", "Saffron withers", 1))
    with pytest.raises(Invalid):
        bring_in(other.lobes, other.me, "prj_c", file)
    assert kept(other) == []


def test_what_is_private_in_a_line_is_in_no_memory(
    home: AHome, other: AHome, tmp_path: Path
) -> None:
    remember(home, "space/prj_a", "Saffron grows")
    hidden = "Saffron <private>hid</private> grows"
    file = edited(home, tmp_path, {"statement": hidden, "evidence": ["a <private>hid</private>"]})
    bring_in(other.lobes, other.me, "prj_c", file)
    assert [one[1] for one in kept(other)] == ["Saffron  grows"]
    held = other.rows("SELECT statement FROM memory_version UNION SELECT evidence FROM memory")
    assert len(held) == 2
    assert "hid" not in str(held)


def test_a_secret_in_where_a_memory_is_from_stays_at_home(home: AHome, tmp_path: Path) -> None:
    remember(home, "space/prj_a", "Saffron grows", provenance=Provenance(ref=GITHUB))
    done = export_memories(home.lobes, home.me, "prj_a", tmp_path / "out.jsonl")
    assert [out.reason for out in done.left_out] == ["secret"]


@pytest.mark.parametrize(
    ("name", "said"), [("none", "isn't there"), ("folder", "no file"), ("link", "no file")]
)
def test_what_is_there_and_is_no_file_is_not_said_to_be_missing(
    other: AHome, file: Path, tmp_path: Path, name: str, said: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(file)
    with pytest.raises(Invalid) as told:
        bring_in(other.lobes, other.me, "prj_c", tmp_path / name)
    assert said in told.value.message


def test_a_look_ahead_takes_nothing_in(other: AHome, file: Path) -> None:
    assert bring_in(other.lobes, other.me, "prj_c", file, dry_run=True).memories == 5
    assert kept(other) == []
