"""`lobes keys`: what holds, and each fault of a file by its name, with exit 1."""

from __future__ import annotations

from pathlib import Path

from shell import Shell

BROKEN = """\
[keys]
edit_pak = "e"
delete = "ctrl+"
copy = "ctrl+q"
quit = "x"
undo = 3
archive = "b"   # this one is right
"""
NAMED = {
    "edit_pak": "unknown_action",
    "delete": "bad_key",
    "copy": "clash",
    "quit": "of_fields",
    "undo": "wrong_type",
}


def own(shell: Shell, text: str) -> Path:
    file = shell.folder / "config" / "keys.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    return file


def test_check_names_each_fault_and_ends_with_1(shell: Shell) -> None:
    file = own(shell, BROKEN)
    ran = shell.run("keys", "check")
    assert ran.code == 1
    assert all(any(line.startswith(name) for line in ran.out.splitlines()) for name in NAMED)
    assert ran.out.splitlines()[-1] == "1 with your keys, 5 not taken."
    as_json = shell.run("keys", "check", "--json")
    assert as_json.code == 1
    found = as_json.document
    assert {one["action"]: one["code"] for one in found["items"]} == NAMED
    assert found["total"] == 5
    assert found["remapped"] == ["archive"]
    assert found["file"] == str(file)


def test_check_of_a_file_elsewhere_and_of_none(shell: Shell, tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("[keys\n", encoding="utf-8")
    assert shell.run("keys", "check", str(other)).code == 1
    assert shell.run("keys", "check", str(tmp_path / "none.toml")).code == 3
    assert "the keys of Lobes hold" in shell.run("keys", "check").out
    own(shell, '[keys]\narchive = "b"\n')
    assert shell.run("keys", "check").code == 0


def test_list_shows_the_keys_that_hold(shell: Shell) -> None:
    own(shell, '[keys]\narchive = "b"\n')
    rows = shell.json("keys", "list", "--screen", "spaces")["items"]
    assert {one["screen"] for one in rows} == {"spaces"}
    archive = next(one for one in rows if one["id"] == "archive")
    assert (archive["keys"], archive["default"], archive["remapped"]) == (["b"], ["A"], True)
    line = next(one for one in shell.run("keys", "list").out.splitlines() if " archive " in one)
    assert line.split()[2] == "b"
    assert shell.run("keys", "list", "--screen", "nowhere").code == 2
