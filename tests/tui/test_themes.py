"""Theme files: complete, readable on every ground, and a broken one is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.color import Color
from textual.theme import Theme

from lobes.domain.errors import Invalid
from lobes.tui import themes

GROUNDS = ("background", "surface", "panel", "cursor-bg", "cursor-blur-bg", "mark-bg", "chip-bg")
FIELDS = ("foreground", "accent", "secondary", "warning", "error", "success")
NAMED = ("lobes-night", "lobes-paper", "lobes-contrast")
PAIRS = (
    ("diff-add", "diff-add-bg"),
    ("diff-del", "diff-del-bg"),
    ("foreground", "danger-bg"),
    ("error", "danger-bg"),
    ("foreground", "notice-bg"),
    ("warning", "notice-bg"),
    ("background", "accent"),
)


def colour(theme: Theme, name: str) -> Color:
    value = getattr(theme, name, None) or theme.variables[name]
    return Color.parse(value)


def luminance(value: Color) -> float:
    """Relative luminance as WCAG 2 defines it."""
    parts = [c / 255 for c in (value.r, value.g, value.b)]
    r, g, b = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: Color, two: Color) -> float:
    high, low = sorted((luminance(one), luminance(two)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def text_names(theme: Theme) -> list[str]:
    own = [
        name
        for name in theme.variables
        if name == "muted"
        or name.startswith(("lobe-", "sens-", "reason-"))
        or (name.startswith("layer-") and name != "layer-free")
    ]
    return [*FIELDS, *own]


@pytest.mark.parametrize("name", NAMED)
def test_every_text_colour_is_readable_on_every_ground(name: str) -> None:
    theme = themes.shipped(name)
    low = {
        (text, ground): round(contrast(colour(theme, text), colour(theme, ground)), 2)
        for text in text_names(theme)
        for ground in GROUNDS
    }
    low |= {pair: contrast(colour(theme, pair[0]), colour(theme, pair[1])) for pair in PAIRS}
    assert {pair: ratio for pair, ratio in low.items() if ratio < 4.5} == {}


def test_the_design_figure_holds_for_the_two_main_themes() -> None:
    lowest = min(
        contrast(colour(theme, text), colour(theme, ground))
        for theme in (themes.shipped("lobes-night"), themes.shipped("lobes-paper"))
        for text in text_names(theme)
        for ground in GROUNDS
    )
    assert lowest == pytest.approx(4.97, abs=0.01)


@pytest.mark.parametrize("name", themes.SHIPPED)
def test_all_themes_name_the_same_variables(name: str) -> None:
    assert set(themes.shipped(name).variables) == set(themes.variable_defaults())


@pytest.mark.parametrize("name", themes.SHIPPED)
def test_the_name_is_the_file_name(name: str) -> None:
    assert themes.shipped(name).name == name


@pytest.mark.parametrize(
    "damage",
    [
        ('name = "lobes-paper"', ""),
        ('surface = "#F5F2EA"', ""),
        ('muted = "#565F67"', "muted = 3"),
        ("text_alpha = 1.0", "text_alpha = 7"),
        ("#0B6670 35%", "#0B6670 a lot"),
    ],
)
def test_a_file_with_one_fault_is_refused(tmp_path: Path, damage: tuple[str, str]) -> None:
    text = (themes.folder() / "lobes-paper.toml").read_text(encoding="utf-8")
    assert damage[0] in text
    path = tmp_path / "mine.toml"
    path.write_text(text.replace(*damage), encoding="utf-8")
    with pytest.raises(Invalid, match=r"mine\.toml"):
        themes.read_theme(path)


def test_ansi_names_the_terminals_own_colours_only() -> None:
    """Its contrast can't be computed: what the sixteen names look like is the terminal's choice.

    So it uses no colour of ours, and bright black, which many palettes draw unreadably, for
    decoration alone.
    """
    theme = themes.shipped("ansi")
    used = {name: getattr(theme, name) or "" for name in themes.COLOURS} | theme.variables
    assert {value for value in used.values() if not value.startswith(("ansi_", "none"))} == set()
    faint = {name for name, value in used.items() if value == "ansi_bright_black"}
    assert faint == {"rule", "layer-free", "border-blurred", "input-selection-background"}
