"""DU-17: whatever makes a file in the home, it is its owner's alone, under any umask."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.e2e.pty import Terminal

from shell import Shell, shell_on


@contextmanager
def open_umask() -> Generator[None]:
    old = os.umask(0)
    try:
        yield
    finally:
        os.umask(old)


def loose(*folders: Path) -> set[str]:
    """What somebody else could read, or list."""
    return {
        str(one)
        for folder in folders
        for one in (folder, *folder.rglob("*"))
        if not one.is_socket() and one.stat().st_mode & 0o077
    }


def used(shell: Shell, outside: Path) -> None:
    shell.json("init", "--sample", "--presence", "off", "--user", "ada")
    shell.json("index", "--wait")
    id = shell.json("memory", "add", "Owls sleep by day.", "--space", "prj_notidian")["id"]
    shell.json("memory", "edit", id, "--text", "Owls sleep at noon.", "--yes")
    shell.json("backup", str(outside / "one.lobes"))
    shell.json("backup")
    shell.json("space", "export", "prj_notidian", "--to", str(outside / "out"))
    shell.json("memory", "export", "--space", "prj_notidian", "--to", str(outside / "all.jsonl"))
    shell.run("mcp", "--space", "prj_notidian")
    shell.json("memory", "erase", id, "--confirm", id)


@pytest.mark.slow
def test_every_file_that_any_face_makes_is_its_owners_alone(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o700)
    with open_umask(), shell_on(tmp_path / "home") as shell:
        used(shell, outside)
        shown = Terminal(["-m", "lobes", "--home", str(shell.folder)], environ=shell.env)
        try:
            shown.until("Notidian")
            shown.press("ctrl+q")
            assert shown.ended() == 0
        finally:
            shown.close()
        made = {one.name for one in shell.folder.rglob("*")}
        assert made >= {"lobes.db", "lobes.db.head", "audit.db", "audit.head"}
        assert loose(shell.folder, outside) == set()
