"""The snippet: which part of a passage is shown for a query."""

from __future__ import annotations

import pytest

from lobes.domain.snippet import snippet

FILLER = "lorem ipsum dolor sit amet " * 20


def test_a_short_text_is_shown_whole_on_one_line() -> None:
    assert snippet("A crane\n\n lifts\tcrates.", "zephyr") == "A crane lifts crates."


def test_the_densest_run_of_query_words_is_shown() -> None:
    text = f"harbour {FILLER} crane crate harbour {FILLER} crane {FILLER}"
    shown = snippet(text, "harbour crane crate")
    assert "crane crate harbour" in shown
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert len(shown) <= 242


def test_of_runs_alike_the_first_is_shown() -> None:
    assert snippet(f"one crane {FILLER} another crane {FILLER}", "crane").startswith("one crane")


@pytest.mark.parametrize(
    ("asked", "written"),
    [
        ("harb", "Harbours"),
        ("harbours", "harb"),
        ("STRASSE", "straße"),
        ("x_yz", "x_yz"),
        ("日本語", "日本語"),
    ],
)
def test_a_word_is_met_by_its_beginning_in_any_case(asked: str, written: str) -> None:
    assert written in snippet(f"{FILLER} {written} {FILLER}", asked)


@pytest.mark.parametrize("asked", ["", "ha", "zephyr", "bour", "(*"])
def test_where_no_word_is_met_the_text_begins_at_its_beginning(asked: str) -> None:
    shown = snippet(f"First words. {FILLER} harbour {FILLER}", asked)
    assert shown.startswith("First words.")
    assert shown.endswith("…")
