"""Texts that a terminal would obey, hide, turn round or draw wider than it counts."""

from __future__ import annotations

from tests.e2e.emitted import foreign, hidden, sets_a_title
from tests.e2e.pty import Terminal

MARKUP = ["x [/b] y", "[/]", "[link=http://x", "[@click=app.quit]Approve[/]", '["a]b', "[b"]
ESCAPES = [
    "\x1b]52;c;eA==\x07",
    "\x1b]8;;javascript:x\x1b\\link\x1b]8;;\x1b\\",
    "\x1b[2J\x1b[1;1H\x1b[3A",
    "\x1b[38;2;1;2;3mred",
    "\x9b2J\x9d0;t\x9c",
    "\x1bP$q q\x1b\\\x1b_G\x1b\\",
    "\x1b]0;title\x07\x1b]2;title\x07\x1bkt\x1b\\",
    "\x1b[6n\x1b[21t\x1b[c\x05",
    "\x1b[?1049l\x1b[?1000h\x1bc",
    "approve\rDENY\x08\x08\x08",
]
UNSEEN = [
    "\u202egnp.exe\u2066x\u2069",
    "a\u200bb\u200cc\u200dd\ufeffe\u2060f",
    "tag\U000e0041\U000e0042\U000e007f",
    "a\ud800b\udfffc",
    "nul\x00x\u2028y\u2029z\x85",
    "one\r\ntwo\nthree",
]
WIDE = [
    "日本語の名前" * 12,
    "👨‍👩‍👧‍👦 family 🇨🇭🇨🇭 flag ❤️ 1️⃣",
    "e" + "\u0301" * 40 + "nd",
    "ｆｕｌｌ한국어ไทยक्षि" * 8,
    "👍🏽 👩🏽\u200d🚀 ﷺ ꧅ 𒐫",
    "╭──╮│ [ Keep it ] │╰──╯" * 4,
]
LONG = ["x" * 200_000, "\x1b[31m" * 40_000]
ALL = [*MARKUP, *ESCAPES, *UNSEEN, *WIDE, *LONG]
REVEALED = ("u{1b}", "u{9b}", "u{202e}", "u{200b}", "u{e0041}", "u{d800}", "u{0}", "u{d}", "[/]")


def harmless(terminal: Terminal) -> None:
    """Nothing of the data was obeyed, and nothing of it is hidden."""
    assert foreign(terminal.raw) == []
    assert hidden(terminal.raw) == set()
    assert not sets_a_title(terminal.raw)
