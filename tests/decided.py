"""Memories put into a real home, as they came or as somebody would have them by now."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from homes import AHome
from lobes.domain.ids import parse_address
from lobes.domain.memories import Memory, Provenance, shown_hash, statement_hash
from lobes.services.decisions import Asked, Decided
from lobes.services.reviewing import decide
from lobes.store.read_memories import memories


def claim(number: int) -> str:
    """A statement that has no word in common with that of another number."""
    digits = ["ba", "ke", "di", "fo", "gu", "le", "mi", "no", "pu", "ra"]
    return "".join(digits[int(digit)] for digit in f"{number:04d}").capitalize() + "."


def remember(home: AHome, statement: str, *, lobe: str = "space/prj_a", **fields: Any) -> str:
    """One memory in the store, an agent's proposal unless it is said otherwise; its id."""
    return remember_all(home, [statement], lobe=lobe, **fields)[0]


def remember_all(
    home: AHome, statements: list[str], *, lobe: str = "space/prj_a", **fields: Any
) -> list[str]:
    from lobes.store.memories import Change

    now = home.lobes.clock()
    like = Memory(
        id="", lobe=parse_address(lobe), statement="", kind="context", memory_class="project",
        epistemic="agent_inference", status="proposed", author="agent", person="ada",
        content_hash="", created=now, updated=now, waits_for=("inferred",),
        provenance=Provenance(session="s1", client="codex"),
    )  # fmt: skip
    like = replace(like, **fields)
    made = [
        replace(like, id=home.lobes.new_id(), statement=one, content_hash=statement_hash(one))
        for one in statements
    ]
    act = "propose" if like.status == "proposed" else "add"
    with home.lobes.database().begin() as unit:
        unit.memories.put_all([Change(one, act, "user:ada") for one in made])
        unit.commit()
    return [one.id for one in made]


def get(home: AHome, id: str) -> Memory:
    with home.lobes.reading() as store:
        return memories(store, [id])[id]


def asked(home: AHome, *ids: str, confirmed: bool = False) -> list[Asked]:
    """To be decided on as they are now."""
    return [Asked(id, shown_hash(get(home, id)), confirmed) for id in ids]


def done(decided: Decided) -> Decided:
    """What left nothing."""
    assert decided.left == (), [(one.error.reason, one.error.message) for one in decided.left]
    return decided


def do(home: AHome, act: Any, *ids: str, confirmed: bool = False, **more: Any) -> Decided:
    """A decision by the owner on these as they are now."""
    return decide(home.lobes, home.me, act, asked(home, *ids, confirmed=confirmed), **more)


def reasons(decided: Decided) -> dict[str, str]:
    """Id → why it was left."""
    return {one.id: one.error.reason for one in decided.left}


def statuses(home: AHome, *ids: str) -> list[str]:
    return [get(home, id).status for id in ids]
