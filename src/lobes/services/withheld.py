"""Documents that are closer than their Space, as this caller sees them: by what, and how many.

What somebody may not read takes no part in a search, and what they may not know of is in no count.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from lobes.access.facts import Facts, Resource
from lobes.services.authority import may
from lobes.services.installation import Caller
from lobes.store.facts import document_facts
from lobes.store.read_permissions import closer_documents, counted_without
from lobes.store.read_spaces import SpaceRow

HiddenDocuments = Mapping[str, tuple[str, ...]]
"""Space → the ids of its documents that this caller may not reach, sorted."""


def withheld(store: sqlite3.Connection, caller: Caller, verb: str, facts: Facts) -> HiddenDocuments:
    """The documents that the caller may not do this to, by a permission of their own or by what is
    sensitive in them.

    Asked once for all documents of a Space with the same permission and level: a document's id
    decides nothing.
    """
    groups: dict[tuple[str, str | None, str | None], list[str]] = {}
    for one in closer_documents(store):
        groups.setdefault((one.space, one.permission, one.level), []).append(one.id)
    if not groups:
        return {}
    items = document_facts(store, [documents[0] for documents in groups.values()])
    asked = replace(facts, items=items)
    found: dict[str, list[str]] = {}
    for (space, _, _), documents in groups.items():
        if not may(caller, verb, Resource("document", documents[0]), asked):
            found.setdefault(space, []).extend(documents)
    return {space: tuple(sorted(documents)) for space, documents in found.items()}


def counted(
    store: sqlite3.Connection, caller: Caller, rows: Sequence[SpaceRow], facts: Facts
) -> list[SpaceRow]:
    """The rows with the counts of what the caller may know of."""
    hidden = withheld(store, caller, "read_meta", facts)
    return [_without(store, row, hidden[row.id]) if row.id in hidden else row for row in rows]


def _without(store: sqlite3.Connection, row: SpaceRow, hidden: Collection[str]) -> SpaceRow:
    found = counted_without(store, row.id, frozenset(hidden))
    return replace(row, documents=found.documents, passages=found.passages, changed=found.changed)
