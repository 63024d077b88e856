"""Memories put into a home's store as the repository puts them, in any status and lobe."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from homes import AHome
from lobes.domain.ids import parse_address
from lobes.domain.memories import Memory, statement_hash

LONG_AGO = datetime.fromisoformat("2020-01-01T00:00:00+00:00")


def a_memory(home: AHome, lobe: str, statement: str, **other: Any) -> Memory:
    """A memory of today, active unless `status` says otherwise; not stored yet."""
    now = home.lobes.clock()
    memory = Memory(
        id=home.lobes.new_id(),
        lobe=parse_address(lobe),
        statement=statement,
        kind="decision",
        memory_class="project",
        epistemic="decision",
        status="active",
        author="user",
        person="ada",
        content_hash=statement_hash(statement),
        created=now,
        updated=now,
    )
    return replace(memory, **other)


def remember(
    home: AHome, lobe: str, statement: str, *, disputes: Memory | None = None, **other: Any
) -> Memory:
    """A memory that is in the store; with `disputes` both are disputed from then on."""
    if disputes is not None:
        other = {"status": "disputed", **other}
    memory = a_memory(home, lobe, statement, **other)
    with home.lobes.database().begin() as unit:
        unit.memories.put(memory, act="add", actor="user:ada")
        if disputes is not None:
            unit.memories.link("disputes", memory.id, disputes.id)
            if disputes.status == "active":
                unit.memories.save(
                    disputes, replace(disputes, status="disputed"), act="dispute", actor="user:ada"
                )
        unit.commit()
    return memory


def change(home: AHome, memory: Memory, **fields: Any) -> Memory:
    """The memory with these fields, stored as its next version."""
    with home.lobes.database().begin() as unit:
        now = unit.memories.get(memory.id)
        assert now is not None
        saved = unit.memories.save(now, replace(now, **fields), act="edit", actor="user:ada")
        unit.commit()
    return saved
