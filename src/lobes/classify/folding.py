"""A text as the detectors read it, and the way back: which characters of the original a hit is.

A secret that is split by characters nobody sees, or by a soft line break, or is spelled as
Markdown, HTML or a URL spell a sign, is one secret still.
"""

from __future__ import annotations

import html
import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from unicodedata import normalize
from urllib.parse import unquote

from lobes.domain.display import UNSEEN, has_unseen

_WIDE = "\uff0d\uff10-\uff19\uff1d\uff21-\uff3a\uff3f\uff41-\uff5a\U0001d400-\U0001d7ff"
# One class first, for by that a text is passed over six times as fast as by alternatives.
_SPELLED = re.compile(
    rf"[\\*~<&%{_WIDE}](?:"
    r"(?P<bare>(?<=\\)(?=[_=+.:~/-])|(?<=\w\*)\*{0,2}(?=\w)|(?<=\w~)~(?=\w)"
    r"|(?<=\w<)(?:wbr ?/?|!--[^<>]{0,80}--)>(?=\w))"
    rf"|(?<=&)\#?\w{{2,8}};|(?<=%)[2-7][0-9a-fA-F]|(?<=[{_WIDE}]))"
)
"""`bare` draws nothing; the others are another spelling of one sign of a token."""
_SOFT_BREAK = re.compile(r"(?<=\S)(?:(?:[ \t]*\\|=)?\r?\n[ \t>]*|\t+)(?=[^\s>])")
_HYPHENATED = re.compile(r"(?<=\w)[-\u2010]\r?\n[ \t>]*(?=\w)")


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
        return bool(self.cuts_in(start, end))

    def cuts_in(self, start: int, end: int) -> tuple[int, ...]:
        """The places behind `start` where something was taken out."""
        return self.cuts[bisect_right(self.cuts, start) : bisect_right(self.cuts, end - 1)]


def seen(text: str) -> Folded:
    """Without characters that are not drawn."""
    return _without(text, UNSEEN) if has_unseen(text) else Folded(text)


def plain(text: str) -> Folded:
    """With the signs of a token spelled in ASCII, and without the markup between them."""
    return _without(text, _SPELLED, _meant)


def _meant(found: re.Match[str]) -> str:
    if found["bare"] is not None:
        return ""
    sign = normalize("NFKC", unquote(html.unescape(found.group())))
    is_of_token = sign.isascii() and (sign.isalnum() or sign in "_-+=/.:~")
    return sign if len(sign) == 1 and is_of_token else found.group()


def joined(text: str) -> Folded:
    """Without the line breaks that Markdown draws as none, and without tabs."""
    return _without(text, _SOFT_BREAK)


def rejoined(text: str) -> Folded:
    """With the words whole that a line break and its hyphen divide."""
    return _without(text, _HYPHENATED)


def _without(
    text: str, pattern: re.Pattern[str], put: Callable[[re.Match[str]], str] = lambda _: ""
) -> Folded:
    """With `put`, which is no longer than what it stands for, where the pattern was."""
    parts: list[str] = []
    cuts: list[int] = []
    lost: list[int] = []
    begin = gone = 0
    for found in pattern.finditer(text):
        parts += (text[begin : found.start()], instead := put(found))
        gone += found.end() - found.start() - len(instead)
        cuts.append(found.end() - gone)
        lost.append(gone)
        begin = found.end()
    parts.append(text[begin:])
    return Folded("".join(parts), tuple(cuts), tuple(lost))
