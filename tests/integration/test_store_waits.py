"""Whether a write waits for another process is known, not guessed."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from homes import AHome


def test_a_write_that_another_connection_holds_up_knows_it(a_home: Callable[..., AHome]) -> None:
    database = a_home().lobes.database()
    assert not database.is_kept_out
    began = threading.Event()

    def write() -> None:
        with database.begin():
            began.set()

    with closing(sqlite3.connect(database.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        thread = threading.Thread(target=write)
        thread.start()
        while not database.is_kept_out:
            assert thread.is_alive()
        assert not began.is_set()
        other.execute("ROLLBACK")
        thread.join(10)
    assert began.is_set()
    assert not database.is_kept_out


def test_a_write_that_waits_for_a_thread_of_its_own_process_blames_nobody(
    a_home: Callable[..., AHome],
) -> None:
    database = a_home().lobes.database()
    asked, began = threading.Event(), threading.Event()

    def write() -> None:
        asked.set()
        with database.begin():
            began.set()

    with database.begin():
        thread = threading.Thread(target=write)
        thread.start()
        assert asked.wait(10)
        assert not began.wait(0.2)
        assert not database.is_kept_out
    thread.join(10)
    assert began.is_set()
