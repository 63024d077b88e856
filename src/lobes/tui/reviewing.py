"""Review as its screen asks for it: what waits, all about one of it, decisions with undo."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, Protocol

from lobes.domain.display import one_line
from lobes.domain.errors import LobesError
from lobes.tui.cells import plural
from lobes.tui.outcomes import Outcome
from lobes.tui.reviewing_edits import (
    PACK_EDIT,
    OpenedEdit,
    WaitingEdit,
    clause,
    decide_edits,
    together,
    undone_words,
    waits_again,
)
from lobes.tui.triage import Refused, Settlement

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from lobes.domain.ids import LobeAddress
    from lobes.domain.reviewing import Decides
    from lobes.domain.sensitivity import Level
    from lobes.services.decisions import Decided
    from lobes.services.installation import Caller, Installation
    from lobes.services.promoting import Promotion
    from lobes.services.review_evidence import Evidence
    from lobes.services.review_queue import Counters, Item, View
    from lobes.tui.triage import Asked

MEMORIES = ("memory", "memories")
SHOWN = 40
"""Characters of a statement that an outcome names."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """One row: what waits, and what its lobe is called. `kind` says what a decision is about."""

    item: Item
    where: str
    kind: Literal["memory"] = "memory"
    # Asked of each of ten thousand rows where keys are handled: looked up once, where it is read.
    id: str = field(init=False)
    stamp: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", self.item.id)
        object.__setattr__(self, "stamp", self.item.stamp)

    @property
    def waits(self) -> bool:
        return self.item.row.status == "proposed"


Row = Waiting | WaitingEdit


@dataclass(frozen=True, slots=True)
class Queue:
    """What a view holds, edits of files too; `oldest` is since when the oldest of what waits
    does."""

    items: tuple[Row, ...]
    counters: Counters
    oldest: datetime | None


@dataclass(frozen=True, slots=True)
class Opened:
    """All about one, as its evidence shows it."""

    evidence: Evidence


Read = Opened | OpenedEdit


@dataclass(frozen=True, slots=True)
class Wider:
    """A lobe that a memory may be proposed in or wait in: its address, its name, its kind."""

    lobe: LobeAddress
    name: str
    note: str


@dataclass(frozen=True, slots=True)
class Order:
    """What is decided beside the act itself: see `services.reviewing.decide`. `confirmed`: the
    person was asked, or saw all that stands in the way. `level`: how sensitive it is to be."""

    reason: str = ""
    target: Asked | None = None
    also: tuple[str, ...] = ()
    text: str = ""
    confirmed: bool = False
    level: Level | None = None


class ReviewSource(Protocol):
    def queue(self, view: View) -> Queue: ...
    def alike(self, items: Sequence[Row]) -> Mapping[str, tuple[str, ...]]:
        """Of each that says nearly the same as others that wait: all of them, itself too."""
        ...

    def open(self, item: Row) -> Read: ...
    def decide(self, act: Decides, asked: Sequence[Asked], order: Order) -> Settlement:
        """The same on each, memories and edits of files: one undo, a record for each kind."""
        ...

    def reword(self, asked: Asked, order: Order) -> Settlement:
        """New words for it; what waits is accepted with them. One undo takes both back."""
        ...

    def set_level(self, asked: Sequence[Asked], level: Level, reason: str) -> Settlement:
        """How sensitive these are from now on; to lower one takes a reason."""
        ...

    def places(self) -> tuple[Wider, ...]: ...
    def destinations(self) -> tuple[Wider, ...]:
        """Where what waits could wait instead."""
        ...

    def move(self, asked: Sequence[Asked], lobe: LobeAddress) -> Settlement: ...
    def promotion(self, id: str, lobe: LobeAddress) -> Promotion:
        """Who could read it there that can't now."""
        ...

    def promote(self, asked: Sequence[Asked], lobe: LobeAddress) -> Settlement: ...


class Reviewing:
    """`ReviewSource` over an open home."""

    def __init__(self, lobes: Installation, caller: Caller, names: dict[str, str]) -> None:
        self._home = lobes, caller
        self._names = names

    def queue(self, view: View) -> Queue:
        from lobes.services.pack_queue import oldest_of, pack_queue
        from lobes.services.review_queue import queue

        found = queue(*self._home, view)
        waits = pack_queue(*self._home)
        edits = waits if view == "waiting" else ()
        if view == "rejected":
            edits = pack_queue(*self._home, "rejected")
        rows: list[Row] = [Waiting(one, self._where(one.row.lobe)) for one in found.items]
        rows += [WaitingEdit(one, self._names.get(one.edit.space, one.edit.space)) for one in edits]
        if edits:
            rows.sort(key=_when, reverse=True)
        counters = replace(found.counters, waiting=found.counters.waiting + len(waits))
        oldest = min((one for one in (found.oldest, oldest_of(waits)) if one), default=None)
        return Queue(tuple(rows), counters, oldest)

    def _where(self, lobe: LobeAddress) -> str:
        return self._names.get(lobe.id, lobe.id) if lobe.kind == "space" else str(lobe)

    def alike(self, items: Sequence[Row]) -> Mapping[str, tuple[str, ...]]:
        from lobes.services.review_groups import groups

        memories = [one.item for one in items if isinstance(one, Waiting)]
        return {id: some for some in groups(memories) for id in some}

    def open(self, item: Row) -> Read:
        from lobes.services.pack_queue import pack_evidence
        from lobes.services.review_evidence import evidence

        if isinstance(item, WaitingEdit):
            return OpenedEdit(pack_evidence(*self._home, item.id))
        return Opened(evidence(*self._home, item.id))

    def decide(self, act: Decides, asked: Sequence[Asked], order: Order) -> Settlement:
        from lobes.services.decisions import Asked as Decision

        memories = [one for one in asked if one.kind != PACK_EDIT]
        edits = [
            Decision(one.id, one.stamp, order.confirmed) for one in asked if one.kind == PACK_EDIT
        ]
        if not edits:
            return self._decide(act, memories, order)
        found = self._decide(act, memories, order) if memories else Settlement(())
        try:
            return together(found, decide_edits(*self._home, act, edits, order.reason))
        except LobesError as error:
            if not found.done:
                raise
            # What was decided is told of, with its undo, whatever became of the rest.
            left = tuple(Refused(one.id, clause(error)) for one in edits)
            return together(found, Settlement((), left))

    def _decide(self, act: Decides, asked: Sequence[Asked], order: Order) -> Settlement:
        from lobes.services.decisions import Asked as Decision
        from lobes.services.reviewing import decide

        target, sure = order.target, order.confirmed
        decided = decide(
            *self._home,
            act,
            [Decision(one.id, one.stamp, sure) for one in asked],
            reason=order.reason,
            target=Decision(target.id, target.stamp, sure) if target is not None else "",
            text=order.text,
            also=order.also,
        )
        return self._settled(decided)

    def reword(self, asked: Asked, order: Order) -> Settlement:
        from lobes.domain.memories import shown_hash
        from lobes.services.decisions import Asked as Decision
        from lobes.services.reviewing import decide

        one = Decision(asked.id, asked.stamp, order.confirmed)
        edited = decide(*self._home, "edit", [one], text=order.text)
        if not edited.done or edited.done[0].memory.status != "proposed":
            return self._settled(edited)
        again = Decision(asked.id, shown_hash(edited.done[0].memory), order.confirmed)
        try:
            accepted = decide(*self._home, "accept", [again])
        except LobesError as error:
            # The new words stand in the store by now: they are told of, with their undo.
            return self._still_waiting(edited, error)
        if not accepted.done:
            return self._still_waiting(edited, accepted.left[0].error)
        both = replace(edited, done=(*edited.done, *accepted.done))
        return Settlement((asked.id,), undo=partial(self._undo, both))

    def _still_waiting(self, edited: Decided, why: LobesError) -> Settlement:
        text = f"Edited, and still waiting: {clause(why)}"
        return Settlement((edited.done[0].id,), undo=partial(self._undo, edited), text=text)

    def set_level(self, asked: Sequence[Asked], level: Level, reason: str) -> Settlement:
        from lobes.services.decisions import Asked as Decision
        from lobes.services.memory_sensitivity import set_levels

        wanted = [Decision(one.id, one.stamp) for one in asked]
        found = self._settled(set_levels(*self._home, wanted, level, reason=reason))
        nouns = (f"memory to {level}", f"memories to {level}")
        return replace(found, text=f"It is {level} now", nouns=nouns)

    def places(self) -> tuple[Wider, ...]:
        from lobes.domain.actors import person_of
        from lobes.domain.ids import LobeAddress, parse_address
        from lobes.services.groups import list_groups

        own = person_of(self._home[1].actor)
        groups = list_groups(*self._home)
        return (
            Wider(LobeAddress("personal", own), "your own lobe", "personal"),
            *(Wider(parse_address(one.lobe), one.name, one.kind) for one in groups),
        )

    def destinations(self) -> tuple[Wider, ...]:
        from lobes.domain.ids import LobeAddress
        from lobes.services.spaces import list_spaces

        spaces = list_spaces(*self._home, statuses=("active",))
        found = (Wider(LobeAddress("space", one.id), one.name, one.kind) for one in spaces)
        return (*found, *self.places())

    def move(self, asked: Sequence[Asked], lobe: LobeAddress) -> Settlement:
        return self._to("move", asked, lobe)

    def promotion(self, id: str, lobe: LobeAddress) -> Promotion:
        from lobes.services.promoting import promotion

        return promotion(*self._home, id, lobe)

    def promote(self, asked: Sequence[Asked], lobe: LobeAddress) -> Settlement:
        return self._to("promote", asked, lobe)

    def _to(self, act: Decides, asked: Sequence[Asked], lobe: LobeAddress) -> Settlement:
        from lobes.services.decisions import Asked as Decision
        from lobes.services.reviewing import decide

        wanted = [Decision(one.id, one.stamp) for one in asked]
        return self._settled(decide(*self._home, act, wanted, lobe=lobe))

    def _settled(self, decided: Decided) -> Settlement:
        return Settlement(
            tuple(one.id for one in decided.done),
            tuple(Refused(one.id, clause(one.error)) for one in decided.left),
            partial(self._undo, decided) if decided.done else None,
            _named(decided),
        )

    def _undo(self, decided: Decided) -> Outcome:
        from lobes.services import memory_sensitivity
        from lobes.services.reviewing import undo

        of_levels = decided.act == memory_sensitivity.ACT
        take_back = memory_sensitivity.undo_levels if of_levels else undo
        found = take_back(*self._home, decided)
        statuses = {one.id: one.memory.status for one in found.done}
        if of_levels:
            what = f"{plural(len(statuses), *MEMORIES)} as sensitive as before"
        else:
            again = waits_again(statuses.values(), MEMORIES)
            what = again or plural(len(statuses), "decision")
        text = undone_words(found, what)
        return Outcome(text, partial(self._undo, found) if found.done else None)


def _named(decided: Decided) -> str:
    """`Superseded “up to 60 seconds”`; "" where the act alone says it."""
    if decided.act != "supersede" or len(decided.done) != 1:
        return ""
    old = [after for _, after in decided.done[0].changes if after.status == "superseded"]
    if not old:
        return ""
    from lobes.services.shown_memory import statement_shown

    more = f" and {len(old) - 1} more" if len(old) > 1 else ""
    return f"Superseded “{one_line(statement_shown(old[0]), limit=SHOWN)}”{more}"


def _when(one: Row) -> tuple[datetime, str]:
    """What waits since when it does, what was decided since it was."""
    if isinstance(one, WaitingEdit):
        return one.at, one.id
    return (one.item.row.created if one.waits else one.item.row.updated), one.id
