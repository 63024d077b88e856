"""Two texts line by line: what went, what came, with a little around it.

Never slow: the lines that both begin and end with are set aside first, and what is left is only
aligned where that is small; otherwise all of the old stands before all of the new.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

CONTEXT = 2
"""Unchanged lines shown on either side of a change."""

ALIGNED = 1_000_000
"""Pairs of lines that are still compared with each other: `SequenceMatcher` is quadratic."""

Sign = Literal["+", "-", " ", ""]


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line with its sign; without one it stands for lines that are left out."""

    sign: Sign
    text: str = ""


@dataclass(frozen=True, slots=True)
class LineDiff:
    """The difference, and how many lines came and went."""

    lines: tuple[DiffLine, ...]
    added: int
    removed: int


def line_diff(before: str, after: str) -> LineDiff:
    """What leads from one text to the other; no lines where they are the same."""
    old, new = before.split("\n"), after.split("\n")
    start = _same(old, new)
    end = _same(old[start:][::-1], new[start:][::-1])
    middle = list(_changes(old[start : len(old) - end], new[start : len(new) - end]))
    if not middle:
        return LineDiff((), 0, 0)
    above = [DiffLine(" ", one) for one in old[max(0, start - CONTEXT) : start]]
    below = [DiffLine(" ", one) for one in old[len(old) - end :][:CONTEXT]]
    return LineDiff(
        (*above, *middle, *below),
        sum(one.sign == "+" for one in middle),
        sum(one.sign == "-" for one in middle),
    )


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines both begin with."""
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


def _changes(old: Sequence[str], new: Sequence[str]) -> Iterator[DiffLine]:
    if len(old) * len(new) > ALIGNED:
        yield from (DiffLine("-", one) for one in old)
        yield from (DiffLine("+", one) for one in new)
        return
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    for tag, first, last, start, end in matcher.get_opcodes():
        if tag == "equal":
            yield from _between(old[first:last])
        else:
            yield from (DiffLine("-", one) for one in old[first:last])
            yield from (DiffLine("+", one) for one in new[start:end])


def _between(lines: Sequence[str]) -> Iterator[DiffLine]:
    """Unchanged lines between two changes: long runs are left out in the middle."""
    if len(lines) <= 2 * CONTEXT + 1:
        yield from (DiffLine(" ", one) for one in lines)
        return
    yield from (DiffLine(" ", one) for one in lines[:CONTEXT])
    yield DiffLine("")
    yield from (DiffLine(" ", one) for one in lines[-CONTEXT:])
