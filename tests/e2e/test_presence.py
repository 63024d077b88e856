"""What only a person may do, on the command line: a terminal and the code that the app shows."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.e2e.pty import Terminal

from lobes.cli.terminal import terminal_here
from shell import Shell, shell_on

ACT = ("lobe", "set", "prj_a", "--private")
ASKS = b"Code or passphrase:"


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Shell]:
    """A home that asks for presence, with one Space."""
    with shell_on(tmp_path / "home") as shell:
        shell.json("init", "--user", "ada")
        shell.json("space", "new", "prj_a")
        yield shell


@pytest.fixture
def app(guarded: Shell) -> Iterator[Terminal]:
    """The app, running on that home."""
    terminal = Terminal(
        ["-m", "lobes", "--home", str(guarded.folder)],
        environ=guarded.env,
        cwd=guarded.folder.parent,
    )
    try:
        terminal.until("prj_a")
        yield terminal
    finally:
        terminal.close()


class Login:
    """A login shell on a pty of its own, in which commands are typed."""

    def __init__(self, guarded: Shell) -> None:
        self.shell = guarded
        code = "import os; os.execvp('sh', ['sh'])"
        env = {**guarded.env, "PS1": "ready> ", "ENV": ""}
        self.terminal = Terminal(["-c", code], environ=env, cwd=guarded.folder.parent)
        self.terminal.until("ready> ")
        self.count = 0
        self.answered = 0

    def type(self, line: str) -> None:
        self.count += 1
        self.terminal.press(f"{line}; echo end-{self.count}=$?", "enter")

    def lobes(self, *words: str, before: str = "", after: str = "") -> None:
        home = f"--home {self.shell.folder}"
        self.type(f"{before}{sys.executable} -m lobes {home} {' '.join(words)}{after}")

    def code(self) -> int:
        """The exit code of what was typed last."""
        mark = rf"end-{self.count}=(\d+)"
        self.terminal.until(lambda: re.search(mark, self.terminal.text()) is not None)
        return int(re.findall(mark, self.terminal.text())[-1])

    def answer(self, text: str) -> None:
        """Answer the next question, once it is there."""
        self.terminal.until(self.asks)
        self.answered += 1
        self.terminal.press(text, "enter")

    def asks(self) -> bool:
        """Whether a question stands that has no answer yet."""
        return self.terminal.raw.count(ASKS) > self.answered


@pytest.fixture
def login(guarded: Shell) -> Iterator[Login]:
    made = Login(guarded)
    try:
        yield made
    finally:
        made.terminal.close()


def shown_code(app: Terminal) -> str:
    app.settle()
    app.press(":")
    app.until("Commands")
    app.press("presence code")
    app.until("1 of")
    app.settle()
    app.press("enter")
    app.until("until")
    found = re.search(r"\b(\d{3} \d{3})\b", app.text())
    assert found
    return found.group(1)


def is_private(guarded: Shell) -> bool:
    return guarded.json("lobe", "show", "prj_a")["is_private"]


def refused(guarded: Shell) -> list[tuple[str, str, str]]:
    """Verb, channel and answer of every refusal in the record."""
    with closing(sqlite3.connect(guarded.folder / "data" / "audit.db")) as store:
        sql = "SELECT verb, channel, answer FROM audit WHERE event = 'access.denied' ORDER BY seq"
        return store.execute(sql).fetchall()


def test_the_code_of_the_running_app_is_asked_once_in_a_terminal(
    guarded: Shell, app: Terminal, login: Login
) -> None:
    """The code isn't shown while it is typed; it isn't asked again, in this terminal."""
    login.lobes(*ACT)
    login.answer(shown_code(app))
    assert login.code() == 0
    assert not re.search(r"\b\d{3} \d{3}\b", login.terminal.text())
    assert is_private(guarded)
    login.lobes("audit", "verify", before="clear; ")
    assert login.code() == 0
    assert not login.asks()
    app.until("rightly or five times wrong")
    login.lobes("presence", "forget", before="clear; ")
    assert login.code() == 0
    login.lobes("audit", "verify")
    login.answer("")
    assert login.code() == 4
    assert ("read_content", "cli", "no_presence") in refused(guarded)


def test_another_terminal_and_a_fake_one_inherit_nothing(
    guarded: Shell, app: Terminal, login: Login
) -> None:
    """AG-15: a pty made inside the attended terminal, another login, and the attended device
    opened as the stdin of another session."""
    login.lobes(*ACT)
    login.answer(shown_code(app))
    assert login.code() == 0
    home = str(guarded.folder)
    spawn = (
        "import pty,os,sys; s = pty.spawn([sys.executable, '-m', 'lobes', '--home', "
        f"'{home}', 'audit', 'verify']); sys.exit(os.waitstatus_to_exitcode(s))"
    )
    login.type(f'clear; {sys.executable} -c "{spawn}"')
    login.answer("")
    assert login.code() == 4
    login.lobes("audit", "verify", before="clear; setsid -w ")
    assert login.code() == 4
    login.lobes("audit", "verify", before="clear; echo y | ")
    assert login.code() == 4
    login.lobes("audit", "verify", "--yes", before="clear; ", after=" < /dev/null")
    assert login.code() == 4
    assert not login.asks()
    second = Login(guarded)
    try:
        second.lobes("audit", "verify", "--yes")
        second.answer("")
        assert second.code() == 4
    finally:
        second.terminal.close()
    assert [row[2] for row in refused(guarded)] == ["no_presence"] * 5


@pytest.mark.slow
def test_a_process_in_the_background_of_an_attended_terminal_is_nobody(
    guarded: Shell, app: Terminal, login: Login
) -> None:
    login.lobes(*ACT)
    login.answer(shown_code(app))
    assert login.code() == 0
    login.type("set -m")
    assert login.code() == 0
    login.lobes("audit", "verify", before="clear; (", after="; echo then=$?) & wait")
    login.code()
    assert "then=4" in login.terminal.text()


def test_a_terminal_without_the_code_never_suffices(guarded: Shell, login: Login) -> None:
    """AG-15: wrong codes end the command, the fourth waits, and each is in the record."""
    login.lobes(*ACT, "--yes")
    for wrong in ("000000", "y", "123456"):
        login.answer(wrong)
    assert login.code() == 4
    assert not is_private(guarded)
    assert refused(guarded) == [
        *[("write_meta", "cli", "wrong_code")] * 3,
        ("change_permission", "cli", "no_presence"),
    ]


@pytest.mark.slow
def test_what_was_typed_ahead_answers_nothing(guarded: Shell, login: Login) -> None:
    login.lobes(*ACT, before="sleep 1; ")
    login.terminal.press("000000", "enter")
    login.answer("")
    assert login.code() == 4
    assert [row[2] for row in refused(guarded)] == ["no_presence"]


@pytest.mark.slow
def test_json_stays_one_document_where_the_code_is_asked(
    guarded: Shell, app: Terminal, login: Login
) -> None:
    login.lobes("audit", "verify", "--json", after=f" > {guarded.folder}/said")
    login.answer(shown_code(app))
    assert login.code() == 0
    assert (guarded.folder / "said").read_text().count("\n") == 1


@pytest.mark.slow
def test_a_passphrase_serves_where_no_app_runs(guarded: Shell, app: Terminal, login: Login) -> None:
    login.lobes("presence", "passphrase")
    login.answer(shown_code(app))
    for question in ("New passphrase:", "Once more:"):
        login.terminal.until(question)
        login.terminal.press("four words nobody guesses", "enter")
    assert login.code() == 0
    app.dismiss("Presence code")
    app.press("q")
    assert app.ended() == 0
    assert "four words" not in login.terminal.text()
    login.lobes(*ACT, before="clear; ")
    login.answer("four words nobody guesses")
    assert login.code() == 0
    assert is_private(guarded)
    # Whoever sits down at the attended terminal can't make himself at home.
    login.lobes("presence", "passphrase", "--remove", before="clear; ")
    login.answer("")
    assert login.code() == 4


@pytest.mark.slow
def test_the_code_dies_with_the_app(guarded: Shell, app: Terminal, login: Login) -> None:
    code = shown_code(app)
    app.dismiss("Presence code")
    app.press("q")
    assert app.ended() == 0
    login.lobes(*ACT)
    login.answer(code)
    login.answer("")
    assert login.code() == 4


def test_an_agent_gets_no_app_and_no_question(guarded: Shell, login: Login) -> None:
    """The person counts as present in the app, so a known agent can't open it."""
    login.lobes(before="CLAUDECODE=1 ")
    assert login.code() == 4
    assert "the app is for a person" in " ".join(login.terminal.text().split())
    pack = guarded.folder / "spaces" / "prj_a"
    login.lobes(*ACT, before=f"clear; cd {pack}; CODEX_SANDBOX=seatbelt ")
    assert login.code() == 4
    assert not login.asks()
    assert refused(guarded) == [("change_permission", "cli", "ai_bar")]


def test_no_terminal_proves_nothing() -> None:
    """Under the tests stdin is none, or one that isn't in the foreground here."""
    words = [sys.executable, "-c", "from lobes.cli.terminal import *; print(terminal_here())"]
    ran = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert ran.stdout == "None\n"
    if not sys.stdin.isatty():
        assert terminal_here() is None
