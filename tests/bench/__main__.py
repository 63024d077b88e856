"""`python -m tests.bench [GROUP …]`: measure, show each figure, write `docs/benchmarks.md`.

Groups: starts, paint, heartbeat, asking, mcp, resolving, memories, review, memory, indexing,
retrieval, claims, and million, which is measured only when it is named. Nothing is measured before
all of the program is compiled: a start would measure the compiler.
"""

from __future__ import annotations

import argparse
import compileall
import importlib
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from tests.bench import table
from tests.bench.rows import Figure

GROUPS = {
    "starts": "Starts",
    "paint": "First paint",
    "heartbeat": "Heartbeat",
    "asking": "Asking",
    "mcp": "Agents",
    "resolving": "Resolving",
    "memories": "Memories",
    "review": "Review",
    "memory": "Memory",
    "indexing": "Indexing",
    "retrieval": "Retrieval quality",
    "claims": "Conflicts and duplicates",
    "million": "A million passages",
}
_LONG = {"million"}
_MODULES = {"retrieval": "quality", "mcp": "agents"}


def main(words: Sequence[str]) -> int:
    """0 when every budget was met, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("group", nargs="*", choices=[[], *GROUPS])
    wanted = parser.parse_args(words).group or [one for one in GROUPS if one not in _LONG]
    compileall.compile_dir(Path(__file__).parents[2] / "src", quiet=2)
    print(table.machine())
    missed: list[Figure] = []
    for group in wanted:
        load, started = table.load_average(), time.perf_counter()
        print(f"\n{GROUPS[group]} (load average {load})", flush=True)
        figures = _measured(group)
        table.write(GROUPS[group], figures, load=load, order=list(GROUPS.values()))
        missed += [one for one in figures if one.met is False]
        print(f"  took {time.perf_counter() - started:.0f} s")
    print(f"\n{len(missed)} missed" if missed else "\nevery budget was met")
    return 1 if missed else 0


def _measured(group: str) -> list[Figure]:
    module = importlib.import_module(f"tests.bench.{_MODULES.get(group, group)}")
    measure: Callable[[], Iterable[Figure]] = module.measure
    figures: list[Figure] = []
    try:
        for figure in measure():
            print(table.line(figure), flush=True)
            figures.append(figure)
    except Exception as error:
        # The other groups are still worth their time; the page says what is missing.
        traceback.print_exc()
        what = f"broke off: {type(error).__name__}"
        figures.append(Figure(GROUPS[group], "the rest of the group", what, "", met=False))
    return figures


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
