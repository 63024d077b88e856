"""The list of a triage: what waits, one or two lines a row, in the same columns for every use."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, NamedTuple

from rich.cells import cell_len

from lobes.tui import cells
from lobes.tui.paint import (
    BLANK,
    Line,
    Look,
    Span,
    fitted,
    heading,
    ink,
    muted,
    padded,
    paragraph,
    spread,
    title,
    trimmed,
    width_of,
)
from lobes.tui.triage import D

TEXT_MIN = 16
FLAG, WHERE, AGE = 15, 8, 6


@dataclass(frozen=True, slots=True)
class Row:
    """What a row says. `flag` is its glyph and its word; `by` stands where there are two lines."""

    glyph: Span
    text: str
    flag: tuple[Span, ...] = ()
    where: str = ""
    by: str = ""
    at: datetime | None = None


class Entry(NamedTuple, Generic[D]):
    """An item in the list, or a group's heading or the blank above it (both without an id)."""

    id: str
    item: D | None = None
    group: str = ""
    number: int = 0


def entries(items: Sequence[D], group: Callable[[D], str] | None) -> list[Entry[D]]:
    """The rows under the headings of their groups, in the order in which these first appear.

    The first heading stands in the head, which never scrolls away.
    """
    if group is None:
        return [Entry(item.id, item) for item in items]
    members: dict[str, list[D]] = {}
    for item in items:
        members.setdefault(group(item), []).append(item)
    out: list[Entry[D]] = []
    for name, inside in members.items():
        if out:
            out += [Entry(""), Entry("", group=name, number=len(inside))]
        out += [Entry(item.id, item) for item in inside]
    return out


def group_line(entry: Entry[D], width: int, look: Look) -> list[Line]:
    if not entry.group:
        return [BLANK]
    return [heading([title(entry.group)], [muted(f"{entry.number:,}")], width, look)]


@dataclass(frozen=True, slots=True)
class _Columns:
    text: int
    flag: int
    place: int
    where: bool


def columns(width: int) -> _Columns:
    """Age goes first, then the Space, then the flag's word to its glyph; the text never whole."""
    for flag, place, where in (
        (FLAG, WHERE + AGE, True),
        (FLAG, WHERE, True),
        (FLAG, 0, False),
        (2, 0, False),
    ):
        text = width - 2 - flag - place
        if text - 1 >= TEXT_MIN:
            return _Columns(text, flag, place, where)
    return _Columns(max(0, width - 2), 0, 0, False)


def row(one: Row, width: int, lit: bool, look: Look, *, two: bool) -> list[Line]:
    text = ink(one.text, bold=lit)
    if two:
        return _two_lines(one, text, width, look)
    at = columns(width)
    spans = [one.glyph, Span(" "), fitted(text, max(0, at.text - 1), look), Span(" ")]
    if at.flag:
        flag = one.flag if at.flag == FLAG else one.flag[:1]
        spans.extend(padded(trimmed(flag, at.flag - 1, look), at.flag, look))
    if at.place:
        spans.extend(_place(one, at, look))
    return [padded(spans, width, look)]


def _place(one: Row, at: _Columns, look: Look) -> list[Span]:
    """Where it waits and since when: the age is whole, the name gives way."""
    age = look.age(one.at) if at.place > WHERE else ""
    room = at.place - (max(AGE - 1, cell_len(age)) + 1 if age else 0)
    name = fitted(ink(one.where), min(room, at.place), look)
    return [name, Span(cells.right(age, at.place - room), "muted")] if age else [name]


def _two_lines(one: Row, text: Span, width: int, look: Look) -> list[Line]:
    where = [Span("  "), muted(one.where), Span("  "), muted(one.by)]
    age = Span(cells.right(look.age(one.at), AGE + 1), "muted")
    end = [*one.flag, age]
    end = end if width_of(end) < width else [age]
    first = (one.glyph, Span(" "), fitted(text, max(0, width - 2), look))
    return [padded(one, width, look) for one in (first, spread(where, end, width, look))]


def head(
    name: str, place: int, total: int, order: str, held: int, width: int, look: Look, *, lit: bool
) -> Line:
    """`Waiting ─── 1 of 12 · newest first`, or that new ones came: `3 new, ctrl+r`."""
    if held:
        key = Span(look.key("look_again"), "accent", bold=True, action="look_again")
        facts = [ink(f"{held:,} new, ", "warning"), key]
    elif not total:
        facts = [muted("0")]
    else:
        facts = [muted(f"{place:,} of {total:,}{f' · {order}' if order else ''}")]
    return heading([title(name)], facts, width, look, focused=lit)


@dataclass(frozen=True, slots=True)
class Counter:
    """A line of the empty state: what became of what came in. `inner` ones belong to the above."""

    label: str
    number: int
    inner: bool = False


def nothing(
    words: Sequence[str],
    counters: Iterable[Counter],
    acts: Sequence[tuple[str, str]],
    width: int,
    look: Look,
) -> list[Line]:
    """The empty state: what this is, why it is empty, with counts, and the keys of the next acts,
    each with a word for what it does."""
    lines: list[Line] = [BLANK]
    for one in words:
        lines += [*paragraph(one, width), BLANK]
    room = min(width, 50)
    for counter in counters:
        label = f"{'  ' if counter.inner else ''}{counter.label}"
        lines.append(spread([muted(label)], [Span(f"{counter.number:,}")], room, look))
    hints: list[Span] = []
    for action, word in acts:
        if key := look.key(action):
            hints += [Span(key, "accent", bold=True, action=action), muted(f" {word}"), Span("   ")]
    return [*lines, BLANK, trimmed(hints[:-1], width, look)]
