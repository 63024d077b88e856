"""A text as the detectors read it, and the way back: which characters of the original a hit is.

A secret that is split by characters nobody sees, or by a soft line break, is one secret still.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from lobes.domain.display import UNSEEN, has_unseen

_SOFT_BREAK = re.compile(r"(?<=\S)(?:[ \t]*\\|=)?\r?\n[ \t>]*(?=[^\s>])")


@dataclass(frozen=True, slots=True)
class Folded:
    """`text` without what was taken out; `cuts` are places in it, `lost` what is gone by then."""

    text: str
    cuts: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """The same characters in the original, with what was taken out between them."""
        return start + self._before(start), end - 1 + self._before(end - 1) + 1

    def _before(self, place: int) -> int:
        found = bisect_right(self.cuts, place)
        return self.lost[found - 1] if found else 0

    def bridges(self, start: int, end: int) -> bool:
        """Whether something was taken out inside."""
        return bisect_right(self.cuts, start) < bisect_right(self.cuts, end - 1)


def seen(text: str) -> Folded:
    """Without characters that are not drawn."""
    return _without(text, UNSEEN) if has_unseen(text) else Folded(text)


def joined(text: str) -> Folded:
    """Without the line breaks that Markdown draws as none."""
    return _without(text, _SOFT_BREAK)


def _without(text: str, pattern: re.Pattern[str]) -> Folded:
    parts: list[str] = []
    cuts: list[int] = []
    lost: list[int] = []
    begin = gone = 0
    for found in pattern.finditer(text):
        parts.append(text[begin : found.start()])
        gone += found.end() - found.start()
        cuts.append(found.end() - gone)
        lost.append(gone)
        begin = found.end()
    parts.append(text[begin:])
    return Folded("".join(parts), tuple(cuts), tuple(lost))
