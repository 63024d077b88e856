"""`audit list|readers|verify|renew`."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

import click

from lobes.cli.app import LazyGroup
from lobes.cli.output import items, show, shown, table
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, TEXT
from lobes.domain.since import parse_since
from lobes.services.audit_log import (
    Wanted,
    list_audit,
    list_readers,
    renew_audit,
    verify_audit,
)
from lobes.services.audit_words import seal_words, verdict_words
from lobes.services.installation import Installation
from lobes.store.audit import AuditRow, Reader, Verdict


@click.group(
    cls=LazyGroup,
    lazy={
        "list": ("lobes.cli.audit:list_", "The newest rows first."),
        "readers": ("lobes.cli.audit:readers", "Who read a Space, and how often."),
        "notices": ("lobes.cli.notices:notices", "What others did that concerns you."),
        "verify": ("lobes.cli.audit:verify", "Whether the record is whole; seals it."),
        "renew": ("lobes.cli.audit:renew", "Put a damaged record aside and begin anew."),
    },
    help="What was read and decided, by whom.",
)
def audit() -> None:
    pass


@click.command()
@click.option("-n", "limit", type=click.IntRange(1, 1000), default=50, help="Rows at most; 50.")
@click.option(
    "--before", type=click.IntRange(0, 2**53), metavar="SEQ", help="Only rows older than this one."
)
@click.option(
    "--event", type=TEXT, metavar="NAME", help="As lobe.changed, or all of a kind as lobe.*."
)
@click.option(
    "--actor", type=TEXT, metavar="ACTOR", help="As a row has it; its part before @ will do."
)
@click.option(
    "--resource", type=TEXT, metavar="ADDRESS", help="As document/ID; --space names a Space."
)
@click.option("--since", type=TEXT, metavar="WHEN", help="As 30m, 12h, 7d, 2w or 2026-11-30.")
@click.option("--denied", is_flag=True, help="Refusals only.")
@global_options
def list_(
    session: Session,
    *,
    limit: int,
    before: int | None,
    event: str | None,
    actor: str | None,
    resource: str | None,
    since: str | None,
    denied: bool,
) -> None:
    """The newest rows first: ids, codes and counts, never a text."""
    with session.opened() as (lobes, caller):
        wanted = Wanted(
            before=before,
            event=event,
            actor=actor,
            resource=resource,
            space=session.space,
            since=_since(lobes, since),
            denied=True if denied else None,
        )
        rows, total = list_audit(lobes, caller, wanted, limit=limit)
    following = str(rows[-1].seq) if len(rows) == limit else None
    document = items([row_document(row) for row in rows], total=total, next=following)
    show(session, document, lambda: _lines(rows))


def _since(lobes: Installation, text: str | None) -> datetime | None:
    return None if text is None else parse_since(text, now=lobes.clock().astimezone())


def row_document(row: AuditRow) -> dict[str, Any]:
    return {
        "seq": row.seq,
        "at": row.at.isoformat(),
        "event": row.event,
        "actor": row.actor,
        "verb": row.verb,
        "resources": list(row.resources),
        "decisions": [
            {"lobe": lobe, "reason": reason, "allowed": allowed}
            for lobe, reason, allowed in row.decisions
        ],
        "channel": row.channel,
        "correlation": row.correlation,
        "answer": row.answer,
        "counts": dict(row.counts),
    }


def _lines(rows: Iterable[AuditRow]) -> Iterable[str]:
    for row in rows:
        allowed = sum(1 for _, _, yes in row.decisions if yes)
        refused = len(row.decisions) - allowed
        lobes = f"  {allowed} lobes, {refused} not" if row.decisions else ""
        times = f"  {row.counts['repeated']:,} more" if "repeated" in row.counts else ""
        yield (
            f"{row.seq:>6}  {row.at:%Y-%m-%d %H:%M:%S}  {shown(row.actor)}  {shown(row.event)}"
            f"  {shown(', '.join(row.resources))}  {shown(row.answer)}  {shown(row.channel)}"
            f"{lobes}{times}"
        )


@click.command()
@click.argument("named", type=NAME, metavar="SPACE", required=False)
@click.option("--since", type=TEXT, metavar="WHEN", help="As 30m, 12h, 7d, 2w or 2026-11-30.")
@global_options
def readers(session: Session, *, named: str | None, since: str | None) -> None:
    """Who read SPACE (without it: anything), the busiest first; refusals are counted apart."""
    with session.opened() as (lobes, caller):
        wanted = Wanted(space=named or session.space, since=_since(lobes, since))
        found = list_readers(lobes, caller, wanted)
    document = items([_reader_document(one) for one in found], total=len(found), next=None)
    show(session, document, lambda: table([_reader_cells(one) for one in found]))


def _reader_document(one: Reader) -> dict[str, Any]:
    return {
        "actor": one.actor,
        "reads": one.reads,
        "refused": one.refused,
        "last": one.last.isoformat(),
        "spaces": list(one.spaces),
    }


def _reader_cells(one: Reader) -> tuple[str, ...]:
    refused = f"{one.refused:,} refused" if one.refused else ""
    return (
        one.actor,
        f"{one.reads:,}",
        refused,
        f"{one.last:%Y-%m-%d %H:%M:%S}",
        ", ".join(one.spaces),
    )


@click.command()
@click.option("--no-key", is_flag=True, help="Don't ask the secret store; the seal isn't checked.")
@global_options
def verify(session: Session, *, no_key: bool) -> None:
    """Whether the record is as it was written (else exit code 1). A whole one is sealed."""
    with session.opened() as (lobes, caller):
        verdict = verify_audit(lobes, caller, asking="never" if no_key else "person")
    show(session, verdict_document(verdict), lambda: _verdict_lines(verdict))
    if not verdict.is_whole:
        session.exit_code = 1


def verdict_document(verdict: Verdict) -> dict[str, Any]:
    return {
        "verdict": verdict.word,
        "state": verdict.state,
        "rows": verdict.rows,
        "seq": verdict.seq,
        "since": verdict.since or None,
        "pruned": verdict.pruned,
        "sentence": verdict_words(verdict)[0],
        "seal": {
            "state": verdict.seal,
            "seq": verdict.sealed_to,
            "at": verdict.sealed_at or None,
        },
    }


def _verdict_lines(verdict: Verdict) -> Iterable[str]:
    sentence, hint = verdict_words(verdict)
    yield f"{verdict.word}, {verdict.rows:,} rows. {sentence}"
    yield seal_words(verdict)
    if hint:
        yield hint


@click.command()
@global_options
def renew(session: Session) -> None:
    """Put a record that isn't whole aside and begin another, whose first row says so."""
    with session.opened() as (lobes, caller):
        folder = renew_audit(lobes, caller)
    show(
        session, {"kept": folder.name}, lambda: [f"The old record is kept in {shown(folder.name)}."]
    )
