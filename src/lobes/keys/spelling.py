"""How a key is written: in the file that gives other keys, in the registry, and on the screen.

One key has one spelling: a sign stands for itself (`+`, `G`), all others have a name (`escape`),
and modifiers come before it in the order of the alphabet (`alt+ctrl+left`).
"""

from __future__ import annotations

MODIFIERS = frozenset({"ctrl", "alt", "shift", "super", "hyper", "meta"})
NAMES = frozenset(
    {
        *("enter", "escape", "tab", "space", "backspace", "delete", "insert", "home", "end"),
        *("pageup", "pagedown", "up", "down", "left", "right"),
        *(f"f{number}" for number in range(1, 25)),
    }
)
ALIASES = {
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "plus": "+",
    "minus": "-",
    "comma": ",",
    "colon": ":",
    "semicolon": ";",
    "slash": "/",
    "backslash": "\\",
    "question_mark": "?",
    "exclamation_mark": "!",
    "asterisk": "*",
    "full_stop": ".",
    "number_sign": "#",
    "at": "@",
    "underscore": "_",
}
SAME_IN_A_TERMINAL = {
    "ctrl+i": "tab",
    "ctrl+m": "enter",
    "ctrl+[": "escape",
    "ctrl+h": "backspace",
}
"""Control characters have no other name on the wire."""

OF_FIELDS = frozenset(
    {
        *("enter", "backspace", "delete", "left", "right", "home", "end"),
        *(f"ctrl+{letter}" for letter in "acdekuvwx"),
        *(f"{with_}+{way}" for with_ in ("ctrl", "shift") for way in ("left", "right")),
        *("ctrl+shift+left", "ctrl+shift+right", "ctrl+shift+a", "shift+home", "shift+end"),
        *("ctrl+backspace", "alt+backspace", "super+backspace", "super+c"),
    }
)
"""Keys that a field takes for itself. A test compares this with Textual's own list."""

_SHOWN = {"escape": "esc", "pagedown": "pgdn", "pageup": "pgup"}
_ARROWS = {"down": "↓", "up": "↑", "left": "←", "right": "→"}


def key_text(key: str, *, ascii: bool = False) -> str:
    """A key as the key line and help write it."""
    if ascii:
        return _SHOWN.get(key, key)
    return _ARROWS.get(key) or _SHOWN.get(key, key)


def is_text(key: str) -> bool:
    """Whether a field takes the key as a letter."""
    return len(key) == 1 or key == "space"


def parse_key(written: str) -> str:
    """The one spelling of a key; `ValueError` with what is wrong, as the end of a sentence."""
    if len(written) == 1 and written != " ":
        if written.isprintable():
            return written
        raise ValueError("is no key")
    *modifiers, last = written.split("+")
    if not written or not last or not all(modifiers):
        raise ValueError("lacks a key" if written else "is empty")
    known = {one.lower() for one in modifiers}
    if odd := sorted(known - MODIFIERS):
        raise ValueError(f"begins with {odd[0]}, which is no modifier")
    if len(known) < len(modifiers):
        raise ValueError("names a modifier twice")
    return _whole(known, _base(last))


def _base(name: str) -> str:
    if len(name) == 1 and name.isprintable() and name != " ":
        return name
    lower = name.lower()
    base = ALIASES.get(lower, lower)
    if base in NAMES or lower in ALIASES:
        return base
    raise ValueError("is no key")


def _whole(modifiers: set[str], base: str) -> str:
    if base.isalpha() and len(base) == 1:
        if modifiers == {"shift"}:
            return base.upper()
        if modifiers and base.isupper():
            modifiers, base = modifiers | {"shift"}, base.lower()
    elif len(base) == 1 and "shift" in modifiers:
        raise ValueError("is written by the sign that shift makes")
    key = "+".join((*sorted(modifiers), base))
    if (same := SAME_IN_A_TERMINAL.get(key)) is not None:
        raise ValueError(f"is {same} in a terminal")
    return key
