"""Hostile text, judged by the bytes that reach a terminal, and by the cells a person then sees.

The cases of the terminal (TE) and the twenty cases of the terminal app, and where each is tested.
Files without a folder are in tests/tui.

| case | test |
| --- | --- |
| TE-01 markup on every screen, toast | here: every screen, real packs; test_hostile: every screen |
| TE-02 `[@click=…]` is shown, not bound | here: a click on it; test_hostile |
| TE-04 CSI, C1, DCS, APC, title, reports | here: every screen; test_hostile: the net |
| TE-05 CR and BS overwrite nothing | here: every screen; test_hostile |
| TE-06 hyperlinks | here: every screen (OSC 8 never leaves; nothing opens a link) |
| TE-07 bidi | here: every screen; tests/unit/domain/test_display |
| TE-04, 07, 09, 16 persons, groups, rights, matrix, record | test_hostile_people |
| TE-10 one-line caps | here: long lines; test_hostile: a megabyte |
| TE-11 surrogates, NUL, U+2028 | here: every screen; test_hostile; tests/cli |
| TE-12 an imitated dialog | here: the border; test_hostile: the gutter and the chrome |
| TE-14 small, no colour, dumb, resize | test_terminal_sizes, _kinds; test_too_small |
| TE-15 paste | here; test_paste; test_hostile: a megabyte |
| TE-16 hostile text in an exception | here: toast and problems; test_hostile |
| 1 markup in every field | TE-01 |
| 2 OSC 52, CSI, C1, bidi by bytes | here |
| 3 the same through the command line and the log | tests/cli/test_output, test_faults |
| 4 wide, joined, flags, combining: the border stays | here: the border |
| 5 NUL, surrogates, 200 KB line, CRLF names | here: real packs |
| 6 10,000 and 100,000 rows | test_listing; tests/bench/heartbeat, paint |
| 7 indexing 5,000 files while typing | tests/bench/heartbeat |
| 8 quit and signals during index and search | test_terminal_ends |
| 9 a stale answer | test_screens |
| 10 two quick enters, keys before mount | test_terminal_tour; test_keys_again |
| 11 a dialog opened twice | test_dialogs; test_terminal_tour |
| 12 resize storm, with a dialog | test_terminal_sizes |
| 13 no colour, 16 colours, light, ANSI, dumb, no tty, pipe | test_terminal_kinds; test_themes |
| 14 a broken, deleted, linked theme file | test_themes |
| 15 keymap faults | test_actions; test_keymap where there is one |
| 16 marks, filter, refresh, bulk | test_triage where there is one |
| 17 gone while open | test_live, test_screens |
| 18 the editor | test_editor, tests/e2e/test_terminal |
| 19 locked, full, missing, older | test_states; tests/integration/test_index_damage |
| 20 a second process writes | test_terminal_others |
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.e2e.homes import lobes
from tests.e2e.payloads import ALL, ESCAPES, MARKUP, REVEALED, UNSEEN, harmless
from tests.e2e.pty import Terminal

BORDER = 64


def bordered(terminal: Terminal, rows: Sequence[int], column: int = BORDER) -> None:
    """The line between the panes stands in its column on each of these rows."""
    terminal.until(lambda: {_cells(terminal, row)[column] for row in rows} == {"│"}, 5)


def _cells(terminal: Terminal, row: int) -> list[str]:
    return [terminal.screen.buffer[row][place].data for place in range(terminal.size[0])]


def test_no_screen_lets_an_escape_of_the_data_through(hostile: Terminal) -> None:
    """TE-01, 02, 04 to 07, 10 to 12, 16: each screen, picker, list, dialog, toast, problem."""
    seen = ""
    hostile.until("documents")
    for _ in range(len(ALL)):
        hostile.settle(0.05)
        seen += hostile.text()
        bordered(hostile, range(3, 39))
        hostile.press("j")
    for keys, title in (
        ("A", ""),
        ("!", "[ Close ]"),
        ("D", "[ Keep it ]"),
        (":", "Commands"),
        ("?", "Keys in Spaces"),
        ("ctrl+o", "Open a Space"),
    ):
        hostile.press(keys)
        hostile.until(title)
        hostile.settle()
        seen += hostile.text()
        if title:
            hostile.dismiss(title)
    hostile.press("2")
    hostile.until("›")
    hostile.paste("".join(ESCAPES[:7]) + "\x1b[200~q")
    hostile.until("Withheld")
    for key in ("down", "w", "w", "enter", "esc", "j", "j", "j", "esc"):
        hostile.press(key)
        hostile.settle(0.1)
        seen += hostile.text()
    bordered(hostile, range(5, 39))
    for key in ("6", "w", "w", "G"):
        hostile.press(key)
        hostile.settle(0.1)
        seen += hostile.text()
    bordered(hostile, range(3, 39), 66)
    for key in ("7", "j", "enter", "esc"):
        hostile.press(key)
        hostile.settle(0.1)
        seen += hostile.text()
    bordered(hostile, range(3, 39), 79)
    hostile.press("ctrl+q")
    assert hostile.ended() == 0
    harmless(hostile)
    assert [mark for mark in REVEALED if mark not in seen] == []


def test_markup_of_the_data_is_no_link_to_click(tmp_path: Path) -> None:
    """TE-02: a click on the words of a name chooses its row and does nothing else."""
    path = tmp_path / "texts.json"
    path.write_text(json.dumps(["plain", "[@click=app.quit]Approve[/]"]), encoding="ascii")
    terminal = Terminal(["-m", "tests.e2e.poisoned", str(path)], size=(120, 40))
    try:
        terminal.until("[@click=app.qui")
        row = next(n for n, line in enumerate(terminal.lines()) if "[@click=app.qui" in line[:40])
        for final in "Mm":
            terminal.press(f"\x1b[<0;10;{row + 1}{final}")
        terminal.until(lambda: terminal.lines()[row].startswith("▌"))
        terminal.press("?")
        terminal.until("Keys in Spaces")
        terminal.dismiss("Keys in Spaces")
        terminal.press("ctrl+q")
        assert terminal.ended() == 0
        harmless(terminal)
    finally:
        terminal.close()


def test_a_paste_with_escapes_presses_no_key(tmp_path: Path) -> None:
    """TE-15: in a list, where `D`, `A` and `q` would act, and in the question."""
    path = tmp_path / "texts.json"
    path.write_text(json.dumps(["plain", "other"]), encoding="ascii")
    terminal = Terminal(["-m", "tests.e2e.poisoned", str(path)], size=(120, 40))
    try:
        terminal.until("plain ──")
        terminal.settle(0.3)
        before = terminal.lines()
        terminal.paste("\x1b]0;DAq\x07\x1bD\x1b[200~q\x1bq\x1b[Zq\x1bOPq")
        terminal.settle(0.5)
        assert terminal.lines() == before
        terminal.press("2")
        terminal.until("›")
        terminal.paste("one\x1b[3~\x1b]0;qD\x07two")
        terminal.until("one[3~")
        terminal.press("ctrl+q")
        assert terminal.ended() == 0
    finally:
        terminal.close()


NAMES = (
    b"a\x1b[2Jb.md",
    "c\u202egnp.md".encode(),
    b"crlf\r\nx.md",
    b"bad\xff.md",
    "tag\U000e0041.md".encode(),
    "zw\u200bx.md".encode(),
    "日本語.md".encode(),
    ("e" + "\u0301" * 9 + ".md").encode(),
    "👨\u200d👩\u200d👧 🇨🇭.md".encode(),
    b"[@click=app.quit]x.md",
)
BODIES = (
    "".join(ESCAPES),
    " ".join(MARKUP),
    "".join(one for one in UNSEEN if "\ud800" not in one and "\x00" not in one),
    "word " * 40_000,
    "surrogate \ud800 in bytes",
    "nul \x00 here",
)


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_no_pack_reaches_the_terminal_with_an_escape(tmp_path: Path, size: tuple[int, int]) -> None:
    """TE-04, TE-11, and names that are no UTF-8, CRLF, tags: by files, services, index, search."""
    home, folder = tmp_path / "home", tmp_path / "ev\x1b[2Jil \u202e"
    folder.mkdir()
    name = json.dumps(f"Evil {ESCAPES[2]} {MARKUP[3]} \u202e")
    (folder / "space.yaml").write_text(f"id: prj_evil\ntype: project\nname: {name}\n")
    for place, raw in enumerate(NAMES):
        text = f"# Head {ESCAPES[0]} {place}\n\n{BODIES[place % len(BODIES)]}\n"
        path = os.path.join(os.fsencode(folder), raw)
        Path(os.fsdecode(path)).write_bytes(text.encode("utf-8", "surrogatepass"))
    lobes(home, "init", "--user", "ada")
    lobes(home, "space", "add", str(folder), "--yes")
    lobes(home, "index")
    shown = Terminal(["-m", "lobes", "--home", str(home)], size=size)
    seen = ""
    try:
        shown.until("u{1b}")
        for keys in ("I", "?", "ctrl+o", ":", "D", "A", "z"):
            shown.press(keys)
            shown.settle(0.5)
            seen += shown.text()
            if "╭" in shown.text():
                shown.dismiss("╭")
        shown.until(lambda: shown.lines()[4].startswith("▌◆ Evil"))
        shown.press("2")
        shown.until("›")
        shown.paste(f"head {ESCAPES[6]} word")
        shown.until("⌂ own")
        for key in ("down", "w", "w", "j", "j", "enter", "esc", "esc", "6", "w", "7", "j", "enter"):
            shown.press(key)
            shown.settle(0.3)
            seen += shown.text()
        shown.press("ctrl+q")
        assert shown.ended() == 0
        harmless(shown)
        assert [mark for mark in ("u{1b}", "u{202e}", "[@click=app.") if mark not in seen] == []
    finally:
        shown.close()
        lobes(home, "engine", "stop")
