"""The one retrieval path: authorize → resolve → engine → check again → text.

The engine only proposes ids. Each is checked once more against the store, in the one snapshot
that supplies its text: it exists, its hash is the one that was found, its lobe may still be drawn
on and `authorize(read_content)` says yes to the very actor who asked. What the first snapshot said
of the Spaces counts again only where nobody has committed to the store since.

A lobe that a person let answer this one question is drawn on in the same way; the approval goes in
the transaction that reads the texts, so of two searches one has it.

A document that is closer than its Space is left out before anything is scored, so it takes no slot
and moves no number; the second look is for what changed since.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice

from lobes.access.facts import Facts, Resource
from lobes.access.resolve import LobeDecision, resolve
from lobes.classify import VERSION
from lobes.classify.masking import masked
from lobes.domain.actors import is_human, person_of
from lobes.domain.errors import nothing_there
from lobes.domain.ids import LobeAddress
from lobes.domain.sensitivity import MISSING, Level
from lobes.domain.snippet import snippet
from lobes.engine.chunk import HEADING_JOIN
from lobes.engine.protocol import DEPTH, Candidate, Degraded, Engine, SearchReply, SearchRequest
from lobes.services.approvals import with_approvals
from lobes.services.authority import facts_for, is_own_space, may, record, require
from lobes.services.explaining import Names, lobe_sentence, name_in, names_in
from lobes.services.installation import Caller, Installation
from lobes.services.withheld import HiddenDocuments, withheld
from lobes.store import read
from lobes.store.facts import document_facts
from lobes.store.faults import in_our_words
from lobes.store.passages import FoundPassage, found_passages
from lobes.store.read_approvals import Approval
from lobes.store.read_sensitivity import StoredSensitivity, sensitivities

MOST = 100
"""More results than this are never asked for in one search."""
_ROUNDS = 3
_NOTHING = 0.005
"""A fused score that reads 0.00: without a word in common it is no answer."""


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer. `score` is fused × weight, 0..1, four places; `text` is the whole passage."""

    id: str
    kind: str
    lobe: str
    space: str
    document: str
    path: str
    role: str
    title: str
    heading: str
    first_line: int
    last_line: int
    snippet: str
    text: str
    score: float
    fused: float
    weight: float
    words: int | None
    meaning: int | None
    reason: str
    sentence: str
    sensitivity: Level = MISSING
    detectors: tuple[str, ...] = ()
    """What was found in its document, each kind once; secrets among it are masked in the text."""

    @property
    def place(self) -> str:
        """Title and headings as one path; a first heading that repeats the title counts once."""
        headings = [one for one in self.heading.split(HEADING_JOIN) if one]
        if not headings or headings[0] != self.title:
            headings.insert(0, self.title)
        return HEADING_JOIN.join(headings)


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


@dataclass(frozen=True, slots=True)
class _Seen:
    """What one snapshot says of all Spaces; `version` names its commit on its connection."""

    version: int
    facts: Facts
    names: Names
    approvals: tuple[Approval, ...]
    withheld: HiddenDocuments


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question that may be asked, and what was decided before the engine had it."""

    lobes: Installation
    caller: Caller
    query: str
    space: str
    limit: int
    store: sqlite3.Connection
    """No snapshot is open on it, so no commit waits for the engine."""
    seen: _Seen
    decisions: Sequence[LobeDecision]

    @property
    def once(self) -> frozenset[str]:
        """The approvals without which some of its lobes wouldn't be drawn on."""
        drawn_on = {one.lobe.id for one in self.decisions if one.reason == "once"}
        return frozenset(one.id for one in self.seen.approvals if one.target in drawn_on)

    def by(self, store: sqlite3.Connection) -> _Asked:
        """The same question, decided by what this snapshot says."""
        seen = _look(self.lobes, store, self.caller, self.query, self.space)
        decisions = resolve(self.caller.actor, self.space, seen.facts)
        return replace(self, seen=seen, decisions=decisions)


def search(
    lobes: Installation, caller: Caller, query: str, *, space: str, limit: int = 10
) -> Answer:
    """The best passages that `space` may draw on, best first, with the reason for every source.

    Raises `NotFound` for a Space in the trash, `NotFound` or `Forbidden` where the caller may not
    read the Space, `Unavailable` while the engine is down.
    """
    started = time.perf_counter()
    caller = caller if caller.correlation else caller.for_request(lobes.new_id())
    with closing(read.connect(lobes.folders.store)) as store:
        with in_our_words(), read.snapshot(store):
            seen = _look(lobes, store, caller, query, space)
        about = Resource("space", space)
        judged = require(lobes, caller, "read_content", about, facts=seen.facts)
        if not is_own_space(caller, space):
            raise nothing_there()  # an agent asks for its own Space alone
        decisions = resolve(caller.actor, space, seen.facts)
        limit = min(max(limit, 0), MOST)
        asked = _Asked(lobes, caller, query, space, limit, store, seen, decisions)
        asked, reply, items = _answered(asked)
    decisions = asked.decisions
    _record(asked, answer=judged.reason, found=len(items))
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


def _look(
    lobes: Installation, store: sqlite3.Connection, caller: Caller, query: str, space: str
) -> _Seen:
    version = read.data_version(store)
    facts = facts_for(store, caller, space)
    facts, approvals = with_approvals(
        store, facts, person=person_of(caller.actor), asking=space, query=query, now=lobes.clock()
    )
    hidden = withheld(store, caller, "read_content", facts)
    return _Seen(version, facts, names_in(store), approvals, hidden)


def _answered(asked: _Asked) -> tuple[_Asked, SearchReply, tuple[Hit, ...]]:
    """What was decided, found and checked. An approval that another search had first, or that ran
    out meanwhile, is not in the facts of the next try."""
    while True:
        reply, items = _retrieve(asked.lobes.engine, asked)
        if not asked.once or not _is_question(asked):
            return asked, reply, items
        used = _used_up(asked, reply)
        if used is not None:
            return used[0], reply, used[1]
        with in_our_words(), read.snapshot(asked.store) as store:
            asked = asked.by(store)


def _used_up(asked: _Asked, reply: SearchReply) -> tuple[_Asked, tuple[Hit, ...]] | None:
    """What is decided now with its texts, and the approvals taken away, in one transaction: both
    or neither. None where an approval is gone, or other documents are withheld by now."""
    with asked.lobes.database().begin() as unit:
        now = asked.by(unit.reader)
        if now.once != asked.once or now.seen.withheld != asked.seen.withheld:
            return None
        items = _held(now, reply.candidates, unit.reader)
        unit.approvals.use(now.once)
        unit.commit()
    return now, items


def _is_question(asked: _Asked) -> bool:
    return bool(asked.query.strip() and asked.limit)


def _retrieve(engine: Engine, asked: _Asked) -> tuple[SearchReply, tuple[Hit, ...]]:
    """Over-fetch until `limit` hits passed the second check, or the lobes have no more; ask again
    where other documents are withheld by then."""
    reply = SearchReply(())
    items: tuple[Hit, ...] = ()
    if not _is_question(asked):
        return reply, items
    allowed = tuple(str(one.lobe) for one in asked.decisions if one.allowed)
    depth = DEPTH
    for _ in range(_ROUNDS):
        without = {
            lobe: asked.seen.withheld[space]
            for lobe in allowed
            if (space := lobe.removeprefix("space/")) in asked.seen.withheld
        }
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


def _checked(asked: _Asked, candidates: Sequence[Candidate]) -> tuple[_Seen, tuple[Hit, ...]]:
    """The best candidates that still hold, with their text, from one snapshot; best first. With
    what that snapshot says."""
    with in_our_words(), read.snapshot(asked.store) as store:
        if read.data_version(store) != asked.seen.version:
            asked = asked.by(store)
        return asked.seen, _held(asked, candidates, store)


def _held(
    asked: _Asked, candidates: Sequence[Candidate], store: sqlite3.Connection
) -> tuple[Hit, ...]:
    # By id: an index that names one twice shows it once.
    held: dict[str, tuple[Candidate, FoundPassage, LobeDecision]] = {}
    ranked = _ranked(asked.decisions, candidates)
    # So many at a time as are wanted: as a rule they all hold, and the others are never read.
    for start in range(0, len(ranked), asked.limit):
        some = ranked[start : start + asked.limit]
        passages = found_passages(store, {one.id for one, _ in some})
        items = document_facts(store, {one.document for one in passages.values()})
        facts = replace(asked.seen.facts, items=items)
        for candidate, lobe in some:
            passage = passages.get(candidate.id)
            if passage is not None and _holds(asked.caller, candidate, lobe, passage, facts):
                held.setdefault(passage.id, (candidate, passage, lobe))
        if len(held) >= asked.limit:
            break
    shown = list(islice(held.values(), asked.limit))
    known = sensitivities(store, {passage.document for _, passage, _ in shown})
    return tuple(
        _hit(candidate, passage, lobe, asked, known.get(passage.document))
        for candidate, passage, lobe in shown
    )


def _holds(
    caller: Caller,
    candidate: Candidate,
    lobe: LobeDecision,
    passage: FoundPassage,
    facts: Facts,
) -> bool:
    """Whether the passage says what was found, is in the lobe that was searched, may be read."""
    return (
        candidate.content_hash == passage.content_hash
        and LobeAddress("space", passage.space) == lobe.lobe
        and may(caller, "read_content", Resource("document", passage.document), facts)
    )


def _ranked(
    decisions: Sequence[LobeDecision], candidates: Sequence[Candidate]
) -> list[tuple[Candidate, LobeDecision]]:
    """The candidates of lobes that may be drawn on, best first by the score that is shown."""
    drawn_on = {str(one.lobe): one for one in decisions if one.allowed}
    found = [
        (one, drawn_on[one.lobe])
        for one in candidates
        if one.lobe in drawn_on and not _is_lost(one)
    ]
    found.sort(key=lambda pair: (-_score(*pair), pair[0].id))
    return found


def _score(candidate: Candidate, lobe: LobeDecision) -> float:
    return round(candidate.score * lobe.weight, 4)


def _is_lost(candidate: Candidate) -> bool:
    """No word of it was asked for, and its meaning is no nearer than any passage's would be."""
    return candidate.words is None and candidate.score < _NOTHING


def _hit(
    candidate: Candidate,
    passage: FoundPassage,
    lobe: LobeDecision,
    asked: _Asked,
    known: StoredSensitivity | None,
) -> Hit:
    kept = known.findings if known and known.classifier == VERSION else None
    text = masked(passage.text, first_line=passage.first_line, kept=kept)
    return Hit(
        id=passage.id,
        kind="passage",
        lobe=str(lobe.lobe),
        space=passage.space,
        document=passage.document,
        path=passage.path,
        role=passage.role,
        title=passage.title,
        heading=passage.heading if kept == () else masked(passage.heading),
        first_line=passage.first_line,
        last_line=passage.last_line,
        snippet=snippet(text, asked.query),
        text=text,
        score=_score(candidate, lobe),
        fused=round(candidate.score, 4),
        weight=lobe.weight,
        words=candidate.words,
        meaning=candidate.meaning,
        reason=lobe.reason,
        sentence=_sentence(lobe, asked),
        sensitivity=known.level if known else MISSING,
        detectors=tuple(dict.fromkeys(one.detector for one in kept or ())),
    )


def _withheld(asked: _Asked) -> tuple[Withheld, ...]:
    names = asked.seen.names
    return tuple(
        Withheld(str(one.lobe), name_in(one.lobe, names), one.reason, _sentence(one, asked))
        for one in asked.decisions
        if not one.allowed
    )


def _sentence(lobe: LobeDecision, asked: _Asked) -> str:
    seen, person = asked.seen, person_of(asked.caller.actor)
    return lobe_sentence(lobe, asked.space, seen.facts, seen.names, person=person)


def _record(asked: _Asked, *, answer: str, found: int) -> None:
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
