"""How many proposals wait where: what tabs and lists show without reading any of them."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from lobes.access.facts import Facts, Resource
from lobes.domain.ids import LobeAddress
from lobes.services.authority import facts_for, may
from lobes.services.installation import Caller, Installation
from lobes.store.facts import memory_facts
from lobes.store.pack_texts import edits_wait
from lobes.store.read_queue import waiting_alike


def waiting_in(lobes: Installation, caller: Caller) -> Mapping[str, int]:
    """By the address of the lobe, of all that the review queue shows the caller."""
    with lobes.reading() as store:
        alike = waiting_alike(store)
        has_edits = edits_wait(store)
        if not alike and not has_edits:
            return {}
        facts = facts_for(store, caller)
        facts = replace(facts, items=memory_facts(store, [id for id, _, _ in alike]))
        found = _edits_in(store, caller, facts) if has_edits else Counter[str]()
    for id, lobe, number in alike:
        if may_decide(caller, id, facts):
            found[lobe] += number
    return found


def _edits_in(store: sqlite3.Connection, caller: Caller, facts: Facts) -> Counter[str]:
    from lobes.services.pack_queue import edit_facts, may_see_edit
    from lobes.store.read_pack_edits import waiting_edits

    edits = waiting_edits(store)
    facts = replace(facts, items=edit_facts(store, edits))
    return Counter(
        str(LobeAddress("space", one.space)) for one in edits if may_see_edit(caller, one, facts)
    )


def may_decide(caller: Caller, id: str, facts: Facts) -> bool:
    """Whether a memory is in the caller's queue; the facts hold it."""
    asked = Resource("memory", id)
    return all(may(caller, verb, asked, facts) for verb in ("review", "read_content"))
