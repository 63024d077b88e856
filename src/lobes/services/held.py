"""The second look: of what the engine proposed, what still holds, with its text, best first.

Each is checked against the store in the one snapshot that supplies its text: it exists, says what
was found, is in the lobe where it was found, and `authorize(read_content)` says yes.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from lobes.access.facts import Resource
from lobes.domain.ids import LobeAddress
from lobes.engine.protocol import Candidate
from lobes.services.asked import Asked
from lobes.services.authority import may
from lobes.services.hits import Drawn, Hit, memory_hit, passage_hit
from lobes.services.recalling import Memories, drawn, memories_among, with_other_sides
from lobes.store.facts import document_facts
from lobes.store.passages import FoundPassage, found_passages
from lobes.store.read_sensitivity import sensitivities

_NOTHING = 0.005
"""A fused score that reads 0.00: without a word in common it is no answer."""


def held(
    asked: Asked, candidates: Sequence[Candidate], store: sqlite3.Connection
) -> tuple[Hit, ...]:
    """The best `limit` answers; a disputed memory brings its other side with it, beyond the limit
    where it is the last."""
    memories = memories_among(asked, store, {one.id for one in candidates})
    ranked = _ranked(asked, candidates, memories)
    proposed = {one.candidate.id: one for one in ranked if memories.is_for(one.candidate)}
    # By id: an index that names one twice shows it once.
    shown: dict[str, Drawn] = {}
    passages: dict[str, FoundPassage] = {}
    # So many at a time as are wanted: as a rule they all hold, and the others are never read.
    for start in range(0, len(ranked), asked.limit):
        some = ranked[start : start + asked.limit]
        passages |= _passages(asked, some, memories, store)
        for one in some:
            id = one.candidate.id
            if id in shown or len(shown) >= asked.limit:
                continue
            if memories.is_for(one.candidate):
                sides = with_other_sides(asked, one, memories, proposed)
                shown |= {
                    side.candidate.id: side for side in sides if side.candidate.id not in shown
                }
            elif id in passages and _is_for(one, passages[id]):
                shown[id] = one
        if len(shown) >= asked.limit:
            break
    return _hits(asked, shown, memories, passages, store)


def _ranked(asked: Asked, candidates: Sequence[Candidate], memories: Memories) -> list[Drawn]:
    """The candidates of lobes that may be drawn on, best first by the score that is shown."""
    drawn_on = {str(one.lobe): one for one in asked.decisions if one.allowed}
    found = [
        drawn(asked, one, drawn_on[one.lobe], memories)
        for one in candidates
        if one.lobe in drawn_on and not _is_lost(one)
    ]
    found.sort(key=lambda one: (-one.score, one.candidate.id))
    return found


def _is_lost(candidate: Candidate) -> bool:
    """No word of it was asked for, and its meaning is no nearer than any passage's would be."""
    return candidate.words is None and candidate.score < _NOTHING


def _passages(
    asked: Asked, some: Sequence[Drawn], memories: Memories, store: sqlite3.Connection
) -> dict[str, FoundPassage]:
    """Those that are passages which this caller may read."""
    ids = {one.candidate.id for one in some} - memories.known
    passages = found_passages(store, ids)
    items = document_facts(store, {one.document for one in passages.values()})
    facts = replace(asked.seen.facts, items=items)
    return {
        id: one
        for id, one in passages.items()
        if may(asked.caller, "read_content", Resource("document", one.document), facts)
    }


def _is_for(one: Drawn, passage: FoundPassage) -> bool:
    """Whether the passage says what was found and is in the lobe that was searched."""
    return (
        one.candidate.content_hash == passage.content_hash
        and LobeAddress("space", passage.space) == one.lobe.lobe
    )


def _hits(
    asked: Asked,
    shown: dict[str, Drawn],
    memories: Memories,
    passages: dict[str, FoundPassage],
    store: sqlite3.Connection,
) -> tuple[Hit, ...]:
    known = sensitivities(store, {passages[id].document for id in shown if id in passages})
    hits: list[Hit] = []
    for id, one in shown.items():
        sentence, name = asked.sentence(one.lobe), asked.name(one.lobe)
        if one.memory is not None:
            memory = memories.held[id]
            hit = memory_hit(one, memory, query=asked.query, sentence=sentence, name=name)
        else:
            passage = passages[id]
            level = known.get(passage.document)
            hit = passage_hit(one, passage, level, query=asked.query, sentence=sentence, name=name)
        hits.append(hit)
    return tuple(hits)
