"""The memories of an export on their way in: read whole or not at all, looked at anew, put there.

A line can have been written by anybody, so what hurts whoever reads it comes in here as little as
by a proposal, whatever it says was decided. No level falls by the look. Each keeps its status, its
versions and its links; what was rejected there isn't proposed again here either.
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
from lobes.domain.proposals import LONGEST_WORD, MOST_EVIDENCE
from lobes.domain.recalled import was_given
from lobes.domain.regions import without_private
from lobes.services.ingress import assess
from lobes.services.installation import Installation
from lobes.services.memory_seals import prepare
from lobes.store.memory_lines import MemoryLine, parse_lines
from lobes.store.unit_of_work import UnitOfWork

_LARGEST = 1 << 30


def read_lines(file: Path, lobe: LobeAddress) -> tuple[MemoryLine, ...]:
    """All that the file holds, of this lobe from now on; `Invalid` (`bad_export`) where it is no
    whole export."""
    lines = tuple(parse_lines(text_of(file), lobe))
    ids = {one.memory.id for one in lines}
    inside = all({tie.memory, tie.other} <= ids for one in lines for tie in one.links)
    if len(ids) != len(lines) or not inside:
        raise bad_export("its memories don't fit together")
    return tuple(map(_checked, lines))


def _checked(line: MemoryLine) -> MemoryLine:
    """The line without its private regions, or `Invalid` for what may come in by no way."""
    memory, past = line.memory, line.versions
    try:
        if [one.version for one in past] != list(range(1, memory.version + 1)) or (
            past[-1].statement != memory.statement
        ):
            raise Invalid("Its versions don't lead to what it says.", reason="bad_export")
        _check_words(memory, past)
        return replace(line, memory=_cleaned(memory), versions=tuple(map(_version, past)))
    except LobesError as error:
        raise Invalid(
            f"{error.message} It is in memory {line.memory.id}; nothing was taken in.",
            hint=error.hint or "Export it anew.",
            reason=error.reason,
        ) from error


def _cleaned(memory: Memory) -> Memory:
    """The memory without its private regions. What was said of old in a way that nobody may say it
    now comes back as it was: only what hurts whoever reads it is refused."""
    statement = _said(memory.statement)
    evidence = tuple(without_private(one)[0] for one in memory.provenance.evidence)
    if len(evidence) > MOST_EVIDENCE:
        raise Invalid("That is too much evidence.", reason="too_much_evidence")
    for what, text in (("subject", memory.subject), ("evidence", "\n\n".join(evidence))):
        if any(one.detector.is_secret for one in assess(text).findings):
            raise Invalid(f"There is a secret in the {what}.", reason=f"bad_{what}")
    setting = memory.setting
    if setting is not None:
        setting = replace(setting, reason=_reason(setting.reason))
    return replace(
        memory,
        statement=statement,
        content_hash=statement_hash(statement),
        subject=without_private(memory.subject)[0],
        category=without_private(memory.category)[0],
        provenance=replace(memory.provenance, evidence=evidence),
        setting=setting,
    )


def _said(text: str) -> str:
    """A text without its private regions, or `Invalid` for one that nobody said."""
    said, private = without_private(text)
    if was_given(said) or (private and not said.strip()):
        raise Invalid("That is no statement of anybody.", reason="not_a_statement")
    return said


def _check_words(memory: Memory, past: Iterable[Version]) -> None:
    """Where it is from and who did what: words of the faces, in which nobody says anything."""
    came = memory.provenance
    words = [came.source, came.session, came.client, came.tool, came.ref, memory.person]
    words += [word for one in past for word in (one.act, one.actor)]
    short = all(len(one) <= LONGEST_WORD and not without_private(one)[1] for one in words)
    found = assess("\n\n".join(dict.fromkeys(words))).findings
    if not short or any(one.detector.is_secret for one in found):
        raise Invalid("That is no source of a memory.", reason="bad_source")


def _version(one: Version) -> Version:
    said = _said(one.statement)
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
