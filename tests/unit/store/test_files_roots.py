"""Which folders become roots."""

from __future__ import annotations

from pathlib import Path

import pytest

from lobes.domain.errors import Invalid, Unavailable
from lobes.store.files import Overlap, check_root, synced_or_network


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "ann" / "notes" / "sub").mkdir(parents=True)
    return tmp_path / "ann"


def _reason(path: Path, home: Path, *ours: Path) -> str:
    with pytest.raises(Invalid) as caught:
        check_root(path, home_folders=ours, others={}, user_home=home)
    assert caught.value.hint
    return caught.value.reason


def test_folders_that_are_never_a_root(home: Path, tmp_path: Path) -> None:
    """PA-24, by another spelling of the path too, and before Lobes' folder exists."""
    data = home / ".local" / "lobes"
    assert _reason(Path("/"), home) == "root_is_filesystem"
    assert _reason(home, home) == "root_is_home"
    assert _reason(home.parent, home) == "root_is_home"
    (tmp_path / "link").symlink_to(home)
    assert _reason(tmp_path / "link" / "notes" / "..", home) == "root_is_home"
    (home / ".local").mkdir()
    assert _reason(home / ".local", home, data) == "root_is_ours"
    (data / "spaces").mkdir(parents=True)
    for folder in (data, data / "spaces", home / ".local"):
        assert _reason(folder, home, data) == "root_is_ours"


def test_missing_folder_is_unavailable(home: Path) -> None:
    with pytest.raises(Unavailable):
        check_root(home / "none", home_folders=(), others={}, user_home=home)


def test_overlap_with_other_spaces_is_told_in_each_direction(home: Path, tmp_path: Path) -> None:
    """PA-24: same, parent, child; a link is the folder it leads to; a sibling is nothing."""
    notes = home / "notes"
    (home / "notes-evil").mkdir()
    (tmp_path / "alias").symlink_to(notes)
    others = {
        "prj_same": tmp_path / "alias",
        "prj_child": notes / "sub",
        "prj_side": home / "notes-evil",
        "prj_gone": notes.parent / "nowhere",
    }
    found = check_root(notes, home_folders=(), others=others, user_home=home)
    assert found.overlaps == (Overlap("prj_child", "contains"), Overlap("prj_same", "same"))
    assert found.path == notes
    assert found.warnings == ()
    inside = check_root(notes / "sub", home_folders=(), others={"prj_notes": notes}, user_home=home)
    assert inside.overlaps == (Overlap("prj_notes", "inside"),)


@pytest.mark.parametrize(
    ("folder", "service"),
    [("Dropbox/x", "Dropbox"), ("OneDrive - Acme/x", "OneDrive"), ("Mobile Documents", "iCloud")],
)
def test_synced_folder_is_known_by_its_name(tmp_path: Path, folder: str, service: str) -> None:
    """DU-16."""
    (tmp_path / folder).mkdir(parents=True)
    assert service in (synced_or_network(tmp_path / folder, mounts="") or "")


def test_synced_folder_is_known_by_its_marker(tmp_path: Path) -> None:
    """DU-16: Syncthing marks the top of what it syncs."""
    (tmp_path / ".stfolder").mkdir()
    (tmp_path / "a").mkdir()
    assert "Syncthing" in (synced_or_network(tmp_path / "a", mounts="") or "")


def test_network_disk_is_known_by_the_longest_mount_point(tmp_path: Path) -> None:
    """DU-16."""
    mounts = (
        f"1 0 0:1 / / rw - ext4 /dev/a rw\n"
        f"2 1 0:2 / {tmp_path}/my\\040share rw,relatime shared:1 - nfs4 host:/x rw\n"
        f"3 2 0:3 / {tmp_path}/my\\040share/local rw - ext4 /dev/b rw\n"
        "a broken line\n"
    )
    (tmp_path / "my share" / "local").mkdir(parents=True)
    assert "nfs4" in (synced_or_network(tmp_path / "my share", mounts=mounts) or "")
    assert synced_or_network(tmp_path / "my share" / "local", mounts=mounts) is None
    assert synced_or_network(tmp_path, mounts=mounts) is None
