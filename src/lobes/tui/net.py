"""The net under the display gate: no control character reaches the terminal, whatever forgot it.

Controls are deleted, not replaced: they are zero cells wide to Rich, so a substitute would make
the row grow and push the frame apart. On a terminal that shows ASCII only, signs that stand in
sentences become their twins of the same width, in our words and in those of files alike.
"""

from __future__ import annotations

import re

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_CONTROLS = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)

_TWINS = str.maketrans(
    {"–": "-", "—": "-", "−": "-", "·": "-", "…": ".", "×": "x", "→": ">", "‘": "'", "’": "'"}
    # The ends of a scroll bar's thumb; the rest of it is a ground colour.
    | dict.fromkeys("▁▂▃▄▅▆▇█", " ")
)


class ControlNet(LineFilter):
    """Deletes C0, C1, bidi controls, tags, line separators and lone surrogates from every line."""

    ascii = False
    """Whether the terminal shows no other signs than ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        if self.ascii:
            segments = [
                one if one.text.isascii() else Segment(one.text.translate(_TWINS), one.style)
                for one in segments
            ]
        if all(one.control or _is_clean(one.text) for one in segments):
            return segments
        return [
            one if one.control else Segment(_CONTROLS.sub("", one.text), one.style)
            for one in segments
        ]


def _is_clean(text: str) -> bool:
    if text.isascii():
        return text.isprintable()
    return _CONTROLS.search(text) is None
