"""What an erasure takes, what of it has still to be done, and what no program can reach.

Only ids are ever noted: what is erased keeps its id, the date and who did it, and no hash of its
words, because whoever guesses them could test the guess on a hash.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from lobes.domain.errors import Invalid
from lobes.domain.ids import is_slug, is_ulid, parse_address


@dataclass(frozen=True, slots=True)
class Erasure:
    """One act: these memories, or a Space with everything in it. `lobe` is where they are."""

    id: str
    lobe: str
    memories: tuple[str, ...] = ()
    space: str = ""


UNREACHED: tuple[str, ...] = (
    "the files of packs: Lobes deletes none of yours",
    "copies that others hold, and what agents have read already",
    "backups and exports outside the home, and synced copies",
    "what the file system or the disk keeps: snapshots, free blocks, swap",
)
"""What the bytes may still be in afterwards, as it is shown before the act."""


def dump_erasure(erasure: Erasure) -> str:
    """As it is noted until it is done."""
    return json.dumps(
        {
            "id": erasure.id,
            "lobe": erasure.lobe,
            "memories": list(erasure.memories),
            "space": erasure.space,
        }
    )


def parse_erasure(text: str) -> Erasure | None:
    """The note, or None for what is none of ours: nothing is erased by a file that says so in
    another way."""
    try:
        data: object = json.loads(text)
        found = cast("dict[str, Any]", data)
        memories = tuple(found["memories"])
        read = Erasure(found["id"], str(parse_address(found["lobe"])), memories, found["space"])
    except (ValueError, KeyError, TypeError, RecursionError, AttributeError, Invalid):
        return None
    sound = is_ulid(read.id) and all(map(is_ulid, memories))
    return read if sound and (not read.space or is_slug(read.space)) else None
