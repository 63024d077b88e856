"""What must not reach anything of ours is taken out first: private regions, and context that a tool
put there by itself.

A region is gone before a statement is cut, hashed or shown. Where a tag is never closed, the rest
is gone too; where a private one is closed that was never opened, what stands before it is. Line
breaks stay, so that places keep their numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PRIVATE = re.compile(r"<\s{0,9}(/?)\s{0,9}private\b[^>]{0,200}>", re.IGNORECASE)
_RECALLED = re.compile(
    r"(?<!`)<\s{0,9}(/?)\s{0,9}(?:[a-z]{1,20}[-_]){0,3}(?:"
    r"system[-_]?reminder|system[-_]?prompt|system[-_]?message|environment[-_](?:details|context)"
    r"|(?:recalled?|retrieved|relevant|injected|user|past|previous|long[-_]?term|saved)"
    r"[-_]?(?:memory|memories|context)|recall|memory[-_]?context|memories|claude[-_]mem[-_]context"
    r"|lobes[-_]context|local[-_]command[-_]\w+|command[-_](?:name|message|args)|ide[-_]\w+"
    r")\b[^>]{0,200}>",
    re.IGNORECASE,
)
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """The text that is left, and how many regions of each sort went."""

    text: str
    private: int = 0
    recalled: int = 0


def cleaned(text: str) -> Cleaned:
    """The text without those regions, without NUL, and with lone surrogates as U+FFFD."""
    if not text.isascii():
        text = _SURROGATE.sub("\ufffd", text)
    if "\0" in text:
        text = text.replace("\0", "")
    if "<" not in text:
        return Cleaned(text)
    private = recalled = 0
    if "private" in _UNSEEN.sub("", text).lower():
        text, private = _without(_visible_tags(text), _PRIVATE, is_private=True)
    if _RECALLED.search(text):
        text, recalled = _without(text, _RECALLED, is_private=False)
    return Cleaned(text, private, recalled)


def _visible_tags(text: str) -> str:
    """Characters nobody sees can hide a tag from us, not from the person who wrote it."""
    return text if text.isascii() else _UNSEEN.sub("", text)


def _without(text: str, tags: re.Pattern[str], *, is_private: bool) -> tuple[str, int]:
    kept: list[str] = []
    count = level = place = lost = 0
    for tag in tags.finditer(text):
        closes = bool(tag[1])
        between = text[place : tag.start()]
        kept.append(_breaks(between) if level else between)
        if level == 0:
            count += 1
            if closes and is_private:
                lost = len(kept)
        level = max(0, level + (-1 if closes else 1))
        place = tag.end()
    kept.append(_breaks(text[place:]) if level else text[place:])
    return _breaks("".join(kept[:lost])) + "".join(kept[lost:]), count


def _breaks(text: str) -> str:
    return "\n" * text.count("\n")
