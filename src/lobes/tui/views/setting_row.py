"""A setting on one line: its label, its choice, what it was before it was changed."""

from __future__ import annotations

from collections.abc import Sequence

from lobes.tui.paint import Span, ink, muted, width_of
from lobes.tui.views import marks

LABEL = 14
"""Cells of a label and its gap."""


def label_of(text: str, lit: bool) -> Span:
    return Span(text.ljust(LABEL), "foreground" if lit else "muted", bold=lit)


def stored_as(before: str, now: str) -> list[Span]:
    """What is stored, where that is something else."""
    return [ink(f"   was {before}", "warning")] if before != now else []


def if_room(spans: list[Span], more: Sequence[Span], width: int) -> list[Span]:
    """A hint stands there whole or not at all."""
    return [*spans, *more] if width_of([*spans, *more]) <= width else spans


def chosen(
    label: str, options: Sequence[str], now: str, was: str, lit: bool, width: int
) -> list[Span]:
    """The options with the chosen one in brackets; that one alone where they don't fit."""
    all_of_them = [label_of(label, lit), *marks.choices(options, now)]
    if width_of(all_of_them) > width:
        place = muted(f"  {options.index(now) + 1} of {len(options)}")
        all_of_them = if_room([label_of(label, lit), *marks.choices([now], now)], [place], width)
    return if_room(all_of_them, stored_as(was, now), width)
