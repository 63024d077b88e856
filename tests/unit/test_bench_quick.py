"""The part of the budgets that no machine's speed decides: what is imported, what SQL is run."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from homes import AHome
from lobes.services.search import search
from lobes.store import read

STATEMENTS = 32
"""Most that one search runs, for both of its snapshots: `BEGIN` and `ROLLBACK` included."""


def test_the_first_frame_waits_for_nothing_heavy() -> None:
    """The path from the shell to the app and its first screen, and no module of the index."""
    heavy = {"lancedb", "onnxruntime", "pyarrow", "numpy", "tokenizers", "watchfiles"}
    heavy |= {"sqlmodel", "sqlalchemy", "pydantic", "mcp", "keyring", "yaml"}
    code = (
        "import json, sys, lobes.__main__, lobes.tui.start, lobes.tui.app, lobes.tui.home;"
        "import lobes.config.settings, lobes.tui.screens.spaces;"
        "print(json.dumps(sorted({name.split('.')[0] for name in sys.modules})))"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE)
    imported = set(json.loads(ran.stdout))
    assert "textual" in imported
    assert imported & heavy == set()


def statements_of(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> list[str]:
    """The SQL that `act` runs on the store, in its own thread."""
    said: list[str] = []
    mine = threading.get_ident()
    connect = read.connect

    def traced(path: Path) -> sqlite3.Connection:
        store = connect(path)
        if threading.get_ident() == mine:
            store.set_trace_callback(said.append)
        return store

    with monkeypatch.context() as patch:
        patch.setattr(read, "connect", traced)
        act()
    return said


def test_a_search_asks_the_store_the_same_few_questions_whatever_the_home_holds(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    def count() -> int:
        home.index()
        found: list[int] = []

        def act() -> None:
            answer = search(home.lobes, home.me, "heron", space="prj_a", limit=50)
            found.append(len(answer.items))

        said = statements_of(monkeypatch, act)
        assert found == [len(home.rows("SELECT id FROM passage"))]
        return len(said)

    home.a_space("prj_a", {"one.md": "# One\n\nA heron waits.\n"})
    before = count()
    for number in range(12):
        files = {f"note{n}.md": f"# Note {n}\n\nHeron {number} of {n}.\n" for n in range(3)}
        home.a_space(f"prj_b{number}", files)
    assert count() == before
    assert 4 <= before <= STATEMENTS
