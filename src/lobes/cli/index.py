"""`index`: follow the packs once, live, or anew."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import asdict
from types import FrameType
from typing import Any

import click

from lobes.cli.errors import FORBIDDEN, INTERRUPTED, error_body, exit_code, show_error
from lobes.cli.output import say, show, shown, why_skipped
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME
from lobes.domain.errors import LobesError, Unavailable
from lobes.services.engine import rebuild_index
from lobes.services.indexing import IndexReport, Progress, index_all, index_space
from lobes.services.installation import Caller, Installation

WORDS_SECONDS = 600.0
SLICE_SECONDS = 1.0
"""How long one wait for the engine lasts, so that ctrl+c is heard in between."""


@click.command()
@click.argument("named", type=NAME, metavar="SPACE", required=False)
@click.option("--watch", is_flag=True, help="Go on: follow every change until ctrl+c.")
@click.option("--rebuild", is_flag=True, help="Throw the index away first and make it again.")
@click.option("--wait", is_flag=True, help="Wait for the meaning too, not for the words alone.")
@global_options
def index(session: Session, *, named: str | None, watch: bool, rebuild: bool, wait: bool) -> None:
    """Bring SPACE (none: every Space) up to what its files say now."""
    space = named or session.space
    stop = threading.Event()
    stop_on(signal.SIGINT, stop)
    with session.opened() as (lobes, caller):
        if rebuild:
            rebuild_index(lobes, caller, space=space)
        report = _once(session, lobes, caller, space, stop)
        fault = _unconfirmed(session, lobes, report, wait=wait, stop=stop)
        if watch:
            _tell(session, report)
            if fault:
                say(session, shown(fault.message))
            _follow(session, lobes, caller, stop)
            return
    _show(session, report, fault)
    if stop.is_set():
        session.exit_code = INTERRUPTED
    elif fault:
        session.exit_code = exit_code(fault)
    elif any(root.state == "denied" for root in report.roots):
        session.exit_code = FORBIDDEN
    elif any(root.state != "ok" for root in report.roots):
        session.exit_code = 7


def _show(session: Session, report: IndexReport, fault: LobesError | None) -> None:
    """What is stored is told, whatever became of waiting for the engine."""
    document = as_document(report)
    if fault:
        document["error"] = error_body(fault)
    show(session, document, lambda: _lines(report))
    if fault and not session.as_json:
        show_error(fault, as_json=False)


def stop_on(number: signal.Signals, stop: threading.Event) -> None:
    def handler(number: int, frame: FrameType | None) -> None:
        del frame
        stop.set()
        signal.signal(number, signal.default_int_handler)  # the second time it ends at once

    signal.signal(number, handler)


def _once(
    session: Session,
    lobes: Installation,
    caller: Caller,
    space: str | None,
    stop: threading.Event,
) -> IndexReport:
    def progress(done: Progress) -> None:
        if done.total > 200 and sys.stderr.isatty():
            say(session, f"{shown(done.space)}  {done.done:,} of {done.total:,} files")

    if space:
        return index_space(lobes, caller, space, watch=progress, stop=stop.is_set)
    return index_all(lobes, caller, watch=progress, stop=stop.is_set)


def _unconfirmed(
    session: Session,
    lobes: Installation,
    report: IndexReport,
    *,
    wait: bool,
    stop: threading.Event,
) -> LobesError | None:
    """Why nobody can say that the words are searchable; None when they are, or at ctrl+c."""
    try:
        _wait(session, lobes, report, wait=wait, stop=stop)
    except LobesError as error:
        return error
    return None


def _wait(
    session: Session,
    lobes: Installation,
    report: IndexReport,
    *,
    wait: bool,
    stop: threading.Event,
) -> None:
    """Words are searchable when this returns; the meaning follows behind, or is waited for."""
    until = time.monotonic() + WORDS_SECONDS
    while report.seq and not stop.is_set():
        if lobes.engine.wait_words(report.seq, seconds=SLICE_SECONDS).reached:
            break
        if time.monotonic() > until:
            raise Unavailable(
                "The index engine is behind.", hint="See lobes status.", reason="behind"
            )
    while wait and not stop.is_set():
        waited = lobes.engine.wait_vectors(seconds=SLICE_SECONDS)
        if waited.reached:
            return
        state = waited.status
        if state.problems:
            raise Unavailable(state.problems[0], hint="See lobes doctor.", reason="no_vectors")
        say(
            session,
            f"meaning {state.vectors_done:,} of {state.vectors_total:,}  {state.rate:.0f}/s",
        )


def _follow(session: Session, lobes: Installation, caller: Caller, stop: threading.Event) -> None:
    from lobes.services.watching import follow

    def fail(error: LobesError) -> None:
        say(session, shown(error.message))

    stop_on(signal.SIGTERM, stop)
    say(session, "Watching. ctrl+c ends it.")
    follow(lobes, caller, tell=lambda report: _tell(session, report), fail=fail, stop=stop.is_set)


def _tell(session: Session, report: IndexReport) -> None:
    """Under `--json` one document a line, for programs that follow along."""
    if session.as_json:
        print(json.dumps(as_document(report)), flush=True)
    else:
        for line in _lines(report):
            print(line, flush=True)


def as_document(report: IndexReport) -> dict[str, Any]:
    """The report in the shape of the contract."""
    return {
        "indexed": report.indexed,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "skipped": [{**asdict(one), "sentence": why_skipped(one.reason)} for one in report.skipped],
        "held": [asdict(one) for one in report.held],
        "roots": [asdict(one) for one in report.roots],
        "chunks": report.chunks,
        "seconds": round(report.seconds, 3),
        "stopped": report.stopped,
    }


def _lines(report: IndexReport) -> Iterable[str]:
    yield (
        f"{report.indexed:,} indexed, {report.unchanged:,} unchanged, {report.removed:,} removed,"
        f" {report.chunks:,} passages, {report.seconds:.1f} s"
    )
    for one in report.skipped:
        yield f"  skipped {shown(one.space)} {shown(one.path)}: {why_skipped(one.reason)}"
    for one in report.held:
        why = "waits in lobes review" if one.state == "waiting" else "was rejected"
        yield f"  held {shown(one.space)} {shown(one.path)}: {one.change} outside, {why}"
    for root in report.roots:
        if root.state != "ok":
            yield f"! {shown(root.space)}: {shown(root.problem)} What is indexed stays."
