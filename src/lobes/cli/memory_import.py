"""`memory import`: what another tool kept becomes proposals; an export of Lobes comes as it was."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import click

from lobes.cli.errors import INTERRUPTED
from lobes.cli.index import stop_on
from lobes.cli.output import say, show, shown
from lobes.cli.session import Session, global_options
from lobes.cli.words import PLACE
from lobes.domain.imports import SOURCES, Skip, SourceKind
from lobes.services.importing import Imported, Phase, import_memories

REFUSED = 6
_SHOWN = 20
_TOLD_EVERY = 0.5


@click.command("import")
@click.argument("path", type=PLACE)
@click.option("--kind", type=click.Choice(list(SOURCES)), help="Read it as this, whatever it is.")
@click.option("--dry-run", is_flag=True, help="Say what would be proposed; propose nothing.")
@click.option(
    "--as-exported",
    "is_ours",
    is_flag=True,
    help="PATH is JSON lines of memory export: taken in as they were, not proposed.",
)
@global_options
def import_(
    session: Session, *, path: Path, kind: str | None, dry_run: bool, is_ours: bool
) -> None:
    """Propose what another tool kept, in the Space of --space.

    PATH is a file, a folder or an export archive. Nothing is used before you accept it, and a
    second run proposes nothing twice.
    """
    if is_ours and kind:
        raise click.UsageError("--as-exported needs no --kind: it is an export of Lobes.")
    if is_ours:
        _brought_in(session, path.expanduser(), dry_run=dry_run)
        return
    stop = threading.Event()
    stop_on(signal.SIGINT, stop)
    watch = _Watch(session)
    with session.opened() as (lobes, caller):
        done = import_memories(
            lobes,
            caller,
            session.needed_space(caller),
            path.expanduser(),
            kind=cast("SourceKind | None", kind),
            dry_run=dry_run,
            watch=watch.hear,
            stop=stop.is_set,
        )
    show(session, as_document(done, dry_run=dry_run), lambda: _lines(done, dry_run=dry_run))
    if done.is_refused:
        session.exit_code = REFUSED
    elif done.is_stopped:
        session.exit_code = INTERRUPTED


def _brought_in(session: Session, file: Path, *, dry_run: bool) -> None:
    from lobes.services.bringing_in import bring_in

    with session.opened() as (lobes, caller):
        space = session.needed_space(caller)
        done = bring_in(lobes, caller, space, file, dry_run=dry_run)
    verb = "would be taken in" if dry_run else "taken in"
    line = f"{shown(done.space)}: {done.memories:,} memories {verb}, {done.same:,} there already."
    show(session, {**asdict(done), "dry_run": dry_run}, lambda: [line])


class _Watch:
    """A line now and then, for imports that take a while."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._next = time.monotonic() + _TOLD_EVERY

    def hear(self, phase: Phase, done: int, total: int) -> None:
        if not sys.stderr.isatty() or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _TOLD_EVERY
        share = f"{100 * done // max(1, total)} %"
        say(self._session, f"{phase}  {share}")


def as_document(done: Imported, *, dry_run: bool) -> dict[str, Any]:
    """In the shape of the contract; `first` shows what a dry run would propose first."""
    document: dict[str, Any] = {
        "source": {"kind": done.source.kind, "label": done.source.label} if done.source else None,
        "proposed": done.proposed,
        "repeats": done.repeats,
        "suppressed": done.suppressed,
        "skipped": [
            {
                "where": one.where,
                "reason": one.reason,
                "sentence": one.sentence,
                "count": one.count,
            }
            for one in done.skipped
        ],
        "refused": done.is_refused,
        "stopped": done.is_stopped,
        "dry_run": dry_run,
    }
    if dry_run:
        document["first"] = [
            {
                "statement": one.statement,
                "kind": one.kind,
                "class": one.memory_class,
                "subject": one.subject,
                "where": one.source_ref,
            }
            for one in done.first
        ]
    return document


def _lines(done: Imported, *, dry_run: bool) -> Iterable[str]:
    if done.is_refused:
        yield "Refused; nothing was taken from it."
    else:
        label = shown(done.source.label) if done.source else ""
        verb = "would be proposed" if dry_run else "proposed"
        counts = [f"{done.proposed:,} {verb}", f"{done.repeats:,} there already"]
        if done.suppressed:
            counts.append(f"{done.suppressed:,} rejected before")
        yield f"{label}: {', '.join(counts)}"
    if dry_run:
        for one in done.first:
            yield f"  {shown(one.statement, limit=160)}"
    yield from _skip_lines(done.skipped)
    if done.is_stopped:
        yield "Stopped. What was proposed stays; run it again to go on."


def _skip_lines(skipped: tuple[Skip, ...]) -> Iterable[str]:
    if not skipped:
        return
    yield f"{sum(one.count for one in skipped):,} left aside:"
    for one in skipped[:_SHOWN]:
        count = f" ({one.count:,})" if one.count > 1 else ""
        yield f"  {shown(one.where, limit=120)}  {shown(one.sentence)}{count}"
    if len(skipped) > _SHOWN:
        yield f"  … and {len(skipped) - _SHOWN:,} more; --json lists them."
