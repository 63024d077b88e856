"""Passages as a search needs them: by id, with their document, from the caller's snapshot."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from lobes.store.read import batches, rows


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage and where it stands; lines are counted from 1."""

    id: str
    document: str
    space: str
    path: str
    role: str
    title: str
    heading: str
    text: str
    first_line: int
    last_line: int
    tokens: int
    content_hash: str


_FOUND = """
    SELECT p.id, d.id, d.space, d.path, d.role, d.title, p.heading, p.text,
           p.first_line, p.last_line, p.tokens, p.content_hash
    FROM passage p JOIN document d ON d.id = p.document
"""


def found_passages(store: sqlite3.Connection, ids: Iterable[str]) -> dict[str, FoundPassage]:
    """The passages that exist among `ids`."""
    found: dict[str, FoundPassage] = {}
    for batch in batches(ids):
        sql = f"{_FOUND} WHERE p.id IN ({','.join('?' * len(batch))})"
        for row in rows(store, sql, batch):
            found[row[0]] = FoundPassage(*row)
    return found


def document_of(store: sqlite3.Connection, passage: str) -> str | None:
    """The document of a passage; None where there is no such passage."""
    found = rows(store, "SELECT document FROM passage WHERE id = ?", (passage,))
    return found[0][0] if found else None


def documents_of(store: sqlite3.Connection, passages: Iterable[str]) -> dict[str, str]:
    """Passage → its document, for those that exist."""
    found: dict[str, str] = {}
    for batch in batches(passages):
        sql = f"SELECT id, document FROM passage WHERE id IN ({','.join('?' * len(batch))})"
        found.update(rows(store, sql, batch))
    return found


def document_passages(store: sqlite3.Connection, document: str) -> list[FoundPassage]:
    """All passages of a document in reading order."""
    sql = f"{_FOUND} WHERE d.id = ? ORDER BY p.ordinal"
    return [FoundPassage(*row) for row in rows(store, sql, (document,))]
