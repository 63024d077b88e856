"""What waits for a person, and what became of what came: the queue and its counters.

Only what the caller may review and read is in it. What came and became of it is counted by lobe, of
all that came: so it is told to those alone who may know all of the lobe.
"""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from lobes.access.facts import Facts, Resource
from lobes.classify.masking import known_in, masked
from lobes.domain.memories import Status, shown_hash
from lobes.domain.reviewing import Brake, brakes
from lobes.services.authority import facts_for, require
from lobes.services.comparing import neighbourhood
from lobes.services.installation import Caller, Installation
from lobes.services.known_to import KnownTo
from lobes.services.waiting import may_decide
from lobes.store.facts import memory_facts
from lobes.store.read_memories import counts
from lobes.store.read_queue import (
    QueueRow,
    authors_of,
    counted_lobes,
    decided_rows,
    rows_in,
    waiting_rows,
)

View = Literal["waiting", "decided", "active", "archived", "rejected"]
"""What waits, what was decided, and all that is in a status, whoever brought it there."""

_STATUSES: Mapping[View, tuple[Status, ...]] = {
    "active": ("active", "disputed"),
    "archived": ("archived", "superseded"),
    "rejected": ("rejected",),
}

_DECISIONS = ("accept", "reject", "merge", "supersede", "dispute", "archive", "restore", "settle")


@dataclass(frozen=True, slots=True)
class Item:
    """One row. `shown` is what an approval of it is bound to; `statement` has its secrets masked;
    `in_session` counts what waits from the same session, itself included."""

    row: QueueRow
    statement: str
    shown: str
    brakes: tuple[Brake, ...]
    in_session: int

    @property
    def id(self) -> str:
        return self.row.id

    @property
    def stamp(self) -> str:
        return self.shown


@dataclass(frozen=True, slots=True)
class Counters:
    """Since the begin of yesterday (UTC): what came, and what became of it, in the lobes that are
    the caller's own. `waiting` is how many of the queue wait now, whenever they came."""

    proposed: int
    at_once: int
    repeats: int
    suppressed: int
    refused: int
    accepted: int
    rejected: int
    merged: int
    waiting: int


@dataclass(frozen=True, slots=True)
class Queue:
    """`oldest` is since when the oldest of what waits does."""

    items: tuple[Item, ...]
    oldest: datetime | None
    counters: Counters


def queue(
    lobes: Installation, caller: Caller, view: View = "waiting", space: str | None = None
) -> Queue:
    """The newest first, of one Space or of every lobe that the caller may review.

    Raises `NotFound` or `Forbidden` where the Space isn't the caller's to review; of all of them
    nothing is asked aloud.
    """
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        lobe = ""
        if space is not None:
            require(lobes, caller, "review", Resource("space", space), facts=facts)
            lobe = f"space/{space}"
        waiting = _seen(store, caller, waiting_rows(store, lobe), facts)
        found = waiting
        if view == "decided":
            found = _seen(store, caller, decided_rows(store, _DECISIONS, lobe), facts)
        elif view != "waiting":
            found = _seen(store, caller, rows_in(store, _STATUSES[view], lobe), facts)
        known = KnownTo(store, neighbourhood(lobes.folders.store), caller, facts)
        shown = {one.id: shown_hash(one) for one in found}
        replaced = known.readable({one.replaces for one in found if one.replaces})
        found = [
            one if known.is_open(one) else one._replace(**known.as_listed(one)._asdict())
            for one in found
        ]
        authors = authors_of(store, replaced)
        counters = _counters(store, lobes, known, lobe, waiting=len(waiting))
    sessions = Counter((one.person, one.session) for one in waiting if one.session)
    items = tuple(
        Item(
            one,
            masked(one.statement, kept=known_in(one)),
            shown[one.id],
            brakes(one, authors.get(one.replaces, "")),
            sessions[one.person, one.session],
        )
        for one in found
    )
    return Queue(items, min((one.created for one in waiting), default=None), counters)


def _seen(
    store: sqlite3.Connection, caller: Caller, found: list[QueueRow], facts: Facts
) -> list[QueueRow]:
    """What the caller may review and read: the rules are asked once for all that are alike."""
    alike: dict[tuple[object, ...], list[QueueRow]] = {}
    for one in found:
        is_proposal = one.status in ("proposed", "rejected")
        keeper = one.person if one.permission is not None and is_proposal else ""
        key = (one.lobe, one.category, one.level, one.permission, keeper)
        alike.setdefault(key, []).append(one)
    samples = memory_facts(store, [some[0].id for some in alike.values()])
    asked = replace(facts, items=samples)
    seen: set[str] = set()
    for some in alike.values():
        if may_decide(caller, some[0].id, asked):
            seen.update(one.id for one in some)
    return found if len(seen) == len(found) else [one for one in found if one.id in seen]


def _counters(
    store: sqlite3.Connection,
    lobes: Installation,
    view: KnownTo,
    lobe: str,
    *,
    waiting: int,
) -> Counters:
    since = (lobes.clock() - timedelta(days=1)).date().isoformat()
    known = [one for one in counted_lobes(store, since=since) if not lobe or str(one) == lobe]
    own = [str(one) for one in known if view.knows_all(one)]
    found = counts(store, own, since=since)
    return Counters(
        proposed=found.get("came", 0) - found.get("added", 0),
        at_once=found.get("added", 0) + found.get("by_policy", 0),
        repeats=found.get("repeat", 0),
        suppressed=found.get("suppressed", 0),
        refused=found.get("refused", 0),
        accepted=found.get("accepted", 0),
        rejected=found.get("rejected", 0),
        merged=found.get("merged", 0),
        waiting=waiting,
    )
