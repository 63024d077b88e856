"""What matters for a task, within a budget of tokens: the pack's first files, then memories and
passages that a search gives.

Nothing is drawn on but by `search` and `read_source`, so what they refuse is refused here; each
piece says where it is from and why. Who is given it is an agent, whom texts are data to.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from lobes.access.facts import Resource
from lobes.domain.documents import StoredDocument
from lobes.domain.errors import Forbidden, NotFound, nothing_there
from lobes.domain.tokens import estimate_tokens
from lobes.services.authority import facts_for, require
from lobes.services.hits import Hit
from lobes.services.installation import Caller, Installation
from lobes.services.reading import Range, Source, read_source
from lobes.services.search import Answer, search
from lobes.services.uses import count_given
from lobes.services.withheld import withheld_paths
from lobes.store.read import stored_documents
from lobes.store.read_spaces import space_row

BUDGET = 2_000
LEAST, MOST = 200, 20_000
"""Tokens of a context; what stands around its texts isn't counted."""
FIRST = (
    "current_state",
    "identity",
    "goals",
    "constraints",
    "active_work",
    "conventions",
    "decisions",
)
"""The roles of the files that come before anything that was asked for, in this order."""
_PACK_SHARE = 0.5
_FOUND = 30
"""Answers of the search that are looked at."""

Layer = Literal["pack", "memories", "passages"]


@dataclass(frozen=True, slots=True)
class Piece:
    """One source: `version` is its content hash, "" of a memory or a passage; `scores` are those
    of the search, none for a file of the pack. `document` is the file that it is from, "" for a
    memory; `others` contradict it and stand beside it."""

    id: str
    version: str
    layer: Layer
    lobe: str
    place: str
    role: str
    reason: str
    tokens: int
    text: str
    scores: Mapping[str, float] = field(default_factory=dict[str, float])
    document: str = ""
    is_cut: bool = False
    is_from_outside: bool = False
    others: tuple[str, ...] = ()


@dataclass(slots=True)
class _Pack:
    """The files that come first; `inside` are the passages that stand in them, `without_room`
    counts the files that don't, or not whole."""

    left: int
    pieces: list[Piece] = field(default_factory=list[Piece])
    inside: set[str] = field(default_factory=set[str])
    without_room: int = 0

    def has(self, hit: Hit) -> bool:
        whole = any(one.document == hit.document for one in self.pieces if not one.is_cut)
        return whole or hit.id in self.inside


@dataclass(frozen=True, slots=True)
class Context:
    """`omitted` counts by reason what was found and isn't in it; `more_with_approval`: a person
    could allow more."""

    space: str
    name: str
    query: str
    pieces: tuple[Piece, ...]
    omitted: Mapping[str, int]
    more_with_approval: bool
    degraded: tuple[str, ...]
    took_ms: float

    @property
    def tokens(self) -> int:
        return sum(one.tokens for one in self.pieces)


def assemble(
    lobes: Installation, caller: Caller, query: str, *, space: str, budget: int = BUDGET
) -> Context:
    """The context for this question; for none, for what the Space says that it is.

    Raises as `search`: where that is refused, nothing is given.
    """
    started = time.perf_counter()
    caller = caller if caller.correlation else caller.for_request(lobes.new_id())
    budget = min(max(budget, LEAST), MOST)
    with lobes.reading() as store:
        row = space_row(store, space)
    name = row.name if row is not None else ""
    about = query.strip() or f"{name} {row.description if row is not None else ''}"
    answer = search(lobes, caller, about, space=space, limit=_FOUND, counts=False)
    files = _first_files(lobes, caller, space)
    pack = _pack(lobes, caller, files, int(budget * _PACK_SHARE))
    left = budget - sum(one.tokens for one in pack.pieces)
    found, given, omitted = _found(answer, pack, left)
    count_given(lobes, given)
    omitted += pack.without_room
    return Context(
        space=space,
        name=name,
        query=query,
        pieces=(*pack.pieces, *found),
        omitted={"budget": omitted} if omitted else {},
        more_with_approval=answer.more_with_approval,
        degraded=tuple(answer.degraded),
        took_ms=round((time.perf_counter() - started) * 1000, 1),
    )


def _first_files(lobes: Installation, caller: Caller, space: str) -> list[StoredDocument]:
    """Those with a role that comes first, as far as the caller may read them."""
    about = Resource("space", space)
    with lobes.reading() as store:
        facts = facts_for(store, caller, space)
        require(lobes, caller, "read_content", about, facts=facts, event="space.context")
        if space not in facts.spaces:
            raise nothing_there()
        hidden = withheld_paths(store, caller, "read_content", facts, space=space)
        every = stored_documents(store, space).values()
    known = [one for one in every if one.path not in hidden.get(space, ())]
    first = [one for one in known if one.role in FIRST]
    return sorted(first, key=lambda one: (FIRST.index(one.role), one.path))


def _pack(
    lobes: Installation, caller: Caller, files: Sequence[StoredDocument], budget: int
) -> _Pack:
    """Each file from its beginning, as far as the budget goes."""
    pack = _Pack(budget)
    for one in files:
        with suppress(NotFound, Forbidden):  # it changed hands since it was listed
            _add(pack, read_source(lobes, caller, one.id, lines=Range()))
    return pack


def _add(pack: _Pack, source: Source) -> None:
    """As much of it as there is room for; cut between its passages. One without text is nothing."""
    text, taken = "", list[str]()
    for part in source.parts:
        longer = f"{text}\n{_headed(part.heading, part.text)}".lstrip("\n")
        if estimate_tokens(longer) > pack.left:
            break
        text = longer
        taken.append(part.id)
    is_cut = len(taken) < len(source.parts) or source.next is not None
    pack.without_room += is_cut
    if not taken:
        return
    tokens = estimate_tokens(text)
    pack.left -= tokens
    pack.inside.update(taken)
    pack.pieces.append(
        Piece(
            id=source.document,
            version=source.content_hash,
            layer="pack",
            lobe=str(source.lobe),
            place=source.path,
            role=source.role,
            reason="own",
            tokens=tokens,
            text=text,
            document=source.document,
            is_cut=is_cut,
            is_from_outside=source.is_from_outside,
        )
    )


def _found(answer: Answer, pack: _Pack, budget: int) -> tuple[list[Piece], list[Hit], int]:
    """What the search gave, best first, as far as the budget goes, and how much of it didn't fit.
    What contradicts each other is given together or not at all."""
    pieces: list[Piece] = []
    given: list[Hit] = []
    left_out = 0
    for group in _together(hit for hit in answer.items if not pack.has(hit)):
        some = [_piece(one) for one in group]
        tokens = sum(one.tokens for one in some)
        if tokens > budget:
            left_out += len(some)
            continue
        budget -= tokens
        pieces += some
        given += group
    pieces.sort(key=lambda one: one.layer != "memories")  # stable: the best of each first
    return pieces, given, left_out


def _together(hits: Iterable[Hit]) -> Iterator[list[Hit]]:
    """Each answer with those that contradict it, which follow it."""
    group: list[Hit] = []
    inside: set[str] = set()
    for hit in hits:
        if group and hit.id not in inside:
            yield group
            group, inside = [], set()
        group.append(hit)
        inside |= {hit.id, *(hit.memory.others if hit.memory else ())}
    if group:
        yield group


def _headed(heading: str, text: str) -> str:
    return f"{heading}\n{text}" if heading else text


def _piece(hit: Hit) -> Piece:
    memory = hit.memory
    text = _headed(hit.heading, hit.text)
    return Piece(
        id=hit.id,
        version="",
        layer="passages" if memory is None else "memories",
        lobe=hit.lobe,
        place=f"{hit.path}:{hit.first_line}" if memory is None else hit.place,
        role=hit.role if memory is None else memory.kind,
        reason=hit.reason,
        tokens=estimate_tokens(text),
        text=text,
        document=hit.document if memory is None else "",
        scores={"score": hit.score, "fused": hit.fused, "weight": hit.weight},
        is_from_outside=hit.is_from_outside,
        others=memory.others if memory is not None else (),
    )
