"""File names against a model that says the rules the other way round."""

from __future__ import annotations

import unicodedata
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lobes.domain.display import display_text
from lobes.domain.errors import Invalid
from lobes.store.names import collision_key, parse_name, shown_name, valid_name

_PLAIN = ["a", "Ä", "A\u0308", "é", ".md", ".", "..", "/", "\\", ":", "~", "CON", "nul", "com¹"]
_PIECES = st.sampled_from(
    [
        *_PLAIN,
        ".git",
        "GIT~1",
        "❤️",
        " ",
        "\0",
        "\n",
        "\u202e",
        "\u200d",
        "x" * 250,
        "\ud800",
        "\udcff",
    ]
)
NAMES = st.lists(_PIECES, max_size=8).map("".join) | st.text(max_size=30)


@given(NAMES)
def test_taken_names_stay_inside_and_are_portable(text: str) -> None:
    if not valid_name(text):
        with pytest.raises(Invalid) as caught:
            parse_name(text)
        assert caught.value.reason == "bad_name"
        return
    name = parse_name(text)
    pure = PurePosixPath(name)
    assert not pure.is_absolute()
    assert str(pure) == name == unicodedata.normalize("NFC", name)
    assert parse_name(name) == name
    assert all(0 < len(part.encode()) <= 255 for part in pure.parts)
    assert not {"..", "."} & set(pure.parts)
    for part in pure.parts:
        assert part == part.rstrip(". ")
        assert not any(char in part for char in "\\:\0\n\u202e")
        assert part.split(".")[0].rstrip().upper() not in {"CON", "NUL", "COM¹"}
        assert part.lower() != ".git"


@given(st.lists(st.text("abcdefghijklmnö", min_size=4, max_size=9), min_size=1, max_size=6))
def test_plain_names_are_all_taken(parts: list[str]) -> None:
    assert valid_name("/".join(f"{part}.md" for part in parts))


@given(NAMES, NAMES)
def test_names_that_differ_by_case_or_form_collide(left: str, right: str) -> None:
    for form in ("NFC", "NFD"):
        assert collision_key(unicodedata.normalize(form, left)) == collision_key(left)
    assert collision_key(left) == collision_key(collision_key(left))
    if left.casefold() == right.casefold():
        assert collision_key(left) == collision_key(right)


@given(st.binary(max_size=40))
def test_any_bytes_can_be_shown_and_stored(raw: bytes) -> None:
    shown = shown_name(raw.decode("utf-8", "surrogateescape"))
    assert display_text(shown) == shown
    shown.encode("utf-8")


_REFUSED = "CON.md|nul|COM1.txt|a:b|a.md.|a.md |..\\x|lpt³.md|CONIN$|con .md|AUX|d/prn.md|~|~$a|a/ "
_TAKEN = "a.md|docs/goals.md|console.md|com.md|COM10.md|git/x.md|.gitignore|a b.md|what? why*.md"
_TAKEN_TOO = "日本語.md|👩\u200d👧.md|שלום.md|a..b.md|.lobesignore"


@pytest.mark.parametrize("name", [*_REFUSED.split("|"), "x" * 256, "ä" * 128, "/".join(["d"] * 33)])
def test_names_windows_would_change_are_refused_everywhere(name: str) -> None:
    """PA-13, and names that are too long or too deep."""
    assert not valid_name(name)


@pytest.mark.parametrize(
    "name", [*_TAKEN.split("|"), *_TAKEN_TOO.split("|"), "ä" * 127, "/".join(["d"] * 32)]
)
def test_everyday_names_are_taken(name: str) -> None:
    assert valid_name(name)
