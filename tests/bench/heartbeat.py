"""The event loop while 5,000 files come in, and the list of 10,000 rows without a store behind it.

A beat is due every 10 ms; what comes later is what a person feels as a stutter. Idle and at work
are two spans of one run of the app on a pty, with the real engine.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from tests.bench.beating import BEAT, ROWS, Beat
from tests.bench.corpus import real_documents
from tests.bench.homes import fresh_folders, open_home
from tests.bench.paint import BARE, COUNT
from tests.bench.processes import environment
from tests.bench.rows import Figure, median, ms, p95
from tests.bench.starts import samples
from tests.bench.terminal import Terminal

from lobes.config.folders import Folders
from lobes.services.installation import Caller, Installation
from lobes.services.space_adding import AddOptions, add_space
from lobes.store.read import connect, rows

GROUP = "Heartbeat"
FILES = 5_000
ROUNDS = 5
"""One round has some 250 beats, so that its p99 would be the third longest alone."""
CAUSE = (
    "; both cores are taken: the files are read, classified and cut in a thread of the app, and"
    " indexed by the engine"
)
IDLE = 10.0
MOST = 1.5
LONG = 0.1
KEYS = 60
FILTERS = 20
_ENVIRON = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "TEXTUAL_ANIMATIONS": "none"}
_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class _Round:
    """The beats of one run of the app, idle and at work, and how many seconds the work took."""

    idle: list[Beat]
    work: list[Beat]
    seconds: float


def measure() -> Iterator[Figure]:
    taken: list[_Round] = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory(prefix="lobes-beats-") as folder:
            taken.append(_while_indexing(Path(folder)))
    yield _beats(taken)
    with tempfile.TemporaryDirectory(prefix="lobes-beats-") as folder:
        yield from _list(Path(folder))


def _app(home: str, out: Path) -> Terminal:
    environ = environment(**_ENVIRON, PYTHONPATH=str(_ROOT))
    return Terminal([sys.executable, "-m", "tests.bench.beating", home, str(out)], environ)


# -- the event loop


def _while_indexing(folder: Path) -> _Round:
    out = folder / "beats.json"
    with fresh_folders() as folders, open_home(folders) as (lobes, caller):
        samples(lobes, caller)
        pack = _pack(lobes, caller, folder)
        with _app(str(folders.data.parent), out) as terminal:
            terminal.settle(3.0, patience=30.0)
            idle = _span(terminal, IDLE)
            began = time.monotonic()
            os.rename(folder / "coming", pack / "notes")
            while _documents(folders) < FILES and time.monotonic() < began + 120:
                terminal.settle(0.1, patience=0.2)
            work = (began, time.monotonic())
            terminal.write(b"\x11")
            terminal.settle(1.0, patience=10.0)
        beats = [(at, gap, own) for at, gap, own in json.loads(out.read_text("ascii"))]
        return _Round(_within(beats, idle), _within(beats, work), work[1] - work[0])


def _pack(lobes: Installation, caller: Caller, folder: Path) -> Path:
    """An empty pack, and 5,000 real Markdown files that wait beside it to be moved in at once."""
    pack, coming = folder / "pack", folder / "coming"
    for one in (pack, coming):
        one.mkdir()
    for number, path in enumerate(islice(cycle(real_documents()), FILES)):
        text = path.read_text(encoding="utf-8", errors="replace")[:2_000]
        (coming / f"note{number:05}.md").write_text(f"# Note {number}\n\n{text}", encoding="utf-8")
    add_space(lobes, caller, pack, AddOptions(id="prj_notes"))
    return pack


def _span(terminal: Terminal, seconds: float) -> tuple[float, float]:
    began = time.monotonic()
    while time.monotonic() < began + seconds:
        terminal.settle(0.1, patience=0.2)
    return began, time.monotonic()


def _documents(folders: Folders) -> int:
    store = connect(folders.store)
    try:
        sql = "SELECT count(*) FROM document WHERE space = 'prj_notes'"
        return int(rows(store, sql)[0][0])
    finally:
        store.close()


def _within(beats: Sequence[Beat], span: tuple[float, float]) -> list[Beat]:
    return [beat for beat in beats if span[0] <= beat[0] < span[1]]


def _p99(values: Sequence[float]) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(0.99 * len(ordered) + 0.5) - 1)]


def _beats(rounds: Sequence[_Round]) -> Figure:
    still = [beat[1] for one in rounds for beat in one.idle]
    work = [beat for one in rounds for beat in one.work]
    gaps = [beat[1] for beat in work]
    ratio = _p99(gaps) / _p99(still)
    longest = sorted(work, key=lambda beat: -beat[1])[: max(1, len(work) // 100)]
    own = sum(beat[2] for beat in longest) / sum(beat[1] for beat in longest)
    each = ", ".join(f"{_p99([beat[1] for beat in one.work]) / _p99(still):.2f}" for one in rounds)
    return Figure(
        GROUP,
        f"beats of {BEAT * 1000:.0f} ms while {FILES:,} files are moved into a pack and stored,"
        f" {len(rounds)} rounds",
        f"p50 {ms(median(gaps))}, p99 {ms(_p99(gaps))}, longest {ms(max(gaps))}",
        f"p99 ≤ {MOST:g} × idle",
        f"idle, the same runs: p50 {ms(median(still))}, p99 {ms(_p99(still))}",
        ratio <= MOST,
        f"{ratio:.2f} × (the rounds: {each}); {sum(gap > LONG for gap in gaps)} gaps over 100 ms in"
        f" {len(gaps):,} beats, {median([one.seconds for one in rounds]):.1f} s a round;"
        f" of the longest hundredth the loop itself worked {own:.0%}"
        + ("" if ratio <= MOST else CAUSE),
    )


# -- the list


def _list(folder: Path) -> Iterator[Figure]:
    bare = Terminal([*BARE, "list"], environment(**_ENVIRON))
    with _app("many", folder / "list.json") as terminal, bare:
        terminal.settle(2.0, patience=30.0)
        yield _rows(terminal, bare)
        taken = _answers(terminal, [b"\x1b[6~", b"G", b"\x1b[5~", b"g"])
        yield Figure(
            GROUP, f"the same list: a page, an end, {KEYS} keys", f"p50 {_both(taken)}", ""
        )
        yield _filtering(terminal)
        yield Figure(
            GROUP, "terminal app after that, resident", f"{terminal.memory() / 2**20:,.0f} MiB", ""
        )


def _answers(terminal: Terminal, keys: Sequence[bytes]) -> list[float]:
    taken: list[float] = []
    for key in islice(cycle(keys), KEYS):
        taken.append(terminal.answer_to(key))
        terminal.settle(0.15)
    return taken


def _both(taken: Sequence[float]) -> str:
    return f"{ms(median(taken))}, p95 {ms(p95(taken))}"


def _rows(terminal: Terminal, bare: Terminal) -> Figure:
    keys = [b"\x1b[B"] * 3 + [b"\x1b[A"]
    ours, theirs = _answers(terminal, keys), _answers(bare, keys)
    return Figure(
        GROUP,
        f"key → repaint, list of {ROWS:,} rows in memory: a row down or up, {KEYS} keys",
        f"p50 {_both(ours)}",
        "p95 ≤ 15 ms",
        f"bare list of the Line API: p50 {_both(theirs)}",
        p95(ours) <= 0.015,
    )


def _filtering(terminal: Terminal) -> Figure:
    """Letters of a filter and their removal: from the key to the frame of the new rows. The pane
    beside them follows later on purpose, once the keys rest."""
    taken: list[float] = []
    terminal.answer_to(b"/")
    terminal.settle(0.3)
    for key in islice(cycle([b"7", b"7", b"\x7f", b"\x7f"]), FILTERS):
        taken.append(terminal.answer_to(key, until=COUNT))
        terminal.settle(0.3)
    return Figure(
        GROUP,
        f"a letter in the filter → the other rows stand there, {ROWS:,} rows, {FILTERS} letters",
        f"p50 {_both(taken)}",
        "p95 ≤ 100 ms",
        met=p95(taken) <= 0.1,
    )
