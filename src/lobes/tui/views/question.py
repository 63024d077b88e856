"""The one line at the bottom that asks: what about, then the keys that answer."""

from __future__ import annotations

from collections.abc import Sequence

from lobes.tui import cells
from lobes.tui.paint import Line, Look, Span, flowed, ink, padded
from lobes.tui.triage import Option


def lines(text: str, options: Sequence[Option], usual: str, width: int, look: Look) -> list[Line]:
    """As many lines as the answers need; at 80 cells six reasons need two."""
    said: list[list[Span]] = [[ink(text, bold=True)]]
    said += [_answer(one.key, one.label, look) for one in options]
    if usual and usual != "enter":
        said.append(_answer("enter", usual, look))
    said.append(_answer("esc", "no", look))
    room = max(1, width - 2)
    return [(Span(" "), *padded(line, room, look), Span(" ")) for line in flowed(said, room)]


def typing(text: str, width: int, look: Look) -> list[Line]:
    """While it is written in the field above."""
    said = [[ink(text, bold=True)], _answer("enter", "takes it", look), _answer("esc", "no", look)]
    room = max(1, width - 2)
    return [(Span(" "), *padded(line, room, look), Span(" ")) for line in flowed(said, room)]


def _answer(key: str, word: str, look: Look) -> list[Span]:
    label = ink(cells.cut(word, 24, mark=look.mark), "muted")
    return [Span(key, "accent", bold=True), Span(" "), label]
