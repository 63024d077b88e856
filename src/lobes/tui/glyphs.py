"""The glyph table: one cell each, an ASCII twin each, no two of a group alike.

Every Unicode glyph is in Fira Code and DejaVu Sans Mono and has no emoji variant. Most are of
ambiguous width in East Asian settings, so the switch to ASCII serves those terminals too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Choice = Literal["auto", "unicode", "ascii"]

GROUPS: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "lobe": {
        "open": ("○", "o"),
        "ask": ("◐", "?"),
        "closed": ("●", "x"),
        "private": ("■", "#"),
    },
    "kind": {"project": ("◆", "*"), "area": ("◇", "~"), "guest": ("◎", "&")},
    "reason": {
        "own": ("⌂", "."),
        "personal": ("~", "~"),
        "member": ("∈", "^"),
        "sibling": ("=", "="),
        "subscribed": ("←", "<"),
        "shared": ("◎", "&"),
        "once": ("1", "1"),
        "excluded": ("∅", "0"),
        "private": ("■", "#"),
        "ask": ("◐", "?"),
        "closed": ("●", "x"),
        "muted": ("–", "-"),
        "inactive": ("·", "z"),
        "not_linked": ("○", "o"),
        "no_access": ("×", "!"),
    },
    "sensitivity": {
        "public": ("▁", "1"),
        "internal": ("▃", "2"),
        "restricted": ("▅", "3"),
        "confidential": ("▇", "4"),
    },
    "memory": {
        "proposed": ("+", "+"),
        "active": ("✓", "v"),
        "disputed": ("≠", "!"),
        "superseded": ("»", ">"),
        "rejected": ("×", "x"),
        "archived": ("▤", "_"),
        "deleted": ("†", "d"),
        "near": ("≈", "%"),
    },
    "warning": {
        "stale": ("◷", "T"),
        "outside": ("↳", '"'),
        "hidden": ("▚", "@"),
        "masked": ("▒", "*"),
    },
    "ui": {
        "cursor": ("▌", ">"),
        "mark": ("∗", "/"),
        "cut": ("…", "."),
        "path": ("›", ">"),
        "rule": ("─", "-"),
        "border": ("│", "|"),
        "full": ("━", "="),
        "times": ("×", "x"),
        "arrow": ("→", ">"),
        "dot": ("·", ","),
    },
    "key": {
        "down": ("↓", "v"),
        "up": ("↑", "^"),
        "left": ("←", "<"),
        "right": ("→", ">"),
    },
    "change": {"added": ("+", "+"), "removed": ("−", "-"), "weaker": ("~", "~")},
}
"""Group → meaning → (Unicode, ASCII)."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The glyphs in force; `ascii` says which column of the table is drawn."""

    ascii: bool = False

    def of(self, group: str, meaning: str) -> str:
        """The glyph, or a blank for a meaning that the table doesn't know."""
        pair = GROUPS[group].get(meaning)
        return pair[self.ascii] if pair else " "

    def ui(self, meaning: str) -> str:
        return self.of("ui", meaning)


def as_choice(text: str) -> Choice:
    """The setting as a choice; anything unknown is `auto`."""
    if text == "unicode" or text == "ascii":
        return text
    return "auto"


def choose(choice: Choice, environ: Mapping[str, str]) -> Glyphs:
    """The glyphs for a terminal: ASCII for `TERM=linux` and for locales that aren't UTF-8.

    The locale is the first set one of LC_ALL, LC_CTYPE and LANG, as POSIX orders them.
    """
    if choice != "auto":
        return Glyphs(ascii=choice == "ascii")
    if environ.get("TERM") == "linux":
        return Glyphs(ascii=True)
    locale = next((environ[k] for k in ("LC_ALL", "LC_CTYPE", "LANG") if environ.get(k)), "")
    return Glyphs(ascii="utf-8" not in locale.lower() and "utf8" not in locale.lower())
