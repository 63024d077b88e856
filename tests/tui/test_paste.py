"""What a person pastes is text, in whatever pieces a terminal hands it over."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.message import Message

from lobes.tui.paste import BEGINS, ENDS, PasteParser


def parsed(*pieces: str) -> list[Message]:
    parser = PasteParser()
    return [one for piece in pieces for one in parser.feed(piece)]


def keys(found: list[Message]) -> list[str]:
    return [one.key for one in found if isinstance(one, events.Key)]


def texts(found: list[Message]) -> list[str]:
    return [one.text for one in found if isinstance(one, events.Paste)]


@pytest.mark.parametrize(
    "inside", ["\x1b]0;D", "\x1bD", "\x1b[Z", "\x1b\x1b\x1b", "\x1b[20", "\x1b"]
)
def test_an_escape_in_a_paste_is_no_key(inside: str) -> None:
    """TE-15: an unknown sequence came out as the keys `]`, `0`, `;`, `D`."""
    found = parsed(f"{BEGINS}a{inside}b{ENDS}")
    assert keys(found) == []
    assert texts(found) == [f"a{inside}b".replace("\x1b", "")]


@given(st.text(alphabet="\x1b[]20~1Da;", max_size=30), st.data())
def test_pieces_change_nothing(inside: str, data: st.DataObject) -> None:
    whole = f"j{BEGINS}{inside.replace(ENDS, '')}x{ENDS}k"
    cuts = sorted(data.draw(st.sets(st.integers(1, len(whole) - 1), max_size=6)))
    pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
    found = parsed(*pieces)
    assert keys(found) == ["j", "k"]
    assert "".join(texts(found)) == inside.replace(ENDS, "").replace("\x1b", "") + "x"


def test_keys_outside_of_a_paste_are_what_they_were() -> None:
    assert keys(parsed("j\x1b[B\x1bOPq")) == ["j", "down", "f1", "q"]
