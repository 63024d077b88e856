"""The store and the audit file with several processes on them, and with processes that die."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lobes.store.audit_chain import Verdict
from lobes.store.audit_file import AuditFile
from lobes.store.migrate import STEPS

NEXT = STEPS[-1].number + 1
FIXTURE = Path(__file__).parents[1] / "fixtures" / "schema_0001.sql"

COMMON = f"""
    import json, os, signal, sys, time
    from datetime import UTC, datetime
    from pathlib import Path
    from lobes.domain.documents import PassageRow, StoredDocument
    from lobes.domain.errors import LobesError
    from lobes.store.audit import Audit
    from lobes.store.database import open_database
    from lobes.store.migrate import STEPS, Step

    folder, name = Path(sys.argv[1]), sys.argv[2]
    clock = lambda: datetime.now(UTC)
    MORE = (*STEPS, Step({NEXT}, (
        "CREATE TABLE note (id TEXT PRIMARY KEY)",
        "INSERT INTO note SELECT id FROM space",
        "ALTER TABLE space ADD COLUMN colour TEXT",
    )))

    def opened(steps=STEPS):
        return open_database(
            folder / "lobes.db", backups=folder / "backups", clock=clock, steps=steps
        )

    def ready():
        print("ready", flush=True)
        sys.stdin.readline()
"""


def start(folder: Path, name: str, code: str) -> subprocess.Popen[str]:
    script = textwrap.dedent(COMMON) + textwrap.dedent(code)
    return subprocess.Popen(
        [sys.executable, "-W", "error", "-c", script, str(folder), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def together(processes: Sequence[subprocess.Popen[str]], *, seconds: float = 60) -> list[Any]:
    """Let all begin once all are ready; what each of them reports at its end, as JSON."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    reports = [process.communicate(timeout=seconds)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * len(processes)
    return [json.loads(report) for report in reports]


def query(path: Path, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(path)) as store:
        return store.execute(sql).fetchall()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "lobes.db", isolation_level=None)) as store:
        store.executescript(FIXTURE.read_text("utf-8"))
    return tmp_path


WRITE_FOR_A_SECOND = """
    from dataclasses import replace

    store, audit, done = opened(), Audit(folder / "audit.db", clock=clock), 0
    ready()
    end = time.monotonic() + 1
    while time.monotonic() < end:
        with store.begin() as unit:
            space = unit.spaces.get("prj_notidian")
            unit.spaces.save(replace(space, description=space.description + name))
            id = f"{name}-{done}"
            row = StoredDocument(id, "prj_notidian", id, "", "T", "h", 1, 1, 1)
            unit.documents.put(row, [PassageRow(f"{id}-p", 0, "", "text", 1, 1, 1, "h")])
            unit.commit()
        done += 1
        audit.append("space.changed", actor=name, verb="edit", channel="cli",
                     correlation=str(done), answer="allowed")
        if done % 3 == 0:
            audit.flush()
    audit.close()
    print(json.dumps(done))
"""


def test_two_processes_that_write_together_lose_nothing(home: Path) -> None:
    """DU-02, DU-03: nobody sees "locked", no update is lost, the audit is one chain."""
    done = together([start(home, name, WRITE_FOR_A_SECOND) for name in ("x", "y")])
    assert min(done) > 0
    ((description, version),) = query(home / "lobes.db", "SELECT description, version FROM space")
    written = description.removeprefix("A workspace")
    assert [written.count("x"), written.count("y")] == done
    assert version == 3 + sum(done)
    assert query(home / "lobes.db", "SELECT count(*) FROM outbox") == [(1 + sum(done),)]
    assert query(home / "lobes.db", "SELECT count(*) FROM passage") == [(1 + sum(done),)]
    assert query(home / "lobes.db", "PRAGMA integrity_check") == [("ok",)]
    audit = AuditFile(home / "audit.db")
    verdict = audit.verify()
    assert (verdict.state, verdict.rows) == ("ok", sum(done))
    for name, count in zip(("x", "y"), done, strict=True):
        sql = f"SELECT correlation FROM audit WHERE actor = '{name}' ORDER BY seq"
        rows = query(home / "audit.db", sql)
        assert [int(row[0]) for row in rows] == list(range(1, count + 1))


SECONDS = float(os.environ.get("WRITE_SECONDS", "10"))
"""How long three faces write together; the stated length is `WRITE_SECONDS=600 make test-slow`."""

WRITE_ON = """
    from dataclasses import replace

    store, audit, done, refused = opened(), Audit(folder / "audit.db", clock=clock), 0, []
    ready()
    end = time.monotonic() + float(os.environ["WRITE_SECONDS"])

    def write():
        with store.begin() as unit:
            space = unit.spaces.get("prj_notidian")
            counts = json.loads(space.description) if space.description[:1] == "{" else {}
            counts[name] = counts.get(name, 0) + 1
            unit.spaces.save(replace(space, description=json.dumps(counts)))
            row = StoredDocument(f"{name}-{done % 500}", "prj_notidian", f"{name}-{done % 500}",
                                 "", "T", f"h{done}", 1, 1, 1)
            unit.documents.put(row, [PassageRow(f"{row.id}-p", 0, "", "text", 1, 1, 1, "h")])
            unit.commit()

    while (now := time.monotonic()) < end:
        try:
            write()
        except LobesError as error:
            if error.reason != "store_busy":
                raise
            refused.append(time.monotonic() - now)
            continue
        done += 1
        audit.append("space.changed", actor=name, verb="edit", channel="cli",
                     correlation=str(done), answer="allowed")
    audit.close()
    print(json.dumps([done, min(refused, default=9)]))
"""


@pytest.mark.slow
@pytest.mark.timeout(SECONDS + 240)
def test_three_faces_that_write_for_long_lose_nothing(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DU-02: as the app, the shell and an agent's server would, and without a pause; nobody is
    told that the store is busy who hasn't waited 5 s for it, and then nothing of theirs is there.
    """
    monkeypatch.setenv("WRITE_SECONDS", str(SECONDS))
    faces = ("tui", "cli", "mcp")
    told = together([start(home, name, WRITE_ON) for name in faces], seconds=SECONDS + 180)
    done = {name: count for name, (count, _) in zip(faces, told, strict=True)}
    assert min(done.values()) > 0
    assert min(soonest for _, soonest in told) > 4.9
    ((description, version),) = query(home / "lobes.db", "SELECT description, version FROM space")
    assert json.loads(description) == done
    assert version == 3 + sum(done.values())
    documents = sum(min(count, 500) for count in done.values())
    assert query(home / "lobes.db", "SELECT count(*) FROM document") == [(1 + documents,)]
    assert query(home / "lobes.db", "PRAGMA integrity_check") == [("ok",)]
    ((oldest,),) = query(home / "audit.db", "SELECT at FROM audit ORDER BY seq LIMIT 1")
    verdict = AuditFile(home / "audit.db").verify()
    assert verdict == Verdict("ok", sum(done.values()), since=oldest)


WRITE_IN_TURN = """
    from dataclasses import replace

    store, waits = opened(), []
    ready()
    end = time.monotonic() + 4
    while (asked := time.monotonic()) < end:
        with store.begin() as unit:
            waits.append(time.monotonic() - asked)
            space = unit.spaces.get("prj_notidian")
            unit.spaces.save(replace(space, description=f"{len(waits)} of {name}"))
            unit.commit()
    print(json.dumps([len(waits), max(waits)]))
"""


def test_processes_that_never_pause_leave_each_other_a_turn(home: Path) -> None:
    """DU-02: SQLite alone let one write a hundred times while another waited for seconds."""
    told = together([start(home, name, WRITE_IN_TURN) for name in ("x", "y", "z")])
    counts = [count for count, _ in told]
    assert min(counts) * 3 > max(counts), told
    assert max(longest for _, longest in told) < 2, told


WRITE_UNTIL_KILLED = """
    from dataclasses import replace

    store, audit, done = opened(), Audit(folder / "audit.db", clock=clock), 0
    while True:
        with store.begin() as unit:
            id = f"{name}-{done}"
            row = StoredDocument(id, "prj_notidian", id, "", "T", "h", 1, 1, 1)
            unit.documents.put(row, [PassageRow(f"{id}-p", 0, "", "text", 1, 1, 1, "h")])
            unit.commit()
        audit.append("space.changed", actor=name, verb="edit", channel="cli",
                     correlation=str(done), answer="allowed")
        audit.flush()
        done += 1
        print(done, flush=True)
"""


@pytest.mark.parametrize("after", [1, 7, 30])
def test_what_was_acknowledged_before_a_kill_is_there_whole(home: Path, after: int) -> None:
    """DU-01"""
    process = start(home, "k", WRITE_UNTIL_KILLED)
    assert process.stdout is not None
    acknowledged = 0
    while acknowledged < after:
        acknowledged = int(process.stdout.readline())
    process.kill()
    # By the same stream: what it has read ahead is no longer in the pipe.
    rest = process.stdout.read().split()
    process.communicate()
    acknowledged = int(rest[-1]) if rest else acknowledged
    store = home / "lobes.db"
    assert query(store, "PRAGMA integrity_check") == [("ok",)]
    documents, passages, changes = (
        query(store, f"SELECT count(*) FROM {table}")[0][0] - 1
        for table in ("document", "passage", "outbox")
    )
    assert documents == passages == changes
    assert acknowledged <= documents <= acknowledged + 1
    verdict = AuditFile(home / "audit.db").verify()
    assert verdict.state in ("ok", "unsealed")
    assert acknowledged <= verdict.rows <= acknowledged + 1


MIGRATE = """
    ready()
    store = opened(MORE)
    with store.begin() as unit:
        found = unit.outbox_head()
    print(json.dumps(found))
"""


def test_two_programs_that_migrate_together_make_one_migration(home: Path) -> None:
    """DU-06"""
    assert together([start(home, name, MIGRATE) for name in ("x", "y")]) == [7, 7]
    assert query(home / "lobes.db", "PRAGMA user_version") == [(NEXT,)]
    assert query(home / "lobes.db", "SELECT id FROM note") == [("prj_notidian",)]
    assert len(list((home / "backups").iterdir())) == 1


DIE_IN_A_STEP = """
    import sqlite3
    from lobes.store import migrate

    def build(store, steps):
        left = int(name)
        for step in steps:
            for statement in step.statements:
                if not left:
                    os.kill(os.getpid(), signal.SIGKILL)
                store.execute(statement)
                left -= 1
            store.execute(f"PRAGMA user_version = {step.number}")
        os.kill(os.getpid(), signal.SIGKILL)

    migrate.build = build
    # A cache of one page makes SQLite write into the file before the commit.
    apply = migrate.apply_pragmas
    migrate.apply_pragmas = lambda store: (apply(store), store.execute("PRAGMA cache_size = 1"))
    opened(MORE)
"""


ALL = sum(len(step.statements) for step in STEPS[1:]) + 3
"""The statements from the home's schema, the first, to the one after the newest."""


@pytest.mark.parametrize("done", [0, 1, ALL // 2, ALL - 1, ALL])
def test_a_kill_in_a_migration_leaves_the_old_store(home: Path, done: int) -> None:
    """DU-06: killed between two statements, also of different steps, and before the commit."""
    before = query(home / "lobes.db", "SELECT * FROM space")
    process = start(home, str(done), DIE_IN_A_STEP)
    process.communicate(timeout=30)
    assert process.returncode == -signal.SIGKILL
    assert query(home / "lobes.db", "PRAGMA user_version") == [(1,)]
    assert query(home / "lobes.db", "SELECT * FROM space") == before
    assert query(home / "lobes.db", "SELECT name FROM sqlite_master WHERE name = 'note'") == []
    assert query(home / "lobes.db", "PRAGMA integrity_check") == [("ok",)]
    assert together([start(home, "x", MIGRATE)]) == [7]


WRITE_OVER_THE_LIMIT = """
    import resource

    store = opened()
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    size = (folder / "lobes.db").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20_000, resource.RLIM_INFINITY))
    reason = ""
    ready()
    try:
        with store.begin() as unit:
            for number in range(50):
                id = f"d{number}"
                row = StoredDocument(id, "prj_notidian", id, "", "T", "h", 1, 1, 1)
                text = "much " * 5_000
                unit.documents.put(row, [PassageRow(f"p{number}", 0, "", text, 1, 1, 1, "h")])
            unit.commit()
    except LobesError as error:
        reason = error.reason
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    with store.begin() as unit:
        row = StoredDocument("after", "prj_notidian", "after", "", "T", "h", 1, 1, 1)
        unit.documents.put(row, [])
        unit.commit()
    print(json.dumps(reason))
"""


def test_a_file_that_may_not_grow_is_a_full_disk_and_work_resumes(home: Path) -> None:
    """DU-05: the limit acts as a quota does."""
    assert together([start(home, "x", WRITE_OVER_THE_LIMIT)]) == ["disk_full"]
    found = query(home / "lobes.db", "SELECT id FROM document ORDER BY id")
    assert found == [("00000000000000000000000001",), ("after",)]
    assert query(home / "lobes.db", "PRAGMA integrity_check") == [("ok",)]


CREATE = """
    from lobes.store.database import create

    (folder / "lobes.db").unlink(missing_ok=True)
    ready()
    try:
        create(folder / "lobes.db", owner=name, presence="on", default_cross_space="open",
               clock=clock)
        print(json.dumps(name))
    except LobesError as error:
        print(json.dumps(error.reason))
"""


def test_of_two_that_make_a_store_one_wins(home: Path) -> None:
    reports = together([start(home, name, CREATE) for name in ("x", "y")])
    assert "exists" in reports
    (winner,) = [report for report in reports if report != "exists"]
    assert query(home / "lobes.db", "SELECT owner FROM home") == [(winner,)]
    assert sorted(os.listdir(home)) == ["lobes.db"]
