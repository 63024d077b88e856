"""From what a format's reader found to candidates: what is no statement, what came before and what
is too much goes to the list of what was left aside, with its place."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from lobes.domain.imports import (
    Candidate,
    Found,
    Skip,
    SourceKind,
    left_aside,
)
from lobes.domain.memories import Kind, MemoryClass
from lobes.imports.cleaning import cleaned
from lobes.imports.kinds import kind_of
from lobes.imports.limits import LISTED, Limits, Stop
from lobes.imports.statements import not_a_statement, plain, subject_of

_WHERE = 200


@dataclass(frozen=True, slots=True)
class Said:
    """A text that may be a statement, cleaned already; `place` is where in `file` it stands.
    `kind` is set where the source says it."""

    text: str
    file: str
    place: str
    class_: MemoryClass
    about: str = ""
    kind: Kind | None = None
    created: datetime | None = None
    tags: tuple[str, ...] = ()
    data: tuple[tuple[str, str], ...] = ()
    is_paragraph: bool = False

    @property
    def where(self) -> str:
        return where(self.file, self.place)


@dataclass(frozen=True, slots=True)
class Left:
    """What a reader leaves aside by itself; `skip` where it comes with its sentence."""

    file: str
    place: str
    reason: str
    count: int = 1
    skip: Skip | None = None


Raw = Said | Left


def where(file: str, place: str) -> str:
    """The file and the place in it on one line: a name in an export is a stranger's text, too."""
    file = " ".join(cleaned(file).text.splitlines())
    whole = f"{file}:{place}" if file and place else file or place
    return whole if len(whole) <= _WHERE else whole[: _WHERE - 1] + "…"


def gather(raws: Iterable[Raw], kind: SourceKind, *, limits: Limits, stop: Stop) -> Iterator[Found]:
    """The candidates in order, each followed or preceded by what was left aside beside it.

    Of alike things in one file the first few are listed; the last entry of them counts the rest.
    """
    tally = _Tally()
    seen: set[str] = set()
    for raw in raws:
        if stop():
            yield left_aside(where(raw.file, ""), "stopped")
            break
        if isinstance(raw, Left):
            yield from tally.take(raw)
            continue
        reason = not_a_statement(raw.text, is_paragraph=raw.is_paragraph)
        statement = "" if reason else plain(raw.text)
        key = _key(statement)
        if not reason and key in seen:
            reason = "same"
        if reason:
            yield from tally.take(Left(raw.file, raw.place, reason))
            continue
        if len(seen) >= limits.candidates:
            yield left_aside(raw.where, "too_many")
            break
        seen.add(key)
        yield _candidate(raw, statement, kind, key)
    yield from tally.rest()


def _candidate(raw: Said, statement: str, source: SourceKind, key: str) -> Candidate:
    return Candidate(
        statement=statement,
        kind=raw.kind or kind_of(statement, about=raw.about),
        memory_class=raw.class_,
        subject=subject_of(raw.about),
        created=raw.created,
        source_ref=raw.where,
        external_id=_digest(f"{source}\0{key}"),
        tags=raw.tags,
        data=raw.data,
    )


def _key(statement: str) -> str:
    """Equal for texts that differ by case, emphasis or their last full stop alone."""
    return statement.casefold().replace("**", "").replace("`", "").rstrip(".! ")


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]


class _Tally:
    def __init__(self) -> None:
        self._counts: dict[tuple[str, str], int] = {}

    def take(self, left: Left) -> Iterator[Skip]:
        key = (left.file, left.reason)
        count = self._counts.get(key, 0)
        self._counts[key] = count + left.count
        if left.skip is not None:
            yield left.skip
        elif count < LISTED:
            yield left_aside(where(left.file, left.place), left.reason, left.count)
            self._counts[key] = count + 1

    def rest(self) -> Iterator[Skip]:
        for (file, reason), count in self._counts.items():
            if count > LISTED:
                yield left_aside(where(file, ""), reason, count - LISTED)
