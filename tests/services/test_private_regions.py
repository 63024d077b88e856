"""What was said between private tags is in no byte that we keep."""

from __future__ import annotations

from pathlib import Path

import pytest

from homes import AHome
from lobes.domain.errors import Invalid, LobesError
from lobes.domain.memories import Provenance, shown_hash
from lobes.domain.proposals import Origin, Proposal
from lobes.services.decisions import Asked
from lobes.services.memories import show_memory
from lobes.services.proposing import propose_many
from lobes.services.reviewing import decide
from proposed import FACT, agent, rows, said, typed

MARK = "zebrafinch"
PRIVATE = f"<Private why='x'>{MARK} \u200bkey <private>{MARK}</private></private>"


@pytest.fixture
def quiet(home: AHome) -> AHome:
    home.a_space("prj_a", {})
    return home


def holding(folder: Path, word: str) -> list[Path]:
    """The files under the folder with these bytes, in any case."""
    wanted = word.encode()
    files = [one for one in folder.rglob("*") if one.is_file() and not one.is_symlink()]
    return [one for one in files if wanted in one.read_bytes().lower()]


def test_a_private_region_is_in_no_byte_of_the_home(quiet: AHome) -> None:
    """Privacy, "text inside private tags in an observation; upload fails and is spooled"."""
    kept = said(quiet, f"{FACT} {PRIVATE}", subject=f"up{PRIVATE}", evidence=(PRIVATE, "a.md"))
    typed(quiet, f"Tea is hot. {PRIVATE}")
    origin = Origin("import", Provenance("mcp", "s2", evidence=(f"b.md {PRIVATE}",)))
    many = [(Proposal(f"Rain is wet. {PRIVATE}"), origin), (Proposal(PRIVATE), origin)]
    propose_many(quiet.lobes, agent(quiet), "prj_a", many)
    memory = show_memory(quiet.lobes, quiet.me, kept.id).memory
    shown = Asked(kept.id, shown_hash(memory))
    decide(quiet.lobes, quiet.me, "edit", [shown], text=f"Retries wait ten. {PRIVATE}")
    decide(quiet.lobes, quiet.me, "reject", [Asked(kept.id)], reason=f"not so {PRIVATE}")
    statements = {one[0] for one in rows(quiet)}
    assert statements == {"Retries wait ten.", "Tea is hot.", "Rain is wet."}
    home = quiet.folders.data.parent
    assert holding(home, "tea is hot")
    assert holding(home, MARK) == []


@pytest.mark.parametrize("wrong", ["statement", "category", "subject"])
def test_no_error_tells_what_was_private(quiet: AHome, wrong: str) -> None:
    words = {"text": FACT, "category": "", "subject": ""}
    rest = {"statement": "", "category": "No Slug", "subject": "x" * 400}[wrong]
    words["text" if wrong == "statement" else wrong] = f"<private>{MARK}</private>{rest}"
    with pytest.raises(LobesError) as refused:
        said(quiet, **words)
    assert isinstance(refused.value, Invalid)
    assert MARK not in f"{refused.value.message} {refused.value.hint}"
    assert rows(quiet) == []
    assert holding(quiet.folders.data.parent, MARK) == []


def test_the_same_outside_the_region_is_the_same_statement(quiet: AHome) -> None:
    first = typed(quiet)
    again = typed(quiet, f"{FACT}<private>{MARK}</private>")
    assert (again.outcome, again.id) == ("repeat", first.id)
