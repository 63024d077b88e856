"""A status stands in `space.yaml` too, and every read of a Space leaves its row once a minute."""

from __future__ import annotations

import pytest

from homes import AHome
from lobes.domain.errors import NotFound
from lobes.domain.lobe_change import LobeChange
from lobes.services.lobe_changes import save
from lobes.services.lobes import lobe_view
from lobes.services.manifests import waiting
from lobes.services.space_changes import (
    Edit,
    archive_space,
    edit_space,
    finish_space,
    restore_space,
    trash_space,
)
from lobes.services.spaces import pack_text, show_space

MANIFEST = "id: prj_a\ntype: project  # ours\nname: A\nstatus: active # for now\n"


def test_a_status_changes_one_word_of_the_manifest(home: AHome) -> None:
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.write("prj_a", "space.yaml", MANIFEST)
    home.index("prj_a")
    file = home.root("prj_a") / "space.yaml"
    finish_space(home.lobes, home.me, "prj_a")
    assert file.read_text() == MANIFEST.replace("active", "finished")
    archive_space(home.lobes, home.me, "prj_a")
    assert file.read_text() == MANIFEST.replace("active", "archived")
    restored = restore_space(home.lobes, home.me, "prj_a")
    assert restored.status == "finished"
    assert file.read_text() == MANIFEST.replace("active", "finished")
    assert restored.seen_hash == restored.trusted_hash


def test_the_trash_touches_no_file(home: AHome) -> None:
    root = home.a_space("prj_a", {"a.md": "# A\n"})
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    trash_space(home.lobes, home.me, "prj_a")
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before


def test_a_folder_that_is_away_keeps_no_space_from_the_archive(home: AHome) -> None:
    root = home.a_space("prj_a", {"a.md": "# A\n"})
    root.rename(root.with_name("elsewhere"))
    assert archive_space(home.lobes, home.me, "prj_a").status == "archived"


def test_reads_of_a_space_are_audited_and_a_screen_full_of_them_is_one_row(home: AHome) -> None:
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.index("prj_a")
    for _ in range(5):
        show_space(home.lobes, home.me, "prj_a")
    pack_text(home.lobes, home.me, "prj_a", "a.md")
    agent = home.agent("prj_a")
    pack_text(home.lobes, agent, "prj_a", "a.md")
    rows = home.audited("space.read")
    assert [(row["actor"], row["resources"]) for row in rows] == [
        ("user:ada", ["space/prj_a"]),
        ("ai:ada/reader@prj_a", ["space/prj_a"]),
    ]


def test_out_of_the_trash_into_the_archive_and_back_to_what_it_was(home: AHome) -> None:
    """Archived, trashed, restored, restored: no step loses the status before it."""
    home.a_space("prj_a", {"a.md": "# A\n"})
    finish_space(home.lobes, home.me, "prj_a")
    archive_space(home.lobes, home.me, "prj_a")
    trash_space(home.lobes, home.me, "prj_a")
    assert restore_space(home.lobes, home.me, "prj_a").status == "archived"
    assert restore_space(home.lobes, home.me, "prj_a").status == "finished"


def test_what_is_in_the_trash_is_there_for_nobody(home: AHome) -> None:
    home.a_space("prj_a", {"a.md": "# A\n"})
    home.a_space("prj_b", {"b.md": "# B\n"})
    home.index()
    trash_space(home.lobes, home.me, "prj_a")
    agent = home.agent("prj_a")
    for caller in (home.me, agent):
        for act in (show_space, lobe_view, waiting):
            with pytest.raises(NotFound):
                act(home.lobes, caller, "prj_a")
    with pytest.raises(NotFound):
        edit_space(home.lobes, home.me, "prj_a", Edit(name="B"))
    with pytest.raises(NotFound):
        save(home.lobes, home.me, "prj_a", LobeChange(is_private=True))
    answer = home.ask("B", "prj_b")
    assert "prj_a" not in {one.lobe.removeprefix("space/") for one in answer.withheld}
