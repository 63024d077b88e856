"""The audit file: append-only, chained, in a file of its own, written in groups.

Plain `sqlite3`: it is on the path of every search. Never content; ids, codes and counts only.
Rows are ordered by number, never by time: a clock may jump.
"""

from __future__ import annotations

import atexit
import json
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from lobes.domain.errors import Corrupt, LobesError, Unavailable
from lobes.domain.secrets import Secret
from lobes.store.audit_chain import Verdict
from lobes.store.audit_file import AuditFile
from lobes.store.audit_query import Reader, Wanted
from lobes.store.audit_repeats import DENIED, LIMITS, Kind, Repeats
from lobes.store.audit_retention import cut_at
from lobes.store.audit_seal import UNASKED, Key

__all__ = ["ALL", "Audit", "AuditRow", "Key", "Reader", "Verdict", "Wanted"]

ALL = Wanted()
KEEP_DAYS = 90

GROUP_ROWS = 64
GROUP_SECONDS = 0.25
MOST_QUEUED = 4096
"""Where memory ends: a caller then writes, and waits, itself."""

UNWRITABLE = frozenset({"disk_full", "read_only"})
"""Reasons that keep rows out of the file, and nobody from reading it."""

Decision = tuple[str, str, bool]


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One operation that decided. `decisions` are (lobe, reason code, allowed)."""

    seq: int
    at: datetime
    event: str
    actor: str
    verb: str
    resources: tuple[str, ...]
    decisions: tuple[Decision, ...]
    channel: str
    correlation: str
    answer: str
    counts: Mapping[str, int]


class Audit:
    """The audit file as one process writes and reads it; safe to call from several threads.

    A thread of its own writes: a group a quarter of a second after its first row, or as soon as
    it is full; `flush` writes at once. The file is made with its first row.
    """

    def __init__(
        self, path: Path, *, clock: Callable[[], datetime], keep_days: int = KEEP_DAYS
    ) -> None:
        self._file = AuditFile(path)
        self._clock = clock
        self._keep_days = keep_days
        self._repeats = Repeats()
        self._queue: list[tuple[str, ...]] = []
        # Two locks, so that a caller never waits for a write that waits for another process.
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._writer: threading.Thread | None = None
        self._is_closed = False
        atexit.register(self._close_at_exit)

    def append(
        self,
        event: str,
        *,
        actor: str,
        verb: str,
        resources: Sequence[str] = (),
        decisions: Sequence[Decision] = (),
        channel: str,
        correlation: str,
        answer: str,
        counts: Mapping[str, int] | None = None,
    ) -> None:
        """Queue one row; the caller waits for no disk until 4,096 rows couldn't be written.

        Of alike denials (same actor, verb, channel and answer) 200 a minute get a row, of alike
        reads of a Space one; the rest are counted in one row as `repeated`. Raises as `flush`,
        where the queue is at its end, and takes no further row then.
        """
        named = _json(list(resources))
        kind = Kind(event, actor, verb, "[]" if event == DENIED else named, channel, answer)
        row = (
            event,
            actor,
            verb,
            named,
            _json(list(decisions)),
            channel,
            correlation,
            answer,
            _json(dict(sorted((counts or {}).items()))),
        )
        if len(self._queue) >= MOST_QUEUED:
            self.flush()
        self._take(kind, row)

    def _take(self, kind: Kind, row: tuple[str, ...]) -> None:
        """Queue the row, or count it where enough alike ones have one."""
        with self._lock:
            now = self._clock()
            self._count_ended(now)
            if kind.event in LIMITS and self._repeats.is_over(kind, now):
                return
            self._queue.append((now.isoformat(), *row))
            self._start_writer()
            self._changed.notify_all()

    def flush(self) -> None:
        """Write what is queued; after this it survives a crash.

        Raises `Unavailable` (`store_busy`, `disk_full`, `read_only`) or `Corrupt`; the rows then
        stay queued for the next try.
        """
        with self._writing:
            with self._lock:
                group, self._queue = self._queue, []
            if not group:
                return
            try:
                self._file.append(group, cut=self._cut())
            except LobesError:
                with self._lock:
                    self._queue = group + self._queue
                raise

    def close(self) -> None:
        """Flush, write what was only counted so far, and let go of the file."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            self._count_ended(None)
            self._changed.notify_all()
        atexit.unregister(self._close_at_exit)
        try:
            self.flush()
        finally:
            self._file.close()

    def rows(self, limit: int, wanted: Wanted = ALL) -> list[AuditRow]:
        """The newest wanted rows first, those of this process included if they can be written."""
        self._flush_to_read()
        with _readable():
            return [_row(link.seq, link.columns) for link in self._file.rows(limit, wanted)]

    def count(self, wanted: Wanted = ALL) -> int:
        """How many rows are wanted, on all pages."""
        self._flush_to_read()
        return self._file.count(wanted)

    def readers(self, wanted: Wanted) -> tuple[Reader, ...]:
        """Who read what these rows tell of, the busiest first."""
        self._flush_to_read()
        with _readable():
            return self._file.readers(wanted)

    def verify(self, key: Key = UNASKED) -> Verdict:
        """Whether the file is as it was written; without the key as far as can be told."""
        self._flush_to_read()
        return self._file.verify(key, cut=self._cut())

    def seal_with(self, key: Secret, *, is_new: bool = False) -> bool:
        """Seal what is there, and from now on each group this process writes, whatever other
        processes write between. `is_new`: the key was made just now, so there is no seal yet.

        False where it isn't whole, or its seal is gone. Raises as `flush`.
        """
        self.flush()
        with self._writing:
            at = self._clock().isoformat()
            return self._file.seal_with(key, is_new=is_new, at=at, cut=self._cut())

    def move_to(self, folder: Path) -> None:
        """Put what is there aside, into a folder that is made; the next row begins anew."""
        self.flush()
        with self._writing:
            self._file.move_to(folder)

    def _flush_to_read(self) -> None:
        """What a disk that takes nothing keeps out is still queued; what is there can be read."""
        try:
            self.flush()
        except Unavailable as error:
            if error.reason not in UNWRITABLE:
                raise

    def _cut(self) -> str:
        return cut_at(self._clock(), self._keep_days)

    def _count_ended(self, now: datetime | None) -> None:
        """Queue one row for each run of repeats that is over at `now`; None: for all."""
        for kind, repeated in self._repeats.ended(now):
            counts = _json({"repeated": repeated})
            asked = (kind.event, kind.actor, kind.verb, kind.resources)
            row = (*asked, "[]", kind.channel, "", kind.answer)
            self._queue.append(((now or self._clock()).isoformat(), *row, counts))

    def _start_writer(self) -> None:
        if self._writer is None and not self._is_closed:
            self._writer = threading.Thread(target=self._write_on, name="audit", daemon=True)
            self._writer.start()

    def _write_on(self) -> None:
        while self._wait_for_group():
            try:
                self.flush()
            except LobesError:
                # The rows are still queued, and whoever flushes is told; not at once again.
                with self._changed:
                    self._changed.wait_for(lambda: self._is_closed, GROUP_SECONDS)

    def _wait_for_group(self) -> bool:
        """Whether there is something to write; what is there at the end is written by `close`."""
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._is_closed)
            self._changed.wait_for(
                lambda: len(self._queue) >= GROUP_ROWS or self._is_closed, GROUP_SECONDS
            )
            return not self._is_closed

    def _close_at_exit(self) -> None:
        try:
            self.close()
        except LobesError:
            # The process is ending; there is nobody left to tell.
            return


@contextmanager
def _readable() -> Generator[None]:
    """A row that somebody edited may hold anything: then `Corrupt` (`audit_edited`)."""
    try:
        yield
    except (ValueError, TypeError, AttributeError) as error:
        raise Corrupt(
            "A row of the record can't be read.",
            hint="lobes audit verify says from where on it isn't as it was written.",
            reason="audit_edited",
        ) from error


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=True, separators=(",", ":"))


def _row(seq: int, columns: Sequence[str]) -> AuditRow:
    at, event, actor, verb, resources, decisions, channel, correlation, answer, counts = columns
    return AuditRow(
        seq=seq,
        at=datetime.fromisoformat(at),
        event=event,
        actor=actor,
        verb=verb,
        resources=tuple(json.loads(resources)),
        decisions=tuple((lobe, code, allowed) for lobe, code, allowed in json.loads(decisions)),
        channel=channel,
        correlation=correlation,
        answer=answer,
        counts=json.loads(counts),
    )
