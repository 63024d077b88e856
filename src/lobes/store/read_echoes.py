"""Where else the words of memories are: what an erasure of these doesn't take along.

Each table is walked once, however many memories they are.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass

from lobes.domain.ids import LobeAddress
from lobes.domain.memories import statement_hash
from lobes.domain.sensitivity import Level
from lobes.store.read import rows
from lobes.store.read_pack_edits import edits_outside
from lobes.store.read_sessions import turns_outside

_MARK = re.compile(r"\s*(?:(?:[-*+>]|\d+[.)])\s+)?")
"""How a line of Markdown begins that is an item or is cited."""

_THESE = "WITH gone (id) AS (SELECT value FROM json_each(?1))"
_SAID = f"""
    {_THESE}
    SELECT content_hash FROM memory WHERE id IN (SELECT id FROM gone)
    UNION SELECT content_hash FROM memory_version WHERE memory IN (SELECT id FROM gone)
"""
_MEMORIES = f"""
    {_THESE},
        said (hash) AS (SELECT value FROM json_each(?2)),
        named (id) AS (SELECT id FROM gone UNION ALL SELECT 'memory/' || id FROM gone)
    SELECT id FROM memory WHERE content_hash IN (SELECT hash FROM said)
    UNION SELECT memory FROM memory_version WHERE content_hash IN (SELECT hash FROM said)
    UNION SELECT other FROM memory_link WHERE memory IN (SELECT id FROM gone)
    UNION SELECT memory FROM memory_link WHERE other IN (SELECT id FROM gone)
    UNION SELECT m.id
        FROM memory m, json_each(CASE WHEN json_valid(m.evidence) THEN m.evidence ELSE '[]' END) e
        WHERE m.evidence <> '[]' AND e.value IN (SELECT id FROM named)
"""


@dataclass(frozen=True, slots=True)
class Echoes:
    """`memories` are the others, of any lobe and status, that say or said what one of these says or
    said, name one as their evidence, as what was promoted does, or are tied to one. `turns` are
    sessions, each with the level of a turn, that has it as a line or rests on it; `edits` are those
    of packs with such a line in their text."""

    memories: frozenset[str]
    turns: frozenset[tuple[str, Level]]
    edits: frozenset[str]


def echoes(store: sqlite3.Connection, ids: Collection[str], *, space: str = "") -> Echoes:
    """What stays with words of these memories; with `space` all that is in that one goes along."""
    gone = json.dumps(list(ids))
    said = frozenset(str(one) for (one,) in rows(store, _SAID, (gone,)))
    named = {name for id in ids for name in (id, f"memory/{id}")}
    others = rows(store, _MEMORIES, (gone, json.dumps(list(said))))
    return Echoes(
        frozenset(str(one) for (one,) in others) - set(ids),
        frozenset(
            (session, turn.level)
            for session, turn in turns_outside(store, space)
            if not named.isdisjoint(turn.evidence)
            or any(_says(text, said) for text in (turn.summary, *turn.decisions))
        ),
        frozenset(one.id for one in edits_outside(store, space) if _says(one.text, said)),
    )


def memories_in(store: sqlite3.Connection, lobe: LobeAddress) -> list[str]:
    """The ids of all memories of the lobe, whatever their status."""
    return [one[0] for one in rows(store, "SELECT id FROM memory WHERE lobe = ?", (str(lobe),))]


def _says(text: str, said: Collection[str]) -> bool:
    """Whether the text, or a line of it, with or without its mark, is one of these statements."""
    lines = text.splitlines()
    bare = (line[begin.end() :] for line in lines if (begin := _MARK.match(line)))
    return any(statement_hash(one) in said for one in {text, *lines, *bare} if one.strip())
