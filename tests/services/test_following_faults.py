"""Following packs while something is wrong: the engine, one Space, another process, the store."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from typing import Any

import pytest

from homes import AHome
from lobes.domain.errors import Conflict, LobesError, Unavailable
from lobes.engine.link import hung
from lobes.engine.protocol import WatchEvent
from lobes.services import following, indexing, watching
from lobes.services.doctor import examine, mend
from lobes.services.engine import rebuild_index, stop_engine
from lobes.services.indexing import index_all, index_space
from lobes.services.status import StoreVersion, home_status
from lobes.services.watching import follow, watch_roots
from lobes.store import read

TEXT = "# {0}\n\nThe {0}word stands here.\n"


class HungEngine:
    """The port of an engine that takes calls and doesn't answer."""

    def notify(self) -> None:
        """Best effort, so nothing is raised."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*given: object, **wanted: object) -> Any:
            raise hung()

        return call


@pytest.fixture
def three(home: AHome) -> AHome:
    for space in ("prj_a", "prj_b", "prj_c"):
        home.a_space(space, {"n.md": TEXT.format(space)})
    return home


def stored(home: AHome) -> set[str]:
    return {row[0] for row in home.rows("SELECT space FROM document")}


@contextmanager
def locked(home: AHome) -> Iterator[None]:
    """Another program holds the store for itself."""
    with closing(sqlite3.connect(home.folders.store, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        yield
        other.execute("ROLLBACK")


# The engine ------------------------------------------------------------------------------------


def test_a_hung_engine_stops_no_indexing(three: AHome) -> None:
    """The files are followed to the end; what the engine missed stays in the outbox for it."""
    without = three.with_engine(HungEngine())  # type: ignore[arg-type]
    report = index_all(without.lobes, without.me)
    assert (report.indexed, stored(three)) == (3, {"prj_a", "prj_b", "prj_c"})
    assert [root.state for root in report.roots] == ["ok"] * 3
    assert three.rows("SELECT count(*) FROM outbox") == [(3,)]
    assert len(three.audited("space.indexed")) == 3
    three.settle()
    assert ("prj_b", "n.md") in three.found("prj_b", "prj_b")


def test_the_status_names_a_hung_engine(three: AHome) -> None:
    without = three.with_engine(HungEngine())  # type: ignore[arg-type]
    status = home_status(without.lobes, without.me)
    assert (status.spaces, status.engine.state) == (3, "failed")
    assert any("lobes engine stop" in one for one in status.problems)
    found = examine(without.lobes, without.me, areas=("index",))
    assert [(one.level, "lobes engine stop" in one.hint) for one in found] == [("problem", True)]
    assert mend(without.lobes, without.me) == ()


def test_the_outbox_is_trimmed_once_the_engine_has_followed(three: AHome) -> None:
    three.index()
    index_space(three.lobes, three.me, "prj_a")
    assert three.rows("SELECT count(*) FROM outbox") == [(0,)]


# One Space -------------------------------------------------------------------------------------


def test_one_space_that_fails_stops_no_other(three: AHome, monkeypatch: pytest.MonkeyPatch) -> None:
    real = indexing.follow_manifest

    def follow_manifest(*given: Any) -> Any:
        if given[2].id == "prj_a":
            raise Conflict("prj_a was changed in another window.", reason="changed")
        if given[2].id == "prj_b":
            raise PermissionError(13, "denied")
        return real(*given)

    monkeypatch.setattr(indexing, "follow_manifest", follow_manifest)
    report = index_all(three.lobes, three.me)
    assert stored(three) == {"prj_c"}
    assert [(root.space, root.state) for root in report.roots] == [
        ("prj_a", "failed"),
        ("prj_b", "failed"),
        ("prj_c", "ok"),
    ]
    assert "another window" in report.roots[0].problem


def test_what_was_stored_before_a_fault_is_audited(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.a_space("prj_a", {f"n{n}.md": TEXT.format(n) for n in range(following.BATCH + 5)})
    real = following._store_once

    def once(run: Any, paths: Any) -> Any:
        if run.indexed:
            raise Unavailable("full", reason="disk_full")
        return real(run, paths)

    monkeypatch.setattr(following, "_store_once", once)
    with pytest.raises(Unavailable):
        index_all(home.lobes, home.me)
    (row,) = home.audited("space.indexed")
    assert f"'indexed': {following.BATCH}" in row["text"]
    assert row["answer"] == "owner"


# Another process -------------------------------------------------------------------------------


def between(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """`act` once, after the file was read and before what was read is stored."""
    real, done = following._prepare, list[int]()

    def prepare(*given: Any) -> Any:
        prepared = real(*given)
        if not done:
            done.append(1)
            act()
        return prepared

    monkeypatch.setattr(following, "_prepare", prepare)


@pytest.mark.parametrize("is_new", [True, False])
def test_an_older_text_never_replaces_a_newer_one(
    home: AHome, monkeypatch: pytest.MonkeyPatch, is_new: bool
) -> None:
    """Two processes follow one pack: the slower one read an older version."""
    home.a_space("prj_a", {} if is_new else {"n.md": "# N\n\nversion zero\n"})
    home.index()
    home.write("prj_a", "n.md", "# N\n\nversion one\n")

    def other() -> None:
        home.write("prj_a", "n.md", "# N\n\nversion two, the newest\n")
        index_space(home.lobes, home.me, "prj_a")

    between(monkeypatch, other)
    report = index_space(home.lobes, home.me, "prj_a")
    assert report.unchanged == 1
    assert home.rows("SELECT text FROM passage") == [("version two, the newest",)]


def test_a_file_that_came_back_is_not_removed_by_a_slower_look(
    home: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.a_space("prj_a", {"n.md": "# N\n\nversion zero\n"})
    home.index()
    (home.root("prj_a") / "n.md").unlink()
    monkeypatch.setattr(following, "_remove", _outside(following._remove, home))
    assert index_space(home.lobes, home.me, "prj_a").removed == 0
    assert home.rows("SELECT path FROM document") == [("n.md",)]


def _outside(remove: Any, home: AHome) -> Any:
    """Another process stores the file again just before it is removed."""

    def removing(run: Any, paths: Any) -> None:
        home.execute("UPDATE document SET content_hash = 'newer' WHERE path = 'n.md'")
        remove(run, paths)

    return removing


def test_a_look_that_finds_nothing_new_commits_nothing(three: AHome) -> None:
    """A screen that follows the store's version would draw itself anew for nothing."""
    three.write("prj_a", "bad.md", b"\xff\xfe")
    three.index()
    index_all(three.lobes, three.me)
    version = StoreVersion(three.lobes)
    before = version.now()
    index_all(three.lobes, three.me)
    assert version.now() == before
    three.write("prj_a", "n.md", TEXT.format("new"))
    index_all(three.lobes, three.me)
    assert version.now() != before
    version.close()


# A store that is held --------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["version", "doctor"])
def test_a_store_that_is_held_too_long_is_busy(
    three: AHome, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """DU-04: never an error of SQLite's own."""
    monkeypatch.setattr(read, "BUSY_SECONDS", 0.1)
    version = StoreVersion(three.lobes)
    act: dict[str, Callable[[], object]] = {
        "version": version.now,
        "doctor": lambda: examine(three.lobes, three.me, areas=("store",)),
    }
    with locked(three), pytest.raises(Unavailable) as caught:
        act[what]()
    assert caught.value.reason == "store_busy"
    act[what]()
    version.close()


# Watching --------------------------------------------------------------------------------------


def test_a_root_that_can_not_be_looked_at_ends_no_watching(three: AHome) -> None:
    """A name that is too long for the system raises where a missing one doesn't."""
    three.execute("UPDATE space SET root = ? WHERE id = 'prj_b'", "/" + "x" * 300)
    assert [one.space for one in watch_roots(three.lobes, three.me)] == ["prj_a", "prj_c"]


class Hinting:
    """An engine that gives these hints, one a call; then it is time to stop."""

    def __init__(self, home: AHome, hints: list[str]) -> None:
        self._engine = home.lobes.engine
        self._hints = [WatchEvent(space, str(home.root(space))) for space in hints]
        self.watched = 0
        self._is_done = False

    def watch(self, roots: object) -> None:
        self.watched += 1

    def next_event(self, *, seconds: float) -> WatchEvent | None:
        if self._hints:
            return self._hints.pop(0)
        self._is_done = True
        return None

    def is_done(self) -> bool:
        return self._is_done

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


@pytest.mark.parametrize(
    "fault", [Conflict("changed", reason="changed"), PermissionError(13, "denied")]
)
def test_a_fault_in_one_space_ends_no_watching(
    three: AHome, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    real = watching.index_space

    def index_one(*given: Any, **wanted: Any) -> Any:
        if given[2] == "prj_a":
            raise fault
        return real(*given, **wanted)

    monkeypatch.setattr(watching, "index_space", index_one)
    engine = Hinting(three, ["prj_a", "prj_b"])
    told: list[int] = []
    failed: list[LobesError] = []
    lobes = replace(three.lobes, engine=engine)
    follow(
        lobes,
        three.me,
        tell=lambda report: told.append(report.indexed),
        fail=failed.append,
        stop=engine.is_done,
    )
    assert (told, len(failed), engine.watched) == ([1], 1, 1)


def test_a_fault_of_ours_is_not_swallowed_while_watching(
    three: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: Any, **wanted: Any) -> Any:
        raise KeyError("a mistake")

    monkeypatch.setattr(watching, "index_space", broken)
    engine = Hinting(three, ["prj_a", "prj_b"])
    lobes = replace(three.lobes, engine=engine)
    with pytest.raises(KeyError):
        follow(lobes, three.me, tell=print, fail=print, stop=engine.is_done)


def test_an_engine_that_fails_is_told_and_asked_again(
    three: AHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "WAIT_SECONDS", 0.001)
    without = three.with_engine(HungEngine())  # type: ignore[arg-type]
    failed: list[LobesError] = []
    follow(
        without.lobes,
        without.me,
        tell=print,
        fail=failed.append,
        stop=lambda: len(failed) == 3,
    )
    assert {error.reason for error in failed} == {"engine_hung"}


# The record ------------------------------------------------------------------------------------


def test_what_is_done_to_the_index_and_the_home_is_audited(three: AHome) -> None:
    three.index()
    rebuild_index(three.lobes, three.me, space="prj_a")
    rebuild_index(three.lobes, three.me, space=None)
    three.settle()
    assert [row["resources"] for row in three.audited("index.rebuilt")] == [
        ["space/prj_a"],
        ["home"],
    ]
    three.folders.store.chmod(0o644)
    mend(three.lobes, three.me)
    mend(three.lobes, three.me)
    (row,) = three.audited("home.mended")
    assert (row["answer"], "'closed': 1" in row["text"]) == ("owner", True)
    stop_engine(three.lobes, three.me)
    assert len(three.audited("home.engine_stopped")) == 1
