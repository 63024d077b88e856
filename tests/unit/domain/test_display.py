"""The display gate: whatever comes in, what goes out is text that a terminal only draws."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lobes.domain.display import (
    MAX_COMBINING,
    UNSEEN,
    display_text,
    has_unseen,
    is_hidden,
    one_line,
)

ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=80)
HOSTILE = [
    "x [/b] y",
    '[@click=app.quit]Approve[/]["a]b[]',
    "\x1b[2J\x1b[A",
    "\x9b2J",
    "\x1bP1$r\x1b\\\x1b_G\x1b\\",
    "\x1b]0;title\x07",
    "\x1b]52;c;ZXZpbA==\x07",
    "\x1b[6n\x1b[21t",
    "approve\rDENY",
    "DENY\b\b\b\b",
    "\x1b]8;;https://evil.example\x07https://bank.example\x1b]8;;\x07",
    "a\u202eb\u2066c\u2069",
    "Al\u0456ce",
    "a\u200bb\u200dc\ufeffd\u00ade\u2060f",
    "\U000e0041\U000e0042\U000e007f",
    "a\ufe0f\U000e0100b",
    "lone \ud800 surrogate \udfff",
    "nul\0line\u2028para\u2029next\u0085end",
    "z" + "\u0301" * 50,
    "\u3164\u115f\u2800\u034f",
    "\x1b[200~paste\x1b[201~",
    "tab\tnew\nline\r\ncr\rend",
    "\ufdd0\ufffe\U0010ffff\ue000",
]
BIDI = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
ZERO_WIDTH = set("\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\u034f")


def assert_drawable(shown: str, *, lines: bool) -> None:
    shown.encode("utf-8")
    for char in set(shown) - ({"\n"} if lines else set()):
        code = ord(char)
        assert not code < 0x20 and not 0x7F <= code <= 0x9F  # noqa: PT018
        assert char not in BIDI | ZERO_WIDTH
        assert not 0xFE00 <= code <= 0xFE0F
        assert code < 0xE0000
        assert unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@pytest.mark.parametrize("lines", [True, False])
@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_neutralised_and_stays_visible(text: str, lines: bool) -> None:
    """TE-01, TE-02, TE-04 to TE-07, TE-10, TE-11, TE-15"""
    shown = display_text(text, lines=lines)
    assert_drawable(shown, lines=lines)
    assert display_text(shown, lines=lines) == shown
    assert_drawable(one_line(text), lines=False)
    assert all(char in shown for char in text if " " <= char <= "~")


@pytest.mark.parametrize("text", HOSTILE[:2])
def test_markup_is_shown_as_it_is(text: str) -> None:
    """TE-01, TE-02"""
    assert display_text(text) == text


def test_what_splits_a_word_unseen_is_every_hidden_character_there_is() -> None:
    """Characters that no Unicode has yet aside: nobody can say how they will be drawn."""
    plain = set("\t\n\r")
    marks = set("\u180b\u180c\u180d\u180f")  # choose the form of a letter, and draw nothing else
    for char in map(chr, range(0x110000)):
        if unicodedata.category(char) in ("Cs", "Cn") and char < "\U000e0000":
            continue
        wanted = (is_hidden(char) and char not in plain) or char in marks
        assert (UNSEEN.fullmatch(char) is not None) is has_unseen(char) is wanted, f"{ord(char):x}"


def test_every_code_point_comes_out_drawable() -> None:
    """All 1,114,112 of them, alone and between letters."""
    for start in range(0, sys.maxunicode + 1, 4096):
        chars = [chr(code) for code in range(start, start + 4096)]
        shown = display_text("a".join(chars))
        assert_drawable(shown, lines=False)
        assert display_text(shown) == shown
        assert {char for char in chars if not is_hidden(char)} <= set(shown)


@settings(max_examples=400, deadline=None)
@given(ANY, st.booleans())
@example("\r\n\r\r\n", True)
@example("e\u0301\u0301\u0301\u0301\u200b\u0301", False)
def test_the_gate_is_total_and_idempotent(text: str, lines: bool) -> None:
    shown = display_text(text, lines=lines)
    assert_drawable(shown, lines=lines)
    assert display_text(shown, lines=lines) == shown


@given(ANY)
def test_nothing_disappears_but_marks_beyond_the_fourth(text: str) -> None:
    shown = display_text(text)
    for char in text:
        if is_hidden(char) and char != "\t":
            assert f"\\u{{{ord(char):x}}}" in shown


def test_marks_that_pile_up_are_bounded() -> None:
    shown = display_text("z" + "\u0301" * 1000 + "y" + "\u0301")
    assert shown == "z" + "\u0301" * MAX_COMBINING + "y\u0301"


@pytest.mark.parametrize("mark", ["\u0301", "\u0488", "\u20dd", "\u20e3", "\U0001e94a", "\u302e"])
def test_marks_of_any_class_are_bounded(mark: str) -> None:
    """TE-10: enclosing marks have combining class 0, and one on a thousand others hides a row."""
    shown = display_text("z" + mark * 1000 + "y")
    assert shown == "z" + mark * MAX_COMBINING + "y"
    assert display_text(shown) == shown


def test_an_overwriting_return_is_visible() -> None:
    """TE-05: also with lines, where only CRLF counts as a line's end."""
    assert display_text("approve\rDENY", lines=True) == "approve\\u{d}DENY"
    assert display_text("a\r\nb", lines=True) == "a\nb"
    assert display_text("a\r\nb") == "a\\u{d}\\u{a}b"


def test_a_long_text_is_cut_and_counted() -> None:
    cut = display_text("x" * 300, limit=100)
    assert cut.endswith(f" … {300 - cut.count('x')} more characters")
    assert len(cut) <= 100
    assert display_text("x" * 10, limit=10) == "x" * 10


def test_a_huge_name_stays_on_one_short_line() -> None:
    """TE-10"""
    shown = one_line("n\n" * 500_000)
    assert "\n" not in shown
    assert len(shown) < 300


@given(ANY)
def test_a_row_is_one_line_without_runs_of_blanks(text: str) -> None:
    shown = one_line(text)
    assert_drawable(shown, lines=False)
    assert shown.isspace() is False


@pytest.mark.parametrize("text", ["x" * 300, "\u202e" * 150])
def test_the_gate_is_idempotent_beyond_the_limit(text: str) -> None:
    shown = display_text(text, limit=200)
    assert display_text(shown, limit=200) == shown


def test_one_line_says_that_it_cut() -> None:
    assert one_line("x" * 10_000) == "x" * 199 + "…"


def test_a_link_shows_where_it_leads_and_is_none() -> None:
    """TE-06: the terminal's own hyperlinks would hide their target."""
    for target in ("https://other.example", "file:///etc/passwd", "javascript:x", "vscode://x"):
        shown = display_text(f"\x1b]8;;{target}\x1b\\https://bank.example\x1b]8;;\x1b\\")
        assert target in shown
        assert "\x1b" not in shown
        shown = display_text(f"\x9d8;;{target}\x9chttps://bank.example\x9d8;;\x9c")
        assert target in shown
        assert not {"\x9d", "\x9c"} & set(shown)
