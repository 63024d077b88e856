"""Widths by cell, and the one written form of numbers, ages and paths."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from lobes.domain.display import display_text
from lobes.tui import cells

NOW = datetime(2026, 11, 29, 14, 6, tzinfo=UTC)
TEXT = st.text(max_size=60).map(display_text)


@given(TEXT, st.integers(0, 30))
def test_fit_gives_exactly_the_width(text: str, width: int) -> None:
    assert cell_len(cells.fit(text, width)) == width
    assert cell_len(cells.right(text, width)) == width
    assert cell_len(cells.cut(text, width)) <= width
    assert cell_len(cells.middle(text, width)) <= width


@given(TEXT, st.integers(2, 30))
def test_wrapped_lines_fit_and_lose_only_blanks(text: str, width: int) -> None:
    lines = cells.wrap(text, width)
    assert all(cell_len(line) <= width for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (-5, "now"),
        (59, "now"),
        (60, "1 min"),
        (3 * 60, "3 min"),
        (7200, "2 h"),
        (3 * 86400, "3 d"),
        (41 * 86400, "41 d"),
        (49 * 86400, "7 wk"),
        (150 * 86400, "5 mo"),
        (800 * 86400, "2 y"),
    ],
)
def test_an_age_has_one_unit(seconds: int, shown: str) -> None:
    assert cells.age(NOW - timedelta(seconds=seconds), NOW) == shown


def test_a_day_has_its_year_where_it_is_another_one() -> None:
    assert cells.day(datetime(2026, 9, 12, 12, tzinfo=UTC), NOW) == "12 Sep"
    assert cells.day(datetime(2025, 9, 12, 12, tzinfo=UTC), NOW) == "12 Sep 2025"


def test_no_time_is_a_dash() -> None:
    assert cells.age(None, NOW) == "–"


def test_numbers() -> None:
    assert cells.count(1284) == "1,284"
    assert cells.count(0) == "–"
    assert cells.score(0.907) == "0.91"
    ordinals = [cells.ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21, 102, 111)]
    assert ordinals == [
        "1st",
        "2nd",
        "3rd",
        "4th",
        "11th",
        "12th",
        "13th",
        "21st",
        "102nd",
        "111th",
    ]
    assert cells.plural(1, "lobe") == "1 lobe"
    assert cells.plural(5, "lobe") == "5 lobes"


def test_a_long_path_keeps_its_folder_and_its_file() -> None:
    assert cells.middle("docs/architecture/sync/retry.md", 16) == "docs/…/retry.md"
    assert cells.middle("docs/architecture.md", 18) == "docs/architecture…"


def test_a_wide_character_is_not_split() -> None:
    assert cells.fit("日本語の名前", 6) == "日本… "
    assert cell_len(cells.fit("日本語の名前", 6)) == 6


def test_prose_is_one_line_a_paragraph_and_the_rest_keeps_its_lines() -> None:
    text = "# Head\nOne\ntwo.\n\n- item\n  goes on\n- next\n| a |\n| b |\n```\nx\ny\n```\nend\nhere"
    wanted = "# Head\nOne two.\n\n- item goes on\n- next\n| a |\n| b |\n```\nx\ny\n```\nend here"
    assert cells.reflow(text) == wanted


@given(TEXT)
def test_reflowing_loses_no_word(text: str) -> None:
    assert cells.reflow(text).split() == text.split()
