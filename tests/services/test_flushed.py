"""DU-18: whatever Lobes writes is there whole after a loss of power, as it was or as it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from homes import AHome, opened_home
from lobes.clock import utc_now
from lobes.config.folders import folders_under
from lobes.config.settings_edit import set_value
from lobes.services.backups import back_up_home
from lobes.services.exporting import export_memories, export_space
from lobes.services.pack_drafts import open_draft, write_pack
from lobes.services.restoring import restore_new
from lobes.services.space_changes import archive_space
from lobes.services.space_importing import import_space
from remembered import remember
from unsynced import watched

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="folders are found in /proc")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AHome]:
    with opened_home(tmp_path_factory.mktemp("flushed") / "home") as made:
        made.a_space("prj_a", {"a.md": "# A\n\nLanterns.\n", "docs/deep/b.md": "# B\n"})
        made.a_space("prj_b", {"a.md": "# A\n"})
        remember(made, "space/prj_a", "Owls sleep by day.")
        made.index("prj_a")
        yield made


def settings(home: AHome, top: Path) -> None:
    del top
    set_value(home.folders.settings_file, "theme", "lobes-day")


def space_out(home: AHome, top: Path) -> None:
    export_space(home.lobes, home.me, "prj_a", top / "out")


def space_in(home: AHome, top: Path) -> None:
    import_space(home.lobes, home.me, top / "out", as_id="prj_in", target=top / "in")


def memories_out(home: AHome, top: Path) -> None:
    export_memories(home.lobes, home.me, "prj_a", top / "memories.jsonl")


def backup(home: AHome, top: Path) -> None:
    back_up_home(home.lobes, home.me, top / "one.lobes")


def restore(home: AHome, top: Path) -> None:
    del home
    into = folders_under(top / "other")
    restore_new(into, top / "one.lobes", clock=utc_now, may=lambda presence: None)


def pack_file(home: AHome, top: Path) -> None:
    del top
    draft = open_draft(home.lobes, home.me, "prj_a", "docs/deep/b.md")
    text, before = "# B\n\nMore.\n", draft.base_hash
    write_pack(home.lobes, home.me, "prj_a", draft.path, text=text, expect_hash=before)


def space_yaml(home: AHome, top: Path) -> None:
    del top
    archive_space(home.lobes, home.me, "prj_b")


@pytest.mark.parametrize(
    "act", [settings, space_out, space_in, memories_out, backup, restore, pack_file, space_yaml]
)
def test_what_is_written_is_flushed_before_it_has_its_name(
    home: AHome, act: Callable[[AHome, Path], None]
) -> None:
    top = home.folders.data.parent.parent
    for needed, make in (("out", space_out), ("one.lobes", backup)):
        if act in (space_in, restore) and not (top / needed).exists():
            make(home, top)
    if act in (space_out, backup):
        top = top / act.__name__
        top.mkdir()
    # A thread writes the record, a moment later: what it writes unwatched would count as lost.
    home.lobes.audit.flush()
    with watched(top) as disk:
        act(home, top)
        home.lobes.audit.flush()
    assert disk.lost == []
    assert disk.named or act is space_in


def unflushed(folder: Path) -> None:
    (folder / "draft").write_text("new")
    os.replace(folder / "draft", folder / "a.txt")


def in_place(folder: Path) -> None:
    (folder / "a.txt").write_text("new")


def unflushed_name(folder: Path) -> None:
    with open(folder / "draft", "w", encoding="utf-8") as file:
        file.write("new")
        file.flush()
        os.fsync(file.fileno())
    os.replace(folder / "draft", folder / "a.txt")


@pytest.mark.parametrize("careless", [unflushed, in_place, unflushed_name])
def test_a_careless_writer_is_found(tmp_path: Path, careless: Callable[[Path], None]) -> None:
    with watched(tmp_path) as disk:
        careless(tmp_path)
    assert len(disk.lost) == 1 + (careless is unflushed)
