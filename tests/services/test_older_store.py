"""A store that lacks what was written last is noticed wherever it is opened."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from homes import AHome, opened_home
from lobes.bootstrap import open_installation
from lobes.clock import utc_now
from lobes.config.folders import Folders
from lobes.domain.errors import Conflict, Corrupt
from lobes.services import restoring
from lobes.services.backups import back_up_home
from lobes.services.doctor import examine, examine_unopened
from lobes.services.older_store import accept_older, note_accepted
from lobes.store import pragmas
from lobes.store.database import open_database
from lobes.store.home_copy import put_into
from lobes.store.sequence import head_of, noted
from remembered import remember

LOG = ("-wal", "-shm", "-journal")


def copied(folders: Folders, to: Path) -> Path:
    """The main file alone, as somebody copies it who knows of no log."""
    return Path(shutil.copyfile(folders.store, to))


def put_back(folders: Folders, copy: Path) -> None:
    for ending in LOG:
        folders.store.with_name(f"{folders.store.name}{ending}").unlink(missing_ok=True)
    shutil.copyfile(copy, folders.store)


@pytest.fixture
def older(tmp_path: Path) -> Folders:
    """A closed home whose store lacks two writes."""
    with opened_home(tmp_path / "home") as home:
        home.a_space("prj_a", {"a.md": "# A\n"})
        remember(home, "space/prj_a", "Before.")
        copy = copied(home.folders, tmp_path / "copy.db")
        for text in ("Owls sleep.", "Moles dig."):
            remember(home, "space/prj_a", text)
    put_back(home.folders, copy)
    return home.folders


def refused(folders: Folders) -> Corrupt:
    with pytest.raises(Corrupt) as error, open_installation(folders, engine="inline"):
        pass
    assert error.value.reason == "older_store"
    return error.value


def test_a_store_copied_in_the_middle_of_its_log_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """DU-15: with a write-ahead log, which the copy lacks."""
    monkeypatch.setattr(pragmas, "journal_choice", lambda version: ("wal", "for the test"))
    with opened_home(tmp_path / "home") as home:
        home.a_space("prj_a", {"a.md": "# A\n"})
        with closing(sqlite3.connect(home.folders.store)) as held:
            assert held.execute("PRAGMA journal_mode").fetchone() == ("wal",)
            held.execute("BEGIN").execute("SELECT * FROM home").fetchall()
            remember(home, "space/prj_a", "Owls sleep.")
            log = home.folders.store.with_name(f"{home.folders.store.name}-wal")
            assert log.stat().st_size
            copy = copied(home.folders, tmp_path / "copy.db")
    with opened_home(tmp_path / "home") as home:
        assert home.rows("SELECT statement FROM memory") == [("Owls sleep.",)]
    put_back(home.folders, copy)
    error = refused(home.folders)
    assert "older" in error.message
    assert "--accept-older" in error.hint


def test_every_way_to_the_store_says_it_and_by_how_much(older: Folders) -> None:
    assert "2 writes" in refused(older).message
    (finding,) = examine_unopened(older)
    assert (finding.level, "2 writes" in finding.text) == ("problem", True)
    assert "--accept-older" in finding.hint
    database = open_database(older.store, backups=older.backups, clock=utc_now)
    with pytest.raises(Corrupt), database.begin():
        pass
    database.close()


def test_a_file_that_is_put_back_under_an_open_home_is_met_by_the_next_write(
    tmp_path: Path,
) -> None:
    with opened_home(tmp_path / "home") as home:
        home.a_space("prj_a", {"a.md": "# A\n"})
        copy = copied(home.folders, tmp_path / "copy.db")
        remember(home, "space/prj_a", "Owls sleep.")
        home.lobes.database().close()
        put_back(home.folders, copy)
        with pytest.raises(Corrupt) as error:
            remember(home, "space/prj_a", "Moles dig.")
    assert error.value.reason == "older_store"


def test_it_is_taken_by_a_word_with_a_higher_epoch_and_a_row(older: Folders) -> None:
    missing, epoch = accept_older(older)
    assert (missing, epoch) == (2, 2)
    with pytest.raises(Conflict):
        accept_older(older)
    with open_installation(older, engine="inline") as lobes:
        note_accepted(lobes, missing=missing, epoch=epoch)
        assert lobes.audit.rows(1)[0].event == "home.older_accepted"
        owner = lobes.owner_at("cli", is_present=True)
        assert any("epoch 2" in one.text for one in examine(lobes, owner, areas=("store",)))
    with opened_home(older.data.parent) as home:
        home.index()
        assert home.rows("SELECT statement FROM memory") == [("Before.",)]
        remember(home, "space/prj_a", "Bats fly.")
        home.index()
        assert any(one.snippet == "Bats fly." for one in home.ask("bats", "prj_a").items)


def test_a_new_home_in_the_place_of_one_that_is_gone_is_no_older_store(older: Folders) -> None:
    older.store.unlink()
    with opened_home(older.data.parent) as home:
        home.a_space("prj_new", {"a.md": "# A\n"})
        assert home.rows("SELECT id FROM space") == [("prj_new",)]


def test_a_restored_backup_is_no_older_store(home: AHome, tmp_path: Path) -> None:
    file = back_up_home(home.lobes, home.me, tmp_path / "one.lobes").file
    home.a_space("prj_a", {"a.md": "# A\n"})
    restoring.restore_over(home.lobes, home.me, file)
    with open_installation(home.folders, engine="inline"):
        pass
    home.a_space("prj_b", {"a.md": "# A\n"})
    assert home.rows("SELECT id FROM space") == [("prj_b",)]


def test_a_backup_is_no_older_store_though_another_window_wrote_until_it_was_put_in(
    home: AHome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = back_up_home(home.lobes, home.me, tmp_path / "one.lobes").file

    def put_in_late(staged: Path, live: Path) -> None:
        for text in ("Owls sleep.", "Moles dig."):
            remember(home, "personal/me", text)
        put_into(staged, live)

    monkeypatch.setattr(restoring, "put_into", put_in_late)
    restoring.restore_over(home.lobes, home.me, file)
    with open_installation(home.folders, engine="inline"):
        pass
    home.a_space("prj_b", {"a.md": "# A\n"})
    assert home.rows("SELECT id FROM space") == [("prj_b",)]
    assert home.rows("SELECT statement FROM memory") == []


def test_without_the_number_of_the_last_write_nothing_is_refused(home: AHome) -> None:
    """Torn, gone, or with something else in it: a home of before has none."""
    home.a_space("prj_a", {"a.md": "# A\n"})
    head = head_of(home.folders.store)
    written = noted(home.folders.store)
    assert written > 0
    for content in (b"", b"what is this?", b"\x00" * 17):
        head.write_bytes(content)
        with open_installation(home.folders, engine="inline"):
            pass
    home.a_space("prj_b", {"a.md": "# A\n"})
    assert noted(home.folders.store) > written
