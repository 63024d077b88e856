"""What a search shows: a passage of a pack, or a memory, with the lobe that it is from and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from lobes.access.resolve import LobeDecision
from lobes.classify.masking import known_in, masked
from lobes.domain.ids import parse_address
from lobes.domain.memories import Author, Epistemic, Kind, MemoryClass
from lobes.domain.sensitivity import MISSING, Level
from lobes.domain.snippet import snippet
from lobes.engine.chunk import HEADING_JOIN
from lobes.engine.protocol import Candidate
from lobes.store.found_memories import FoundMemory
from lobes.store.passages import FoundPassage
from lobes.store.read_sensitivity import StoredSensitivity

TITLE = 60
"""Characters of a memory's own words that stand for a title where it has no subject."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """What only a memory has. `freshness` and `evidence` are factors of its score; `is_stale`:
    its half-life is over; `others` are the ids of what contradicts it, which come with it."""

    kind: Kind
    memory_class: MemoryClass
    epistemic: Epistemic
    status: Literal["active", "disputed"]
    author: Author
    is_external: bool
    version: int
    created: datetime
    confirmed: datetime
    valid_to: datetime | None
    freshness: float
    evidence: float
    is_stale: bool = False
    others: tuple[str, ...] = ()

    @property
    def is_contested(self) -> bool:
        return self.status == "disputed"


@dataclass(frozen=True, slots=True)
class Hit:
    """One answer. `score` is fused × weight, for a memory × freshness × evidence, 0..1, four
    places; `text` is the whole passage or statement. `space` is empty for a lobe that is no
    Space's, `path` for a memory."""

    id: str
    kind: Literal["passage", "memory"]
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
    name: str = ""
    """The lobe's."""
    memory: Recalled | None = None
    """None for a passage."""
    is_masked: bool = False
    """Whether a secret of a file stands in the text and is masked there."""

    @property
    def is_from_outside(self) -> bool:
        """As a memory's, and of a passage by its lobe."""
        is_external = self.memory is not None and self.memory.is_external
        return is_external or parse_address(self.lobe).is_from_outside

    @property
    def place(self) -> str:
        """Title and headings as one path; a first heading that repeats the title counts once."""
        headings = [one for one in self.heading.split(HEADING_JOIN) if one]
        if not headings or headings[0] != self.title:
            headings.insert(0, self.title)
        return HEADING_JOIN.join(headings)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A candidate with the lobe that it is drawn from and its score; `memory` is how it was
    weighed where it is one."""

    candidate: Candidate
    lobe: LobeDecision
    score: float
    memory: Recalled | None = None


def passage_hit(
    drawn: Drawn,
    passage: FoundPassage,
    known: StoredSensitivity | None,
    *,
    query: str,
    sentence: str,
    name: str,
) -> Hit:
    kept = known_in(known)
    text = masked(passage.text, first_line=passage.first_line, kept=kept)
    candidate = drawn.candidate
    return Hit(
        id=passage.id,
        kind="passage",
        lobe=str(drawn.lobe.lobe),
        space=passage.space,
        document=passage.document,
        path=passage.path,
        role=passage.role,
        title=passage.title,
        heading=passage.heading if kept == () else masked(passage.heading),
        first_line=passage.first_line,
        last_line=passage.last_line,
        snippet=snippet(text, query),
        text=text,
        score=drawn.score,
        fused=round(candidate.score, 4),
        weight=drawn.lobe.weight,
        words=candidate.words,
        meaning=candidate.meaning,
        reason=drawn.lobe.reason,
        sentence=sentence,
        sensitivity=known.level if known else MISSING,
        detectors=tuple(dict.fromkeys(one.detector for one in kept or ())),
        name=name,
        is_masked=text != passage.text,
    )


def memory_hit(drawn: Drawn, memory: FoundMemory, *, query: str, sentence: str, name: str) -> Hit:
    kept = known_in(memory)
    text = masked(memory.statement, kept=kept)
    subject = memory.subject if kept == () else masked(memory.subject)
    candidate, lobe = drawn.candidate, drawn.lobe.lobe
    return Hit(
        id=memory.id,
        kind="memory",
        lobe=memory.lobe,
        space=lobe.id if lobe.kind == "space" else "",
        document=memory.id,
        path="",
        role="",
        title=subject or _first_words(text),
        heading="",
        first_line=1,
        last_line=1 + text.count("\n"),
        snippet=snippet(text, query),
        text=text,
        score=drawn.score,
        fused=round(candidate.score, 4),
        weight=drawn.lobe.weight,
        words=candidate.words,
        meaning=candidate.meaning,
        reason=drawn.lobe.reason,
        sentence=sentence,
        sensitivity=memory.level,
        detectors=tuple(dict.fromkeys(one.detector for one in kept or ())),
        name=name,
        is_masked=text != memory.statement,
        memory=drawn.memory,
    )


def _first_words(text: str) -> str:
    flat = " ".join(text.split())
    if len(flat) <= TITLE:
        return flat
    return f"{flat[: TITLE + 1].rsplit(' ', 1)[0][:TITLE]}…"
