"""The chain of the audit file, and what breaks in it tell about whoever changed it.

Without a key this proves nothing against somebody who rewrites the file and the copy of its head
together; it tells accidents and plain edits apart, and names the first row concerned. With the key
of the seal, also that is found, up to the row that was sealed last.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

VerdictState = Literal[
    "ok",
    "edited",
    "reordered",
    "rewritten",
    "truncated",
    "head_missing",
    "empty",
    "unsealed",
    "seal_missing",
    "key_missing",
    "key_changed",
]
Word = Literal["ok", "edited", "truncated", "head missing"]
SealState = Literal["none", "unchecked", "whole", "missing", "broken", "lapsed", "no_key"]

START = "0" * 64
"""What the first row follows."""
_LOOK_AHEAD = 2_000
"""How many rows behind a break are looked through for the one that belongs there."""
_WORDS: Mapping[VerdictState, Word] = {
    "ok": "ok",
    "unsealed": "ok",
    "edited": "edited",
    "reordered": "edited",
    "rewritten": "edited",
    "truncated": "truncated",
    "empty": "truncated",
    "head_missing": "head missing",
    "seal_missing": "head missing",
    "key_missing": "head missing",
    "key_changed": "head missing",
}


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
class Anchor:
    """What the first row that is kept follows: the last one that retention took, of how many."""

    seq: int = 0
    hash: str = START
    rows: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `verify` found.

    `ok`: as it was written. `edited`: row `seq` or one before it was changed, or one is missing.
    `reordered`: row `seq` belongs elsewhere. `rewritten`: the rows agree among themselves, but
    not with the head or its seal. `truncated`: the last rows are gone, from `seq` on. `empty`: all
    are gone. `unsealed`: rows from `seq` on came after the head was noted, as a crash leaves them.
    `head_missing`: the copy of the head is gone or unreadable, so a cut tail would not show.
    `seal_missing`: it was sealed once and isn't. `key_missing`, `key_changed`: the key that sealed
    it is gone from the secret store, or another one is there.

    `seal` is how far the key speaks for it: `whole` up to row `sealed_to`, sealed at `sealed_at`;
    `none` where it was never sealed, `unchecked` where nobody asked for the key or it couldn't be
    had, `lapsed` where retention has taken the sealed row. `pruned` rows were taken by retention;
    `since` is the time of the oldest that is there.
    """

    state: VerdictState
    rows: int
    seq: int = 0
    seal: SealState = "none"
    sealed_to: int = 0
    sealed_at: str = ""
    pruned: int = 0
    since: str = ""

    @property
    def word(self) -> Word:
        """One of the four verdicts, of which the states are the cases."""
        return _WORDS[self.state]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is known to be missing or changed."""
        return self.word == "ok"


@dataclass(frozen=True, slots=True)
class Walk:
    """All rows looked through once: how many, the last, and the hashes of those asked for."""

    rows: int
    last: int
    since: str
    hashes: Mapping[int, str]
    broken: Verdict | None = None


def link_hash(previous: str, seq: int, columns: Sequence[str]) -> str:
    """SHA-256 over the hash before and every column with its length, so that no two lists of
    columns read the same."""
    digest = hashlib.sha256()
    for part in (previous, str(seq), *columns):
        raw = part.encode("utf-8", "surrogatepass")
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()


def walk(links: Iterable[Link], *, anchor: Anchor, watched: Collection[int]) -> Walk:
    """Each row followed from the one before, in order, holding one at a time."""
    rest = iter(links)
    previous, expected, count, since = anchor.hash, anchor.seq, 0, ""
    hashes: dict[int, str] = {}
    for link in rest:
        expected += 1
        count += 1
        since = since or link.columns[0]
        state: VerdictState | None = None
        if link.hash != link_hash(previous, link.seq, link.columns):
            is_moved = _belongs_here(previous, expected, link, rest)
            state = "reordered" if is_moved else "edited"
        elif link.seq != expected:
            # It was appended to a file whose tail was gone: numbers go on, hashes don't.
            state = "truncated"
        if state:
            broken = Verdict(state, count, expected)
            return Walk(count, expected, since, hashes, broken)
        previous = link.hash
        if link.seq in watched:
            hashes[link.seq] = link.hash
    return Walk(count, expected, since, hashes)


def judge(walked: Walk, head: Head | None, *, anchor: Anchor, last_given: int) -> Verdict:
    """The verdict of the chain alone; `last_given` is the highest number SQLite ever gave."""
    if walked.broken:
        return walked.broken
    expected = max(last_given, head.seq if head else 0)
    if not walked.rows and expected:
        return Verdict("empty", 0, 1)
    if walked.last < expected:
        return Verdict("truncated", walked.rows, walked.last + 1)
    if head is None or head.seq < anchor.seq:
        return Verdict("head_missing" if walked.rows else "ok", walked.rows)
    there = anchor.hash if head.seq == anchor.seq else walked.hashes[head.seq]
    if there != head.hash:
        return Verdict("rewritten", walked.rows, anchor.seq + 1)
    if head.seq < walked.last:
        return Verdict("unsealed", walked.rows, head.seq + 1)
    return Verdict("ok", walked.rows)


def _belongs_here(previous: str, seq: int, here: Link, rest: Iterator[Link]) -> bool:
    """Whether one of the later rows would be right in this place."""
    return any(
        link_hash(previous, seq, other.columns) in (other.hash, here.hash)
        for other in islice(rest, _LOOK_AHEAD)
    )
