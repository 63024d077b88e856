"""The display gate: every string that is not a literal of ours passes it before a person sees it.

Textual and Rich let escape sequences, C1 controls and bidi controls through to the terminal
(measured on a pty), so a pack file could clear the screen, set the clipboard or forge a dialog.
Used by the TUI, the CLI, the logs and the MCP server alike.
"""

from __future__ import annotations

import re
import unicodedata

MAX_CHARACTERS = 100_000
MAX_COMBINING = 4
_NOTICE = " … {} more characters"

# Blank but not of category Cf: Hangul fillers, the braille blank, Mongolian and Khmer fillers.
_BLANK_LETTERS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f")
# Written out: to ask for the category of each character of a text takes a hundred times as long.
UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891"
    "\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164"
    "\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff]+"
)
"""Runs of hidden characters but tabs and the ends of lines: what such a run splits is one word to
whoever reads it."""
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# By category: marks that enclose, such as U+0488, have the combining class 0 of a letter.
_MARKS = frozenset({"Mn", "Me"})


_UNSEEN_ASCII = bytes({*range(0x20), 0x7F} - set(b"\t\n\r"))


def has_unseen(text: str) -> bool:
    """Whether `UNSEEN` stands anywhere in it; 1 ms for a megabyte of ASCII."""
    if not text.isascii():
        return UNSEEN.search(text) is not None
    data = text.encode()
    return len(data.translate(None, _UNSEEN_ASCII)) != len(data)


def is_hidden(char: str) -> bool:
    """Whether a terminal would not draw this character, or would obey it."""
    if " " <= char <= "~":
        return False
    if char in _BLANK_LETTERS or "\ufe00" <= char <= "\ufe0f" or char >= "\U000e0000":
        return True
    return unicodedata.category(char) in _HIDDEN_CATEGORIES


def display_text(text: str, *, lines: bool = False, limit: int = MAX_CHARACTERS) -> str:
    """`text` as it can be drawn: total, idempotent, encodable as UTF-8.

    Hidden characters become a visible `\\u{202e}`; tabs become spaces; at most four combining
    marks in a row stay. With `lines`, newlines stay and CRLF counts as one; otherwise they are
    hidden characters too. The result has at most `limit` characters: what goes beyond is cut and
    counted.
    """
    if lines:
        text = text.replace("\r\n", "\n")
    taken = text[:limit]
    if taken.isascii() and taken.isprintable():
        shown = taken
    else:
        shown = _spelled(taken, lines=lines)
    if len(text) <= limit and len(shown) <= limit:
        return shown
    kept = max(0, limit - len(_NOTICE) - 10)
    return f"{shown[:kept]}{_NOTICE.format(max(1, len(text) - kept))}"[:limit]


def one_line(text: str, *, limit: int = 200) -> str:
    """`text` on one line for a list row, a toast or a log line; white space runs are one blank.

    What goes beyond `limit` characters is cut, with `…` at its end.
    """
    shown = display_text(" ".join(text[: limit * 4].split()))
    if len(shown) <= limit and len(text) <= limit * 4:
        return shown
    return shown[: limit - 1].rstrip() + "…"


def _spelled(text: str, *, lines: bool) -> str:
    out: list[str] = []
    marks = 0
    for char in text:
        if " " <= char <= "~" or (char == "\n" and lines):
            out.append(char)
            marks = 0
        elif char == "\t":
            out.append("    ")
            marks = 0
        elif is_hidden(char):
            out.append(f"\\u{{{ord(char):x}}}")
            marks = 0
        else:
            marks = marks + 1 if _is_mark(char) else 0
            if marks <= MAX_COMBINING:
                out.append(char)
    return "".join(out)


def _is_mark(char: str) -> bool:
    return unicodedata.category(char) in _MARKS or unicodedata.combining(char) > 0
