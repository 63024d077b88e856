"""`engine status|stop`."""

from __future__ import annotations

from dataclasses import asdict

import click

from lobes.cli.app import LazyGroup
from lobes.cli.output import show, shown
from lobes.cli.session import Session, global_options
from lobes.services.engine import status_for, stop_engine


@click.group(
    cls=LazyGroup,
    lazy={
        "status": ("lobes.cli.engine:status", "How far it is; starts none."),
        "stop": (
            "lobes.cli.engine:stop",
            "Let it finish its work and end; one that hangs is ended.",
        ),
    },
    help="The index engine: a process of its own, started when it is needed.",
)
def engine() -> None:
    pass


@click.command()
@global_options
def status(session: Session) -> None:
    """How far the engine is; starts none."""
    with session.opened() as (lobes, caller):
        found = status_for(lobes, caller)
    show(
        session,
        asdict(found),
        lambda: [
            f"engine {found.state}, words {found.words_done:,} of {found.words_total:,},"
            f" meaning {found.vectors_done:,} of {found.vectors_total:,}",
            *(f"! {shown(problem)}" for problem in found.problems),
        ],
    )


@click.command()
@global_options
def stop(session: Session) -> None:
    """Let the engine finish its work and end; the next search starts another.

    One that doesn't answer is told to end, and after five seconds ended by force; nothing is lost.
    """
    with session.opened() as (lobes, caller):
        was_running = stop_engine(lobes, caller)
    show(
        session,
        {"stopped": was_running},
        lambda: ["Stopped." if was_running else "No engine was running."],
    )
