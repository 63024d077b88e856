"""`review`: the queue with its counters, or all there is to know about one of its items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click

from lobes.cli.deciding import evidence_document, evidence_lines
from lobes.cli.output import items, show, shown, table
from lobes.cli.pack import edit_document, edit_item, edit_lines, edit_words
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME
from lobes.services.pack_queue import (
    PackItem,
    is_pack_edit,
    oldest_of,
    pack_evidence,
    pack_queue,
)
from lobes.services.review_evidence import evidence
from lobes.services.review_groups import groups
from lobes.services.review_queue import Item, Queue, queue

_SHOWN = 40
_LABEL = 40


@click.command()
@click.argument("id", type=NAME, metavar="[ID]", required=False)
@click.option("--decided", is_flag=True, help="What was decided, instead of what waits.")
@click.option("--groups", "grouped", is_flag=True, help="Say which are variants of one claim.")
@global_options
def review(session: Session, *, id: str | None, decided: bool, grouped: bool) -> None:
    """What waits for you and what became of what came; with an ID that one alone."""
    with session.opened() as (lobes, caller):
        if id is not None and is_pack_edit(lobes, id):
            edit = pack_evidence(lobes, caller, id)
            show(session, edit_document(edit), lambda: edit_lines(edit))
            return
        if id is not None:
            one = evidence(lobes, caller, id)
            show(session, evidence_document(one), lambda: evidence_lines(one))
            return
        view = "decided" if decided else "waiting"
        found = queue(lobes, caller, view, session.space)
        edits = pack_queue(lobes, caller, view, session.space)
    variants = groups(found.items) if grouped else ()
    group = {id: some[0] for some in variants for id in some}
    oldest = min((one for one in (found.oldest, oldest_of(edits)) if one), default=None)
    document = {
        **items(_documents(found, edits, group)),
        "oldest": oldest.isoformat() if oldest else None,
        "counters": asdict(found.counters),
        "pack_edits": sum(one.edit.status == "proposed" for one in edits),
    }
    show(session, document, lambda: [*_edits(edits), *_lines(found, decided=decided)])


def _documents(
    found: Queue, edits: Sequence[PackItem], group: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Memories and edits in one list, the newest first; what was decided stays in its order."""
    memories = [_document(one, group.get(one.id)) for one in found.items]
    every = [*memories, *map(edit_item, edits)]
    if any(one["decision"] for one in every):
        return every
    return sorted(every, key=lambda one: (one["created"], one["id"]), reverse=True)


def _edits(edits: Sequence[PackItem]) -> Iterable[str]:
    if edits:
        yield f"Edits of files: {len(edits):,}"
        yield from table(
            [(one.id, shown(edit_words(one.edit)), one.edit.space) for one in edits[:_SHOWN]]
        )
        yield ""


def _document(one: Item, group: str | None) -> dict[str, Any]:
    row = one.row
    return {
        "id": row.id,
        "about": "memory",
        "lobe": str(row.lobe),
        "space": row.lobe.id if row.lobe.kind == "space" else "",
        "statement": one.statement,
        "kind": row.kind,
        "class": row.memory_class,
        "status": row.status,
        "sensitivity": row.level,
        "author": row.author,
        "created": row.created.isoformat(),
        "content_hash": row.content_hash,
        "flags": list(row.waits_for),
        "brakes": list(one.brakes),
        "shown": one.shown,
        "session": row.session,
        "in_session": one.in_session,
        "group": group,
        "decision": {"act": row.act, "reason": row.reason, "by": row.by} if row.act else None,
    }


def _lines(found: Queue, *, decided: bool) -> Iterable[str]:
    count = found.counters
    if found.items:
        rows = [
            (
                one.id,
                shown(one.statement, limit=60),
                one.row.act if decided else " ".join(one.brakes),
                str(one.row.lobe),
            )
            for one in found.items[:_SHOWN]
        ]
        yield from table(rows)
        if len(found.items) > _SHOWN:
            yield f"and {len(found.items) - _SHOWN:,} more: --json has them all"
    if not count.waiting:
        yield "No memory waits for you."
    yield ""
    yield "Since yesterday"
    for label, number in (
        ("  proposed by agents and imports", count.proposed),
        ("    repeats, folded into what is here", count.repeats),
        ("    suppressed, rejected before", count.suppressed),
        ("    accepted", count.accepted),
        ("    merged", count.merged),
        ("    rejected", count.rejected),
        ("  active at once", count.at_once),
    ):
        yield f"{label:<{_LABEL}}{number:,}"
    if found.oldest is not None:
        yield f"{count.waiting:,} waiting, the oldest since {found.oldest:%Y-%m-%d %H:%M} UTC"
