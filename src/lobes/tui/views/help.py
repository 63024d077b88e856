"""The keys that work in one place: in two columns, or the ones that were searched for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from lobes.keys.actions import NOT_NOW, Action, Scope
from lobes.keys.sheet import KeyGroup, KeyRow, groups, matching
from lobes.tui.paint import (
    BLANK,
    Line,
    Look,
    Span,
    fitted,
    muted,
    padded,
    spread,
    title,
    trimmed,
    width_of,
)

KEYS, LEFT, TWO_COLUMNS = 11, 34, 60
"""Cells of the keys, of the left column, and the width from which there are two."""


def keys(
    actions: Sequence[Action], scope: Scope, holds: Iterable[str], width: int, look: Look
) -> list[Line]:
    """What can be pressed now: acts and looks at the left, movement at the right."""
    now = [one for one in actions if one.when in set(holds)]
    found = groups(now, scope, look.keymap, ascii=look.glyphs.ascii)
    if width < TWO_COLUMNS:
        return _column(found, width, look)
    columns = [one for one in found if one.at_left], [one for one in found if one.at_left is False]
    if rest := [one for one in found if one.at_left is None]:
        min(columns, key=lambda one: sum(len(group.rows) + 2 for group in one)).extend(rest)
    left, right = _column(columns[0], LEFT, look), _column(columns[1], width - LEFT, look)
    return [
        (*padded(one, LEFT, look), *padded(other, width - LEFT, look))
        for one, other in zip_longest(left, right, fillvalue=BLANK)
    ]


def _column(found: Sequence[KeyGroup], width: int, look: Look) -> list[Line]:
    lines: list[Line] = []
    for group in found:
        lines += [BLANK] if lines else []
        lines.append((title(group.title),))
        lines += [_row(one, width, look) for one in group.rows]
    return lines


def _row(row: KeyRow, width: int, look: Look) -> Line:
    room = max(KEYS, len(row.keys) + 2)
    return (
        fitted(Span(row.keys, "accent"), room, look),
        fitted(muted(row.words), max(1, width - room - 1), look),
    )


def searched(
    actions: Sequence[Action], part: str, holds: Iterable[str], width: int, look: Look
) -> list[Line]:
    """The actions that were searched for, also those that can't be done now, with the reason."""
    able = set(holds)
    lines: list[Line] = []
    for action, row in matching(actions, part, look.keymap, ascii=look.glyphs.ascii):
        can = action.when in able
        why = [] if can else [muted(NOT_NOW[action.when])]
        keys = fitted(Span(row.keys, "accent" if can else "muted"), 16, look)
        words = Span(row.words, "foreground" if can else "muted")
        if width_of([keys, words, *why]) < width:
            lines.append(spread([keys, words], why, width, look))
        else:
            lines.append(trimmed([keys, words], width, look))
            lines += [spread([], why, width, look)] if why else []
    return lines or [(muted("No key does that here."),)]
