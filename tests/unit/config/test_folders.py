"""Folders: private, real, and made only when asked."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from lobes.config import folders as config_folders
from lobes.config.folders import chosen_folders, folders_under, make, platform_folders
from lobes.domain.errors import Invalid, Unavailable


def test_a_home_holds_everything(tmp_path: Path) -> None:
    folders = folders_under(tmp_path / "home")
    home = tmp_path / "home"
    assert folders.store == home / "data" / "lobes.db"
    assert folders.audit == home / "data" / "audit.db"
    assert folders.backups == home / "data" / "backups"
    assert folders.index == home / "state" / "index"
    assert folders.log == home / "state" / "log"
    assert folders.settings_file == home / "config" / "lobes.toml"
    assert folders.themes == home / "config" / "themes"
    assert folders.spaces == home / "spaces"
    assert not home.exists()


def test_the_platforms_folders_are_the_persons_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DATA", "STATE", "CACHE", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    folders = platform_folders()
    roots = (folders.data, folders.state, folders.cache, folders.config)
    assert len(set(roots)) == 4
    assert folders.spaces == folders.data / "spaces"
    assert list(tmp_path.iterdir()) == []


def test_every_folder_is_private_under_any_umask(tmp_path: Path) -> None:
    """DU-17: the ones above that had to be made, too."""
    before = os.umask(0)
    try:
        make(folders_under(tmp_path / "above" / "home"))
    finally:
        os.umask(before)
    made = [path for path in tmp_path.rglob("*") if path.is_dir()]
    assert len(made) == 10
    assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o700}


def test_a_folder_that_others_could_enter_is_closed_to_them(tmp_path: Path) -> None:
    folders = folders_under(tmp_path)
    folders.data.mkdir(mode=0o755)
    make(folders)
    assert stat.S_IMODE(folders.data.stat().st_mode) == 0o700


@pytest.mark.parametrize("name", ["data", "state", "cache", "config"])
def test_a_linked_folder_is_refused(tmp_path: Path, name: str) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o755)
    home = tmp_path / "home"
    home.mkdir()
    (home / name).symlink_to(elsewhere)
    folders = folders_under(home)
    with pytest.raises(Invalid) as caught:
        make(folders)
    assert caught.value.reason == "linked_folder"
    assert list(elsewhere.iterdir()) == []
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o755


def test_a_file_in_the_way_is_named_as_what_it_is(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("not a folder", "utf-8")
    with pytest.raises(Unavailable) as caught:
        make(folders_under(tmp_path))
    assert str(tmp_path) not in f"{caught.value} {caught.value.hint}"


def test_making_twice_keeps_what_is_there(tmp_path: Path) -> None:
    folders = folders_under(tmp_path)
    make(folders)
    folders.store.write_bytes(b"kept")
    make(folders)
    assert folders.store.read_bytes() == b"kept"


def test_a_home_of_ones_own_needs_no_platformdirs() -> None:
    module = config_folders.__name__
    code = f"import sys, {module}; sys.exit('platformdirs' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("name", ["x" * 300, "x/" * 3000], ids=["name", "path"])
def test_a_home_whose_name_is_too_long_broke_every_command(name: str) -> None:
    with pytest.raises(Invalid) as refused:
        chosen_folders(None, {"LOBES_HOME": f"/{name}"})
    assert refused.value.reason == "bad_name"
