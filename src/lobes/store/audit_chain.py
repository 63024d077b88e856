"""The chain of the audit file, and what breaks in it tell about whoever changed it.

Without a key this proves nothing against somebody who rewrites the file and the copy of its head
together; it tells accidents and plain edits apart, and names the first row concerned.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

VerdictState = Literal[
    "ok", "edited", "reordered", "rewritten", "truncated", "head_missing", "empty", "unsealed"
]

START = "0" * 64
"""What the first row follows."""


@dataclass(frozen=True, slots=True)
class Link:
    """One row as it is stored: its number, its columns as text in order, its hash."""

    seq: int
    columns: tuple[str, ...]
    hash: str


@dataclass(frozen=True, slots=True)
class Head:
    """The last row that was written, as the copy outside the file remembers it."""

    seq: int
    hash: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `verify` found.

    `ok`: as it was written. `edited`: row `seq` or one before it was changed, or one is missing.
    `reordered`: row `seq` belongs elsewhere. `rewritten`: the rows agree among themselves, but
    not with the head. `truncated`: the last rows are gone, from `seq` on. `empty`: all are gone.
    `unsealed`: rows from `seq` on came after the head was noted, as a crash leaves them.
    `head_missing`: the copy of the head is gone or unreadable, so a cut tail would not show.
    """

    state: VerdictState
    rows: int
    seq: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether nothing is known to be missing or changed."""
        return self.state in ("ok", "unsealed")


def link_hash(previous: str, seq: int, columns: Sequence[str]) -> str:
    """SHA-256 over the hash before and every column with its length, so that no two lists of
    columns read the same."""
    digest = hashlib.sha256()
    for part in (previous, str(seq), *columns):
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()


def judge(links: Sequence[Link], head: Head | None, *, last_given: int) -> Verdict:
    """The verdict on all rows in order; `last_given` is the highest number SQLite ever gave."""
    count = len(links)
    if broken := _first_break(links):
        return broken
    last = links[-1].seq if links else 0
    expected = max(last_given, head.seq if head else 0)
    if not links and expected:
        return Verdict("empty", 0, 1)
    if last < expected:
        return Verdict("truncated", count, last + 1)
    if head is None:
        return Verdict("head_missing" if links else "ok", count)
    if head.seq and links[head.seq - 1].hash != head.hash:
        return Verdict("rewritten", count, 1)
    if head.seq < last:
        return Verdict("unsealed", count, head.seq + 1)
    return Verdict("ok", count)


def _first_break(links: Sequence[Link]) -> Verdict | None:
    """What is wrong with the first row that doesn't follow from the one before."""
    previous = START
    for expected, link in enumerate(links, start=1):
        if link.hash != link_hash(previous, link.seq, link.columns):
            is_moved = _belongs_here(previous, expected, links)
            return Verdict("reordered" if is_moved else "edited", len(links), expected)
        if link.seq != expected:
            # It was appended to a file whose tail was gone: numbers go on, hashes don't.
            return Verdict("truncated", len(links), expected)
        previous = link.hash
    return None


def _belongs_here(previous: str, seq: int, links: Sequence[Link]) -> bool:
    """Whether one of the later rows would be right in this place."""
    here = links[seq - 1].hash
    return any(
        link_hash(previous, seq, other.columns) in (other.hash, here) for other in links[seq:]
    )
