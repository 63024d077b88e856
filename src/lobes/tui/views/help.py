"""The keys that work here, in two columns, made from the list of actions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from lobes.keys.actions import Action, Page, here, key_text
from lobes.tui.paint import BLANK, Line, Look, Span, fitted, muted, padded, title

_LEFT, _RIGHT = ("Do", "Look"), ("Move", "Go", "Lobes")


def keys(page: Page, width: int, look: Look) -> list[Line]:
    """What can be pressed on a screen: acts at the left, movement at the right."""
    half = width // 2
    found = here(page)
    left = _column(found, _LEFT, half, look)
    right = _column(found, _RIGHT, width - half, look)
    lines: list[Line] = []
    for one, other in zip_longest(left, right, fillvalue=BLANK):
        lines.append((*padded(one, half, look), *padded(other, width - half, look)))
    return lines


def _column(found: Sequence[Action], groups: Sequence[str], width: int, look: Look) -> list[Line]:
    lines: list[Line] = []
    for group in groups:
        members = [action for action in found if action.group == group]
        if not members:
            continue
        if lines:
            lines.append(BLANK)
        lines.append((title(group.upper()),))
        lines += [_line(action, width, look) for action in members if action.id[:3] != "go_"]
        if any(action.id[:3] == "go_" for action in members):
            lines.append((fitted(Span("1 to 7", "accent"), 12, look), muted("screens")))
    return lines


def _line(action: Action, width: int, look: Look) -> Line:
    shown = " ".join(key_text(key, ascii=look.glyphs.ascii) for key in action.keys)
    return (
        fitted(Span(shown, "accent"), 12, look),
        fitted(muted(action.title), max(1, width - 14), look),
    )
