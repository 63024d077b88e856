"""`audit notices`: what others did that concerns who asks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from lobes.cli.output import items, show, shown
from lobes.cli.session import Session, global_options
from lobes.cli.words import TEXT
from lobes.services.notices import Notice, list_notices, mark_seen


@click.command()
@click.option("-n", "limit", type=click.IntRange(1, 1000), default=50, help="At most; 50.")
@click.option(
    "--before", type=TEXT, default="", metavar="ID", help="Only those older than this one."
)
@click.option("--unseen", is_flag=True, help="Only new ones.")
@click.option("--mark", is_flag=True, help="Note those that are shown as seen.")
@global_options
def notices(session: Session, *, limit: int, before: str, unseen: bool, mark: bool) -> None:
    """What others did that concerns you, the newest first; * before a new one."""
    with session.opened() as (lobes, caller):
        found = list_notices(lobes, caller, unseen_only=unseen, before=before, limit=limit)
        if mark:
            mark_seen(lobes, caller, [one.id for one in found.items if not one.is_seen])
    following = found.items[-1].id if len(found.items) == limit else None
    rows = [_document(one) for one in found.items]
    document = items(rows, total=found.total, next=following) | {"unseen": found.unseen}
    show(session, document, lambda: _lines(found.items))


def _document(one: Notice) -> dict[str, Any]:
    return {
        "id": one.id,
        "at": one.at.isoformat(),
        "event": one.event,
        "who": one.who,
        "about": one.about,
        "sentence": one.sentence,
        "seen": one.is_seen,
    }


def _lines(found: Iterable[Notice]) -> Iterable[str]:
    for one in found:
        mark = " " if one.is_seen else "*"
        yield f"{mark} {one.at:%Y-%m-%d %H:%M}  {shown(one.sentence)}"
    if not found:
        yield "Nothing yet."
