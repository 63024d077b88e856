"""Text between `<private>` and `</private>` is nobody's but its writer's: it is taken out before
anything of ours looks at the rest.

Where a tag is never closed, the rest is gone too; where one is closed that was never opened, what
stands before it is. Line breaks stay, so that places keep their numbers.
"""

from __future__ import annotations

import re

from lobes.domain.display import UNSEEN, has_unseen

_PRIVATE = re.compile(r"<\s{0,9}(/?)\s{0,9}private\b[^>]{0,200}>", re.IGNORECASE)


def without_private(text: str) -> tuple[str, int]:
    """The text without its private regions, and how many there were."""
    if "<" not in text:
        return text, 0
    # Characters nobody sees can hide a tag from us, not from the person who wrote it.
    seen = UNSEEN.sub("", text) if has_unseen(text) else text
    if "private" not in seen.lower():
        return text, 0
    return without_regions(seen, _PRIVATE, unopened=True) if _PRIVATE.search(seen) else (text, 0)


def without_regions(text: str, tags: re.Pattern[str], *, unopened: bool) -> tuple[str, int]:
    """The text without what stands between these tags, and how many regions there were. The first
    group of the pattern is `/` in a tag that closes.

    `unopened`: a tag that closes what was never opened takes all that stands before it along.
    """
    kept: list[str] = []
    count = level = place = lost = 0
    for tag in tags.finditer(text):
        closes = bool(tag[1])
        between = text[place : tag.start()]
        kept.append(_breaks(between) if level else between)
        if level == 0:
            count += 1
            if closes and unopened:
                lost = len(kept)
        level = max(0, level + (-1 if closes else 1))
        place = tag.end()
    kept.append(_breaks(text[place:]) if level else text[place:])
    return _breaks("".join(kept[:lost])) + "".join(kept[lost:]), count


def _breaks(text: str) -> str:
    return "\n" * text.count("\n")
