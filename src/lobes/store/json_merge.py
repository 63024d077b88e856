"""One entry, or one item of a list, into a JSON file of somebody else's: every other byte stays.

The entry is written at its place in the text; then the whole is read again and compared. What isn't
plain JSON (comments, twins of keys) is refused, never guessed at.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

from lobes.domain.errors import Invalid
from lobes.domain.strict_json import loads_strict

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class _Member:
    key: str
    start: int
    end: int
    """Where its value stands."""


@dataclass(frozen=True, slots=True)
class _Table:
    start: int
    end: int
    """Where `{` stands, and behind `}`."""
    members: tuple[_Member, ...]

    def of(self, key: str) -> _Member | None:
        return next((one for one in self.members if one.key == key), None)


def merged(text: str, section: str, name: str, entry: dict[str, object]) -> str:
    """`text` with `entry` under `section` and `name`; "" counts as an empty file.

    Raises `Invalid` (`not_json`) for what is no plain JSON or has something else at that place.
    """
    if not text.strip():
        return json.dumps({section: {name: entry}}, indent=2) + "\n"
    before = _tables(text)
    wanted = {**before, section: {**_table_in(before, section), name: entry}}
    done = _spliced(text, section, name, entry)
    if loads_strict(done) != wanted:
        raise not_json()
    return done


def merged_item(
    text: str, section: str, name: str, item: object, *, is_ours: Callable[[object], bool]
) -> str:
    """`text` with `item` in the list under `section` and `name`: in the place of the one that is
    ours already, else at the end. Raises as `merged` does."""
    if not text.strip():
        return json.dumps({section: {name: [item]}}, indent=2) + "\n"
    before = _tables(text)
    table = _table_in(before, section)
    listed = table.get(name, [])
    if not isinstance(listed, list):
        raise not_json()
    items = cast("list[object]", listed)
    at = next((at for at, one in enumerate(items) if is_ours(one)), len(items))
    if items[at : at + 1] == [item]:
        return text
    wanted = {**before, section: {**table, name: [*items[:at], item, *items[at + 1 :]]}}
    done = _spliced_item(text, section, name, item, at)
    if loads_strict(done) != wanted:
        raise not_json()
    return done


def not_json() -> Invalid:
    return Invalid(
        "That file is no plain JSON, so it is left as it is.",
        hint="Add what is printed here by hand.",
        reason="not_json",
    )


def _tables(text: str) -> dict[str, object]:
    try:
        found = loads_strict(text)
    except ValueError as error:
        raise not_json() from error
    if not isinstance(found, dict):
        raise not_json()
    return cast("dict[str, object]", found)


def _table_in(document: dict[str, object], section: str) -> dict[str, object]:
    found = document.get(section, {})
    if not isinstance(found, dict):
        raise not_json()
    return cast("dict[str, object]", found)


def _spliced(text: str, section: str, name: str, entry: dict[str, object]) -> str:
    whole = _table(text, _BLANK.match(text).end())  # type: ignore[union-attr]
    step = _step(text, whole)
    at = whole.of(section)
    if at is None:
        return _added(text, whole, section, {name: entry}, step, depth=1)
    table = _table(text, at.start)
    there = table.of(name)
    if there is None:
        return _added(text, table, name, entry, step, depth=2)
    return text[: there.start] + _written(entry, step, depth=2) + text[there.end :]


def _spliced_item(text: str, section: str, name: str, item: object, place: int) -> str:
    whole = _table(text, _BLANK.match(text).end())  # type: ignore[union-attr]
    step = _step(text, whole)
    at = whole.of(section)
    if at is None:
        return _added(text, whole, section, {name: [item]}, step, depth=1)
    table = _table(text, at.start)
    there = table.of(name)
    if there is None:
        return _added(text, table, name, [item], step, depth=2)
    spans = _items(text, there.start)
    written = _written(item, step, depth=3)
    if place < len(spans):
        start, end = spans[place]
        return f"{text[:start]}{written}{text[end:]}"
    if spans:
        end = spans[-1][1]
        return f"{text[:end]},\n{step * 3}{written}{text[end:]}"
    inner = f"\n{step * 3}{written}\n{step * 2}"
    return f"{text[: there.start + 1]}{inner}{text[there.end - 1 :]}"


def _items(text: str, start: int) -> list[tuple[int, int]]:
    """Where the items of the list that begins at `start` stand; the strict reader has accepted
    it."""
    spans: list[tuple[int, int]] = []
    at = _skip(text, start + 1)
    while text[at] != "]":
        _, end = _DECODER.raw_decode(text, at)
        spans.append((at, end))
        at = _skip(text, end)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return spans


def _table(text: str, start: int) -> _Table:
    """The object that begins at `start`, which the strict reader has accepted before."""
    members: list[_Member] = []
    at = _skip(text, start + 1)
    while text[at] != "}":
        key, at = _DECODER.raw_decode(text, at)
        at = _skip(text, _skip(text, at) + 1)
        begin = at
        _, at = _DECODER.raw_decode(text, at)
        members.append(_Member(key, begin, at))
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
    return _Table(start, at + 1, tuple(members))


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found else at


def _step(text: str, whole: _Table) -> str:
    """One step of indentation as the file has it; two blanks where it has none."""
    found = re.match(r"\{\r?\n([ \t]+)", text[whole.start :])
    return found.group(1) if found else "  "


def _added(text: str, table: _Table, key: str, value: object, step: str, *, depth: int) -> str:
    member = f"{json.dumps(key)}: {_written(value, step, depth=depth)}"
    if not table.members:
        inner = f"\n{step * depth}{member}\n{step * (depth - 1)}"
        return f"{text[: table.start + 1]}{inner}{text[table.end - 1 :]}"
    last = table.members[-1].end
    return f"{text[:last]},\n{step * depth}{member}{text[last:]}"


def _written(value: object, step: str, *, depth: int) -> str:
    return json.dumps(value, indent=step).replace("\n", f"\n{step * depth}")
