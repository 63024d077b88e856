"""Markdown as lines: every word of a file is there, in lines that fit, in pieces that end soon."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tui.sample import NOW

from lobes.domain.display import is_hidden
from lobes.tui.flow import before, flow, laid
from lobes.tui.glyphs import Glyphs
from lobes.tui.markdown import LARGEST, blocks, pieces, written
from lobes.tui.paint import Line, Look, Span, width_of

LOOK = Look(Glyphs(), NOW)


def lines_of(text: str, width: int = 40, *, as_written: bool = False) -> list[Line]:
    out: list[Line] = []
    for piece in (written if as_written else blocks)(text):
        for block in piece:
            out += before(block, LOOK) if out else []
            out += laid(block, width, LOOK)
    return out


def text_of(text: str, width: int = 40, *, as_written: bool = False) -> list[str]:
    lines = lines_of(text, width, as_written=as_written)
    return ["".join(span.text for span in line).rstrip() for line in lines]


def test_headings_lists_quotes_and_rules() -> None:
    source = (
        "# One\n\n## Two\n\n- a\n- b\n  1. first\n  2. second\n\n3. three\n\n> said\n> so\n>\n"
        "> - in it\n\n***\n"
    )
    assert text_of(source, 20) == [
        "One",
        "─" * 20,
        "",
        "Two",
        "",
        "- a",
        "- b",
        "  1. first",
        "  2. second",
        "",
        "3. three",
        "",
        "│ said so",
        "│",
        "│ - in it",
        "",
        "─" * 20,
    ]


def test_strong_is_bold_and_every_other_mark_stays_to_be_read() -> None:
    (line,) = lines_of("a **b** *c* ~~d~~ `e`", 60)
    assert "".join(span.text for span in line) == "a b *c* ~~d~~ e"
    assert [span.text for span in line if span.bold] == ["b"]
    assert [span.text for span in line if span.ground == "chip-bg"] == ["e"]


def test_a_link_says_where_it_leads_and_can_not_be_clicked() -> None:
    source = (
        "[here](https://evil.example/x) <https://plain.example> [ref] "
        "![alt](pic.png) [bad](javascript:run)\n\n[ref]: https://ref.example\n"
    )
    shown = " ".join(text_of(source, 300))
    assert "here (https://evil.example/x) https://plain.example ref (https://ref.example)" in shown
    assert "[image: alt] (pic.png)" in shown
    assert "[bad](javascript:run)" in shown
    assert {span.action for line in lines_of(source) for span in line} == {""}


def test_html_front_matter_and_code_are_shown_as_they_are() -> None:
    source = "---\nrole: goals\n---\n\n<div onclick='x'>\n\n```sh\nrm -rf  /\n```\n\n    indented\n"
    assert text_of(source) == [
        " ---",
        " role: goals",
        " ---",
        "",
        "<div onclick='x'>",
        "",
        "sh",
        " rm -rf  /",
        "",
        " indented",
    ]


def test_a_table_has_columns_or_where_there_is_no_room_a_line_a_cell() -> None:
    source = "| a | long name |\n|---|---|\n| 1 | two words that wrap |\n"
    assert text_of(source, 16) == [
        "a  long name",
        "─" * 16,
        "1  two words",
        "   that wrap",
    ]
    wide = f"{'|h' * 12}|\n{'|-' * 12}|\n{'|a longer cell' * 12}|\n"
    assert text_of(wide, 30) == ["h  a longer cell"] * 12


def test_what_a_terminal_would_obey_is_spelled_out_also_where_markdown_makes_it() -> None:
    source = "a\x1b[2J\u202eb &#x202e; `\x07` <b\x9b>\n\n```\n\x1b]52;c;x\x07\n```\n"
    for as_written in (False, True):
        shown = "\n".join(text_of(source, as_written=as_written))
        assert not any(is_hidden(char) for char in shown if char != "\n")
        assert "\\u{1b}" in shown
        assert "\\u{202e}" in shown


HOSTILE = {
    "a line of 200,000 characters": "x" * 200_000,
    "a line of 100,000 wide characters": "漢" * 100_000,
    "hidden characters only": "\u202e\u200b" * 30_000,
    "escapes": "\x1b[2J\x07" * 30_000,
    "one paragraph": "word and more text of a line\n" * 10_000,
    "a fence without an end": "```\n" + "code\n" * 20_000,
    "a huge table": "|a|b|\n|-|-|\n" + "|one|two|\n" * 10_000,
    "a table of 500 columns": f"{'|a' * 500}|\n{'|-' * 500}|\n{'|b' * 500}|\n",
    "brackets": "[" * 100_000,
    "brackets in paragraphs": ("[" * 250 + "\n\n") * 400,
    "lists in lists": "\n".join("  " * n + "- x" for n in range(300)),
    "quotes in quotes": ">" * 50_000 + " x",
    "marks in one line": "- " * 50_000 + "x",
    "emphasis": "*a _b " * 30_000,
    "ticks": "`a``b" * 30_000,
    "tags": "<a " * 50_000,
    "blank lines": "\n" * 300_000,
    "definitions": "".join(f"[l{n}]: http://x/{n}\n\n" for n in range(5_000)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_comes_in_pieces_that_fit(name: str) -> None:
    text = HOSTILE[name]
    began, longest, last = time.process_time(), 0.0, time.process_time()
    for piece in blocks(text):
        lines = [line for block in piece for line in laid(block, 70, LOOK)]
        assert all(width_of(line) <= 70 for line in lines)
        now = time.process_time()
        longest, last = max(longest, now - last), now
    assert longest < 5, "no piece takes the parser's time without a bound"
    assert last - began < 60


@pytest.mark.parametrize("name", HOSTILE)
def test_no_piece_is_large_but_for_one_endless_line(name: str) -> None:
    for piece in pieces(HOSTILE[name]):
        assert len(piece.text) <= 2 * LARGEST + 200 or "\n" not in piece.text


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=60)
MARKS = st.sampled_from(
    ["# ", "- ", "1. ", "> ", "```", "|a|b|", "|-|-|", "    ", "***", "[x](y)", "<b>", "\n", "\t"]
)


@settings(max_examples=300)
@given(st.lists(WORDS | MARKS, max_size=30).map("\n".join), st.integers(1, 90))
def test_any_text_is_laid_out_within_its_width(text: str, width: int) -> None:
    for as_written in (False, True):
        for line in lines_of(text, width, as_written=as_written):
            assert width_of(line) <= max(2, width)
            assert not any(is_hidden(char) for span in line for char in span.text)


@given(st.lists(st.text("ab ", min_size=1), max_size=8), st.integers(1, 20))
def test_flowing_loses_no_word(texts: list[str], width: int) -> None:
    spans = [Span(text, bold=place % 2 == 0) for place, text in enumerate(texts)]
    out = flow(spans, width)
    assert "".join(span.text for line in out for span in line).replace(" ", "") == (
        "".join(texts).replace(" ", "")
    )
    assert all(width_of(line) <= width for line in out)


@given(st.lists(st.sampled_from(["alpha", "- beta", "```", "| c | d |", "", "  e"]), max_size=60))
def test_cutting_into_pieces_keeps_every_line_in_its_place(lines: list[str]) -> None:
    text = "\n".join(line * 40 if line == "alpha" else line for line in lines)
    seen: dict[int, str] = {}
    for piece in pieces(text):
        for number, line in enumerate(piece.text.split("\n"), piece.line):
            seen.setdefault(number, line)
    assert [seen[number] for number in sorted(seen)] == text.split("\n")
