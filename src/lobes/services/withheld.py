"""Documents that are closer than their Space, as this caller sees them: by what, and how many.

What somebody may not read takes no part in a search, and what they may not know of is in no count.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from lobes.access.facts import Facts, Resource
from lobes.domain.actors import Human
from lobes.services.authority import may
from lobes.services.installation import Caller
from lobes.store.facts import document_facts
from lobes.store.read import stored_documents
from lobes.store.read_permissions import Closer, closer_documents, counted_without
from lobes.store.read_spaces import SpaceRow, all_skipped, skipped_rows

HiddenDocuments = Mapping[str, tuple[str, ...]]
"""Lobe address → the ids of its documents that this caller may not reach, sorted."""
HiddenPaths = Mapping[str, frozenset[str]]
"""Space → their paths."""


def withheld(store: sqlite3.Connection, caller: Caller, verb: str, facts: Facts) -> HiddenDocuments:
    """The documents that the caller may not do this to, by a permission of their own or by what is
    sensitive in them."""
    found: dict[str, list[str]] = {}
    for one in _beyond(store, caller, verb, facts):
        found.setdefault(f"space/{one.space}", []).append(one.id)
    return {lobe: tuple(sorted(documents)) for lobe, documents in found.items()}


def withheld_paths(
    store: sqlite3.Connection, caller: Caller, verb: str, facts: Facts, *, space: str = ""
) -> HiddenPaths:
    """The same by path; with `space` of that one alone."""
    found: dict[str, set[str]] = {}
    for one in _beyond(store, caller, verb, facts, space=space):
        found.setdefault(one.space, set()).add(one.path)
    return {space: frozenset(paths) for space, paths in found.items()}


def _beyond(
    store: sqlite3.Connection, caller: Caller, verb: str, facts: Facts, *, space: str = ""
) -> Iterator[Closer]:
    """Asked once for all documents with the same permission and level in Spaces that are alike: a
    document's id decides nothing, and to a person neither does a Space's."""
    alike: dict[tuple[object, str | None, str | None], list[Closer]] = {}
    is_person = isinstance(caller.actor, Human)
    for one in closer_documents(store, space):
        around = facts.spaces.get(one.space)
        # Spaces with one owner, group and permission share one standing in the facts.
        where = id(around.standing) if is_person and around else one.space
        alike.setdefault((where, one.permission, one.level), []).append(one)
    if not alike:
        return
    asked = replace(facts, items=document_facts(store, [some[0].id for some in alike.values()]))
    for some in alike.values():
        if not may(caller, verb, Resource("document", some[0].id), asked):
            yield from some


def is_hidden(path: str, hidden: Collection[str], known: Collection[str]) -> bool:
    """Whether a file or folder of a pack tells of a hidden document: it is one, or a folder that
    holds such a one and none of the `known`."""
    within = f"{path}/"
    return path in hidden or (
        any(one.startswith(within) for one in hidden)
        and not any(one.startswith(within) for one in known)
    )


def known_skipped(
    store: sqlite3.Connection, caller: Caller, facts: Facts, *, space: str = ""
) -> list[tuple[str, str, str]]:
    """Space, path and reason of what the last looks at the packs left out (with `space` at that
    one's), without what tells of a document that the caller may not know of."""
    hidden = withheld_paths(store, caller, "read_meta", facts, space=space)
    known = {one: set(stored_documents(store, one)) - hidden[one] for one in hidden}
    left_out = (
        [(space, *row) for row in skipped_rows(store, space)] if space else all_skipped(store)
    )
    return [
        (one, path, reason)
        for one, path, reason in left_out
        if one not in hidden or not is_hidden(path, hidden[one], known[one])
    ]


def counted(
    store: sqlite3.Connection, caller: Caller, rows: Sequence[SpaceRow], facts: Facts
) -> list[SpaceRow]:
    """The rows with the counts of what the caller may know of."""
    hidden = withheld(store, caller, "read_meta", facts)
    return [
        _without(store, row, hidden[lobe]) if (lobe := f"space/{row.id}") in hidden else row
        for row in rows
    ]


def _without(store: sqlite3.Connection, row: SpaceRow, hidden: Collection[str]) -> SpaceRow:
    found = counted_without(store, row.id, frozenset(hidden))
    return replace(row, documents=found.documents, passages=found.passages, changed=found.changed)
