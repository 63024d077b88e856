"""A list in text is followed to its end by what it prints."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from shell import Shell, shell_on
from world_home import session_id, write_memory, write_session

NAMES = ("one", "two", "three", "four")
NEXT = re.compile(r"--after (\S+) goes on")


@pytest.fixture(scope="module")
def four(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """A home with four memories and four sessions."""
    with shell_on(tmp_path_factory.mktemp("pages") / "home") as shell:
        shell.json("init", "--presence", "off", "--user", "me")
        shell.json("space", "new", "prj_a")
        with closing(sqlite3.connect(shell.folder / "data" / "lobes.db")) as store, store:
            for name in NAMES:
                write_memory(store, "prj_a", f"What is {name}.", name=name)
                write_session(store, session_id("prj_a", name), "prj_a", "me")
        yield shell


@pytest.mark.parametrize("thing", ["memory", "session"])
@pytest.mark.parametrize("limit", [1, 2, 3, 4])
def test_a_list_in_text_broke_where_it_said_that_it_goes_on(
    four: Shell, thing: str, limit: int
) -> None:
    known = {one["id"] for one in four.json(thing, "list")["items"]}
    seen: list[str] = []
    after: list[str] = []
    while True:
        ran = four.run(thing, "list", "-n", str(limit), *after)
        assert ran.code == 0, ran
        seen += [line.split()[0] for line in ran.out.splitlines() if line.split()[0] in known]
        following = NEXT.search(ran.out)
        if following is None:
            break
        after = ["--after", following[1]]
    assert (len(seen), set(seen)) == (len(NAMES), known)
    last = four.run(thing, "list", "--after", seen[-1])
    assert (last.code, last.out) == (0, "")
