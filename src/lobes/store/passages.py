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


def found_passages(store: sqlite3.Connection, ids: Iterable[str]) -> dict[str, FoundPassage]:
    """The passages that exist among `ids`."""
    found: dict[str, FoundPassage] = {}
    for batch in batches(ids):
        sql = f"""
            SELECT p.id, d.id, d.space, d.path, d.role, d.title, p.heading, p.text,
                   p.first_line, p.last_line, p.tokens, p.content_hash
            FROM passage p JOIN document d ON d.id = p.document
            WHERE p.id IN ({",".join("?" * len(batch))})
        """
        for row in rows(store, sql, batch):
            found[row[0]] = FoundPassage(*row)
    return found
