"""Read a pack file by its id, or the one passage with that id: the text a search pointed at.

The text comes out of the store, as it was taken in, and not off the disk: what changed outside and
waits for a look is read by nobody through this. `read_content` is asked of that very document in
the snapshot that supplies its text; secrets are masked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from lobes.access.facts import Resource
from lobes.classify.masking import known_in, masked
from lobes.domain.errors import Forbidden, NotFound, nothing_there
from lobes.domain.ids import LobeAddress
from lobes.domain.pack_edits import text_hash
from lobes.domain.sensitivity import MISSING, Kept, Level
from lobes.services.authority import facts_for, require
from lobes.services.installation import Caller, Installation
from lobes.services.memories import MemoryView, show_memory
from lobes.services.uses import count_uses
from lobes.store.passages import FoundPassage, document_of, document_passages
from lobes.store.read import stored_documents
from lobes.store.read_memories import memories
from lobes.store.read_sensitivity import StoredSensitivity, sensitivities

CHARACTERS = 16_000
"""Most that one reading gives, about 4,000 tokens; the rest is asked for with `skip`."""


@dataclass(frozen=True, slots=True)
class Range:
    """Lines from 1, both ends included; no `last` is the end of the file."""

    first: int = 1
    last: int | None = None

    def holds(self, passage: FoundPassage) -> bool:
        ends = self.last is None or passage.first_line <= self.last
        return ends and passage.last_line >= self.first


@dataclass(frozen=True, slots=True)
class Part:
    """One passage; `text` has its secrets masked."""

    id: str
    heading: str
    first_line: int
    last_line: int
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """A pack file or a part of it; `next` is what to skip for the rest, None at the end."""

    document: str
    lobe: LobeAddress
    path: str
    role: str
    title: str
    level: Level
    detectors: tuple[str, ...]
    parts: tuple[Part, ...]
    next: int | None
    content_hash: str
    """The `shown_hash` of the whole file: what a proposed edit of it names."""

    @property
    def is_from_outside(self) -> bool:
        """As its lobe."""
        return self.lobe.is_from_outside


def read_source(
    lobes: Installation, caller: Caller, id: str, *, lines: Range, skip: int = 0
) -> Source:
    """The passages of a document, or the one passage with this id, in reading order.

    Raises `NotFound` for what isn't there or may not be known, `Forbidden` for what may be known
    and not read.
    """
    with lobes.reading() as store:
        document = document_of(store, id) or id
        resource = Resource("document", document)
        facts = facts_for(store, caller, things=[resource])
        require(lobes, caller, "read_content", resource, facts=facts, event="space.read")
        found = document_passages(store, document)
        known = sensitivities(store, [document]).get(document)
        stored = stored_documents(store, found[0].space, paths=[found[0].path]) if found else {}
    if not found:
        raise nothing_there()
    wanted = [one for one in found if id in (document, one.id) and lines.holds(one)]
    head, kept = found[0], known_in(known)
    parts = _parts(wanted[skip:], kept)
    after = skip + len(parts)
    return Source(
        document=document,
        lobe=facts.items[resource].lobe,
        path=head.path,
        role=head.role,
        title=head.title if kept == () else masked(head.title),
        level=known.level if known else MISSING,
        detectors=_detectors(known),
        parts=parts,
        next=after if after < len(wanted) else None,
        content_hash=shown_hash(stored[head.path].content_hash, found, known),
    )


def shown_hash(
    content_hash: str, passages: Iterable[FoundPassage], known: StoredSensitivity | None
) -> str:
    """By what whoever reads a file masked knows its state: the file's hash, or, where it holds
    secrets, that of the text without them, for from a file's hash a short secret is guessed.

    `passages` are all of the file.
    """
    kept = known_in(known)
    if kept is not None and not any(one.is_secret for one in kept):
        return content_hash
    texts = (masked(one.text, first_line=one.first_line, kept=kept) for one in passages)
    return text_hash("\n".join(texts))


def is_memory(lobes: Installation, id: str) -> bool:
    """Whether this is the id of a memory; whether it may be known is for who shows it."""
    with lobes.reading() as store:
        return bool(memories(store, [id]))


@dataclass(frozen=True, slots=True)
class Remembered:
    """A memory with what contradicts it, which always stands beside it."""

    view: MemoryView
    others: tuple[MemoryView, ...]


def read_memory(lobes: Installation, caller: Caller, id: str) -> Remembered:
    """A memory as a search might give it: one that holds now, a disputed one never alone.

    Raises `NotFound` for any other, as for what may not be known.
    """
    view = _held(lobes, caller, id)
    ends = {
        one.other if one.memory == id else one.memory
        for one in view.links
        if one.kind == "disputes"
    }
    others: list[MemoryView] = []
    for other in sorted(ends):
        with suppress(NotFound, Forbidden):
            others.append(_held(lobes, caller, other))
    if view.memory.status == "disputed" and not others:
        raise nothing_there()
    count_uses(lobes, [one.memory.id for one in (view, *others)])
    return Remembered(view, tuple(others))


def _held(lobes: Installation, caller: Caller, id: str) -> MemoryView:
    view = show_memory(lobes, caller, id)
    if not view.memory.is_retrievable or not view.memory.holds_at(lobes.clock()):
        raise nothing_there()
    return view


def _parts(wanted: Iterable[FoundPassage], kept: Sequence[Kept] | None) -> tuple[Part, ...]:
    """As many of them as one reading gives, and the first one however long it is."""
    parts: list[Part] = []
    size = 0
    for one in wanted:
        text = masked(one.text, first_line=one.first_line, kept=kept)
        if parts and size + len(text) > CHARACTERS:
            break
        size += len(text)
        heading = one.heading if kept == () else masked(one.heading)
        parts.append(Part(one.id, heading, one.first_line, one.last_line, text))
    return tuple(parts)


def _detectors(known: StoredSensitivity | None) -> tuple[str, ...]:
    found: Iterable[str] = (one.detector for one in known.findings) if known else ()
    return tuple(dict.fromkeys(found))
