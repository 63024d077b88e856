"""The keys that hold: the registry's, with those of `keys.toml` in the configuration folder.

A wrong entry is named and ignored; every other one counts, and no entry can take away the way out.
The file is only ever read, so what a person wrote beside the keys stays as it is.
"""

from __future__ import annotations

import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from lobes.domain.display import one_line
from lobes.keys.actions import ACTIONS, Action
from lobes.keys.faults import clashes
from lobes.keys.spelling import OF_FIELDS, is_text, key_text, parse_key

LARGEST = 65_536
"""Bytes of the file: a thousand times what every action with three keys takes."""

MOST = 100
"""Faults that are named; who has more has another file there."""

NEEDED = frozenset({"quit", "leave", "keys", "commands"})
"""Actions that keep a key, whatever the file says: the ways out, and the ways to find a way."""

OUT_OF_FIELDS = frozenset({"leave", "next_pane", "previous_pane"})
"""Actions that leave a field, so that a key of theirs must not be text."""

OVER_FIELDS = frozenset({"quit"})
"""Actions whose keys are taken before a field sees them."""

KEPT = {"ctrl+c": "ctrl+c copies and, pressed twice, quits"}
"""Keys that no action gets, and why."""


@dataclass(frozen=True, slots=True)
class KeyFault:
    """One thing that is wrong: `code` for programs, `message` and `hint` for people."""

    action: str
    code: str
    message: str
    hint: str = ""

    @property
    def sentence(self) -> str:
        return f"{self.message} {self.hint}".rstrip()


def _shipped() -> dict[str, tuple[str, ...]]:
    return {action.id: action.keys for action in ACTIONS}


@dataclass(frozen=True, slots=True)
class Keymap:
    """The keys of every action, the most wanted first. `remapped` are those that the file gave."""

    keys: Mapping[str, tuple[str, ...]] = field(default_factory=_shipped)
    remapped: frozenset[str] = frozenset()

    def of(self, action: str) -> tuple[str, ...]:
        return self.keys.get(action, ())

    def text(self, action: str, *, ascii: bool = False, wanted: str = "") -> str:
        """The first key as the screen writes it, or `wanted` where that is one; "" without any."""
        keys = self.of(action)
        key = wanted if wanted in keys else next(iter(keys), "")
        return key_text(key, ascii=ascii)


SHIPPED = Keymap()


@dataclass(frozen=True, slots=True)
class LoadedKeys:
    """The keys that hold, and what was wrong with the file."""

    keymap: Keymap
    faults: tuple[KeyFault, ...] = ()


def load_keys(path: Path) -> LoadedKeys:
    """The keys that hold with this file; without it, the registry's. Never raises."""
    try:
        text = _text(path)
    except FileNotFoundError:
        return LoadedKeys(SHIPPED)
    except UnicodeDecodeError:
        return _unread("bad_toml", "is not UTF-8")
    except OSError as error:
        return _unread("unreadable", f"can't be read ({one_line(error.strerror or 'no reason')})")
    if text is None:
        return _unread("too_large", f"is larger than {LARGEST // 1024} KiB")
    try:
        document = tomllib.loads(text)
    except RecursionError:
        return _unread("bad_toml", "is nested too deep")
    except ValueError as error:
        return _unread("bad_toml", f"is no TOML: {one_line(str(error), limit=120)}")
    return _taken(document)


def _text(path: Path) -> str | None:
    """The file, None when it is too large. A pipe or a device would never end, so it is no file."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(0, "it is no file")
        found = file.read(LARGEST + 1)
    return None if len(found) > LARGEST else found.decode("utf-8-sig")


def _unread(code: str, what: str) -> LoadedKeys:
    fault = KeyFault("", code, f"The file with your keys {what}.", "The keys of Lobes hold.")
    return LoadedKeys(SHIPPED, (fault,))


def _taken(document: Mapping[str, object]) -> LoadedKeys:
    faults = [
        KeyFault(
            "",
            "unknown_table",
            f"{one_line(name, limit=60)} is not read.",
            "Keys stand under [keys].",
        )
        for name in document
        if name != "keys"
    ]
    table = document.get("keys", {})
    if not isinstance(table, dict):
        faults.append(KeyFault("", "wrong_type", "keys must be a table.", "Begin it with [keys]."))
        return LoadedKeys(SHIPPED, tuple(faults))
    known = {action.id: action for action in ACTIONS}
    given: dict[str, tuple[str, ...]] = {}
    for name, value in cast("dict[str, object]", table).items():
        if len(faults) >= MOST:
            more = "There are more than can be named."
            return LoadedKeys(
                SHIPPED, (*faults, KeyFault("", "too_many", more, "No key is taken."))
            )
        found = _entry(known.get(name), name, value, known)
        if isinstance(found, KeyFault):
            faults.append(found)
        else:
            given[name] = found
    faults += _without_clashes(given)
    keymap = Keymap({**_shipped(), **given}, frozenset(given))
    return LoadedKeys(keymap, tuple(faults))


def _entry(
    action: Action | None, name: str, value: object, known: Mapping[str, Action]
) -> tuple[str, ...] | KeyFault:
    shown = one_line(name, limit=60)
    if action is None:
        return KeyFault(shown, "unknown_action", f"{shown} is no action.", _near(name, known))
    if action.fixed:
        message = f"{name} can't have other keys."
        return KeyFault(name, "fixed", message, "What answers a question has the same keys always.")
    written = [value] if isinstance(value, str) else value
    if not isinstance(written, list) or not all(
        isinstance(one, str) for one in cast("list[object]", written)
    ):
        return KeyFault(name, "wrong_type", f"{name} must be a key or a list of keys.")
    keys: list[str] = []
    for one in cast("list[str]", written):
        try:
            keys.append(parse_key(one))
        except ValueError as error:
            key = f'"{one_line(one, limit=40)}"'
            return KeyFault(name, "bad_key", f"{name}: {key} {error}.")
    keys = list(dict.fromkeys(keys))
    return _forbidden(name, keys) or tuple(keys)


def _forbidden(name: str, keys: list[str]) -> KeyFault | None:
    for key in keys:
        if key in KEPT:
            return KeyFault(name, "kept", f"{name} can't have {key}.", f"{KEPT[key]}.")
        if name in OVER_FIELDS and (is_text(key) or key in OF_FIELDS):
            hint = "It works everywhere, so it needs a key that no field takes."
            return KeyFault(name, "of_fields", f"{name} can't have {key}.", hint)
    if name in NEEDED and not keys:
        return KeyFault(name, "needed", f"{name} needs a key.", "There must be a way out.")
    if name in OUT_OF_FIELDS and all(is_text(key) or key in OF_FIELDS for key in keys):
        hint = "In a field its keys would be taken as text."
        return KeyFault(name, "of_fields", f"{name} needs another key too.", hint)
    return None


def _without_clashes(given: dict[str, tuple[str, ...]]) -> Iterator[KeyFault]:
    """Takes out of `given` what clashes, the later entry first, until nothing does."""
    order = {name: place for place, name in enumerate(given)}
    while True:
        pairs = clashes(ACTIONS, {**_shipped(), **given})
        found = next((pair for pair in pairs if pair[0] in given or pair[1] in given), None)
        if found is None:
            return
        one, other, key = found
        if order.get(other, -1) > order.get(one, -1):
            one, other = other, one
        del given[one]
        order[one] = -1
        yield KeyFault(one, "clash", f"{one} can't have {key}.", f"It is the key of {other}.")


def _near(name: str, known: Mapping[str, Action]) -> str:
    import difflib

    near = difflib.get_close_matches(name[:60], known, n=1)
    return f"Did you mean {near[0]}?" if near else "`lobes keys list` names them all."
