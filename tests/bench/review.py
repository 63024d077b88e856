"""Review on a pty, in a home of 10,000 proposals: opened, decided on one by one, and in bulk.

A figure is from the key to what shows what it did: the count of the list, the statement of the next
proposal beside it, the words of the toast.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

from tests.bench.homes import fresh_folders, open_home
from tests.bench.memories import BULK, MANY, SPACE, filled
from tests.bench.paint import app, environ
from tests.bench.rows import Figure, median, ms, p95
from tests.bench.terminal import Terminal

from lobes.config.folders import Folders
from lobes.services.review_queue import queue

GROUP = "Review"
OPENED, DECIDED = 5, 40
LISTED = f"1 of {MANY:,}".encode()
"""In the heading of the list, which is painted with its rows."""
CALM, READ = 1.0, 3.0
"""Seconds without output after which the next key is pressed: past the moments in which nothing is
decided, and past reading the queue anew."""
ROW = 53
"""Cells that a row of the list has for a statement."""


def measure() -> Iterator[Figure]:
    with fresh_folders() as folders, open_home(folders) as (lobes, caller):
        filled(lobes, caller, "proposed")
        statements = [one.statement for one in queue(lobes, caller).items[: DECIDED + 1]]
        yield _opened(folders)
        yield _in_bulk(folders)
        yield _one_by_one(folders, statements)


def _opened(folders: Folders) -> Figure:
    """Each in an app of its own, so that the screen is made as well."""
    took: list[float] = []
    for _ in range(OPENED):
        with Terminal(app(folders), environ()) as shown:
            _start(shown)
            took.append(shown.answer_to(b"3", until=LISTED))
            shown.write(b"1")  # so that the next one doesn't begin there
            shown.settle(CALM, patience=30)
    what = f"`3` → the list of {MANY:,} proposals is painted, {OPENED} starts"
    return _row(what, ms(median(took)), "≤ 0.3 s", median(took) <= 0.3)


def _one_by_one(folders: Folders, statements: list[str]) -> Figure:
    took: list[float] = []
    with Terminal(app(folders), environ()) as shown:
        _open(shown)
        for _, following in pairwise(statements):
            took.append(shown.answer_to(b"a", until=_beside(following)))
            shown.settle(CALM, patience=30)
    what = f"`a` → the next proposal is painted, {DECIDED} of {MANY:,}"
    figure = f"p50 {ms(median(took))}, p95 {ms(p95(took))}"
    return _row(what, figure, "p95 ≤ 50 ms", p95(took) <= 0.05)


def _beside(statement: str) -> bytes:
    """A word of its own for which its row has no room: what is beside the list alone paints it."""
    assert statement.rindex(" ") >= ROW
    return statement.split(" ")[-2].encode()


def _in_bulk(folders: Folders) -> Figure:
    with Terminal(app(folders), environ()) as shown:
        _open(shown)
        shown.write(b"v" + b"j" * (BULK - 1))
        _until(shown, f"{BULK} marked")
        took = shown.answer_to(b"a", until=f"Accepted {BULK} memories".encode())
        shown.settle(READ, patience=30)
        undone = shown.answer_to(b"z", until=f"Undone: {BULK} memories".encode())
        shown.settle(READ, patience=30)
    what = f"`a` on {BULK} marked of {MANY:,} → the toast says so"
    note = f"taken back by one `z` in {ms(undone)}"
    return replace(_row(what, ms(took), "≤ 2 s", took <= 2), note=note)


def _start(shown: Terminal) -> None:
    """The list of Spaces stands, and nothing is read any more."""
    _until(shown, SPACE)
    shown.write(b"1")  # it opens where the one before was left
    shown.settle(CALM, patience=30)


def _until(shown: Terminal, text: str) -> None:
    """Until it stands there and nothing comes after it; on a busy machine that takes a while."""
    for _ in range(20):
        shown.settle(CALM, patience=30)
        if shown.first(lambda screen: text in screen):
            return
    raise TimeoutError(f"{text} never came")


def _open(shown: Terminal) -> None:
    _start(shown)
    shown.write(b"3g")
    shown.settle(READ, patience=30)


def _row(what: str, figure: str, budget: str, met: bool) -> Figure:
    return Figure(GROUP, what, figure, budget, met=met)
