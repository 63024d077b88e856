"""`audit list|verify`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from lobes.cli.app import LazyGroup
from lobes.cli.output import items, show, shown
from lobes.cli.session import Session, global_options
from lobes.services.audit_log import list_audit, verify_audit
from lobes.store.audit import AuditRow


@click.group(
    cls=LazyGroup,
    lazy={
        "list": ("lobes.cli.audit:list_", "The newest rows first."),
        "verify": ("lobes.cli.audit:verify", "Whether the chain is whole."),
    },
    help="What was read and decided, by whom.",
)
def audit() -> None:
    pass


@click.command()
@click.option("-n", "limit", type=click.IntRange(1, 1000), default=50)
@click.option("--before", type=int, metavar="SEQ", help="Only rows older than this one.")
@click.option("--event", metavar="NAME")
@global_options
def list_(session: Session, *, limit: int, before: int | None, event: str | None) -> None:
    """The newest rows first: ids, codes and counts, never a text."""
    with session.opened() as (lobes, caller):
        rows, total = list_audit(
            lobes, caller, limit=limit, before=before, event=event, space=session.space
        )
    following = str(rows[-1].seq) if len(rows) == limit else None
    document = items([row_document(row) for row in rows], total=total, next=following)
    show(session, document, lambda: _lines(rows))


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
        yield (
            f"{row.seq:>6}  {row.at:%Y-%m-%d %H:%M:%S}  {shown(row.actor)}  {row.event}"
            f"  {shown(', '.join(row.resources))}  {row.answer}  {row.channel}{lobes}"
        )


@click.command()
@global_options
def verify(session: Session) -> None:
    """Whether the audit is as it was written; exit code 1 when it is not."""
    with session.opened() as (lobes, caller):
        verdict = verify_audit(lobes, caller)
    document = {"state": verdict.state, "rows": verdict.rows, "seq": verdict.seq}
    show(session, document, lambda: [f"{verdict.state}, {verdict.rows:,} rows"])
    if not verdict.is_whole:
        session.exit_code = 1
