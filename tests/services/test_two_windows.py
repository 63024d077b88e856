"""Two windows on one home: what one decides is never undone by what the other read before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from homes import AHome
from lobes.domain.errors import Conflict, Invalid, NoPresence, NotFound, Unavailable
from lobes.domain.lobe_change import LobeChange
from lobes.services.lobe_changes import put_back, save
from lobes.services.lobes import lobe_view
from lobes.services.manifests import follow_manifest, trust, waiting
from lobes.services.roots import move_root
from lobes.services.search import search
from lobes.services.space_adding import AddOptions, add_space, new_space, propose_folder
from lobes.services.spaces import list_spaces, pack_text, show_space
from lobes.store.files import SafeRoot

OPEN = "id: prj_a\ntype: project\nname: A\n"
CLOSED = OPEN + "memory: {cross_space_retrieval: deny}\n"
MIXED = CLOSED + "policy: {network: allow}\n"


def test_private_set_in_another_window_survives_a_changed_manifest(home: AHome) -> None:
    """The index read the Space before it was made private; following space.yaml keeps that."""
    root = home.a_space("prj_a", {"a.md": "# A\n"})
    with home.lobes.database().begin() as unit:
        before = unit.spaces.get("prj_a")
    assert before is not None
    save(home.lobes, home.me, "prj_a", LobeChange(is_private=True))
    home.write("prj_a", "space.yaml", OPEN + "description: new\n")
    with SafeRoot.open(root) as opened:
        followed = follow_manifest(home.lobes, home.me, before, opened)
    assert (followed.lobe.is_private, followed.description) == (True, "new")


def test_an_undo_keeps_what_another_window_decided_since(home: AHome) -> None:
    home.a_space("prj_a", {"a.md": "# A\n"})
    saved = save(home.lobes, home.me, "prj_a", LobeChange(tag=("t",)))
    save(home.lobes, home.me, "prj_a", LobeChange(is_private=True))
    with pytest.raises(Conflict):
        put_back(home.lobes, home.me, "prj_a", saved.before, version=saved.version)
    assert lobe_view(home.lobes, home.me, "prj_a").config.is_private


def test_a_manifest_that_goes_back_to_what_was_trusted_binds_as_before(home: AHome) -> None:
    """Narrowed and widened in one edit, then undone in the editor: nothing stays stuck."""
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.write("prj_a", "space.yaml", OPEN)
    home.index("prj_a")
    home.write("prj_a", "space.yaml", MIXED)
    home.index("prj_a")
    held = lobe_view(home.lobes, home.me, "prj_a")
    assert (held.cross_space, waiting(home.lobes, home.me, "prj_a") is None) == ("deny", False)
    home.write("prj_a", "space.yaml", OPEN)
    home.index("prj_a")
    assert lobe_view(home.lobes, home.me, "prj_a").cross_space == "open"
    assert waiting(home.lobes, home.me, "prj_a") is None


def test_a_trusted_manifest_that_nobody_can_read_trusts_nothing_new(home: AHome) -> None:
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.execute("UPDATE space SET manifest = '{broken'")
    home.write("prj_a", "space.yaml", OPEN + "policy: {network: allow}\n")
    home.index("prj_a")
    assert home.rows("SELECT manifest_hash = manifest_seen_hash FROM space") == [(0,)]
    assert list_spaces(home.lobes, home.me)[0].waits_for_trust


def test_trust_of_a_folder_that_was_replaced_is_refused(home: AHome, tmp_path: Path) -> None:
    root = home.a_space("prj_a", {"a.md": "# A\n"})
    home.index("prj_a")
    root.rename(tmp_path / "away")
    root.mkdir()
    home.write("prj_a", "space.yaml", MIXED)
    with pytest.raises(Unavailable, match="Another folder"):
        trust(home.lobes, home.me, "prj_a", content_hash="x")


def test_a_folder_is_added_with_the_manifest_that_was_shown(home: AHome, tmp_path: Path) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "space.yaml").write_text(OPEN)
    shown = propose_folder(home.lobes, home.me, pack)
    (pack / "space.yaml").write_text(OPEN + "policy: {network: allow}\n")
    with pytest.raises(Conflict, match="changed"):
        add_space(home.lobes, home.me, pack, AddOptions(manifest_hash=shown.manifest_hash))
    assert list_spaces(home.lobes, home.me) == ()


def test_a_new_space_inside_another_ones_folder_needs_a_confirmation(home: AHome) -> None:
    """Its texts would be passages of the outer Space as well."""
    root = home.a_space("prj_a", {"a.md": "# A\n"})
    with pytest.raises(Conflict, match="nests"):
        new_space(home.lobes, home.me, "area_b", template="sensitive-area", folder=root / "inner")
    assert not (root / "inner").exists()


def test_a_lobe_config_broken_in_the_store_is_private_closed_and_keeps_its_exclusions(
    home: AHome,
) -> None:
    """AZ-01: the flat columns still say open; the JSON that nobody can read narrows."""
    for space in ("prj_a", "prj_b"):
        home.a_space(space, {f"{space}.md": f"# {space}\n\nheron {space}\n"})
    home.index()
    save(home.lobes, home.me, "prj_a", LobeChange(exclude=("prj_b",)))
    home.execute("UPDATE space SET lobe_config = '{broken' WHERE id = 'prj_a'")
    assert home.found("heron", "prj_a") == {("prj_a", "prj_a.md")}
    assert home.found("heron", "prj_b") == {("prj_b", "prj_b.md")}
    row = next(one for one in list_spaces(home.lobes, home.me) if one.id == "prj_a")
    assert (row.is_private, row.cross_space) == (True, "deny")
    reasons = {one.lobe: one.reason for one in lobe_view(home.lobes, home.me, "prj_b").sources}
    assert reasons["space/prj_a"] == "excluded"


def test_a_document_that_is_its_owners_alone_is_in_no_pack_of_others(home: AHome) -> None:
    """Named on the Space, not on the file: neither its title nor its text."""
    home.a_space("prj_a", {"a.md": "# Mine\n\nheron\n", "b.md": "# Ours\n\nheron\n"})
    home.index()
    home.execute(
        "INSERT INTO person (id, name, created) VALUES ('bob', 'bob', '2026-01-01T00:00:00+00:00')"
    )
    grants = '{"visibility": "restricted", "grants": {"read_meta": ["user:bob"],'
    grants += ' "read_content": ["user:bob"]}}'
    home.execute("UPDATE space SET permission = ?", grants)
    home.execute(
        "UPDATE document SET permission = '{\"visibility\": \"private\"}' WHERE path = 'a.md'"
    )
    bob = replace(home.me, actor=replace(home.me.actor, person="bob"))
    detail = show_space(home.lobes, bob, "prj_a")
    assert [one.path for one in detail.pack] == ["b.md"]
    assert pack_text(home.lobes, bob, "prj_a", "b.md").text.startswith("# Ours")
    with pytest.raises(NotFound):
        pack_text(home.lobes, bob, "prj_a", "a.md")
    found = search(home.lobes, bob, "heron", space="prj_a")
    assert {hit.path for hit in found.items} == {"b.md"}


def test_a_file_that_is_no_part_of_the_pack_is_not_read(home: AHome) -> None:
    home.a_space("prj_a", {"a.md": "# A\n", ".env": "TOKEN=1\n"})
    home.index()
    for path in (".env", "space.yaml"):
        with pytest.raises((NotFound, Invalid)):
            pack_text(home.lobes, home.me, "prj_a", path)


def test_another_folder_in_the_place_of_the_pack_stays_another_one(home: AHome) -> None:
    """PA-07: looked at twice, nothing of what is indexed goes; only a person moves the root."""
    root = home.a_space("prj_a", {"a.md": "# A\n\nheron\n"})
    home.index("prj_a")
    away = root.rename(root.with_name("away"))
    for _ in range(2):
        assert home.index("prj_a").roots[0].state == "missing"
    root.mkdir()
    (root / "stranger.md").write_text("# Stranger\n")
    for _ in range(2):
        report = home.index("prj_a")
        assert (report.roots[0].state, report.removed, report.indexed) == ("replaced", 0, 0)
    assert home.found("heron", "prj_a") == {("prj_a", "a.md")}
    with pytest.raises(NoPresence):
        move_root(home.lobes, replace(home.me, is_present=False), "prj_a", away)
    move_root(home.lobes, home.me, "prj_a", away)
    assert home.index("prj_a").roots[0].state == "ok"
    assert home.found("heron", "prj_a") == {("prj_a", "a.md")}


def test_a_folder_added_as_an_area_has_an_areas_id(home: AHome, tmp_path: Path) -> None:
    pack = tmp_path / "notes"
    pack.mkdir()
    assert add_space(home.lobes, home.me, pack, AddOptions(kind="area")).id == "area_notes"
