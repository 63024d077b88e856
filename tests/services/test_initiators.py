"""A right that is taken away while work goes on ends it: denied, nothing written, no retry."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from homes import AHome
from lobes.domain.actors import parse_actor
from lobes.domain.errors import Forbidden, LobesError
from lobes.engine.protocol import WatchEvent
from lobes.services import following
from lobes.services.index_report import IndexReport, Progress
from lobes.services.indexing import index_all, index_space
from lobes.services.installation import Caller
from lobes.services.watching import follow

DAN = Caller(parse_actor("user:dan"), "cli", is_present=True)
MAY = {verb: ["user:dan"] for verb in ("read_meta", "read_content", "edit_content")}


def allow(home: AHome, space: str, grants: dict[str, list[str]], *, table: str = "space") -> None:
    text = json.dumps({"visibility": "restricted", "grants": grants})
    column = "id" if table == "space" else "path"
    home.execute(f"UPDATE {table} SET permission = ? WHERE {column} = ?", text, space)


@pytest.fixture
def shared(home: AHome, monkeypatch: pytest.MonkeyPatch) -> AHome:
    """ada's Space with nine files, which dan may edit; a write takes three of them."""
    monkeypatch.setattr(following, "BATCH", 3)
    home.a_space("prj_a", {f"n{n}.md": f"# {n}\n\nword{n}\n" for n in range(9)})
    home.execute("INSERT INTO person (id, name, created) VALUES ('dan', 'Dan', '2026-01-01')")
    allow(home, "prj_a", MAY)
    return home


def paths(home: AHome) -> list[str]:
    return [row[0] for row in home.rows("SELECT path FROM document ORDER BY path")]


def after_a_batch(then: Callable[[], None]) -> Callable[[Progress], None]:
    done: list[int] = []

    def watch(progress: Progress) -> None:
        if not done:
            then()
        done.append(progress.done)

    return watch


LOSSES: dict[str, Callable[[AHome], None]] = {
    "the grant": lambda home: allow(home, "prj_a", {"read_meta": ["user:dan"]}),
    "edit alone": lambda home: allow(
        home, "prj_a", {verb: who for verb, who in MAY.items() if verb != "edit_content"}
    ),
    "read alone": lambda home: allow(
        home, "prj_a", {verb: who for verb, who in MAY.items() if verb != "read_content"}
    ),
    "all knowledge of it": lambda home: allow(home, "prj_a", {}),
    "an unreadable permission": lambda home: home.execute("UPDATE space SET permission = '{}'"),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_a_right_lost_on_the_way_ends_the_work_as_denied(shared: AHome, loss: str) -> None:
    """AZ-18."""
    taken = after_a_batch(lambda: LOSSES[loss](shared))
    report = index_space(shared.lobes, DAN, "prj_a", watch=taken)
    (root,) = report.roots
    assert (root.state, root.problem != "") == ("denied", True)
    assert (report.indexed, paths(shared)) == (3, ["n0.md", "n1.md", "n2.md"])
    (row,) = shared.audited("access.denied")
    assert (row["actor"], row["channel"]) == ("user:dan", "job")


def test_a_right_lost_between_reading_and_writing_writes_nothing(
    shared: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AZ-18: the transaction that writes asks itself."""
    real, left = following._prepare, [4]  # pyright: ignore[reportPrivateUsage]

    def prepare(*given: Any) -> Any:
        left[0] -= 1
        if not left[0]:
            LOSSES["the grant"](shared)
        return real(*given)

    monkeypatch.setattr(following, "_prepare", prepare)
    report = index_space(shared.lobes, DAN, "prj_a")
    assert report.roots[0].state == "denied"
    assert paths(shared) == ["n0.md", "n1.md", "n2.md"]


def test_one_denied_space_stops_no_other(shared: AHome) -> None:
    shared.a_space("prj_b", {"b.md": "# B\n\nword\n"})
    allow(shared, "prj_b", MAY)
    taken = after_a_batch(lambda: LOSSES["the grant"](shared))
    report = index_all(shared.lobes, DAN, watch=taken)
    assert [(one.space, one.state) for one in report.roots] == [
        ("prj_a", "denied"),
        ("prj_b", "ok"),
    ]
    assert "b.md" in paths(shared)


def test_an_agent_whose_ceiling_sinks_is_denied_too(shared: AHome) -> None:
    from lobes.domain.lobe_change import LobeChange
    from lobes.services.lobe_changes import save

    save(shared.lobes, shared.me, "prj_a", LobeChange(agent_preset="editor"))
    sink = after_a_batch(
        lambda: save(shared.lobes, shared.me, "prj_a", LobeChange(agent_preset="reader")) and None
    )
    report = index_space(shared.lobes, shared.agent("prj_a", preset="editor"), "prj_a", watch=sink)
    assert (report.roots[0].state, report.indexed) == ("denied", 3)


def test_a_document_withheld_from_the_initiator_is_not_read_and_not_counted(shared: AHome) -> None:
    """Its text changed; whoever may read it follows it, at the next look."""
    index_space(shared.lobes, shared.me, "prj_a")
    allow(shared, "n0.md", {"read_meta": ["user:eve"]}, table="document")
    before = shared.rows("SELECT content_hash FROM document WHERE path = 'n0.md'")
    shared.write("prj_a", "n0.md", "# 0\n\nanother text\n")
    for paths_ in ((), ("n0.md",)):
        report = index_space(shared.lobes, DAN, "prj_a", paths=paths_)
        assert (report.indexed, report.removed, report.skipped) == (0, 0, ())
        assert report.unchanged in (8, 0)
    shared.root("prj_a").joinpath("n0.md").unlink()
    assert index_space(shared.lobes, DAN, "prj_a").removed == 0
    assert shared.rows("SELECT content_hash FROM document WHERE path = 'n0.md'") == before
    assert index_space(shared.lobes, shared.me, "prj_a").removed == 1


class Hinting:
    """The engine's port with hints that come however nobody watches any more."""

    def __init__(self, home: AHome, hints: int, before: dict[int, Callable[[], None]]) -> None:
        self._home, self._left, self._before = home, hints, before
        self.given = 0

    def watch(self, roots: object) -> None:
        del roots

    def next_event(self, *, seconds: float) -> WatchEvent | None:
        if then := self._before.get(self.given):
            then()
        self.given += 1
        self._home.write("prj_a", "n0.md", f"# 0\n\nwrite {self.given}\n")
        return WatchEvent("prj_a", str(self._home.root("prj_a")), ("n0.md",))

    def is_done(self) -> bool:
        return self.given >= self._left

    def __getattr__(self, name: str) -> Any:
        return getattr(self._home.lobes.engine, name)


def test_a_watch_whose_initiator_lost_the_right_is_told_once_and_tries_no_more(
    shared: AHome,
) -> None:
    """AZ-18: twenty hints that come after it."""
    index_space(shared.lobes, shared.me, "prj_a")
    engine = Hinting(shared, 20, {1: lambda: LOSSES["the grant"](shared)})
    told: list[IndexReport] = []
    failed: list[LobesError] = []
    lobes = replace(shared.lobes, engine=engine)
    follow(lobes, DAN, tell=told.append, fail=failed.append, stop=engine.is_done)
    assert [one.indexed for one in told] == [1]
    assert [type(one) for one in failed] == [Forbidden]
    assert len(shared.audited("access.denied")) == 1
