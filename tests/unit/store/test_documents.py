"""Documents: replaced in place, and every change leaves its row for the index."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from store_rows import START, document, new_store, opened, passage, space

from lobes.domain.documents import StoredDocument
from lobes.domain.errors import Conflict
from lobes.domain.permissions import Permission, parse_permission
from lobes.store import read
from lobes.store.database import Database

CLOSED = '{"grants": {}, "visibility": "restricted"}'


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Database]:
    database = opened(new_store(tmp_path))
    with database.begin() as unit:
        unit.spaces.add(space())
        unit.commit()
    yield database
    database.close()


def rows(store: Database, sql: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(store.path)) as reader:
        return reader.execute(sql).fetchall()


def test_the_reader_finds_what_was_put(store: Database) -> None:
    with store.begin() as unit:
        unit.documents.put(document(), [passage("p1"), passage("p2", ordinal=1, text="more")])
        unit.commit()
    with closing(read.connect(store.path)) as reader:
        found = read.passages_of(reader, [document().id])
        changes = read.outbox_after(reader, 0)
    assert [(one.id, one.lobe, one.text) for one in found] == [
        ("p1", "space/prj_a", "text"),
        ("p2", "space/prj_a", "more"),
    ]
    assert [(row.op, row.kind, row.id, row.content_hash) for row in changes] == [
        ("upsert", "document", document().id, "c1")
    ]


def test_an_edit_keeps_ids_and_drops_only_the_passage_that_is_gone(store: Database) -> None:
    with store.begin() as unit:
        unit.documents.put(document(), [passage("p1"), passage("p2", ordinal=1)])
        unit.commit()
    first = dict(rows(store, "SELECT id, rowid FROM passage"))
    with store.begin() as unit:
        unit.documents.put(document(content="c2"), [passage("p2", text="new"), passage("p3")])
        found = unit.documents.of("prj_a")
        unit.commit()
    assert found == {"notes/1.md": document(content="c2")}
    assert rows(store, "SELECT id, ordinal, text FROM passage ORDER BY id") == [
        ("p2", 0, "new"),
        ("p3", 0, "text"),
    ]
    assert rows(store, "SELECT rowid FROM passage WHERE id = 'p2'") == [(first["p2"],)]
    assert rows(store, "SELECT op, content_hash FROM outbox") == [
        ("upsert", "c1"),
        ("upsert", "c2"),
    ]


def test_a_documents_own_permission_outlives_an_edit(store: Database) -> None:
    with store.begin() as unit:
        unit.documents.put(document(), [])
        unit.commit()
    with closing(sqlite3.connect(store.path, isolation_level=None)) as writer:
        writer.execute("UPDATE document SET permission = '{}'")
    with store.begin() as unit:
        unit.documents.put(document(content="c2"), [])
        unit.commit()
    assert rows(store, "SELECT permission, content_hash FROM document") == [("{}", "c2")]


def closed(store: Database, id: str, text: str = CLOSED) -> None:
    with closing(sqlite3.connect(store.path, isolation_level=None)) as writer:
        writer.execute("UPDATE document SET permission = ? WHERE id = ?", (text, id))


def put(store: Database, *found: StoredDocument, gone: Sequence[StoredDocument] = ()) -> None:
    with store.begin() as unit:
        unit.documents.put_all([(one, []) for one in found])
        unit.documents.remove("prj_a", [one.id for one in gone])
        unit.commit()


def permissions(store: Database) -> dict[str, str | None]:
    return dict(rows(store, "SELECT path, permission FROM document ORDER BY path"))


def test_a_closed_document_whose_file_went_and_came_is_closed(store: Database) -> None:
    """A branch was changed and changed back, with other text by then."""
    one, other = document(1), document(2, content="c2")
    put(store, one, other)
    closed(store, one.id)
    put(store, gone=[one, other])
    put(store, replace(one, content_hash="later"), other)
    assert permissions(store) == {one.path: CLOSED, other.path: None}


def test_a_closed_document_under_another_name_is_closed(store: Database) -> None:
    """The new name is stored before the old one goes, or after it."""
    one, two, three, other = (document(n) for n in range(1, 5))
    put(store, one)
    closed(store, one.id)
    put(store, two)
    put(store, gone=[one, two])
    put(store, three, replace(other, content_hash="c2"))
    assert permissions(store) == {three.path: CLOSED, other.path: None}


def test_the_same_bytes_closed_in_two_ways_are_the_owners_alone(store: Database) -> None:
    one, two, three = (document(n) for n in range(1, 4))
    put(store, one, two)
    closed(store, one.id)
    closed(store, two.id, '{"visibility": "public", "grants": {}}')
    put(store, three)
    kept = permissions(store)[three.path]
    assert parse_permission(kept) == Permission("private")


def test_a_document_that_is_opened_again_stays_open_when_it_is_edited(store: Database) -> None:
    one, two = document(1), document(2)
    put(store, one, two)
    closed(store, one.id)
    put(store, replace(two, content_hash="c2"))
    put(store, replace(two, content_hash=one.content_hash))
    assert permissions(store) == {one.path: CLOSED, two.path: None}


def test_removing_takes_the_passages_and_tells_the_index(store: Database) -> None:
    other = document(3, space="prj_b")
    with store.begin() as unit:
        unit.spaces.add(space("prj_b"))
        unit.documents.put(document(1), [passage("p1")])
        unit.documents.put(document(2), [passage("p2")])
        unit.documents.put(other, [passage("p3")])
        head = unit.outbox_head()
        unit.documents.remove("prj_a", [document(1).id, other.id, "unknown"])
        unit.commit()
    assert rows(store, "SELECT id FROM passage ORDER BY id") == [("p2",), ("p3",)]
    assert rows(store, f"SELECT op, id FROM outbox WHERE seq > {head}") == [
        ("delete", document(1).id)
    ]


def test_touch_and_role_are_no_work_for_the_index(store: Database) -> None:
    with store.begin() as unit:
        unit.documents.put(document(), [])
        head = unit.outbox_head()
        unit.documents.touch(document().id, 11, 22)
        unit.documents.set_role(document().id, "goals")
        found = unit.documents.of("prj_a")
        assert unit.outbox_head() == head
    assert found["notes/1.md"] == replace(document(), size=11, mtime_ns=22, role="goals")


def test_the_list_of_skipped_files_is_replaced_whole(store: Database) -> None:
    with store.begin() as unit:
        unit.documents.set_skipped("prj_a", [("a", "binary"), ("b", "too_big")], START)
        unit.documents.set_skipped("prj_a", [("b", "binary")], START)
        unit.commit()
    assert rows(store, "SELECT path, reason FROM skipped_file") == [("b", "binary")]


def test_numbers_of_the_outbox_never_come_back(store: Database) -> None:
    with store.begin() as unit:
        unit.documents.put(document(1), [])
        unit.documents.put(document(2), [])
        unit.trim_outbox(unit.outbox_head())
        unit.commit()
    assert rows(store, "SELECT * FROM outbox") == []
    with store.begin() as unit:
        assert unit.outbox_head() == 2
        unit.documents.put(document(3), [])
        assert unit.outbox_head() == 3


def test_two_documents_at_one_path_are_a_conflict(store: Database) -> None:
    with store.begin() as unit:
        unit.documents.put(document(), [passage("p1")])
        unit.commit()
    twin = replace(document(2), path=document().path)
    with pytest.raises(Conflict), store.begin() as unit:
        unit.documents.put(twin, [])
    assert rows(store, "SELECT id FROM document") == [(document().id,)]


def test_a_document_of_no_space_is_a_conflict(store: Database) -> None:
    with pytest.raises(Conflict), store.begin() as unit:
        unit.documents.put(document(space="prj_gone"), [])
