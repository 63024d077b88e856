"""The part of a passage that shows why it was found."""

from __future__ import annotations

import re

_WORD = re.compile(r"\w+")


def snippet(text: str, query: str, *, limit: int = 240) -> str:
    """Up to `limit` characters of `text` on one line, around the densest run of query words."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    wanted = {word.casefold() for word in _WORD.findall(query[:1000]) if len(word) > 2}
    hits = [
        found.start() for found in _WORD.finditer(flat) if _meets(found.group().casefold(), wanted)
    ]
    if not hits:
        return flat[:limit].rstrip() + "…"
    best = max(hits, key=lambda start: sum(1 for hit in hits if start <= hit < start + limit - 40))
    begin = max(0, best - 40)
    if begin:
        begin = flat.find(" ", begin) + 1 or begin
    cut = flat[begin : begin + limit].rstrip()
    return ("…" if begin else "") + cut + ("…" if begin + limit < len(flat) else "")


def _meets(word: str, wanted: set[str]) -> bool:
    return any(word.startswith(one) or one.startswith(word) for one in wanted if len(word) > 2)
