"""A file of one's own keys: each fault is named, alone ignored, and no file locks anybody in."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from lobes.keys.actions import ACTIONS, OVERLAYS
from lobes.keys.faults import faults
from lobes.keys.keymap import KEPT, MOST, NEEDED, SHIPPED, LoadedKeys, load_keys


def loaded(tmp_path: Path, text: str | bytes) -> LoadedKeys:
    file = tmp_path / "keys.toml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_keys(file)


def codes(found: LoadedKeys) -> list[tuple[str, str]]:
    return [(one.action, one.code) for one in found.faults]


def test_without_a_file_the_keys_of_the_registry_hold(tmp_path: Path) -> None:
    assert load_keys(tmp_path / "keys.toml") == LoadedKeys(SHIPPED)


def test_a_key_or_a_list_of_keys_replaces_those_of_the_act(tmp_path: Path) -> None:
    found = loaded(
        tmp_path, '# mine\n[keys]\narchive = "b"\ncommands = ["ctrl+k", ":"]\ncopy = []\n'
    )
    assert found.faults == ()
    assert found.keymap.of("archive") == ("b",)
    assert found.keymap.of("commands") == ("ctrl+k", ":")
    assert found.keymap.of("copy") == ()
    assert found.keymap.remapped == {"archive", "commands", "copy"}
    assert found.keymap.of("undo") == ("z",)


def test_two_acts_may_swap_their_keys(tmp_path: Path) -> None:
    found = loaded(tmp_path, '[keys]\nedit_pack = "n"\nnew_space = "e"\n')
    assert found.faults == ()
    assert (found.keymap.of("edit_pack"), found.keymap.of("new_space")) == (("n",), ("e",))


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('edit_pak = "e"', ("edit_pak", "unknown_action")),
        ('delete = "ctrl+"', ("delete", "bad_key")),
        ('delete = "foo+bar"', ("delete", "bad_key")),
        ('delete = "ctrl+foo"', ("delete", "bad_key")),
        ('delete = "ctrl+ctrl+a"', ("delete", "bad_key")),
        ('delete = ""', ("delete", "bad_key")),
        ('delete = " "', ("delete", "bad_key")),
        ('delete = ["d", ""]', ("delete", "bad_key")),
        ('delete = "\\u001b"', ("delete", "bad_key")),
        ('delete = "dd"', ("delete", "bad_key")),
        ('delete = "ctrl+m"', ("delete", "bad_key")),
        ("delete = 3", ("delete", "wrong_type")),
        ("delete = true", ("delete", "wrong_type")),
        ("delete = [3]", ("delete", "wrong_type")),
        ('delete = {key = "d"}', ("delete", "wrong_type")),
        ('delete = "w"', ("delete", "clash")),
        ('delete = "e"', ("delete", "clash")),
        ('why = "e"', ("why", "clash")),
        ('copy = "ctrl+q"', ("copy", "clash")),
        ('copy = "esc"', ("copy", "clash")),
        ('copy = "f1"', ("copy", "clash")),
        ("quit = []", ("quit", "needed")),
        ("leave = []", ("leave", "needed")),
        ("keys = []", ("keys", "needed")),
        ('quit = "x"', ("quit", "of_fields")),
        ('quit = ["ctrl+g", "backspace"]', ("quit", "of_fields")),
        ('leave = "x"', ("leave", "of_fields")),
        ('next_pane = "left"', ("next_pane", "of_fields")),
        ('copy = "ctrl+c"', ("copy", "kept")),
        ('dialog_close = "x"', ("dialog_close", "fixed")),
    ],
)
def test_a_wrong_entry_is_named_and_alone_ignored(
    tmp_path: Path, line: str, fault: tuple[str, str]
) -> None:
    found = loaded(tmp_path, f'[keys]\n{line}\narchive = "ctrl+y"\n')
    assert codes(found) == [fault]
    assert all(one.message.endswith(".") for one in found.faults)
    expected = {**SHIPPED.keys, "archive": ("ctrl+y",)}
    assert dict(found.keymap.keys) == expected


def test_a_near_name_is_proposed(tmp_path: Path) -> None:
    assert "Did you mean edit_pack?" in loaded(tmp_path, '[keys]\nedit_pak="e"').faults[0].hint


def test_of_two_entries_with_one_key_the_first_counts(tmp_path: Path) -> None:
    found = loaded(tmp_path, '[keys]\nnew_space = "ctrl+y"\narchive = "ctrl+y"\n')
    assert codes(found) == [("archive", "clash")]
    assert found.keymap.of("new_space") == ("ctrl+y",)
    assert found.keymap.of("archive") == ("A",)


def test_an_entry_that_falls_back_gives_its_key_back_to_no_other(tmp_path: Path) -> None:
    """`archive` may not have `w`, so `A` is its own again, and `delete` can't have that."""
    found = loaded(tmp_path, '[keys]\narchive = "w"\ndelete = "A"\n')
    assert codes(found) == [("archive", "clash"), ("delete", "clash")]
    assert found.keymap.keys == SHIPPED.keys


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[keys\n", "bad_toml"),
        ('[keys]\nundo = "u"\nundo = "x"\n', "bad_toml"),
        (b'[keys]\nundo = "\xff"\n', "bad_toml"),
        ("x = " + "[" * 20_000, "bad_toml"),
        ("#" * 70_000, "too_large"),
        ('keys = "e"', "wrong_type"),
        ('[key]\nundo = "u"\n', "unknown_table"),
    ],
    ids=["open table", "twice", "not utf-8", "deep", "large", "no table", "other table"],
)
def test_a_file_that_can_not_be_taken_changes_nothing_and_says_so(
    tmp_path: Path, text: str | bytes, code: str
) -> None:
    found = loaded(tmp_path, text)
    assert [one.code for one in found.faults] == [code]
    assert found.keymap.keys == SHIPPED.keys


def test_a_byte_order_mark_is_no_fault(tmp_path: Path) -> None:
    found = loaded(tmp_path, b'\xef\xbb\xbf[keys]\narchive = "b"\n')
    assert found.keymap.of("archive") == ("b",)
    assert not found.faults


@pytest.mark.parametrize("kind", ["folder", "pipe"])
def test_what_is_no_file_is_said_and_never_waited_for(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "keys.toml"
    path.mkdir() if kind == "folder" else os.mkfifo(path)
    assert [one.code for one in load_keys(path).faults] == ["unreadable"]


def test_an_unreadable_file_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert [one.code for one in load_keys(tmp_path / "keys.toml").faults] == ["unreadable"]


def test_control_characters_of_the_file_are_spelled_out(tmp_path: Path) -> None:
    found = loaded(tmp_path, '[keys]\n"a\\u001b]52;c;x" = "e"\nundo = "\\u009b2J"\n')
    text = "".join(one.sentence for one in found.faults)
    assert text.isprintable()


def test_a_file_of_nothing_but_faults_is_read_in_no_time(tmp_path: Path) -> None:
    lines = "\n".join(f'x{number} = ""' for number in range(6_000))
    started = time.process_time()
    found = loaded(tmp_path, f"[keys]\n{lines}")
    assert time.process_time() - started < 2
    assert len(found.faults) == MOST + 1
    assert found.faults[-1].code == "too_many"


KEYS = ["w", "e", "ctrl+q", "escape", "?", "f1", "a", "ctrl+y", "x", "1", "enter", "tab"]


@pytest.mark.parametrize("key", KEYS)
def test_no_act_with_another_key_hides_one(tmp_path: Path, key: str) -> None:
    """Every act in turn, all of them at once: what holds at the end has no clash and a way out."""
    lines = "\n".join(f'{name} = "{key}"' for name in dict.fromkeys(a.id for a in ACTIONS))
    held = loaded(tmp_path, f"[keys]\n{lines}\n").keymap
    assert [one for one in faults(keys=held.keys) if " hides " in one] == []
    assert all(held.of(action) for action in NEEDED)
    assert not {key for keys in held.keys.values() for key in keys} & set(KEPT)
    over = {name for name, _ in OVERLAYS}
    assert all(held.of(a.id) == a.keys for a in ACTIONS if a.screen in over)
