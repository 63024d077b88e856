"""Schema steps: the store is old or new, never between, and a backup lies beside it."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from store_rows import Clock

from lobes.domain.errors import Corrupt, LobesError, Unavailable
from lobes.store import backup, migrate
from lobes.store.database import open_database
from lobes.store.migrate import STEPS, Step, shape
from lobes.store.read import IN_USE

FIXTURES = Path(__file__).parents[2] / "fixtures"
RELEASED = sorted(FIXTURES.glob("schema_*.sql"))
NEXT = STEPS[-1].number + 1

# A step as they come: a new table, a new column, a table rebuilt that others refer to.
MORE = (
    *STEPS,
    Step(
        NEXT,
        (
            "CREATE TABLE note (id TEXT PRIMARY KEY, space TEXT NOT NULL REFERENCES space (id))",
            "INSERT INTO note SELECT 'n-' || id, id FROM space",
            "ALTER TABLE space ADD COLUMN colour TEXT NOT NULL DEFAULT ''",
        ),
    ),
    Step(
        NEXT + 1,
        (
            "CREATE TABLE person_new (id TEXT PRIMARY KEY, name TEXT NOT NULL,"
            " is_superuser INTEGER NOT NULL DEFAULT 0, created TEXT NOT NULL, mail TEXT)",
            "INSERT INTO person_new SELECT *, NULL FROM person",
            "DROP TABLE person",
            "ALTER TABLE person_new RENAME TO person",
        ),
    ),
)


def released(folder: Path, fixture: Path) -> Path:
    path = folder / "lobes.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as store:
        store.executescript(fixture.read_text("utf-8"))
    return path


def content(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    tables = ("home", "space", "document", "passage", "lobe_exclusion", "lobe_tag", "outbox")
    with closing(sqlite3.connect(path)) as store:
        return {name: store.execute(f"SELECT * FROM {name}").fetchall() for name in tables}


def version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as store:
        return store.execute("PRAGMA user_version").fetchall()[0][0]


def up(path: Path, steps: tuple[Step, ...] = STEPS, clock: Clock | None = None) -> None:
    backups = path.parent / "backups"
    open_database(path, backups=backups, clock=clock or Clock(), steps=steps).close()


@pytest.mark.parametrize("fixture", RELEASED, ids=lambda path: path.stem)
def test_every_released_schema_comes_up_with_its_rows(tmp_path: Path, fixture: Path) -> None:
    path = released(tmp_path, fixture)
    up(path)
    assert version(path) == STEPS[-1].number
    store = open_database(path, backups=tmp_path / "backups", clock=Clock())
    with store.begin() as unit:
        space = unit.spaces.get("prj_notidian")
        documents = unit.documents.of("prj_notidian")
        assert unit.outbox_head() == 7
    store.close()
    assert space is not None
    assert (space.name, space.lobe.cross_space, space.lobe.tags) == ("Notidian", "ask", ("craft",))
    assert documents["goals.md"].role == "goals"


def test_there_is_a_fixture_for_each_released_schema() -> None:
    assert [path.name for path in RELEASED] == [f"schema_{step.number:04}.sql" for step in STEPS]


@pytest.mark.parametrize("fixture", RELEASED, ids=lambda path: path.stem)
def test_a_fixture_is_what_its_steps_make(tmp_path: Path, fixture: Path) -> None:
    path = released(tmp_path, fixture)
    with (
        closing(sqlite3.connect(path)) as old,
        closing(sqlite3.connect(":memory:", isolation_level=None)) as fresh,
    ):
        migrate.build(fresh, [step for step in STEPS if step.number <= version(path)])
        assert shape(old) == shape(fresh)


def test_later_steps_keep_every_row_and_leave_a_private_backup(tmp_path: Path) -> None:
    path = released(tmp_path, RELEASED[0])
    before = content(path)
    up(path, MORE)
    after = content(path)
    assert version(path) == NEXT + 1
    assert after.keys() == before.keys()
    for table, rows in before.items():  # later steps add columns behind those of before
        assert [row[: len(old)] for row, old in zip(after[table], rows, strict=True)] == rows
    (copy,) = (tmp_path / "backups").iterdir()
    assert copy.name == "lobes-schema1-20260301T120000.db"
    assert version(copy) == 1
    assert content(copy) == before
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700


def test_a_store_that_is_new_already_gets_no_backup(tmp_path: Path) -> None:
    path = released(tmp_path, RELEASED[-1])
    up(path)
    assert not (tmp_path / "backups").exists()


BROKEN = {
    "at the first statement": Step(NEXT + 1, ("NO SQL",)),
    "at the last statement": Step(
        NEXT + 1, ("CREATE TABLE half (id TEXT)", "INSERT INTO none VALUES (1)")
    ),
    "orphans": Step(NEXT + 1, ("INSERT INTO lobe_tag VALUES ('prj_gone', 'tag')",)),
}


@pytest.mark.parametrize("where", BROKEN)
def test_a_step_that_fails_leaves_the_old_store(tmp_path: Path, where: str) -> None:
    """DU-06: also the tables of the steps before it are taken back."""
    path = released(tmp_path, RELEASED[0])
    before = content(path)
    with pytest.raises(LobesError):
        up(path, (*MORE[:-1], BROKEN[where]))
    assert version(path) == 1
    assert content(path) == before
    with closing(sqlite3.connect(path)) as store:
        assert "note" not in shape(store)
        assert "half" not in shape(store)
    up(path, MORE)
    assert version(path) == NEXT + 1


def test_a_store_that_was_changed_by_hand_is_not_taken_for_migrated(tmp_path: Path) -> None:
    path = released(tmp_path, RELEASED[0])
    with closing(sqlite3.connect(path, isolation_level=None)) as store:
        store.execute("ALTER TABLE space DROP COLUMN description")
    with pytest.raises(Corrupt) as caught:
        up(path, MORE)
    assert caught.value.reason == "migration_failed"
    assert version(path) == 1


def test_without_a_backup_there_is_no_migration(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DU-05: the disk takes no backup."""
    path = released(tmp_path, RELEASED[0])

    def refuse(_path: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "make_private_file", refuse)
    with pytest.raises(Unavailable) as caught:
        up(path, MORE)
    assert caught.value.reason == "disk_full"
    assert version(path) == 1
    assert list((tmp_path / "backups").iterdir()) == []


def test_only_the_newest_backups_are_kept(tmp_path: Path) -> None:
    path = released(tmp_path, RELEASED[0])
    clock = Clock()
    for _ in range(backup.KEPT + 2):
        clock.now += timedelta(hours=1)
        backup.back_up(path, tmp_path / "backups" / f"lobes-schema1-{clock():%Y%m%dT%H%M%S}.db")
    names = sorted(one.name for one in (tmp_path / "backups").iterdir())
    assert len(names) == backup.KEPT
    assert names[-1] == f"lobes-schema1-{clock():%Y%m%dT%H%M%S}.db"


def test_the_backup_has_its_name_on_the_disk_before_the_first_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DU-18: a power loss after the steps must not take the way back."""
    path = released(tmp_path, RELEASED[0])
    steps: list[str] = []
    real_sync, real_build = os.fsync, migrate.build

    def sync(descriptor: int) -> None:
        steps.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        real_sync(descriptor)

    def build(*given: Any) -> None:
        steps.append("migrate")
        real_build(*given)

    monkeypatch.setattr(os, "fsync", sync)
    monkeypatch.setattr(migrate, "build", build)
    open_database(path, backups=tmp_path / "backups", clock=Clock(), steps=MORE).close()
    assert steps[:3] == ["file", "folder", "migrate"]


def test_memories_of_before_the_seals_stay_in_use_with_all_that_is_tied_to_them(
    tmp_path: Path,
) -> None:
    (fixture,) = (one for one in RELEASED if one.stem == "schema_0007")
    path = released(tmp_path, fixture)
    with closing(sqlite3.connect(path)) as store, store:
        for id, status in (("m1", "active"), ("m2", "superseded")):
            store.execute(
                "INSERT INTO memory (id, lobe, space, statement, kind, class, epistemic, status,"
                " author, person, content_hash, created, updated) VALUES (?, 'space/prj_notidian',"
                " 'prj_notidian', 'Words.', 'fact', 'project', 'decision', ?, 'user', 'me', ?,"
                " 'then', 'then')",
                (id, status, f"h{id}"),
            )
            row = (id, 1, "Words.", f"h{id}", status, "add", "user:me", "", "then")
            store.execute("INSERT INTO memory_version VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        store.execute("INSERT INTO memory_link VALUES ('supersedes', 'm1', 'm2', 'then')")
    up(path)
    with closing(sqlite3.connect(path)) as store:
        sql = "SELECT id, status, written_status, seal, content_hash FROM memory ORDER BY id"
        assert store.execute(sql).fetchall() == [
            ("m1", "active", "active", "-", "hm1"),
            ("m2", "superseded", "superseded", "-", "hm2"),
        ]
        for table, count in (("memory_version", 2), ("memory_link", 1)):
            assert store.execute(f"SELECT count(*) FROM {table}").fetchone() == (count,)
        store.execute("PRAGMA foreign_keys = ON")
        store.execute("DELETE FROM memory WHERE id = 'm1'")
        assert store.execute("SELECT count(*) FROM memory_link").fetchone() == (0,)


@pytest.mark.parametrize(
    "sql",
    [
        f"SELECT lobe, count(*) FROM memory INDEXED BY memory_used WHERE {IN_USE} GROUP BY lobe",
        f"SELECT DISTINCT category FROM memory WHERE lobe = 'x' AND {IN_USE}",
    ],
)
def test_what_counts_memories_reads_an_index_alone(tmp_path: Path, sql: str) -> None:
    with closing(sqlite3.connect(released(tmp_path, RELEASED[-1]))) as store:
        plan = store.execute(f"EXPLAIN QUERY PLAN {sql}").fetchone()[3]
    assert "COVERING INDEX memory_used" in plan
