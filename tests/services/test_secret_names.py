"""A secret in a name is in no list and in no answer: names stand there as they are (AG-08)."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.unit.classify.labelled import GITHUB

from homes import AHome
from lobes.domain.errors import Conflict, Invalid
from lobes.domain.memories import Provenance
from lobes.domain.proposals import Origin
from lobes.services.context import assemble
from lobes.services.context_text import as_document
from lobes.services.indexing import index_space
from lobes.services.pack_proposing import propose_pack_edit
from lobes.services.search import search
from lobes.services.space_adding import AddOptions, add_space, new_space
from lobes.services.space_changes import Edit, edit_space
from lobes.services.spaces import list_spaces


@pytest.fixture
def pack(home: AHome) -> AHome:
    files = {
        f"{GITHUB}.md": "# One\n\nzephyr one\n",
        f"in/{GITHUB}/two.md": "# Two\n\nzephyr two\n",
    }
    home.a_space("prj_a", {**files, "three.md": "# Three\n\nzephyr three\n"})
    home.write("prj_a", "space.yaml", f"id: prj_a\ntype: project\nname: Pack {GITHUB}\n")
    home.index()
    return home


def test_a_file_with_a_secret_in_its_name_is_skipped_with_its_reason(pack: AHome) -> None:
    assert pack.rows("SELECT path FROM document") == [("three.md",)]
    skipped = dict(pack.rows("SELECT path, reason FROM skipped_file"))
    assert skipped == {
        "[github-token hidden].md": "secret_in_name",
        "in/[github-token hidden]/two.md": "secret_in_name",
    }
    late = f"late {GITHUB}.md"
    pack.write("prj_a", late, "# Late\n\nzephyr late\n")
    index_space(pack.lobes, pack.me, "prj_a", paths=[late, f"in/{GITHUB}/two.md"])
    assert pack.rows("SELECT path FROM document") == [("three.md",)]
    pack.index()
    assert pack.rows("SELECT path FROM document") == [("three.md",)]


def test_no_answer_holds_a_secret_of_a_name(pack: AHome) -> None:
    agent = pack.agent("prj_a")
    found = assemble(pack.lobes, agent, "zephyr", space="prj_a")
    answer = search(pack.lobes, agent, "zephyr", space="prj_a")
    rows = list_spaces(pack.lobes, pack.me)
    said = json.dumps(as_document(found)) + repr(answer) + repr(rows) + found.name
    assert "zephyr three" in said
    assert "[github-token hidden]" in found.name
    assert GITHUB not in said


def test_a_name_that_is_typed_with_a_secret_is_refused(pack: AHome) -> None:
    for edit in (Edit(name=f"Pack {GITHUB}"), Edit(description=f"key {GITHUB}")):
        with pytest.raises(Invalid) as caught:
            edit_space(pack.lobes, pack.me, "prj_a", edit)
        assert caught.value.reason == "bad_name"
        assert GITHUB not in str(caught.value)


def test_a_secret_in_the_name_of_a_new_space_was_masked_without_a_word(
    pack: AHome, tmp_path: Path
) -> None:
    """Typed, it is refused as in an edit; nothing is made."""
    there = tmp_path / "there"
    there.mkdir()
    (there / "one.md").write_text("# One\n", "utf-8")
    acts: tuple[Callable[[], object], ...] = (
        lambda: new_space(
            pack.lobes, pack.me, "prj_b", name=f"Pack {GITHUB}", folder=tmp_path / "new"
        ),
        lambda: add_space(pack.lobes, pack.me, there, AddOptions(name=f"Pack {GITHUB}")),
    )
    for act in acts:
        with pytest.raises(Invalid) as caught:
            act()
        assert caught.value.reason == "bad_name"
        assert GITHUB not in str(caught.value)
    assert pack.rows("SELECT id FROM space") == [("prj_a",)]
    assert not (tmp_path / "new").exists()


def test_an_agent_brings_no_secret_in_by_the_name_of_a_file(pack: AHome) -> None:
    agent = pack.agent("prj_a", preset="proposer")
    origin = Origin("agent", Provenance(source="mcp"))
    with pytest.raises((Invalid, Conflict)) as caught:
        propose_pack_edit(
            pack.lobes, agent, "prj_a", f"{GITHUB}.md", base_hash="", text="# x\n", origin=origin
        )
    assert caught.value.reason == "not_taken"
    assert pack.rows("SELECT count(*) FROM pack_edit WHERE cause = 'proposed'") == [(0,)]
