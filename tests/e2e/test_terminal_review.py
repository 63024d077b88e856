"""What another process proposes waits in the open app, found by nobody until a key accepts it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.e2e.homes import lobes
from tests.e2e.pty import Terminal

SPACE = ("--space", "prj_notidian")
AGENT = ("--as", "ai:ada/proposer@prj_notidian")
WORDS = "Quokkas bring the release bell at noon"


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """One in which a command may speak as an agent."""
    home = tmp_path / "home"
    lobes(home, "init", "--sample", "--user", "ada", "--presence", "off")
    yield home
    lobes(home, "engine", "stop")


def asked(home: Path, *words: str) -> Any:
    return json.loads(lobes(home, *words, "--json"))


def found(home: Path) -> bool:
    answer = asked(home, "search", "quokkas release bell", *SPACE)
    return WORDS in json.dumps(answer)


def propose(home: Path, text: str) -> str:
    return asked(home, "memory", "propose", text, *SPACE, *AGENT)["id"]


def test_a_proposal_of_another_process_is_found_once_a_accepts_it(home: Path) -> None:
    shown = Terminal(["-m", "lobes", "--home", str(home)])
    try:
        shown.until("Notidian")
        shown.press("3")
        shown.until("Nothing waits for you.")
        propose(home, WORDS)
        shown.until("Quokkas bring")
        shown.until("1 waiting")
        assert not found(home)
        shown.settle(0.5)
        shown.press("a")
        shown.until("Accepted")
        while not found(home):  # the engine takes it up a moment later
            shown.settle(0.2)
        shown.press("z")
        shown.until("wait")
        assert not found(home)
        shown.press("ctrl+q")
        assert shown.ended() == 0
    finally:
        shown.close()


@pytest.mark.slow
def test_a_contradiction_is_settled_for_the_new_one_by_two_keys(home: Path) -> None:
    old = asked(home, "memory", "add", "Sync retries back off up to 60 seconds.", *SPACE)["id"]
    propose(home, "Sync retries back off up to 300 seconds.")
    shown = Terminal(["-m", "lobes", "--home", str(home)])
    try:
        shown.until("Notidian")
        shown.press("3")
        shown.until("conflict")
        shown.settle(0.5)
        shown.press("a")
        shown.until("s supersede")
        shown.press("escape", "s")
        shown.until("Supersede?")
        shown.press("enter")
        shown.until("Superseded")
        assert asked(home, "memory", "show", old)["status"] == "superseded"
        shown.press("ctrl+q")
        assert shown.ended() == 0
    finally:
        shown.close()
