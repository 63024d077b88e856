"""The display gate: every string that is not a literal of ours passes it before a person sees it.

Textual and Rich let escape sequences, C1 controls and bidi controls through to the terminal
(measured on a pty), so a pack file could clear the screen, set the clipboard or forge a dialog.
Used by the TUI, the CLI, the logs and the MCP server alike.
"""

from __future__ import annotations

import unicodedata

MAX_CHARACTERS = 100_000
MAX_COMBINING = 4
_NOTICE = " … {} more characters"

# Blank but not of category Cf: Hangul fillers, the braille blank, Mongolian and Khmer fillers.
_BLANK_LETTERS = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\u034f")
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# By category: marks that enclose, such as U+0488, have the combining class 0 of a letter.
_MARKS = frozenset({"Mn", "Me"})


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
