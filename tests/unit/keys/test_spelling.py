"""One key has one spelling, and what a terminal can't tell apart is not taken."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from lobes.keys.actions import ACTIONS
from lobes.keys.sheet import joined
from lobes.keys.spelling import OF_FIELDS, key_text, parse_key


@pytest.mark.parametrize(
    ("written", "key"),
    [
        ("a", "a"), ("A", "A"), ("+", "+"), ("é", "é"), ("esc", "escape"), ("Escape", "escape"),
        ("PgUp", "pageup"), ("plus", "+"), ("ctrl++", None), ("ctrl+plus", "ctrl++"),
        ("shift+a", "A"), ("Ctrl+A", "ctrl+shift+a"), ("shift+ctrl+a", "ctrl+shift+a"),
        ("shift+ctrl+alt+left", "alt+ctrl+shift+left"), ("question_mark", "?"), ("f24", "f24"),
        ("f25", None), ("shift+1", None), ("+a", None), ("ctrl+a+b", None), ("\t", None),
        ("ctrl+[", None), ("ctrl+H", "ctrl+shift+h"), ("ctrl+h", None), ("\u0301a", None),
    ],
)  # fmt: skip
def test_a_key_has_one_spelling(written: str, key: str | None) -> None:
    if key is None:
        with pytest.raises(ValueError, match=r"\w"):
            parse_key(written)
    else:
        assert parse_key(written) == key


@pytest.mark.parametrize("action", ACTIONS, ids=lambda a: f"{a.screen}.{a.id}")
def test_the_registry_spells_keys_so(action: object) -> None:
    keys = action.keys  # type: ignore[attr-defined]
    assert [parse_key(key) for key in keys] == list(keys)


def test_the_keys_of_a_field_are_those_of_textual() -> None:
    found = {key for one in Input.BINDINGS for key in one.key.split(",")}  # type: ignore[union-attr]
    assert found == OF_FIELDS


@pytest.mark.parametrize(
    ("keys", "shown"),
    [
        ([("j", "down"), ("k", "up")], "j k ↓ ↑"),
        ([("g", "home"), ("G", "end")], "g G"),
        ([("ctrl+d",), ("ctrl+u",)], "ctrl+d u"),
        ([("h", "left"), ("l", "right"), ("tab",)], "h l tab"),
        ([(":", "ctrl+p")], ": ctrl+p"),
        ([(str(n),) for n in range(1, 8)], "1 … 7"),
        ([("f11",), *[(str(n),) for n in range(2, 8)]], "f11 2 3 4 5 6 7"),
        ([(), ("b",)], "b"),
        ([()], ""),
    ],
)
def test_keys_of_a_row_are_joined(keys: list[tuple[str, ...]], shown: str) -> None:
    assert joined(keys) == shown


def test_without_arrows_names_stand() -> None:
    assert key_text("down", ascii=True) == "down"
    assert key_text("pagedown", ascii=True) == "pgdn"
