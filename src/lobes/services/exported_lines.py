"""The memories of an export on their way in: read whole or not at all, looked at anew, put there.

No level falls by the look. Each keeps its status, its versions and its links; what was rejected
there isn't proposed again here either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lobes.domain.errors import Invalid
from lobes.domain.ids import LobeAddress
from lobes.domain.memories import Memory, Tombstone
from lobes.services.ingress import reworded
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
    return lines


def text_of(file: Path) -> str:
    try:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > _LARGEST:
            raise bad_export(f"{file.name} isn't there")
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
