"""Which files of the packs are not read, and why: counted by reason, over every Space."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from lobes.access.facts import Resource
from lobes.services.authority import facts_for, may
from lobes.services.installation import Caller, Installation
from lobes.services.withheld import known_skipped
from lobes.store.found import SKIP_REASONS

EXAMPLES = 3


@dataclass(frozen=True, slots=True)
class SkippedFiles:
    """`sentence` says the reason; `examples` are a few of the files, each with its Space."""

    reason: str
    sentence: str
    count: int
    examples: tuple[tuple[str, str], ...]


def skipped_files(lobes: Installation, caller: Caller) -> tuple[SkippedFiles, ...]:
    """The reasons, most files first; only of Spaces whose content the caller may read, and of
    those no file that they may not know of."""
    with lobes.reading() as store:
        facts = facts_for(store, caller)
        rows = known_skipped(store, caller, facts)
    readable: dict[str, bool] = {}
    found: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for space, path, reason in rows:
        if space not in readable:
            readable[space] = may(caller, "read_content", Resource("space", space), facts)
        if readable[space]:
            found[reason].append((space, path))
    sentences: dict[str, str] = {**SKIP_REASONS}
    groups = [
        SkippedFiles(reason, sentences.get(reason, reason), len(files), tuple(files[:EXAMPLES]))
        for reason, files in found.items()
    ]
    return tuple(sorted(groups, key=lambda one: (-one.count, one.reason)))
