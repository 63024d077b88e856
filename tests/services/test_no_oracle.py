"""AZ-14: an id that is hidden costs what an id that never was costs, so that time tells nothing.

Counted, not timed: a clock on a busy machine tells less than the statements and the calls do.
"""

from __future__ import annotations

import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import pytest

from homes import AHome
from lobes.domain.errors import LobesError
from lobes.domain.lobe_change import LobeChange
from lobes.services import lobe_changes, manifests, space_changes
from lobes.services.approvals import allow_once
from lobes.services.explaining import explain
from lobes.services.indexing import index_space
from lobes.services.installation import Caller, Installation
from lobes.services.lobes import lobe_view
from lobes.services.search import search
from lobes.services.spaces import pack_text, show_space, state_text

Act = Callable[[Installation, Caller, str], Any]
ACTS: dict[str, Act] = {
    "search": lambda lobes, who, space: search(lobes, who, "zephyr", space=space),
    "space show": show_space,
    "lobe show": lobe_view,
    "explain": explain,
    "explain both": lambda lobes, who, space: explain(lobes, who, "prj_own", space),
    "file": lambda lobes, who, space: pack_text(lobes, who, space, "a.md"),
    "state": state_text,
    "waiting": manifests.waiting,
    "allow once": lambda lobes, who, space: allow_once(lobes, who, space, "prj_own", "zephyr"),
    "allow once from": lambda lobes, who, space: allow_once(lobes, who, "prj_own", space, "zephyr"),
    "lobe set": lambda lobes, who, space: lobe_changes.save(
        lobes, who, space, LobeChange(is_private=False)
    ),
    "index": index_space,
    "archive": space_changes.archive_space,
    "trash": space_changes.trash_space,
}
HIDDEN, UNKNOWN = "prj_secret", "prj_nowher"
FILES = {f"n{number}.md": f"# {number}\n\nzephyr {number}\n" for number in range(30)}


@dataclass
class Cost:
    """What one call took: SQL statements of its own thread, and Python and C calls."""

    statements: list[str] = field(default_factory=list[str])
    calls: int = 0


@contextmanager
def counted(monkeypatch: pytest.MonkeyPatch) -> Iterator[Cost]:
    cost, mine, real = Cost(), threading.get_ident(), sqlite3.connect

    def traced(statement: str) -> None:
        if threading.get_ident() == mine:
            cost.statements.append(statement)

    def connect(*given: Any, **wanted: Any) -> sqlite3.Connection:
        store = real(*given, **wanted)
        store.set_trace_callback(traced)
        return store

    def called(frame: FrameType, event: str, argument: object) -> None:
        cost.calls += event in ("call", "c_call")

    with monkeypatch.context() as patch:
        patch.setattr(sqlite3, "connect", connect)
        before = sys.getprofile()
        sys.setprofile(called)
        try:
            yield cost
        finally:
            sys.setprofile(before)


def cost_of(
    home: AHome, act: Act, who: Caller, space: str, monkeypatch: pytest.MonkeyPatch
) -> tuple[list[str], int]:
    """The statements with the id taken out, and the calls; a first call loads what is lazy."""
    refused(home, act, who, space)
    with counted(monkeypatch) as cost:
        refused(home, act, who, space)
    masked = [one.replace(HIDDEN, "ID").replace(UNKNOWN, "ID") for one in cost.statements]
    return masked, cost.calls


def refused(home: AHome, act: Act, who: Caller, space: str) -> None:
    with pytest.raises(LobesError):
        act(home.lobes, who, space)


@pytest.fixture
def world(home: AHome) -> AHome:
    """The hidden Space has a pack: what is looked up for it must not be more for that."""
    home.a_space("prj_own", {"a.md": "# Own\n\nzephyr\n"})
    home.a_space(HIDDEN, {"a.md": "# Secret\n\nzephyr\n", **FILES}, LobeChange(True))
    home.index()
    return home


@pytest.mark.parametrize("name", ACTS)
@pytest.mark.parametrize("preset", ["reader", "editor"])
def test_a_hidden_id_costs_what_an_unknown_one_does(
    world: AHome, monkeypatch: pytest.MonkeyPatch, name: str, preset: str
) -> None:
    """AZ-14: the same statements, and calls within 20 %."""
    who = world.agent("prj_own", preset=preset)
    hidden, hidden_calls = cost_of(world, ACTS[name], who, HIDDEN, monkeypatch)
    unknown, unknown_calls = cost_of(world, ACTS[name], who, UNKNOWN, monkeypatch)
    assert hidden_calls > 20
    assert hidden == unknown
    assert abs(hidden_calls - unknown_calls) <= 0.2 * unknown_calls
