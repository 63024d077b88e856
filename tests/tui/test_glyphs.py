"""The glyph table keeps its promises, and the terminal decides which column is drawn."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from lobes.domain.display import display_text
from lobes.tui.glyphs import GROUPS, Glyphs, choose

ALL = [(group, name, pair) for group, table in GROUPS.items() for name, pair in table.items()]


@pytest.mark.parametrize(("group", "name", "pair"), ALL)
def test_a_glyph_is_one_cell_and_its_twin_is_ascii(
    group: str, name: str, pair: tuple[str, str]
) -> None:
    assert cell_len(pair[0]) == 1
    assert len(pair[1]) == 1
    assert pair[1].isascii()
    assert display_text(pair[0]) == pair[0]


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("column", [0, 1])
def test_no_two_glyphs_of_a_group_are_alike(group: str, column: int) -> None:
    if group == "key" or (group, column) == ("ui", 1):
        pytest.skip("keys and lines may look alike in ASCII: they never stand for each other")
    shown = [pair[column] for pair in GROUPS[group].values()]
    assert len(set(shown)) == len(shown)


@pytest.mark.parametrize("ascii", [False, True])
def test_a_mark_is_no_kind_of_a_space(ascii: bool) -> None:
    """It stands where the kind stood: one that looked the same would hide what is marked."""
    kinds = {pair[ascii] for pair in GROUPS["kind"].values()}
    assert Glyphs(ascii).ui("mark") not in kinds


@pytest.mark.parametrize(
    ("environ", "ascii_only"),
    [
        ({"LANG": "en_GB.UTF-8", "TERM": "xterm-256color"}, False),
        ({"LANG": "en_GB.UTF-8", "TERM": "linux"}, True),
        ({"LC_ALL": "C", "LANG": "en_GB.UTF-8", "TERM": "xterm"}, True),
        ({"LC_ALL": "", "LC_CTYPE": "de_CH.utf8", "TERM": "xterm"}, False),
        ({}, True),
    ],
)
def test_auto_follows_the_terminal_and_the_locale(
    environ: dict[str, str], ascii_only: bool
) -> None:
    assert choose("auto", environ) == Glyphs(ascii=ascii_only)


def test_a_choice_wins_over_the_terminal() -> None:
    assert choose("unicode", {"TERM": "linux"}) == Glyphs(ascii=False)
    assert choose("ascii", {"LANG": "C.UTF-8"}) == Glyphs(ascii=True)
