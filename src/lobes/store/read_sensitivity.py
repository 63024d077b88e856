"""The sensitivity of documents as it is stored, by plain `sqlite3`.

A document without a row was never looked at: it counts as `internal` until it is. A row that can't
be taken to the letter counts as `confidential`.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, cast

from lobes.domain.sensitivity import Kept, Level, Setting, parse_level
from lobes.domain.strict_json import loads_strict
from lobes.store.read import batches, rows

BROKEN: Level = "confidential"


@dataclass(frozen=True, slots=True)
class StoredSensitivity:
    """`given` is what the text says of itself, `classifier` the version that looked last."""

    document: str
    level: Level
    given: Level | None
    findings: tuple[Kept, ...]
    classifier: int
    setting: Setting | None


def sensitivities(store: sqlite3.Connection, ids: Iterable[str]) -> dict[str, StoredSensitivity]:
    """Document → its sensitivity, for those of `ids` that were looked at."""
    found: dict[str, StoredSensitivity] = {}
    for batch in batches(ids):
        sql = f"""
            SELECT document, level, given, findings, classifier, setting FROM document_sensitivity
            WHERE document IN ({",".join("?" * len(batch))})
        """
        for document, level, given, findings, classifier, setting in rows(store, sql, batch):
            found[document] = StoredSensitivity(
                document,
                parse_level(level) or BROKEN,
                parse_level(given),
                parse_findings(findings),
                classifier,
                parse_setting(setting),
            )
    return found


@dataclass(frozen=True, slots=True)
class Raised:
    """A document that is restricted or confidential."""

    document: str
    space: str
    path: str
    title: str
    level: Level
    findings: tuple[Kept, ...]


def raised_documents(store: sqlite3.Connection, *spaces: str) -> list[Raised]:
    """All that are restricted or confidential, in these Spaces or in all, by Space and path."""
    these = f"AND d.space IN ({','.join('?' * len(spaces))})" if spaces else ""
    sql = f"""
        SELECT d.id, d.space, d.path, d.title, s.level, s.findings
        FROM document_sensitivity s JOIN document d ON d.id = s.document
        WHERE s.level NOT IN ('public', 'internal') {these} ORDER BY d.space, d.path
    """
    return [
        Raised(id, space, path, title, parse_level(level) or BROKEN, parse_findings(findings))
        for id, space, path, title, level, findings in rows(store, sql, spaces)
    ]


def places(store: sqlite3.Connection, ids: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Document → its Space and its path, for those that are there."""
    found: dict[str, tuple[str, str]] = {}
    for batch in batches(ids):
        sql = f"SELECT id, space, path FROM document WHERE id IN ({','.join('?' * len(batch))})"
        found |= {id: (space, path) for id, space, path in rows(store, sql, batch)}
    return found


def unclassified(store: sqlite3.Connection, space: str, *, version: int) -> frozenset[str]:
    """The paths of the Space's documents that this version of the classifier hasn't seen."""
    sql = """
        SELECT d.path FROM document d LEFT JOIN document_sensitivity s ON s.document = d.id
        WHERE d.space = ? AND (s.classifier IS NULL OR s.classifier <> ?)
    """
    return frozenset(row[0] for row in rows(store, sql, (space, version)))


def dump_findings(findings: Iterable[Kept]) -> str:
    return json.dumps(list(findings), separators=(",", ":"))


def parse_findings(stored: str) -> tuple[Kept, ...]:
    """What is stored; where it can't be read, one finding that covers every line."""
    if stored == "[]":
        return ()
    try:
        found: list[Kept] = []
        data: object = loads_strict(stored)
        if not isinstance(data, list):
            raise ValueError("no list")
        for detector, is_secret, first, last, mark in cast("list[list[Any]]", data):
            if not (isinstance(first, int) and isinstance(last, int)):
                raise ValueError("lines")
            found.append(Kept(str(detector), bool(is_secret), first, last, str(mark)))
        return tuple(found)
    except (ValueError, TypeError):
        return (Kept("unreadable", True, 1, 1_000_000_000, ""),)


def dump_setting(setting: Setting) -> str:
    return json.dumps({**asdict(setting), "accepted": sorted(setting.accepted)})


def parse_setting(stored: str | None) -> Setting | None:
    """What a person set by hand; None where nobody did, or where it can't be read."""
    if stored is None:
        return None
    try:
        data = cast("dict[str, Any]", loads_strict(stored))
        level = parse_level(data["level"])
        accepted = frozenset((str(one), str(mark)) for one, mark in data["accepted"])
        if level is None:
            return None
        return Setting(
            level,
            str(data["by"]),
            str(data["reason"]),
            str(data["at"]),
            parse_level(data["given"]),
            accepted,
        )
    except (ValueError, TypeError, KeyError):
        return None
