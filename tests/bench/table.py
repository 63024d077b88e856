"""`docs/benchmarks.md`: a table for each group, and the machine that it was measured on.

A group that is measured again replaces its own table; the others stay as they are.
"""

from __future__ import annotations

import os
import platform
import re
import sqlite3
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

from tests.bench.rows import Figure

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks.md"
COMMAND = "make bench"
_LIBRARIES = ("textual", "lancedb", "onnxruntime", "pyarrow", "numpy", "sqlmodel", "click")
_INTRODUCTION = """\
# Benchmarks

Made by `{command}` (`python -m tests.bench GROUP` measures one group again); this page is written
by it alone. Figures are medians unless they say p95. A reference is measured in the same run, in
turn with what it is compared to. A budget that is missed stands here as missed, with its cause.

{machine}
"""


def machine() -> str:
    """What the figures depend on, without the name of the machine or of a folder."""
    libraries = ", ".join(f"{name} {version(name)}" for name in _LIBRARIES)
    return (
        f"Machine: {os.cpu_count()} cores, {platform.system()} {platform.machine()}, "
        f"{_memory_gib():.0f} GiB; Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}, {libraries}."
    )


def _memory_gib() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def load_average() -> str:
    return f"{os.getloadavg()[0]:.1f}"


def line(figure: Figure) -> str:
    """One figure for the person who waits at the terminal."""
    met = {True: "", False: "  MISSED", None: ""}[figure.met]
    parts = [f"  {figure.what}: {figure.figure}"]
    parts += [f"budget {figure.budget}"] if figure.budget else []
    parts += [f"reference {figure.reference}"] if figure.reference else []
    parts += [figure.note] if figure.note else []
    return " | ".join(parts) + met


def write(group: str, figures: Sequence[Figure], *, load: str, order: Sequence[str]) -> None:
    """Put the group's table into the page, in the order of the groups."""
    sections = _sections(PAGE.read_text(encoding="utf-8")) if PAGE.exists() else {}
    sections[group] = _section(figures, load)
    known = [name for name in order if name in sections]
    parts = [_INTRODUCTION.format(command=COMMAND, machine=machine())]
    parts += [f"## {name}\n\n{sections[name].strip()}\n" for name in known]
    PAGE.write_text("\n".join(parts), encoding="utf-8")


def _sections(page: str) -> dict[str, str]:
    parts = re.split(r"^## (.+)$", page, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def _section(figures: Sequence[Figure], load: str) -> str:
    cores = os.cpu_count() or 1
    busy = " The machine was busy: trust ratios and CPU times, not wall times."
    rows = [
        f"Load average at the start: {load}.{busy if float(load) > cores else ''}",
        "",
        "| what | figure | budget | met | reference, same run | note |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for one in figures:
        met = {True: "yes", False: "**missed**", None: ""}[one.met]
        cells = (one.what, one.figure, one.budget, met, one.reference, one.note)
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows)
