"""The memories of an export on their way in: read whole or not at all, looked at anew, put there.

A line can have been written by anybody, so it passes what every proposal passes, whatever it says
was decided. No level falls by the look. Each keeps its status, its versions and its links; what was
rejected there isn't proposed again here either.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from lobes.classify.masking import masked
from lobes.domain.errors import Invalid, LobesError
from lobes.domain.ids import LobeAddress
from lobes.domain.memories import LONGEST, Memory, Tombstone, Version, statement_hash
from lobes.domain.proposals import LONGEST_WORD, Origin, Proposal, checked
from lobes.domain.regions import without_private
from lobes.services.ingress import assess, reworded
from lobes.services.installation import Installation
from lobes.services.intake import look_at
from lobes.services.memory_seals import prepare
from lobes.store.memory_lines import MemoryLine, lonely, parse_lines
from lobes.store.unit_of_work import UnitOfWork

_LARGEST = 1 << 30


def read_lines(file: Path, lobe: LobeAddress) -> tuple[MemoryLine, ...]:
    """All that the file holds, of this lobe from now on; `Invalid` (`bad_export`) where it is no
    whole export."""
    lines = tuple(parse_lines(text_of(file), lobe))
    ids = {one.memory.id for one in lines}
    inside = all({tie.memory, tie.other} <= ids for one in lines for tie in one.links)
    if len(ids) != len(lines) or not inside or lonely(lines):
        raise bad_export("its memories don't fit together")
    return tuple(map(_checked, lines))


def _checked(line: MemoryLine) -> MemoryLine:
    """The line without its private regions, or `Invalid` as for what is proposed."""
    memory, past = line.memory, line.versions
    try:
        if [one.version for one in past] != list(range(1, memory.version + 1)) or (
            past[-1].statement != memory.statement
        ):
            raise Invalid("Its versions don't lead to what it says.", reason="bad_export")
        _check_words(memory, past)
        memory = _as_proposed(memory)
        return replace(line, memory=memory, versions=tuple(_said(memory, one) for one in past))
    except LobesError as error:
        raise Invalid(
            f"{error.message} It is in memory {line.memory.id}; nothing was taken in.",
            hint=error.hint or "Export it anew.",
            reason=error.reason,
        ) from error


def _as_proposed(memory: Memory) -> Memory:
    came = memory.provenance
    looked = look_at(
        Proposal(
            memory.statement,
            kind=memory.kind,
            memory_class=memory.memory_class,
            epistemic=memory.epistemic,
            subject=memory.subject,
            category=memory.category,
            given=memory.given,
            confidence=memory.confidence,
            evidence=came.evidence,
            valid_from=memory.valid_from,
            valid_to=memory.valid_to,
        ),
        Origin(memory.author, came),
    )
    if isinstance(looked, LobesError):
        raise looked
    good, setting = looked.proposal, memory.setting
    if setting is not None:
        setting = replace(setting, reason=_reason(setting.reason))
    return replace(
        memory,
        statement=good.statement,
        content_hash=statement_hash(good.statement),
        subject=good.subject,
        category=good.category,
        provenance=replace(came, evidence=good.evidence),
        setting=setting,
    )


def _check_words(memory: Memory, past: Iterable[Version]) -> None:
    """Where it is from and who did what: words of the faces, in which nobody says anything."""
    came = memory.provenance
    words = [came.source, came.session, came.client, came.tool, came.ref, memory.person]
    words += [word for one in past for word in (one.act, one.actor)]
    short = all(len(one) <= LONGEST_WORD and not without_private(one)[1] for one in words)
    found = assess("\n\n".join(dict.fromkeys(words))).findings
    if not short or any(one.detector.is_secret for one in found):
        raise Invalid("That is no source of a memory.", reason="bad_source")


def _said(memory: Memory, one: Version) -> Version:
    """A version as its words could be said; an older one may have been a question."""
    kind = memory.kind if one.version == memory.version else "question"
    said = checked(Proposal(one.statement, kind=kind)).statement
    return replace(
        one, statement=said, content_hash=statement_hash(said), reason=_reason(one.reason)
    )


def _reason(text: str) -> str:
    """A person's own words, without secrets and private regions."""
    if len(text) > LONGEST:
        raise Invalid("That is no reason.", reason="bad_reason")
    return masked(without_private(text)[0])


def text_of(file: Path) -> str:
    try:
        if not os.path.lexists(file):
            raise bad_export(f"{file.name} isn't there")
        if file.is_symlink() or not file.is_file():
            raise bad_export(f"{file.name} is no file of its own")
        if file.stat().st_size > _LARGEST:
            raise bad_export(f"{file.name} has more than a GiB")
        return file.read_text("utf-8", "surrogatepass")
    except (OSError, UnicodeDecodeError) as error:
        raise bad_export(f"{file.name} can't be read") from error


def bad_export(why: str) -> Invalid:
    return Invalid(
        f"This is no whole export: {why}. Nothing was made.",
        hint="Export it anew.",
        reason="bad_export",
    )


def looked_at_anew(memory: Memory) -> Memory:
    """The memory as this classifier sees it; no level falls by that."""
    return reworded(memory, memory.statement)


def make_ready(lobes: Installation, lines: Iterable[MemoryLine]) -> None:
    """Before the unit of work: without the key of a home that seals, what was in use waits."""
    if any(one.memory.is_retrievable for one in lines):
        prepare(lobes)


def put_in(unit: UnitOfWork, lines: Sequence[MemoryLine]) -> None:
    """`Conflict` where an id is taken."""
    unit.memories.bring_in(
        [one.memory for one in lines],
        [each for one in lines for each in one.versions],
        [tie for one in lines for tie in one.links],
    )
    unit.memories.tombstone(*_stones(lines))


def _stones(lines: Iterable[MemoryLine]) -> Iterator[Tombstone]:
    for one in lines:
        memory = one.memory
        if memory.status == "rejected":
            by = one.versions[-1].actor if one.versions else ""
            hash, at = memory.content_hash, memory.updated
            yield Tombstone(memory.id, memory.lobe, hash, "rejected", by, at)
