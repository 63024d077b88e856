"""What must not reach anything of ours is taken out first: private regions, and context that a tool
put there by itself.

A region is gone before a statement is cut, hashed or shown (`domain.regions`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lobes.domain.regions import without_private, without_regions

_RECALLED = re.compile(
    r"(?<!`)<\s{0,9}(/?)\s{0,9}(?:[a-z]{1,20}[-_]){0,3}(?:"
    r"system[-_]?reminder|system[-_]?prompt|system[-_]?message|environment[-_](?:details|context)"
    r"|(?:recalled?|retrieved|relevant|injected|user|past|previous|long[-_]?term|saved)"
    r"[-_]?(?:memory|memories|context)|recall(?:ed)?|memory[-_]?context|memories|claude[-_]mem[-_]context"
    r"|lobes[-_]context|local[-_]command[-_]\w+|command[-_](?:name|message|args)|ide[-_]\w+"
    r")\b[^>]{0,200}>",
    re.IGNORECASE,
)
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
    text, private = without_private(text)
    recalled = 0
    if _RECALLED.search(text):
        text, recalled = without_regions(text, _RECALLED, unopened=False)
    return Cleaned(text, private, recalled)
