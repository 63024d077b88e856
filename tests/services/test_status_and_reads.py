"""A status stands in `space.yaml` too, and every read of a Space leaves its row once a minute."""

from __future__ import annotations

from homes import AHome
from lobes.services.space_changes import archive_space, finish_space, restore_space, trash_space
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
