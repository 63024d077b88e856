"""Which names fit what was typed, best first: the beginning, a word, a part, then letters in order.

Letters in order are looked for only where little else fits, and scored only among the first few
hundred: over ten thousand names the scoring takes two seconds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

ENOUGH = 12
"""Matches from which on no letters in order are looked for."""

SCORED, LONGEST = 300, 200
"""How many names are scored, and the characters of one that count."""


def best(names: Sequence[str], notes: Sequence[str], part: str) -> list[int]:
    """Places of the names that fit, best first, else in their order. All texts are casefolded."""
    if not part:
        return list(range(len(names)))
    ranks: tuple[list[int], ...] = ([], [], [], [])
    for place, name in enumerate(names):
        at = name.find(part)
        if at == 0:
            ranks[0].append(place)
        elif at > 0 and f" {part}" in name:
            ranks[1].append(place)
        elif at > 0 and len(part) > 1:
            ranks[2].append(place)
        elif len(part) > 1 and part in notes[place]:
            ranks[3].append(place)
    found = [place for rank in ranks for place in rank]
    return found if len(found) >= ENOUGH or len(part) < 2 else found + _loose(names, part, found)


def _loose(names: Sequence[str], part: str, found: Sequence[int]) -> list[int]:
    from textual.fuzzy import Matcher

    pattern = re.compile(".*?".join(re.escape(char) for char in part[:20]))
    known = set(found)
    near: list[int] = []
    for place, name in enumerate(names):
        if place not in known and pattern.search(name[:LONGEST]):
            near.append(place)
            if len(near) == SCORED:
                break
    matcher = Matcher(part)
    scores = {place: matcher.match(names[place][:LONGEST]) for place in near}
    return sorted((one for one in near if scores[one] > 0), key=lambda one: -scores[one])
