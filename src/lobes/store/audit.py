"""The audit file: append-only, chained, in a file of its own, written in groups.

Plain `sqlite3`: it is on the path of every search. Never content; ids, codes and counts only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

VerdictState = Literal[
    "ok", "edited", "reordered", "rewritten", "truncated", "head_missing", "empty", "unsealed"
]


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One operation that decided. `decisions` are (lobe, reason code, allowed)."""

    seq: int
    at: datetime
    event: str
    actor: str
    verb: str
    resources: tuple[str, ...]
    decisions: tuple[tuple[str, str, bool], ...]
    channel: str
    correlation: str
    answer: str
    counts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What `verify` found; `seq` is the first row concerned, 0 where none is."""

    state: VerdictState
    rows: int
    seq: int = 0


class Audit:
    """The audit file of one process."""

    def __init__(self, path: Path, *, clock: Callable[[], datetime]) -> None:
        raise NotImplementedError

    def append(
        self,
        event: str,
        *,
        actor: str,
        verb: str,
        resources: Sequence[str] = (),
        decisions: Sequence[tuple[str, str, bool]] = (),
        channel: str,
        correlation: str,
        answer: str,
        counts: Mapping[str, int] | None = None,
    ) -> None:
        """Queue a row."""
        raise NotImplementedError

    def flush(self) -> None:
        """Write what is queued; it survives a crash after this."""
        raise NotImplementedError

    def close(self) -> None:
        """Flush and let go of the file."""
        raise NotImplementedError

    def rows(
        self,
        limit: int,
        *,
        before: int | None = None,
        event: str | None = None,
        space: str | None = None,
    ) -> list[AuditRow]:
        """The newest rows first."""
        raise NotImplementedError

    def count(self) -> int:
        raise NotImplementedError

    def verify(self) -> Verdict:
        """Whether the file is as it was written."""
        raise NotImplementedError
