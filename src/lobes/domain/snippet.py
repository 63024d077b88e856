"""The part of a passage that shows why it was found."""

from __future__ import annotations

import re
from bisect import bisect_left

_WORD = re.compile(r"\w+")
_SHORTEST = 3


def snippet(text: str, query: str, *, limit: int = 240) -> str:
    """Up to `limit` characters of `text` on one line, around the densest run of query words."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    hits = _hits(flat, query)
    if not hits:
        return flat[:limit].rstrip() + "…"
    width = limit - 40
    densest = max(range(len(hits)), key=lambda n: bisect_left(hits, hits[n] + width) - n)
    begin = max(0, hits[densest] - 40)
    if begin:
        begin = flat.find(" ", begin) + 1 or begin
    cut = flat[begin : begin + limit].rstrip()
    return ("…" if begin else "") + cut + ("…" if begin + limit < len(flat) else "")


def _hits(flat: str, query: str) -> list[int]:
    """Where a word begins that begins with a word of the query, or that one begins with."""
    found = [word.casefold() for word in _WORD.findall(query[:1000]) if len(word) >= _SHORTEST]
    wanted = tuple(set(found))
    beginnings = {word[:end] for word in wanted for end in range(_SHORTEST, len(word) + 1)}
    return [
        at.start()
        for at in _WORD.finditer(flat)
        if (word := at.group().casefold()) in beginnings
        or (len(word) >= _SHORTEST and word.startswith(wanted))
    ]
