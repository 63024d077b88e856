"""`memory add|propose|list|show|history`: what you and your agents remember."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, cast

import click

from lobes.cli.memory_options import fields, proposal_of
from lobes.cli.output import items, more, show, shown, table
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, TEXT
from lobes.domain.display import display_text
from lobes.domain.memories import CLASSES, KINDS, STATUSES, Memory, Provenance, Status, Version
from lobes.domain.memory_flags import SENTENCES, Flag
from lobes.domain.proposals import Origin
from lobes.services import memories
from lobes.services.memories import MemoryRow, MemoryView
from lobes.services.paging import MOST, Page
from lobes.services.proposing import Proposed
from lobes.services.proposing import propose as propose_it
from lobes.store.read_memories import Where


@click.command()
@click.argument("text", type=TEXT)
@fields
@global_options
def add(session: Session, *, text: str, **given: Any) -> None:
    """Remember TEXT in the Space of --space; `-` reads it from the standard input.

    What you type is active at once, unless the Space's write policy lets it wait. What an agent
    adds is a proposal.
    """
    with session.opened() as (lobes, caller):
        wanted, space = proposal_of(session, caller, text, given)
        done = memories.add(lobes, caller, space, wanted)
    show(session, _done_document(done), lambda: _done_lines(done))


@click.command()
@click.argument("text", type=TEXT)
@fields
@global_options
def propose(session: Session, *, text: str, **given: Any) -> None:
    """Propose TEXT in the Space of --space: it waits for a person; `-` reads it from the input."""
    from lobes.domain.actors import is_human

    with session.opened() as (lobes, caller):
        wanted, space = proposal_of(session, caller, text, given)
        author = "user" if is_human(caller.actor) else "agent"
        origin = Origin(author, Provenance(source=caller.channel))
        done = propose_it(lobes, caller, space, wanted, origin)
    show(session, _done_document(done), lambda: _done_lines(done))


def _done_document(done: Proposed) -> dict[str, Any]:
    return {
        "id": done.id,
        "outcome": done.outcome,
        "waits_for": list(done.waits_for),
        "neighbours": [asdict(one) for one in done.neighbours],
    }


def _done_lines(done: Proposed) -> Iterable[str]:
    words = {
        "active": "Remembered.",
        "pending": "It waits for a person: lobes review.",
        "repeat": "That is there already; nothing was changed.",
        "suppressed": "It was rejected before; only a person can say it again.",
    }
    yield f"{done.id}  {words[done.outcome]}".strip()
    for wait in done.waits_for:
        yield f"  {wait}: {SENTENCES[wait]}"
    for one in done.neighbours:
        yield f"  {one.relation} {one.likeness:.2f}  {one.id}  {shown(one.statement, limit=100)}"


@click.command()
@click.option(
    "--status", "statuses", multiple=True, type=click.Choice(STATUSES), help="Only in this state."
)
@click.option(
    "--lobe", "named", type=TEXT, metavar="LOBE", help="Of this lobe: space/ID, personal/ID, …"
)
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only of this kind.")
@click.option(
    "--class", "classes", multiple=True, type=click.Choice(CLASSES), help="Only of this class."
)
@click.option(
    "-n", "limit", type=click.IntRange(1, MOST), default=100, show_default=True, help="At most."
)
@click.option("--after", type=TEXT, default="", metavar="ID", help="The page behind this one.")
@global_options
def list_(
    session: Session,
    *,
    statuses: tuple[str, ...],
    named: str | None,
    kinds: tuple[str, ...],
    classes: tuple[str, ...],
    limit: int,
    after: str,
) -> None:
    """What you may know of, the newest first: active, disputed and proposed ones, or --status."""
    from lobes.domain.ids import parse_address

    where = Where(
        lobes=() if named is None else (str(parse_address(named)),),
        statuses=cast("tuple[Status, ...]", statuses),
        kinds=kinds,
        classes=classes,
    )
    with session.opened() as (lobes, caller):
        page = memories.list_memories(
            lobes, caller, where, space=session.space or "", after=after, limit=limit
        )
    rows = [_row_document(one) for one in page.items]
    document = items(rows, total=page.total, next=page.next or None)
    show(session, document, lambda: _list_lines(page))


def _row_document(row: MemoryRow) -> dict[str, Any]:
    return memory_document(row.memory, row.flags)


def memory_document(one: Memory, flags: Iterable[Flag]) -> dict[str, Any]:
    """A memory in the words of the contract."""
    return {
        "id": one.id,
        "lobe": str(one.lobe),
        "space": one.lobe.id if one.lobe.kind == "space" else "",
        "statement": one.statement,
        "kind": one.kind,
        "class": one.memory_class,
        "status": one.status,
        "sensitivity": one.level,
        "author": one.author,
        "created": one.created.isoformat(),
        "content_hash": one.content_hash,
        "flags": list(flags),
        "epistemic": one.epistemic,
        "category": one.category,
        "subject": one.subject,
        "updated": one.updated.isoformat(),
        "valid_from": None if one.valid_from is None else one.valid_from.isoformat(),
        "valid_to": None if one.valid_to is None else one.valid_to.isoformat(),
        "version": one.version,
    }


def _list_lines(page: Page[MemoryRow]) -> Iterable[str]:
    cells = [
        (one.memory.id, one.memory.status, str(one.memory.lobe), one.memory.statement or "(closed)")
        for one in page.items
    ]
    yield from table(cells)
    yield from more(page, nothing="Nothing is remembered here.")


@click.command()
@click.argument("named", type=NAME, metavar="ID")
@global_options
def show_(session: Session, *, named: str) -> None:
    """One memory with where it comes from, what it waits for and what it is tied to."""
    with session.opened() as (lobes, caller):
        view = memories.show_memory(lobes, caller, named)
    show(session, view_document(view), lambda: _view_lines(view))


def view_document(view: MemoryView) -> dict[str, Any]:
    """One memory whole; `shown` is what `--shown` takes where it is decided on."""
    one = view.memory
    came = one.provenance
    return {
        **memory_document(one, view.flags),
        "shown": view.shown,
        "replaces": one.replaces,
        "confidence": one.confidence,
        "detectors": [found.detector for found in one.findings],
        "provenance": {
            "source": came.source,
            "session": came.session,
            "client": came.client,
            "tool": came.tool,
            "ref": came.ref,
            "evidence": list(came.evidence),
            "is_external": came.is_external,
        },
        "links": [
            {"kind": link.kind, "memory": link.memory, "other": link.other} for link in view.links
        ],
    }


def _view_lines(view: MemoryView) -> Iterable[str]:
    one = view.memory
    yield from display_text(one.statement, lines=True).split("\n")
    yield f"{one.status}  {one.kind}  {one.memory_class}  {one.level}  {shown(one.lobe)}"
    came = one.provenance
    parts = (came.source, came.client, came.session, *came.evidence)
    yield f"from {one.author}  " + "  ".join(shown(part) for part in parts if part)
    if one.valid_from or one.valid_to:
        begin, end = one.valid_from, one.valid_to
        yield f"holds {begin.date() if begin else '…'} to {end.date() if end else '…'}"
    for flag in view.flags:
        yield f"{flag}: {SENTENCES[flag]}"
    for link in view.links:
        yield f"{link.memory} {link.kind} {link.other}"


@click.command()
@click.argument("named", type=NAME, metavar="ID")
@global_options
def history(session: Session, *, named: str) -> None:
    """Each version of one memory: what it said, what was done, by whom and why."""
    with session.opened() as (lobes, caller):
        found = memories.history(lobes, caller, named)
    show(session, items([_version_document(one) for one in found]), lambda: _version_lines(found))


def _version_document(one: Version) -> dict[str, Any]:
    return {
        "version": one.version,
        "at": one.at.isoformat(),
        "act": one.act,
        "actor": one.actor,
        "status": one.status,
        "statement": one.statement,
        "content_hash": one.content_hash,
        "reason": one.reason,
    }


def _version_lines(found: Iterable[Version]) -> list[str]:
    return table(
        [
            (one.version, f"{one.at:%Y-%m-%d %H:%M}", one.act, one.actor, one.statement, one.reason)
            for one in found
        ]
    )
