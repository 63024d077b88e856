"""What following packs tells: how far it is, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from lobes.domain.spaces import RootState


@dataclass(frozen=True, slots=True)
class SkippedFile:
    space: str
    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class HeldFile:
    """A change from outside that isn't read: it waits for review, or was rejected there."""

    space: str
    path: str
    change: Literal["new", "changed", "removed"]
    state: Literal["waiting", "rejected"]


@dataclass(frozen=True, slots=True)
class RootReport:
    """How a Space's folder was found; `failed` is a Space that couldn't be followed for another
    reason, `denied` one that whoever set it off may no longer follow. `problem` says it in one
    sentence, "" when all is well."""

    space: str
    state: RootState | Literal["failed", "denied"]
    problem: str = ""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What `lobes index` says. `chunks` are the passages of the changed files; `seq` is the
    outbox row after which the words are searchable."""

    indexed: int = 0
    unchanged: int = 0
    removed: int = 0
    skipped: tuple[SkippedFile, ...] = ()
    held: tuple[HeldFile, ...] = ()
    roots: tuple[RootReport, ...] = ()
    chunks: int = 0
    seconds: float = 0.0
    seq: int = 0
    stopped: bool = False

    def __add__(self, other: IndexReport) -> IndexReport:
        return IndexReport(
            self.indexed + other.indexed,
            self.unchanged + other.unchanged,
            self.removed + other.removed,
            self.skipped + other.skipped,
            self.held + other.held,
            self.roots + other.roots,
            self.chunks + other.chunks,
            self.seconds + other.seconds,
            max(self.seq, other.seq),
            self.stopped or other.stopped,
        )


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one Space is: files done of files to look at."""

    space: str
    done: int
    total: int


Watch = Callable[[Progress], None]
Stop = Callable[[], bool]


def silent(progress: Progress) -> None:
    """For callers that show no progress."""
    del progress


def never() -> bool:
    return False
