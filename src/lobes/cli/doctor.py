"""`doctor`: look for what is wrong; `--fix` mends what a program may mend."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import cast

import click

from lobes.cli.output import show, shown, typed
from lobes.cli.session import Session, global_options
from lobes.cli.terminal import terminal_here
from lobes.cli.words import TEXT
from lobes.domain.agents import agent_in
from lobes.domain.errors import Conflict, Corrupt, Unavailable
from lobes.services.doctor import AREAS, ONLY_NAMED, Area, Finding, examine, examine_unopened, mend
from lobes.services.older_store import (
    WORD,
    accept_older,
    is_older,
    note_accepted,
    nothing_to_accept,
    refuse_others,
)


@click.command()
@click.argument("areas", nargs=-1, type=click.Choice((*AREAS, *ONLY_NAMED)))
@click.option("--fix", is_flag=True, help="Close open files; make a damaged index anew.")
@click.option(
    "--accept-older", "accepts_older", is_flag=True, help="Take a store that lacks writes as it is."
)
@click.option(
    "--confirm", "word", type=TEXT, metavar="WORD", help="The word, instead of typing it."
)
@global_options
def doctor(
    session: Session, *, areas: tuple[str, ...], fix: bool, accepts_older: bool, word: str | None
) -> None:
    """Look for what is wrong in the whole home, or in some AREAS of it; secrets only by name."""
    chosen = cast("tuple[Area, ...]", areas) or AREAS
    done: tuple[str, ...] = ()
    try:
        done = _accepted(session, word) if accepts_older else ()
        with session.opened() as (lobes, caller):
            done += mend(lobes, caller) if fix else ()
            found = examine(lobes, caller, areas=chosen)
    except (Corrupt, Unavailable) as error:
        # Every other command sends the person here, so here the error is no answer.
        if not isinstance(error, Corrupt) and error.reason != "store":
            raise
        found = examine_unopened(session.folders)
    document = {
        "items": [asdict(one) for one in found],
        "total": len(found),
        "next": None,
        "mended": list(done),
    }
    show(session, document, lambda: [*done, *(line for one in found for line in _lines(one))])
    if any(one.level == "problem" for one in found):
        session.exit_code = 1


def _accepted(session: Session, word: str | None) -> tuple[str, ...]:
    """What it lacked, once the word is typed: judged as any act where the store can be opened,
    else by what the store itself says of its home."""
    if not is_older(session.folders):
        with session.opened() as (lobes, caller):
            raise nothing_to_accept(lobes, caller)
    marker = agent_in(os.environ)
    refuse_others(
        session.folders,
        acting_as=session.acting_as,
        is_agent=marker is not None,
        is_at_terminal=terminal_here() is not None,
    )
    question = f"What isn't in the store is lost. Type {WORD} to go on"
    if (typed(session, question) if word is None else word) != WORD:
        raise Conflict(
            "Nothing was done: the word wasn't typed.",
            hint=f"--confirm {WORD} says it too.",
            reason="not_confirmed",
        )
    missing, epoch = accept_older(session.folders)
    with session.opened() as (lobes, _):
        note_accepted(lobes, missing=missing, epoch=epoch)
    writes = "1 write" if missing == 1 else f"{missing:,} writes"
    return (f"The store is taken as it is, without its last {writes}; epoch {epoch}.",)


def _lines(finding: Finding) -> list[str]:
    mark = "!" if finding.level == "problem" else " "
    lines = [f"{mark} {finding.area:<6} {shown(finding.text)}"]
    if finding.hint:
        lines.append(f"         {shown(finding.hint, limit=2000)}")
    return lines
