"""The terminal app from its start to its first frame and to a settled screen; keys; memory.

First paint: the first time that a cell of the screen is not blank. Settled: the last output before
300 ms of silence, once the list of Spaces stands.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.bench.building import many_spaces
from tests.bench.homes import fresh_folders, open_home
from tests.bench.processes import Cost, environment
from tests.bench.rows import Figure, median, ms, p95
from tests.bench.starts import program, samples
from tests.bench.terminal import PATIENCE, SILENCE, Sent, Terminal, is_drawn

from lobes.config.folders import Folders

GROUP = "First paint"
RUNS = 11
KEYS = 60
FILTERS = 5
COUNT = b" of "
"""In the frame of the rows that a filter leaves: their count stands beside the field."""
NAME_ON_SCREEN = "Notidian"
BARE = [sys.executable, str(Path(__file__).with_name("bare.py"))]
_ENVIRON = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "TEXTUAL_ANIMATIONS": "none"}


@dataclass(frozen=True, slots=True)
class Start:
    """One start; `rows` is when the first Space stood on the screen."""

    paint: Cost
    settled: Cost
    rows: float
    memory: int


def app(folders: Folders) -> list[str]:
    """As a person starts it: `lobes` and nothing else; the home is named beside it."""
    return ["/usr/bin/env", f"LOBES_HOME={folders.data.parent}", *program()]


def measure() -> Iterator[Figure]:
    with fresh_folders() as folders, open_home(folders) as (lobes, caller):
        samples(lobes, caller)
        ours, bare = _in_turn(app(folders), BARE)
        yield from _starts(ours, bare)
        yield _loaded_after(ours)
        yield _key_row("key → repaint, list of the six sample Spaces", _keys(app(folders)))
        many, spaces = many_spaces(10_000)
        with open_home(many):  # so that the engine that the app starts is stopped at the end
            keys = _keys(app(many))
            filtered = _filtering(app(many))
        yield _key_row(f"key → repaint, list of {len(spaces):,} Spaces", keys)
        yield _filter_row(f"swap to a filtered set, list of {len(spaces):,} Spaces", filtered)
        lobes.engine.stop()
        cold: list[Start] = []
        for _ in range(RUNS // 2):
            cold.append(_start(app(folders), NAME_ON_SCREEN))
            lobes.engine.stop()
        yield _cold(cold)


def memory_of(folders: Folders | None, runs: int) -> int:
    """Bytes resident once settled, the median; of a bare Textual app where there is no home."""
    words = BARE if folders is None else app(folders)
    return round(median([_start(words).memory for _ in range(runs)]))


def environ() -> Mapping[str, str]:
    return environment(**_ENVIRON)


def _in_turn(ours: Sequence[str], bare: Sequence[str]) -> tuple[list[Start], list[Start]]:
    found: tuple[list[Start], list[Start]] = ([], [])
    for number in range(RUNS + 1):
        pair = _start(ours, NAME_ON_SCREEN), _start(bare)
        if number:
            found[0].append(pair[0])
            found[1].append(pair[1])
    return found


def _start(words: Sequence[str], shows: str = "") -> Start:
    """One start; on a busy machine the store may need longer than a silence, so `shows` must be
    on the screen before it counts as settled."""

    def is_there(screen: str) -> bool:
        return shows in screen

    with Terminal(words, environ()) as terminal:
        terminal.settle()
        for _ in range(round(PATIENCE / SILENCE)):
            if terminal.first(is_there):
                break
            terminal.settle()
        memory = terminal.memory()
        last = terminal.sent[-1]
    paint = terminal.first(is_drawn)
    rows = terminal.first(is_there)
    assert paint is not None, "nothing was drawn"
    assert rows is not None, f"{shows} never came"
    return Start(_cost(paint), _cost(last), rows.at, memory)


def _cost(sent: Sent) -> Cost:
    return Cost(sent.at, sent.cpu)


def _middle(costs: Sequence[Cost]) -> Cost:
    return Cost(median([one.wall for one in costs]), median([one.cpu for one in costs]))


def _starts(ours: Sequence[Start], bare: Sequence[Start]) -> list[Figure]:
    reference = _middle([one.paint for one in bare])
    named = f"a bare Textual app's first paint: {reference}"
    found: list[Figure] = []
    for what, taken, most in (
        ("first paint", [one.paint for one in ours], 1.5),
        ("settled", [one.settled for one in ours], 2.5),
    ):
        middle = _middle(taken)
        wall, cpu = middle.wall / reference.wall, middle.cpu / reference.cpu
        found.append(
            Figure(
                GROUP,
                f"terminal app, sample home, engine up: {what}, {RUNS} runs",
                str(middle),
                f"≤ {most:g} × bare, wall and CPU",
                named,
                wall <= most and cpu <= most,
                f"{wall:.2f} × wall, {cpu:.2f} × CPU",
            )
        )
    return found


def _cold(taken: Sequence[Start]) -> Figure:
    paint, settled = _middle([one.paint for one in taken]), _middle([one.settled for one in taken])
    return Figure(
        GROUP,
        f"the same without an engine, {len(taken)} runs",
        f"first paint {paint}; settled {settled}",
        "",
        note="the engine is started after the first list stands, so it competes with the rest",
    )


def _loaded_after(taken: Sequence[Start]) -> Figure:
    after = [one.rows - one.paint.wall for one in taken]
    return Figure(
        GROUP,
        "first paint → the Spaces of the store stand there",
        ms(median(after)),
        "store loaded after the first paint",
        met=median(after) > 0,
    )


def _keys(words: Sequence[str]) -> tuple[list[float], list[float]]:
    """Keys to the app and, in turn, to a bare list of the Line API."""
    taken: tuple[list[float], list[float]] = ([], [])
    with (
        Terminal(words, environ()) as ours,
        Terminal([*BARE, "list"], environ()) as bare,
    ):
        for one in (ours, bare):
            one.settle(2.0, patience=30.0)
        for number in range(KEYS):
            key = b"\x1b[B" if number // 4 % 2 == 0 else b"\x1b[A"
            for place, one in enumerate((ours, bare)):
                taken[place].append(one.answer_to(key))
                one.settle(0.05)
    return taken


def _filtering(words: Sequence[str]) -> list[float]:
    """From a key in the filter to the rows that it leaves: typed and taken back. Not esc, which
    waits a tenth of a second for the rest of a longer key."""
    taken: list[float] = []
    with Terminal(words, environ()) as terminal:
        terminal.settle(2.0, patience=30.0)
        for _ in range(FILTERS):
            terminal.answer_to(b"/")
            terminal.settle(0.3)
            for key in (b"1", b"2", b"3", b"\x7f", b"\x7f", b"\x7f"):
                taken.append(terminal.answer_to(key, until=COUNT))
                terminal.settle(0.3)
            terminal.answer_to(b"\x1b")
            terminal.settle(0.3)
    return taken


def _filter_row(what: str, taken: list[float]) -> Figure:
    return Figure(
        GROUP,
        f"{what}, {len(taken)} keystrokes in the filter",
        f"p50 {ms(median(taken))}, p95 {ms(p95(taken))}",
        "≤ 100 ms a keystroke",
        met=p95(taken) <= 0.1,
    )


def _key_row(what: str, taken: tuple[list[float], list[float]]) -> Figure:
    ours, bare = taken
    is_met = p95(ours) <= 0.015
    cause = "a key that meets the first look through the packs waits for the interpreter"
    return Figure(
        GROUP,
        f"{what}, {KEYS} keys",
        f"p50 {ms(median(ours))}, p95 {ms(p95(ours))}",
        "p95 ≤ 15 ms",
        f"bare list of the Line API: p50 {ms(median(bare))}, p95 {ms(p95(bare))}",
        is_met,
        "" if is_met else cause,
    )
