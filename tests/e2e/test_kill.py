"""Killed at any moment, the next start comes to the index that a rebuild would make."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from crashing import CUT_OFF
from homes import AHome, opened_home
from shell import Shell, shell_on, until

FILES = 300
WORDS = (
    "harbour crane ledger invoice turbine kettle semicolon umlaut drawer meadow copper lantern"
    " granite orchard velvet compass anchor marble thistle saffron"
)
QUERIES = ("harbour crane", "copper lantern granite", "invoice", "where is the compass",
           "umlaut drawer", "n17", "marble thistle saffron velvet")  # fmt: skip


def note(chance: random.Random, name: str) -> str:
    first, second = (" ".join(chance.choices(WORDS.split(), k=count)) for count in (24, 12))
    return f"# {name}\n\n{first}\n\n## More of {name}\n\n{second}\n"


def scribble(pack: Path, chance: random.Random, *, changes: int) -> None:
    """Write, rewrite, rename and remove notes."""
    for _ in range(changes):
        path = pack / f"f{chance.randrange(6)}" / f"n{chance.randrange(FILES)}.md"
        path.parent.mkdir(exist_ok=True)
        if path.exists() and chance.random() < 0.25:
            path.unlink()
        elif path.exists() and chance.random() < 0.2:
            path.rename(path.with_name(f"n{chance.randrange(FILES)}-moved.md"))
        else:
            path.write_text(note(chance, path.stem))


# What an index holds ------------------------------------------------------------------------------


def content(index: Path) -> dict[str, Any]:
    """Every lobe's words by passage id, whatever numbers the passages have inside."""
    return {str(file.parent.name): words_of(file) for file in sorted(index.glob("lobes/*/lex.db"))}


def words_of(file: Path) -> dict[str, Any]:
    with closing(sqlite3.connect(file)) as words:
        rows = words.execute(
            "SELECT doc, id, document, hash, length, terms FROM passage"
        ).fetchall()
        ids = {row[0]: row[1] for row in rows}
        return {
            "passages": sorted(row[1:5] for row in rows),
            "terms": {row[1]: sorted(str(row[5]).split()) for row in rows},
            "post": {
                term: sorted(
                    (ids[doc], count, length)
                    for doc, count, length in struct.iter_unpack("<IHH", data[4:])
                )
                for term, data in words.execute("SELECT term, data FROM post")
                if len(data) > 4
            },
            "sources": sorted(words.execute("SELECT document, hash FROM source")),
            "vectors": sorted(words.execute("SELECT id, embed_key, crc FROM vec")),
            # Passages and their length in all; what follows depends on the numbers inside.
            "counts": struct.unpack_from(
                "<QQ",
                words.execute("SELECT value FROM st WHERE name = 'counts'").fetchone()[0],
                4,
            ),
        }


def answers(shell: Shell) -> list[Any]:
    return [
        [(item["id"], item["score"], item["scores"]) for item in document["items"]]
        for query in QUERIES
        for document in [shell.json("search", query, "--space", "prj_k", "-k", "50")]
    ]


# Kills --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shell]:
    """A home with one Space of many notes, never indexed yet."""
    with shell_on(tmp_path_factory.mktemp("kill") / "home") as shell:
        shell.json("init", "--presence", "off", "--user", "ada")
        shell.json("space", "new", "prj_k")
        shell.json("space", "new", "prj_other")
        for number in range(FILES):
            path = shell.folder / "spaces" / "prj_k" / f"f{number % 6}" / f"n{number}.md"
            path.parent.mkdir(exist_ok=True)
            path.write_text(note(random.Random(number), path.stem))
        yield shell


def kill_engine(shell: Shell) -> None:
    for one in shell.engines():
        one.kill()


def kill_once(shell: Shell, seed: int) -> str:
    """Change files, follow them, kill one of the two at a random moment; which one it was."""
    chance = random.Random(f"kill {seed}")
    scribble(shell.folder / "spaces" / "prj_k", chance, changes=80)
    victim = chance.choice(("engine", "face"))
    delay = chance.uniform(0.05, 2.5)
    with shell.started("index", "--wait", "--json") as face:
        if victim == "face":
            try:
                face.wait(delay)
            except subprocess.TimeoutExpired:
                face.kill()
        else:
            killer = threading.Timer(delay, kill_engine, (shell,))
            killer.start()
            _, errors = face.communicate(timeout=120)
            killer.join()
            assert face.returncode in (0, 7), errors
            assert b"Traceback" not in errors
    return f"{victim} after {delay:.2f} s"


def check_round(shell: Shell, seed: int) -> None:
    how = kill_once(shell, seed)
    report = shell.json("index", "--wait")
    assert report["skipped"] == [], how
    found, held = answers(shell), settled_content(shell)
    assert shell.json("audit", "verify")["state"] in ("ok", "unsealed"), how
    with closing(sqlite3.connect(shell.folder / "data" / "lobes.db")) as store:
        assert store.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        paths = {row[0] for row in store.execute("SELECT path FROM document WHERE space='prj_k'")}
    pack = shell.folder / "spaces" / "prj_k"
    assert paths == {str(one.relative_to(pack)) for one in pack.rglob("*.md")}, how
    shell.json("index", "--rebuild", "--wait")
    assert answers(shell) == found, how
    assert settled_content(shell) == held, how


def settled_content(shell: Shell) -> dict[str, Any]:
    """The index as it is once its engine has ended."""
    shell.run("engine", "stop")
    until(lambda: not shell.engines())
    return content(shell.folder / "state" / "index")


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_killed_four_times_at_random_moments_it_comes_to_what_a_rebuild_makes(busy: Shell) -> None:
    """DU-01."""
    for seed in range(4):
        check_round(busy, seed)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_killed_twenty_times_at_random_moments_it_comes_to_what_a_rebuild_makes(
    busy: Shell,
) -> None:
    """DU-01."""
    for seed in range(100, 120):
        check_round(busy, seed)


# Failpoints ---------------------------------------------------------------------------------------

POINTS = [
    *(("commit.before", count) for count in (1, 2, 3)),
    *(("commit.after", count) for count in (1, 2, 3)),
    ("words.commit", 1),
    ("vectors.write", 1),
    ("vectors.mark", 1),
    ("cursor.write", 1),
]


@pytest.mark.parametrize(("point", "count"), POINTS)
def test_cut_off_around_a_commit_nothing_is_half_and_the_next_look_mends_it(
    tmp_path: Path, point: str, count: int
) -> None:
    """DU-01: around commit, outbox, index write and mark done."""
    chance = random.Random(f"{point} {count}")
    with opened_home(tmp_path / "home") as home:
        home.a_space("prj_k", {f"n{n}.md": note(chance, f"n{n}") for n in range(130)})
        home.index()
        pack = home.root("prj_k")
    for number in range(0, 130, 2):
        (pack / f"n{number}.md").write_text(note(chance, f"n{number}"))
    for number in range(1, 60, 3):
        (pack / f"n{number}.md").unlink(missing_ok=True)
    assert cut_off(tmp_path / "home", point, count) == CUT_OFF
    with opened_home(tmp_path / "home") as home:
        half = home.rows(
            "SELECT d.path FROM document d LEFT JOIN passage p ON p.document = d.id"
            " GROUP BY d.id HAVING count(p.id) = 0"
        )
        assert half == []
        home.index()
        assert {row[0] for row in home.rows("SELECT path FROM document")} == {
            one.name for one in pack.glob("*.md")
        }
        assert home.lobes.audit.verify().state in ("ok", "unsealed")
        found = inline_answers(home)
    held = content(tmp_path / "home" / "state" / "index")
    shutil.rmtree(tmp_path / "home" / "state" / "index")
    with opened_home(tmp_path / "home") as home:
        home.settle()
        assert inline_answers(home) == found
    assert content(tmp_path / "home" / "state" / "index") == held


_DIE_WRITING = """
import os, sqlite3, sys
store = sqlite3.connect(sys.argv[1], isolation_level=None)
store.execute("PRAGMA cache_size = 1")
store.execute("BEGIN IMMEDIATE")
for n in range(300):
    store.execute("UPDATE passage SET text = text || ?", (str(n) * 50,))
store.execute("DELETE FROM space")
os._exit(77)
"""


def test_a_writer_that_died_in_the_middle_of_its_write_leaves_a_home_that_opens(
    tmp_path: Path,
) -> None:
    """DU-01: pages are in the file already, and only the journal knows what was there."""
    with opened_home(tmp_path / "home") as home:
        home.a_space("prj_k", {f"n{n}.md": f"# {n}\n\nharbour {n}\n" for n in range(20)})
        home.index()
        found = inline_answers(home)
        store = home.folders.store
    before = store.read_bytes()
    died = subprocess.run([sys.executable, "-c", _DIE_WRITING, str(store)], check=False)
    assert died.returncode == CUT_OFF
    assert store.read_bytes() != before
    with opened_home(tmp_path / "home") as home:
        assert inline_answers(home) == found
    assert store.read_bytes() == before


def test_a_home_that_is_open_reads_on_after_another_writer_died(tmp_path: Path) -> None:
    """DU-01: the terminal app and the engine hold the store open while a command is killed."""
    with opened_home(tmp_path / "home") as home:
        home.a_space("prj_k", {f"n{n}.md": f"# {n}\n\nharbour {n}\n" for n in range(20)})
        home.index()
        found = inline_answers(home)
        store = home.folders.store
        died = subprocess.run([sys.executable, "-c", _DIE_WRITING, str(store)], check=False)
        assert died.returncode == CUT_OFF
        assert inline_answers(home) == found


def cut_off(folder: Path, point: str, count: int) -> int:
    tests = Path(__file__).parent.parent
    return subprocess.run(
        [sys.executable, str(tests / "crashing.py"), str(folder), point, str(count)],
        env={**os.environ, "PYTHONPATH": str(tests)},
        timeout=60,
        check=False,
    ).returncode


def inline_answers(home: AHome) -> list[Any]:
    return [
        [(hit.id, hit.score, hit.words, hit.meaning) for hit in home.ask(query, "prj_k").items]
        for query in QUERIES
    ]
