"""Hostile texts where persons and groups are shown: lists, dialogs, Lobe's form, matrix, record.

Ids are slugs; names of persons, groups and Spaces, tags, codes and sentences can say anything.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from tests.e2e.canary_world import TOKEN
from tests.e2e.emitted import hidden
from tests.e2e.payloads import ESCAPES, MARKUP, REVEALED, harmless
from tests.e2e.pty import Terminal

from shell import Shell, shell_on

BOX = "╭" + "─" * 8
"""The corner of a dialog; the texts hold a shorter one."""
HOLD = 0.5
"""Seconds that a dialog takes no key; and as long again until what was pressed has been painted."""


class Walk:
    """Presses keys and remembers every frame that followed."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.seen = ""

    def press(self, *keys: str) -> None:
        for key in keys:
            self.terminal.press(key)
            self.terminal.settle(0.05)
            self.seen += self.terminal.text()

    def open(self, *keys: str, until: str) -> None:
        self.press(*keys)
        self.terminal.until(until)
        self.terminal.hold_over(HOLD)
        self.seen += self.terminal.text()

    def command(self, words: str, *, until: str) -> None:
        self.open(":", until="Commands")
        self.press(words)
        self.open("enter", until=until)

    def end(self) -> None:
        """Nothing was obeyed, everything hidden was spelled out, and the app still answers."""
        self.terminal.press("ctrl+q")
        assert self.terminal.ended() == 0
        harmless(self.terminal)
        assert [mark for mark in REVEALED if mark not in self.seen] == []


def picks(walk: Walk, keys: Sequence[str], titles: Sequence[str]) -> None:
    """Each key opens a list or a dialog with this title; every row of it is passed."""
    for key, title in zip(keys, titles, strict=True):
        walk.open(key, until=title)
        walk.press("pagedown", "pagedown", "pageup", "down")
        walk.terminal.dismiss(BOX)


@pytest.mark.slow
def test_people_and_groups_let_no_escape_through(hostile: Terminal) -> None:
    """TE-04, 07, 09: the list, a person, a group, who is taken in and out, what removing does."""
    walk = Walk(hostile)
    hostile.until("documents")
    walk.command("people & gr", until="People & groups")
    for _ in range(3):
        walk.press("pagedown")
    walk.press("person_3")
    walk.open("enter", until="Groups:")
    hostile.dismiss(BOX)
    for right, title in ((0, ""), (1, "Take in"), (2, "Take out"), (3, "[ Keep it ]")):
        walk.command("people & gr", until="People & groups")
        walk.press("group_0")
        walk.open("enter", until="Members")
        walk.press("pagedown", "pagedown", "pagedown", "pagedown")
        if title:
            walk.press(*["right"] * right)
            walk.open("enter", until=title)
            walk.press("pagedown", "pagedown", "down")
        hostile.dismiss(BOX)
    walk.end()


@pytest.mark.slow
def test_the_form_of_who_sees_a_space_lets_no_escape_through(hostile: Terminal) -> None:
    """TE-04, 07, 12: named persons, void entries, roles, the group, the effect, the matrix."""
    walk = Walk(hostile)
    hostile.until("documents")
    walk.open("6", until="Seen by")
    picks(
        walk,
        ["p", "+", "X", "t", "M"],
        ["Who sees", "Add a source", "Never with", "Tags", "draw on"],
    )
    walk.press("G", *["k"] * 8, "w")
    hostile.dismiss(BOX)
    walk.open("V", until="Rights of")
    walk.open("enter", until="If you save")
    walk.press("tab", "pagedown", "pagedown", "enter", "pagedown", "esc")
    walk.open("ctrl+s", until="[ Save ]")
    walk.press("enter")
    hostile.dismiss(BOX)
    walk.end()


def test_the_record_in_full_lets_no_escape_through(hostile: Terminal) -> None:
    """TE-04: refusals, notices, the chain, who read what, at the size where all of them stand."""
    walk = Walk(hostile)
    hostile.until("documents")
    walk.open("7", until="Who")
    walk.press(*["j"] * 12, "enter", "pagedown", "pagedown", "esc", "p", "enter", "pagedown", "esc")
    walk.press("V", "tab", "pagedown", "f", "f", "f", "f", "f")
    walk.end()


@pytest.mark.slow
def test_problems_commands_and_the_code_let_no_escape_through(hostile: Terminal) -> None:
    """TE-04, 16: findings, why files are not read, a code that can't be had, names, files, tags."""
    walk = Walk(hostile)
    hostile.until("documents")
    walk.open("!", until="[ Close ]")
    walk.press(*["pagedown"] * 12)
    hostile.dismiss(BOX)
    walk.command("presence c", until="Presence code")
    walk.press(*["pagedown"] * 3)
    hostile.dismiss(BOX)
    for sign in ("@", "#"):
        walk.open(":", until="Commands")
        walk.press(sign, "pagedown", "pagedown", "pageup")
        hostile.dismiss(BOX)
    walk.open("\x06", until=BOX)
    walk.press("x", "pagedown", "pagedown")
    hostile.dismiss(BOX)
    walk.end()


ESCAPE = "".join(ESCAPES[:7]) + "\u202e[@click=app.quit]x[/]"
SPELLED = ("u{1b}", "u{202e}", "[@click=app.qui")


def written(home: Path) -> None:
    """What no service takes: rows that somebody wrote, or that an older version did."""
    with closing(sqlite3.connect(home / "data" / "lobes.db", timeout=10)) as store, store:
        store.execute("UPDATE person SET name = ?", (f"\u202e{MARKUP[3]}",))
        store.execute("UPDATE person_group SET name = ?", (ESCAPE,))
        store.execute("UPDATE space SET description = ?", (ESCAPE,))
        store.execute("INSERT INTO lobe_tag SELECT id, ? FROM space", (ESCAPE,))
        row = ("n1", "ada", "2026-01-02T03:04:05+00:00", ESCAPE, ESCAPE, ESCAPE, ESCAPE)
        store.execute("INSERT INTO notice VALUES (?, ?, ?, ?, ?, ?, ?, NULL)", row)


@pytest.fixture
def spoiled(tmp_path: Path) -> Iterator[Shell]:
    """A home with a group and a document set lower, and hostile texts in its rows."""
    with shell_on(tmp_path / "home") as shell:
        shell.json("init", "--presence", "off", "--user", "ada")
        shell.json("person", "add", "mei")
        shell.json("group", "add", "core", "--kind", "team")
        shell.json("group", "join", "core", "--person", "mei")
        root = Path(shell.json("space", "new", "prj_x", "--name", f"X {ESCAPES[2]}")["root"])
        (root / "keys.md").write_text(f"# Keys\n\ntoken = {TOKEN.format(word='zephyr')}\n")
        shell.json("index")
        document = shell.json("sensitivity", "list")["items"][0]["resource"]
        shell.json("sensitivity", "lower", document, "internal", "--reason", ESCAPES[4], "--yes")
        shell.json("permission", "grant", "space/prj_x", "viewer", "user:mei", "--yes")
        written(shell.folder)
        yield shell


@pytest.mark.slow
def test_no_row_of_the_store_reaches_the_terminal_with_an_escape(spoiled: Shell) -> None:
    """TE-04, 07: names, tags, notices and reasons as they may stand in a store, by real reads."""
    shown = Terminal(["-m", "lobes", "--home", str(spoiled.folder)], environ=spoiled.env)
    walk = Walk(shown)
    try:
        walk.open(until="prj_x")
        walk.command("people & gr", until="People & groups")
        walk.press("core")
        walk.open("enter", until="Members")
        shown.dismiss(BOX)
        walk.open("6", until="Seen by")
        picks(walk, ["p", "M"], ["Who sees", "draw on"])
        walk.open("7", until="Who")
        walk.press("j", "j", "enter", "esc", "p", "f", "f", "f", "f", "f")
        shown.press("ctrl+q")
        assert shown.ended() == 0
        harmless(shown)
        assert [mark for mark in SPELLED if mark not in walk.seen] == []
    finally:
        shown.close()


@pytest.mark.slow
def test_no_row_of_the_store_is_printed_with_an_escape(spoiled: Shell) -> None:
    """TE-04, case 3: the same rows by commands."""
    for words in (
        ("person", "list"),
        ("group", "list"),
        ("group", "show", "core"),
        ("space", "list"),
        ("lobe", "show", "prj_x"),
        ("permission", "show", "space/prj_x"),
        ("sensitivity", "list"),
        ("audit", "notices"),
        ("audit", "list"),
    ):
        ran = spoiled.run(*words)
        assert ran.code == 0, ran.err
        assert hidden(ran.out.encode()) == set(), words
