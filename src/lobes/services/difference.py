"""What differs between a pack on the disk and what the store knows of it. Pure.

Only a file that was really looked for and not found is gone: nothing below a folder that could
not be listed, nothing after a listing that was stopped, and no file that is there but unreadable
counts as removed.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from lobes.domain.documents import StoredDocument
from lobes.store.found import Listing, SkipReason

STAYS_INDEXED: frozenset[SkipReason] = frozenset(
    {"unreadable", "changed_while_reading", "too_many", "too_deep", "other_mount"}
)
"""A known file skipped for one of these keeps what is indexed: it may be as it was."""


@dataclass(frozen=True, slots=True)
class Difference:
    """`to_read`: new or touched files; `vanished`: known paths that the listing doesn't hold."""

    to_read: tuple[str, ...]
    unchanged: int
    vanished: tuple[str, ...]


def difference(
    known: Mapping[str, StoredDocument],
    listing: Listing,
    *,
    also: Collection[str] = (),
) -> Difference:
    """Compare by size and modification time; the hash decides when a file is read. The files
    named in `also` are read whatever these say."""
    to_read: list[str] = []
    unchanged = 0
    present: set[str] = set()
    for found in listing.files:
        present.add(found.path)
        stored = known.get(found.path)
        same = stored and (stored.size, stored.mtime_ns) == (found.size, found.mtime_ns)
        if same and found.path not in also:
            unchanged += 1
        else:
            to_read.append(found.path)
    vanished: list[str] = []
    if not listing.stopped:
        kept = {one.path for one in listing.skipped if one.reason in STAYS_INDEXED}
        vanished = [
            path
            for path in sorted(known)
            if path not in present and not below(path, (*listing.unreadable, *kept))
        ]
    return Difference(tuple(to_read), unchanged, tuple(vanished))


def below(path: str, folders: tuple[str, ...]) -> bool:
    """Whether the path is one of these or lies below it; "" is the root."""
    return any(folder in ("", path) or path.startswith(f"{folder}/") for folder in folders)
