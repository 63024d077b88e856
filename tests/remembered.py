"""Memories put into a home's store as the repository puts them, in any status and lobe."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from homes import AHome
from lobes.domain.ids import parse_address
from lobes.domain.memories import Memory, statement_hash

LONG_AGO = datetime.fromisoformat("2020-01-01T00:00:00+00:00")


def remember(home: AHome, lobe: str, statement: str, **other: Any) -> Memory:
    """A memory of today, active unless `status` says otherwise; `disputes` names another one."""
    disputes = other.pop("disputes", None)
    now = home.lobes.clock()
    memory = Memory(
        id=home.lobes.new_id(),
        lobe=parse_address(lobe),
        statement=statement,
        kind=other.pop("kind", "decision"),
        memory_class="project",
        epistemic="decision",
        status=other.pop("status", "disputed" if disputes else "active"),
        author=other.pop("author", "user"),
        person=other.pop("person", "ada"),
        content_hash=statement_hash(statement),
        created=other.pop("created", now),
        updated=now,
    )
    with home.lobes.database().begin() as unit:
        unit.memories.put(replace(memory, **other), act="add", actor="user:ada")
        if disputes is not None:
            unit.memories.link("disputes", memory.id, disputes.id)
            if disputes.status == "active":
                unit.memories.save(
                    disputes, replace(disputes, status="disputed"), act="dispute", actor="user:ada"
                )
        unit.commit()
    return replace(memory, **other)


def change(home: AHome, memory: Memory, **fields: Any) -> Memory:
    """The memory with these fields, stored as its next version."""
    with home.lobes.database().begin() as unit:
        now = unit.memories.get(memory.id)
        assert now is not None
        saved = unit.memories.save(now, replace(now, **fields), act="edit", actor="user:ada")
        unit.commit()
    return saved
