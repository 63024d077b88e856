"""What a terminal app may send to its terminal, and what of its output is anything else.

The list is closed: it was read off a session on clean data, so a sequence that data brought along
is foreign even where a terminal would take it kindly.
"""

from __future__ import annotations

import re

_OURS = re.compile(
    rb"\x1b(?:"
    rb"\[[\d;]*m"  # colours and weights
    rb"|\[\d+;\d+H"  # the cursor to a place
    rb"|\[\?(?:7|25|1000|1003|1004|1006|1015|1049|2004|2026)[hl]"  # modes of the terminal
    rb"|\[\?20(?:26|48)\$p"  # does it know these modes?
    rb"|\[>\d+u|\[<u"  # how keys are reported
    rb"|\]22;(?:default|pointer|text)\x07"  # the shape of the mouse pointer
    rb")"
)
_SEQUENCE = re.compile(
    rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[PX^_][^\x1b]*(?:\x1b\\)?|.?)",
    re.DOTALL,
)
_HIDDEN = re.compile(
    "[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ufe00-\ufe0f\ufeff\ud800-\udfff\U000e0000-\U000e01ef]"
)


def foreign(raw: bytes) -> list[bytes]:
    """Every escape sequence that is not one of ours."""
    return _SEQUENCE.findall(_OURS.sub(b"", raw))


def hidden(raw: bytes) -> set[str]:
    """Characters outside of our sequences that a terminal obeys or doesn't draw.

    Raises `UnicodeDecodeError` where the output is no UTF-8: a raw C1 byte would be that.
    """
    return set(_HIDDEN.findall(_OURS.sub(b"", raw).decode("utf-8")))


def sets_a_title(raw: bytes) -> bool:
    """Whether the title of the window or of its icon was set, by any of the known ways."""
    return re.search(rb"\x1b\](?:0|1|2|l|L|I);|\x1b\[2[0-3](?:;\d+)*t|\x1bk", raw) is not None
