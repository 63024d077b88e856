"""The keys of one place in the order of help: by group, the ones that belong together in a row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lobes.keys.actions import ALSO, GROUPS, PAGES, TITLES, TOGETHER, Action, Scope
from lobes.keys.keymap import Keymap
from lobes.keys.spelling import key_text

ROOM = 10
"""Cells for the keys of a row; the first one is shown whatever it takes."""

DECIDING = frozenset({"review", "lessons", "shares"})
"""Screens whose acts are decisions, and are called so."""


@dataclass(frozen=True, slots=True)
class KeyRow:
    """Keys and what they do. `why_not` says why they do nothing now."""

    keys: str
    words: str
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class KeyGroup:
    """A heading and its rows; `at_left` tells the column, None lets it go where there is room."""

    title: str
    rows: tuple[KeyRow, ...]
    at_left: bool | None


def groups(
    actions: Sequence[Action], scope: Scope, keymap: Keymap, *, ascii: bool = False
) -> list[KeyGroup]:
    """All groups that have a key. What is rarely wanted stands in the last one."""
    found: list[KeyGroup] = []
    cleared: set[str] = set()
    for group, title, at_left in GROUPS:
        members = [one for one in _sorted(actions, group) if one.id not in ALSO]
        if group == "Mark" and members:
            members += [replace(one, title="clear") for one in actions if one.id == "leave"]
            cleared = {"leave"}
        shown = "Decide" if group == "Do" and scope in DECIDING else title
        rows = _rows(members, scope, keymap, ascii)
        if rows:
            found.append(KeyGroup(shown.upper(), rows, at_left))
    also = _rows([one for one in actions if one.id in ALSO - cleared], scope, keymap, ascii)
    return [*found, KeyGroup("ALSO", also, None)] if also else found


def matching(
    actions: Sequence[Action], part: str, keymap: Keymap, *, ascii: bool = False
) -> list[tuple[Action, KeyRow]]:
    """The actions with `part` in their keys or words, each on a row of its own."""
    wanted = part.casefold().strip()
    found: list[tuple[Action, KeyRow]] = []
    for action in actions:
        keys = " ".join(key_text(key, ascii=ascii) for key in keymap.of(action.id))
        if keys and wanted in f"{keys} {action.title} {action.help}".casefold():
            found.append((action, KeyRow(keys, action.help)))
    return found


def _sorted(actions: Sequence[Action], group: str) -> list[Action]:
    """A screen's own first, as they stand in the registry; before them what reads their text."""
    members = [one for one in actions if one.group == group]
    first = {"why": 0, "uncover": 1}
    return sorted(members, key=lambda one: (first.get(one.id, 2), not one.screen))


def _rows(
    members: Sequence[Action], scope: Scope, keymap: Keymap, ascii: bool
) -> tuple[KeyRow, ...]:
    rows: list[KeyRow] = []
    ids = {one.id for one in members}
    done: set[str] = set()
    for action in members:
        if action.id in done:
            continue
        together, words = next(
            ((ids_, words) for ids_, words in TOGETHER if action.id in ids_), ((action.id,), "")
        )
        here = [one for one in together if one in ids]
        done.update(here)
        keys = joined([keymap.of(one) for one in here], ascii=ascii)
        words = words if len(here) > 1 else TITLES.get((scope, action.id), action.title)
        if keys:
            rows.append(KeyRow(keys, words))
    return tuple(rows)


def joined(keys: Sequence[Sequence[str]], *, ascii: bool = False) -> str:
    """The first keys of all, then the second ones while they fit: `j k ↓ ↑`, `ctrl+d u`."""
    if len(keys) == len(PAGES) and all(len(one) >= 1 and one[0].isdigit() for one in keys):
        return f"{keys[0][0]} {'..' if ascii else '…'} {keys[-1][0]}"
    shown = ""
    for place in range(max(map(len, keys), default=0)):
        line = shown
        last = ""
        for one in (keys_[place] for keys_ in keys if place < len(keys_)):
            modifier = one.rpartition("+")[0]
            same = modifier and modifier == last
            line += " " + key_text(one.rpartition("+")[2] if same else one, ascii=ascii)
            last = modifier
        if shown and len(line.strip()) > ROOM:
            break
        shown = line.strip()
    return shown
