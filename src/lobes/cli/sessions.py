"""`session list|show`: what agents recorded of their turns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import click

from lobes.cli.app import LazyGroup
from lobes.cli.output import items, more, show, shown, table
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, TEXT
from lobes.domain import sessions as recorded
from lobes.domain.display import display_text
from lobes.services.paging import MOST, Page
from lobes.services.sessions import SessionRow, SessionView, list_sessions, show_session

_HERE = "lobes.cli.sessions"


@click.group(
    cls=LazyGroup,
    lazy={
        "list": (f"{_HERE}:list_", "The sessions that you may read."),
        "show": (f"{_HERE}:show_", "One session, turn by turn."),
    },
    help="What agents recorded of their turns; a session is its author's.",
)
def session() -> None:
    pass


@click.command()
@click.option(
    "-n", "limit", type=click.IntRange(1, MOST), default=100, show_default=True, help="At most."
)
@click.option("--after", type=TEXT, default="", metavar="ID", help="The page behind this one.")
@global_options
def list_(session: Session, *, limit: int, after: str) -> None:
    """The sessions that you may read, the newest first; with --space those of that one."""
    with session.opened() as (lobes, caller):
        page = list_sessions(lobes, caller, space=session.space or "", after=after, limit=limit)
    rows = [_row(one) for one in page.items]
    document = items(rows, total=page.total, next=page.next or None)
    show(session, document, lambda: _list_lines(page))


def _row(row: SessionRow) -> dict[str, Any]:
    return {**_about(row.session), "last": row.last.isoformat(), "turns": row.turns}


def _about(one: recorded.Session) -> dict[str, Any]:
    return {
        "id": one.id,
        "space": one.space,
        "person": one.person,
        "actor": one.actor,
        "client": one.client,
        "visibility": one.permission.visibility,
        "started": one.started.isoformat(),
    }


def _list_lines(page: Page[SessionRow]) -> Iterable[str]:
    cells = [
        (
            one.session.id,
            one.session.space,
            one.session.client or one.session.actor,
            f"{one.session.started:%Y-%m-%d %H:%M}",
            _turns(one.turns),
        )
        for one in page.items
    ]
    yield from table(cells)
    yield from more(page, nothing="No sessions yet: agents record them with record_turn.")


def _turns(count: int) -> str:
    return f"{count:,} turn" if count == 1 else f"{count:,} turns"


@click.command()
@click.argument("named", type=NAME, metavar="ID")
@global_options
def show_(session: Session, *, named: str) -> None:
    """One session: what was done, what was decided, and what that rests on."""
    with session.opened() as (lobes, caller):
        view = show_session(lobes, caller, named)
    document = items([_turn(one) for one in view.turns]) | {"session": _about(view.session)}
    show(session, document, lambda: _view_lines(view))


def _turn(one: recorded.Turn) -> dict[str, Any]:
    return {
        "turn": one.place,
        "at": one.at.isoformat(),
        "actor": one.actor,
        "summary": one.summary,
        "decisions": list(one.decisions),
        "evidence": list(one.evidence),
        "is_external": one.is_external,
        "sensitivity": one.level,
        "detectors": list(dict.fromkeys(found.detector for found in one.findings)),
    }


def _view_lines(view: SessionView) -> Iterable[str]:
    one = view.session
    yield f"{one.id}  {shown(one.space)}  {one.permission.visibility}  of {shown(one.person)}"
    yield f"from {shown(one.actor)}  {shown(one.client)}".rstrip()
    for turn in view.turns:
        outside = "  after something from outside" if turn.is_external else ""
        yield ""
        yield f"{turn.place}  {turn.at:%Y-%m-%d %H:%M}  {turn.level}{outside}"
        yield from _indented(turn.summary)
        for decision in turn.decisions:
            yield from _indented(decision, sign="- ")
        if turn.evidence:
            yield f"   rests on {', '.join(turn.evidence)}"


def _indented(text: str, *, sign: str = "") -> Iterable[str]:
    first, *rest = display_text(text, lines=True).split("\n")
    yield f"   {sign}{first}"
    yield from (f"   {' ' * len(sign)}{line}" for line in rest)
