"""`context`: what an agent starts from, within a budget of tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from lobes.cli.output import show, shown
from lobes.cli.session import Session, global_options
from lobes.cli.words import TEXT
from lobes.config.fault_log import write_fault
from lobes.domain.errors import LobesError
from lobes.services.context import BUDGET, LEAST, MOST, assemble
from lobes.services.context_text import as_document, as_text

FORMATS = ("markdown", "json", "claude-hook")


@click.command()
@click.argument("query", type=TEXT, required=False, default="")
@click.option("--budget", type=click.IntRange(LEAST, MOST), default=BUDGET, help="Tokens at most.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="markdown",
    help="claude-hook: for the start of a session of Claude Code; a fault is a line in it.",
)
@global_options
def context(session: Session, *, query: str, budget: int, form: str) -> None:
    """What matters for QUERY in the Space of --space, quoted and with its sources.

    Files of the pack first, then memories and passages; without QUERY, for what the Space is.
    """
    session.as_json = session.as_json or form == "json"
    if form == "claude-hook":
        print(json.dumps(_for_hook(session, query, budget)))
        return
    with session.opened() as (lobes, caller):
        found = assemble(lobes, caller, query, space=session.needed_space(caller), budget=budget)
    show(session, as_document(found), lambda: (as_text(found),))


def _for_hook(session: Session, query: str, budget: int) -> dict[str, Any]:
    """In the shape that Claude Code's documents give for a hook of SessionStart. Whatever is in the
    way is one line for the person: a session begins with or without us."""
    from lobes.services.agents import reader_for

    try:
        with session.opened() as (lobes, caller):
            # What a hook prints an agent reads, whoever runs it: it is asked for as that agent.
            agent = reader_for(lobes, caller, named=session.space, folder=_here())
            space = session.needed_space(agent)
            found = assemble(lobes, agent, query, space=space, budget=budget)
    except LobesError as error:
        return _nothing(shown(error.message))
    except Exception as error:
        if session.debug:
            write_fault(error, session.folders)
        return _nothing(f"Something broke in Lobes ({type(error).__name__}).")
    said = {"hookEventName": "SessionStart", "additionalContext": as_text(found)}
    return {"hookSpecificOutput": said}


def _nothing(why: str) -> dict[str, Any]:
    return {"systemMessage": f"Lobes gave no context. {why}"}


def _here() -> Path | None:
    try:
        return Path.cwd().resolve()
    except OSError:  # the working directory is gone
        return None
