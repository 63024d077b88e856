"""The one retrieval path: authorize → resolve → engine → check again → text.

The engine only proposes ids. Each is checked once more against the store, in the one snapshot
that supplies its text: it exists, its hash is the one that was found, its lobe may still be drawn
on and `authorize(read_content)` says yes to the very actor who asked. What the first snapshot said
of the Spaces counts again only where nobody has committed to the store since.

A lobe that a person let answer this one question is drawn on in the same way; the approval goes in
the transaction that reads the texts, so of two searches one has it.

What this caller may not have of a lobe that is drawn on (a document that is closer than its Space,
a memory that doesn't hold now or stands alone in a dispute) is left out before anything is scored,
so it takes no slot and moves no number; the second look is for what changed since.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace

from lobes.access.authorize import Decision
from lobes.access.facts import Resource
from lobes.access.resolve import LobeDecision
from lobes.domain.actors import is_human
from lobes.domain.errors import nothing_there
from lobes.engine.protocol import DEPTH, Candidate, Degraded, Engine, SearchReply, SearchRequest
from lobes.services.asked import Asked, Seen, look
from lobes.services.authority import is_own_space, record, require
from lobes.services.held import held
from lobes.services.hits import Hit
from lobes.services.installation import Caller, Installation
from lobes.services.uses import count_given
from lobes.store import read
from lobes.store.faults import in_our_words

__all__ = ["MOST", "Answer", "Hit", "Withheld", "search"]

MOST = 100
"""More results than this are never asked for in one search."""
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Withheld:
    """A lobe that was not drawn on, with its one code."""

    lobe: str
    name: str
    reason: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Answer:
    """`withheld` is empty for an agent, which is told `more_with_approval` at most."""

    space: str
    items: tuple[Hit, ...]
    withheld: tuple[Withheld, ...]
    more_with_approval: bool
    drawn_on: tuple[LobeDecision, ...]
    degraded: tuple[Degraded, ...]
    words_found: int
    meaning_found: int
    took_ms: float


def search(
    lobes: Installation,
    caller: Caller,
    query: str,
    *,
    space: str,
    limit: int = 10,
    counts: bool = True,
) -> Answer:
    """The best passages and memories that `space` may draw on, best first, each with its reason.

    The memories among them count as given; without `counts` that is for whoever gives only some.

    Raises `NotFound` for a Space in the trash, `NotFound` or `Forbidden` where the caller may not
    read the Space, `Unavailable` while the engine is down.
    """
    started = time.perf_counter()
    caller = caller if caller.correlation else caller.for_request(lobes.new_id())
    with closing(read.connect(lobes.folders.store)) as store:
        asked, judged = _asked(lobes, caller, query, space, store, limit=limit)
        asked, reply, items = _answered(asked)
    decisions = asked.decisions
    _record(asked, answer=judged.reason, found=len(items))
    if counts:
        count_given(lobes, items)
    return Answer(
        space=space,
        items=items,
        withheld=_withheld(asked) if is_human(caller.actor) else (),
        more_with_approval=any(one.reason == "ask" for one in decisions),
        drawn_on=tuple(one for one in decisions if one.allowed),
        degraded=reply.degraded,
        words_found=reply.words_found,
        meaning_found=reply.meaning_found,
        took_ms=round((time.perf_counter() - started) * 1000, 1),
    )


def _asked(
    lobes: Installation,
    caller: Caller,
    query: str,
    space: str,
    store: sqlite3.Connection,
    *,
    limit: int,
) -> tuple[Asked, Decision]:
    """What is looked for and where, and by which reason the caller may ask there."""
    with in_our_words(), read.snapshot(store):
        seen = look(lobes, store, caller, query, space)
    about = Resource("space", space)
    judged = require(lobes, caller, "read_content", about, facts=seen.facts)
    if not is_own_space(caller, space):
        raise nothing_there()  # an agent asks for its own Space alone
    limit = min(max(limit, 0), MOST)
    return Asked(lobes, caller, query, space, limit, store, seen), judged


def _answered(asked: Asked) -> tuple[Asked, SearchReply, tuple[Hit, ...]]:
    """What was decided, found and checked. An approval that another search had first, or that ran
    out meanwhile, is not in the facts of the next try."""
    while True:
        reply, items = _retrieve(asked.lobes.engine, asked)
        if not asked.once or not asked.is_question:
            return asked, reply, items
        used = _used_up(asked, reply)
        if used is not None:
            return used[0], reply, used[1]
        with in_our_words(), read.snapshot(asked.store) as store:
            asked = asked.by(store)


def _used_up(asked: Asked, reply: SearchReply) -> tuple[Asked, tuple[Hit, ...]] | None:
    """What is decided now with its texts, and the approvals taken away, in one transaction: both
    or neither. None where an approval is gone, or something else is withheld by now."""
    with asked.lobes.database().begin() as unit:
        now = asked.by(unit.reader)
        if now.once != asked.once or now.seen.withheld != asked.seen.withheld:
            return None
        items = held(now, reply.candidates, unit.reader)
        unit.approvals.use(now.once)
        unit.commit()
    return now, items


def _retrieve(engine: Engine, asked: Asked) -> tuple[SearchReply, tuple[Hit, ...]]:
    """Over-fetch until `limit` hits passed the second check, or the lobes have no more; ask again
    where something else is withheld by then."""
    reply = SearchReply(())
    items: tuple[Hit, ...] = ()
    if not asked.is_question:
        return reply, items
    allowed = tuple(str(one.lobe) for one in asked.decisions if one.allowed)
    depth = DEPTH
    for _ in range(_ROUNDS):
        hidden = asked.seen.withheld
        without = {lobe: hidden[lobe] for lobe in allowed if lobe in hidden}
        reply = engine.search(SearchRequest(asked.query, allowed, depth, without))
        now, items = _checked(asked, reply.candidates)
        if now.withheld != asked.seen.withheld:
            asked = replace(asked, seen=replace(asked.seen, withheld=now.withheld))
            continue
        exhausted = max(reply.words_found, reply.meaning_found) < depth
        if len(items) >= asked.limit or exhausted:
            break
        depth *= 4
    return reply, items


def _checked(asked: Asked, candidates: Sequence[Candidate]) -> tuple[Seen, tuple[Hit, ...]]:
    """The best candidates that still hold, with their text, from one snapshot; best first. With
    what that snapshot says."""
    with in_our_words(), read.snapshot(asked.store) as store:
        if read.data_version(store) != asked.seen.version:
            asked = asked.by(store)
        return asked.seen, held(asked, candidates, store)


def _withheld(asked: Asked) -> tuple[Withheld, ...]:
    return tuple(
        Withheld(str(one.lobe), asked.name(one), one.reason, asked.sentence(one))
        for one in asked.decisions
        if not one.allowed
    )


def _record(asked: Asked, *, answer: str, found: int) -> None:
    record(
        asked.lobes,
        asked.caller,
        "space.searched",
        "read_content",
        Resource("space", asked.space),
        answer=answer,
        decisions=[(str(one.lobe), one.reason, one.allowed) for one in asked.decisions],
        counts={"found": found},
    )
