"""Spaces: made, changed, put away and brought back; nothing of the person's is touched."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from homes import AHome
from lobes.domain.errors import Conflict, Forbidden, Invalid, LobesError, NotFound, Unavailable
from lobes.services.space_adding import AddOptions, add_space, new_space, propose_folder
from lobes.services.space_changes import (
    Edit,
    archive_space,
    edit_space,
    finish_space,
    restore_space,
    trash_impact,
    trash_space,
)
from lobes.services.spaces import list_spaces, pack_text, show_space, which
from lobes.services.status import home_status

YAML = """\
# my own words stay
id: prj_a   # the id
type: 'project'
name:   "Prj A"\t
owner_note: unknown keys stay
description: >
  folded
  text
memory: {cross_space_retrieval: ask}   # flow
"""


def folder_with(path: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_text(text)
    return path


def snapshot(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in sorted(folder.rglob("*")) if one.is_file()}


# Adding ------------------------------------------------------------------------------------------


def test_adding_a_folder_changes_no_byte_in_it(home: AHome, tmp_path: Path) -> None:
    mine = folder_with(tmp_path / "My Notes", {"README.md": "# Notes\n", "current.md": "# Now\n"})
    before = snapshot(mine)
    shown = propose_folder(home.lobes, home.me, mine)
    assert (shown.files, shown.has_manifest, shown.overlaps) == (2, False, ())
    added = add_space(home.lobes, home.me, mine)
    assert snapshot(mine) == before
    assert (added.id, added.kind) == (shown.manifest.id, "project")
    assert list_spaces(home.lobes, home.me)[0].id == added.id
    (row,) = home.audited("space.added")
    assert (row["resources"], row["answer"]) == ([f"space/{added.id}"], "owner")


def test_looking_at_a_folder_adds_nothing(home: AHome, tmp_path: Path) -> None:
    propose_folder(home.lobes, home.me, folder_with(tmp_path / "x", {"a.md": "# A\n"}))
    assert list_spaces(home.lobes, home.me) == ()


@pytest.mark.parametrize("place", ["person", "/", "data", "state", "config", "cache", "inside"])
def test_folders_that_no_space_may_have(
    home: AHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    """PA-24."""
    person = tmp_path / "person"
    person.mkdir()
    monkeypatch.setenv("HOME", str(person))
    folders = {
        "person": person,
        "/": Path("/"),
        "data": home.folders.data,
        "state": home.folders.state,
        "config": home.folders.config,
        "cache": home.folders.cache,
        "inside": home.folders.data / "backups",
    }
    for folder in (folders[place], folder_link(tmp_path, folders[place])):
        with pytest.raises(Invalid):
            add_space(home.lobes, home.me, folder)
    assert list_spaces(home.lobes, home.me) == ()


def folder_link(tmp_path: Path, folder: Path) -> Path:
    link = tmp_path / "a-link"
    link.symlink_to(folder)
    return link


def test_the_folder_that_holds_the_home_is_refused(home: AHome, tmp_path: Path) -> None:
    """PA-24: parent of Lobes' own folders."""
    with pytest.raises(Invalid) as refused:
        add_space(home.lobes, home.me, home.folders.data.parent)
    assert refused.value.reason == "root_is_ours"


def test_nested_folders_need_a_confirmation_that_names_them(home: AHome, tmp_path: Path) -> None:
    """PA-24."""
    outer = folder_with(tmp_path / "outer", {"a.md": "# A\n", "inner/b.md": "# B\n"})
    first = add_space(home.lobes, home.me, outer)
    for folder in (outer / "inner", outer):
        with pytest.raises(Conflict) as refused:
            add_space(home.lobes, home.me, folder, AddOptions(id="prj_second"))
        assert refused.value.reason == "overlap"
    with pytest.raises(Conflict):
        add_space(
            home.lobes, home.me, outer / "inner", AddOptions(confirmed_overlaps=("prj_other",))
        )
    options = AddOptions(id="prj_second", confirmed_overlaps=(first.id,))
    assert add_space(home.lobes, home.me, outer / "inner", options).id == "prj_second"


def test_a_folder_that_is_not_there_or_is_a_file(home: AHome, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for path in (tmp_path / "none", tmp_path / "file"):
        with pytest.raises(Unavailable):
            add_space(home.lobes, home.me, path)


def test_the_same_id_twice(home: AHome, tmp_path: Path) -> None:
    add_space(home.lobes, home.me, folder_with(tmp_path / "x" / "notes", {"a.md": "# A\n"}))
    with pytest.raises(Conflict) as refused:
        add_space(home.lobes, home.me, folder_with(tmp_path / "y" / "notes", {"a.md": "# A\n"}))
    assert refused.value.reason == "exists"


@pytest.mark.parametrize("id", ["../x", "PRJ", "", "a b", "a/b", "'; --", "x" * 64])
def test_ids_that_are_none(home: AHome, tmp_path: Path, id: str) -> None:
    """PA-01."""
    with pytest.raises(Invalid):
        new_space(home.lobes, home.me, id)
    folder = folder_with(tmp_path / "x", {"a.md": "# A\n"})
    with pytest.raises(Invalid):
        add_space(home.lobes, home.me, folder, AddOptions(id=id or "-"))
    assert [one.name for one in home.folders.spaces.iterdir()] == []


def test_a_broken_manifest_is_said_before_anything_is_added(home: AHome, tmp_path: Path) -> None:
    mine = folder_with(tmp_path / "x", {"space.yaml": "id: [\n"})
    with pytest.raises(Invalid):
        add_space(home.lobes, home.me, mine)


def test_a_manifest_keeps_its_kind_and_id(home: AHome, tmp_path: Path) -> None:
    mine = folder_with(tmp_path / "x", {"space.yaml": "id: prj_q\ntype: project\nname: Q\n"})
    for options in (AddOptions(kind="area"), AddOptions(id="prj_other")):
        with pytest.raises(Invalid) as refused:
            add_space(home.lobes, home.me, mine, options)
        assert refused.value.reason == "kind_never_changes"


def test_a_new_space_starts_from_its_template(home: AHome) -> None:
    made = new_space(home.lobes, home.me, "area_pain", template="sensitive-area")
    assert made.kind == "area"
    assert made.lobe.is_private
    assert made.lobe.cross_space == "deny"
    assert made.lobe.agent_preset == "reader"
    report = home.index("area_pain")
    assert (report.indexed > 0, report.skipped) == (True, ())
    with pytest.raises(Conflict):
        new_space(home.lobes, home.me, "area_pain")
    with pytest.raises(Invalid):
        new_space(home.lobes, home.me, "prj_x", template="nothing")


@pytest.mark.parametrize("place", ["data/new", "state/new", "config/new"])
def test_a_new_space_writes_nothing_where_no_space_may_be(home: AHome, place: str) -> None:
    """PA-24: the refusal comes before the pack is written."""
    target = home.folders.data.parent / place
    with pytest.raises(Invalid):
        new_space(home.lobes, home.me, "prj_x", folder=target)
    assert not target.exists()


@pytest.mark.parametrize("name", ["", " ", "x" * 65, "two\nlines"])
def test_a_name_that_no_space_can_have_is_refused_before_anything_is_made(
    home: AHome, tmp_path: Path, name: str
) -> None:
    target, mine = tmp_path / "new", folder_with(tmp_path / "mine", {"a.md": "# A\n"})
    with pytest.raises(Invalid, match="name"):
        new_space(home.lobes, home.me, "prj_x", name=name, folder=target)
    with pytest.raises(Invalid, match="name"):
        add_space(home.lobes, home.me, mine, AddOptions(name=name))
    assert not target.exists()
    assert list_spaces(home.lobes, home.me) == ()


def test_a_new_space_never_writes_into_a_folder_that_holds_something(
    home: AHome, tmp_path: Path
) -> None:
    mine = folder_with(tmp_path / "x", {"README.md": "# Mine\n"})
    with pytest.raises(Conflict):
        new_space(home.lobes, home.me, "prj_x", folder=mine)
    assert snapshot(mine) == {str(mine / "README.md"): b"# Mine\n"}


# Editing -----------------------------------------------------------------------------------------


def test_an_edit_changes_one_value_and_no_other_byte(home: AHome) -> None:
    root = home.a_space("prj_a", {})
    (root / "space.yaml").write_bytes(YAML.replace("\n", "\r\n").encode())
    home.index("prj_a")
    edit_space(home.lobes, home.me, "prj_a", Edit(name="New: name"))
    after = (root / "space.yaml").read_bytes()
    assert after == YAML.replace("\n", "\r\n").encode().replace(b'"Prj A"', b'"New: name"')
    assert show_space(home.lobes, home.me, "prj_a").row.name == "New: name"


def test_a_description_is_added_and_where_it_can_not_be_emptied_nothing_changes(
    home: AHome, tmp_path: Path
) -> None:
    root = home.a_space("prj_a", {})
    edit_space(home.lobes, home.me, "prj_a", Edit(description="What it is"))
    before = (root / "space.yaml").read_text()
    assert "description: What it is" in before
    with pytest.raises(Invalid):
        edit_space(home.lobes, home.me, "prj_a", Edit(description=""))
    assert (root / "space.yaml").read_text() == before
    bare = add_space(home.lobes, home.me, folder_with(tmp_path / "bare", {"a.md": "# A\n"}))
    edit_space(home.lobes, home.me, bare.id, Edit(description="Words"))
    assert edit_space(home.lobes, home.me, bare.id, Edit(description="")).description == ""


@pytest.mark.parametrize("name", ["", "  ", "a\nb", "a\x1b[2J", "x" * 65])
def test_names_that_are_none(home: AHome, name: str) -> None:
    root = home.a_space("prj_a", {})
    before = (root / "space.yaml").read_bytes()
    with pytest.raises(Invalid):
        edit_space(home.lobes, home.me, "prj_a", Edit(name=name))
    assert (root / "space.yaml").read_bytes() == before


def test_an_edit_while_the_folder_is_away_changes_nothing(home: AHome) -> None:
    home.a_space("prj_a", {}).rename(home.folders.spaces / "away")
    with pytest.raises(Unavailable):
        edit_space(home.lobes, home.me, "prj_a", Edit(name="x"))
    (home.folders.spaces / "away").rename(home.root("prj_a"))
    assert show_space(home.lobes, home.me, "prj_a").row.name == "Prj_A"


# Status ------------------------------------------------------------------------------------------


def test_a_project_finishes_an_area_goes_on(home: AHome) -> None:
    home.a_space("prj_a", {})
    home.a_space("area_b", {})
    assert finish_space(home.lobes, home.me, "prj_a").status == "finished"
    with pytest.raises(Conflict):
        finish_space(home.lobes, home.me, "prj_a")
    with pytest.raises(Invalid) as refused:
        finish_space(home.lobes, home.me, "area_b")
    assert refused.value.reason == "area_never_finishes"


def test_what_was_put_away_comes_back_as_it_was(home: AHome) -> None:
    home.a_space("prj_a", {"a.md": "# A\n\nword\n"})
    home.index()
    finish_space(home.lobes, home.me, "prj_a")
    for away in (archive_space, trash_space):
        away(home.lobes, home.me, "prj_a")
        with pytest.raises((Conflict, NotFound)):
            away(home.lobes, home.me, "prj_a")
        assert list_spaces(home.lobes, home.me) == ()
        assert (home_status(home.lobes, home.me).spaces, counted(home)) == (0, (0, 0))
        assert restore_space(home.lobes, home.me, "prj_a").status == "finished"
        with pytest.raises(Conflict):
            restore_space(home.lobes, home.me, "prj_a")
        assert counted(home) == (1, 1)


def counted(home: AHome) -> tuple[int, int]:
    status = home_status(home.lobes, home.me)
    return status.documents, status.passages


def test_the_trash_says_first_what_it_takes_and_from_whom(home: AHome) -> None:
    root = home.a_space("prj_a", {"a.md": "# A\n\nword\n"})
    home.a_space("prj_b", {})
    home.index()
    before = snapshot(root)
    impact = trash_impact(home.lobes, home.me, "prj_a")
    assert (impact.documents, impact.passages, impact.losers) == (1, 1, ("prj_b",))
    trash_space(home.lobes, home.me, "prj_a")
    assert snapshot(root) == before
    with pytest.raises(NotFound):
        which(home.lobes, home.me, root)
    restore_space(home.lobes, home.me, "prj_a")
    assert which(home.lobes, home.me, root / "x").space == "prj_a"


# Reading -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["../x", "a/../../x", "/etc/passwd", "//x", "./a.md", "a//b", "", ".", "..\\x", "a\x00"]
)
def test_names_that_lead_out_are_refused(home: AHome, path: str) -> None:
    """PA-01."""
    home.a_space("prj_a", {"a.md": "# A\n"})
    with pytest.raises(LobesError) as refused:
        pack_text(home.lobes, home.me, "prj_a", path)
    assert isinstance(refused.value, Invalid | NotFound)


def test_a_sibling_that_starts_with_the_same_name_is_outside(home: AHome) -> None:
    """PA-02."""
    root = home.a_space("prj_a", {"a.md": "# A\n"})
    evil = root.with_name("prj_a-evil")
    evil.mkdir()
    with pytest.raises(NotFound):
        which(home.lobes, home.me, evil)
    with pytest.raises(LobesError):
        pack_text(home.lobes, home.me, "prj_a", "../prj_a-evil/x.md")


def test_no_text_leads_outside_through_a_link(home: AHome, tmp_path: Path) -> None:
    """PA-03."""
    root = home.a_space("prj_a", {"a.md": "# A\n"})
    (tmp_path / "o.md").write_text("outside")
    (root / "l.md").symlink_to(tmp_path / "o.md")
    os.link(tmp_path / "o.md", root / "h.md")
    home.index("prj_a")
    for path in ("l.md", "h.md", "space.yaml"):
        with pytest.raises(NotFound):
            pack_text(home.lobes, home.me, "prj_a", path)


def test_only_the_owner_changes_a_space(home: AHome) -> None:
    home.a_space("prj_a", {})
    for act in (finish_space, archive_space, trash_space, trash_impact):
        with pytest.raises(Forbidden):
            act(home.lobes, home.agent("prj_a", preset="editor"), "prj_a")
