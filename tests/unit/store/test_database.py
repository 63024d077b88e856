"""The store's units of work: whole or not at all, whatever stops them."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import SQLModel
from store_rows import START, Clock, document, new_store, opened, passage, space

from lobes.domain.errors import Conflict, Corrupt, LobesError, Unavailable
from lobes.domain.ids import Slug
from lobes.store import database, pragmas, read, turn
from lobes.store.database import Database, create, open_database
from lobes.store.migrate import STEPS, Step
from lobes.store.migrations import SCHEMA
from lobes.store.pragmas import journal_choice


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Database]:
    opened_store = opened(new_store(tmp_path))
    yield opened_store
    opened_store.close()


def count(path: Path, table: str) -> int:
    with closing(sqlite3.connect(path)) as reader:
        return reader.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0]


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give up on a lock after 50 ms instead of five seconds."""
    monkeypatch.setattr(pragmas, "BUSY_MS", 50)
    monkeypatch.setattr(database, "BUSY_MS", 50)


# How it is made and opened ------------------------------------------------------------


def test_a_new_store_knows_its_owner(store: Database) -> None:
    with store.begin() as unit:
        home = unit.home.get()
        (person,) = unit.people.all()
    assert (home.owner, home.presence, home.default_cross_space) == ("me", "on", "ask")
    assert (home.epoch, home.created) == (1, START)
    assert (person.id, person.name, person.is_superuser) == ("me", "Robin", False)


def test_making_a_store_where_one_is_is_a_conflict_and_leaves_it(store: Database) -> None:
    before = store.path.read_bytes()
    with pytest.raises(Conflict):
        create(store.path, owner="eve", presence="off", default_cross_space="open", clock=Clock())
    assert store.path.read_bytes() == before


def test_a_store_that_cant_be_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(Unavailable) as caught:
        new_store(tmp_path / "missing")
    assert caught.value.reason == "read_only"
    monkeypatch.setattr(database, "STEPS", (Step(1, (*STEPS[0].statements, "NO SQL")),))
    with pytest.raises(Unavailable):
        new_store(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_files_are_private_under_any_umask(tmp_path: Path) -> None:
    """DU-17"""
    before = os.umask(0)
    try:
        path = new_store(tmp_path)
        store = opened(path)
        with store.begin() as unit:
            unit.spaces.add(space())
            journals = {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()}
            unit.commit()
        store.close()
    finally:
        os.umask(before)
    assert journals == {0o600}
    assert {stat.S_IMODE(one.stat().st_mode) for one in tmp_path.iterdir()} == {0o600}


def test_a_store_that_others_could_read_is_closed_to_them(tmp_path: Path) -> None:
    """DU-17"""
    path = new_store(tmp_path)
    path.chmod(0o644)
    opened(path).close()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("what", ["missing", "link", "folder"])
def test_what_is_no_plain_file_is_not_opened(tmp_path: Path, what: str) -> None:
    path = tmp_path / "other.db"
    if what == "link":
        path.symlink_to(new_store(tmp_path))
    elif what == "folder":
        path.mkdir()
    with pytest.raises(Unavailable) as caught:
        opened(path)
    assert caught.value.reason == "store"


@pytest.mark.parametrize(
    ("content", "reason"), [(b"", "not_a_store"), (b"text that is no database " * 50, "damaged")]
)
def test_a_file_that_is_no_store_says_so(tmp_path: Path, content: bytes, reason: str) -> None:
    path = tmp_path / "lobes.db"
    path.write_bytes(content)
    with pytest.raises(Corrupt) as caught:
        opened(path)
    assert caught.value.reason == reason
    assert path.read_bytes() == content


def test_every_connection_has_the_pragmas(store: Database) -> None:
    wanted = {"foreign_keys": 1, "secure_delete": 1, "trusted_schema": 0, "synchronous": 2}
    with store.begin() as unit:
        connection = unit._session.connection()
        found = {name: connection.execute(text(f"PRAGMA {name}")).scalar() for name in wanted}
        journal = connection.execute(text("PRAGMA journal_mode")).scalar()
        patience = connection.execute(text("PRAGMA busy_timeout")).scalar()
    assert found == wanted
    assert journal == journal_choice(sqlite3.sqlite_version_info)[0]
    assert patience == 5000


@pytest.mark.parametrize(
    ("version", "mode"),
    [
        ((3, 40, 1), "delete"),
        ((3, 44, 5), "delete"),
        ((3, 44, 6), "wal"),
        ((3, 45, 9), "delete"),
        ((3, 50, 6), "delete"),
        ((3, 50, 7), "wal"),
        ((3, 51, 2), "delete"),
        ((3, 51, 3), "wal"),
        ((3, 54, 0), "wal"),
        ((4, 0, 0), "wal"),
    ],
)
def test_the_journal_follows_the_fix_for_the_reset_bug(version: tuple[int, ...], mode: str) -> None:
    """DU-04"""
    chosen, reason = journal_choice(version)
    assert chosen == mode
    assert ".".join(map(str, version)) in reason


def test_the_tables_are_those_of_the_newest_schema(store: Database) -> None:
    assert STEPS[-1].number == SCHEMA
    with closing(sqlite3.connect(store.path)) as reader:
        made = {
            name: {row[1] for row in reader.execute(f"PRAGMA table_info({name})")}
            for (name,) in reader.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if name != "sqlite_sequence"
        }
    told = {table.name: set(table.columns.keys()) for table in SQLModel.metadata.sorted_tables}
    assert made == told


# Whole or not at all ------------------------------------------------------------


def test_what_isnt_committed_is_gone(store: Database) -> None:
    with store.begin() as unit:
        unit.spaces.add(space())
    assert count(store.path, "space") == 0


def test_an_error_takes_everything_back(store: Database) -> None:
    def attempt() -> None:
        with store.begin() as unit:
            unit.spaces.add(space())
            unit.documents.put(document(), [passage("p1")])
            raise RuntimeError

    with pytest.raises(RuntimeError):
        attempt()
    assert [count(store.path, table) for table in ("space", "passage", "outbox")] == [0, 0, 0]


def test_persons_have_one_id_each(store: Database) -> None:
    with store.begin() as unit:
        unit.people.add(Slug("kim"), "Kim")
        unit.commit()
    with store.begin() as unit:
        assert [one.id for one in unit.people.all()] == ["kim", "me"]
        assert unit.people.get("eve") is None
        with pytest.raises(Conflict):
            unit.people.add(Slug("kim"), "Other")


def test_threads_take_turns(store: Database) -> None:
    """DU-02: more of them than the pool keeps connections."""

    def add(number: int) -> None:
        with store.begin() as unit:
            unit.people.add(Slug(f"p{number}"), "P")
            unit.commit()

    with ThreadPoolExecutor(12) as pool:
        for done in [pool.submit(add, number) for number in range(60)]:
            done.result()
    assert count(store.path, "person") == 61


def test_a_process_that_stopped_in_front_doesnt_keep_others_out(
    store: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DU-02: standing in front is a courtesy, the store's own lock is free."""
    monkeypatch.setattr(turn, "MOST", 0.05)
    stopped = turn.Front(store.path.parent)
    with store.begin() as unit:
        unit.people.add(Slug("kim"), "Kim")
        unit.commit()
    stopped.leave()
    assert count(store.path, "person") == 2


def test_reading_first_doesnt_make_the_write_fail(store: Database) -> None:
    """DU-03: a unit holds the write lock before its first read, so nothing changes in between."""
    with store.begin() as unit:
        unit.spaces.add(space())
        unit.commit()
    with store.begin() as unit:
        found = unit.spaces.get("prj_a")
        assert found is not None
        with (
            closing(sqlite3.connect(store.path, timeout=0, isolation_level=None)) as other,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("BEGIN IMMEDIATE")
        unit.spaces.save(found)
        unit.commit()


@pytest.mark.usefixtures("impatient")
def test_a_store_that_stays_locked_is_busy_and_works_afterwards(tmp_path: Path) -> None:
    store = opened(new_store(tmp_path))
    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable) as caught, store.begin():
            pytest.fail("two writers at once")
        other.execute("ROLLBACK")
    assert caught.value.reason == "store_busy"
    with store.begin() as unit:
        unit.spaces.add(space())
        unit.commit()
    assert count(store.path, "space") == 1
    store.close()


@pytest.mark.usefixtures("impatient")
@pytest.mark.skipif(
    journal_choice(sqlite3.sqlite_version_info)[0] == "wal", reason="readers don't block here"
)
def test_a_commit_behind_a_reader_is_busy_and_leaves_no_lock(tmp_path: Path) -> None:
    store = opened(new_store(tmp_path))
    with closing(read.connect(store.path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM home").fetchall()

        def attempt() -> None:
            with store.begin() as unit:
                unit.spaces.add(space())
                unit.commit()

        with pytest.raises(Unavailable) as caught:
            attempt()
        reader.execute("ROLLBACK")
    assert caught.value.reason == "store_busy"
    with store.begin() as unit:
        unit.spaces.add(space())
        unit.commit()
    assert count(store.path, "space") == 1
    store.close()


def test_a_full_disk_leaves_the_state_before(store: Database) -> None:
    """DU-05"""
    with store.begin() as unit:
        unit.spaces.add(space())
        unit.commit()

    def attempt() -> None:
        with store.begin() as unit:
            connection = unit._session.connection()
            pages = connection.execute(text("PRAGMA page_count")).scalar()
            connection.execute(text(f"PRAGMA max_page_count = {pages}"))
            unit.documents.put(document(), [passage("p1", text="much " * 10_000)])
            unit.commit()

    with pytest.raises(Unavailable) as caught:
        attempt()
    assert caught.value.reason == "disk_full"
    assert "Nothing was changed" in caught.value.message
    assert [count(store.path, table) for table in ("space", "document", "outbox")] == [1, 0, 0]
    with store.begin() as unit:
        unit._session.connection().execute(text("PRAGMA max_page_count = 100000"))
        unit.documents.put(document(), [passage("p1")])
        unit.commit()
    assert count(store.path, "passage") == 1


def test_a_store_that_became_read_only_says_so(tmp_path: Path) -> None:
    """DU-05: SQLite's own read-only switch, as root may write anywhere."""
    store = opened(new_store(tmp_path))

    def attempt() -> None:
        with store.begin() as unit:
            unit._session.connection().execute(text("PRAGMA query_only = ON"))
            unit.spaces.add(space())

    with pytest.raises(Unavailable) as caught:
        attempt()
    assert caught.value.reason == "read_only"
    store.close()


def test_an_old_program_stops_writing_when_a_newer_one_took_over(tmp_path: Path) -> None:
    """DU-07"""
    store = opened(new_store(tmp_path))
    with store.begin() as unit:
        unit.spaces.add(space())
        unit.commit()
    with closing(sqlite3.connect(store.path, isolation_level=None)) as newer:
        newer.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    with pytest.raises(Corrupt) as caught, store.begin() as unit:
        unit.spaces.add(space("prj_b"))
    assert caught.value.reason == "newer_schema"
    assert count(store.path, "space") == 1
    store.close()


def test_a_newer_store_is_not_opened_for_writing_but_can_be_read(tmp_path: Path) -> None:
    """DU-07"""
    path = new_store(tmp_path)
    with closing(sqlite3.connect(path, isolation_level=None)) as newer:
        newer.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    before = path.read_bytes()
    with pytest.raises(Corrupt) as caught:
        open_database(path, backups=tmp_path / "backups", clock=Clock())
    assert caught.value.reason == "newer_schema"
    assert path.read_bytes() == before
    assert not (tmp_path / "backups").exists()
    with closing(read.connect(path)) as reader:
        assert read.lobes_with_passages(reader) == {}


def test_no_message_names_a_path(tmp_path: Path) -> None:
    path = tmp_path / "secret-place" / "lobes.db"
    path.parent.mkdir()
    path.write_bytes(b"no database" * 100)
    with pytest.raises(LobesError) as caught:
        opened(path)
    assert "secret-place" not in f"{caught.value} {caught.value.hint}"
