"""`context`: what an agent starts from, within a budget of tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from lobes.cli.output import shown
from lobes.cli.session import Session, global_options
from lobes.domain.errors import LobesError
from lobes.services.context import BUDGET, LEAST, MOST, Context, Piece, assemble
from lobes.services.context_text import as_text

FORMATS = ("markdown", "json", "claude-hook")


@click.command()
@click.argument("query", required=False, default="")
@click.option("--budget", type=click.IntRange(LEAST, MOST), default=BUDGET, help="Tokens at most.")
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="markdown",
    help="claude-hook: for the start of a session of Claude Code; it never fails one.",
)
@global_options
def context(session: Session, *, query: str, budget: int, form: str) -> None:
    """What matters for QUERY in the Space of --space, quoted and with its sources.

    Files of the pack first, then memories and passages; without QUERY, for what the Space is.
    """
    if form == "claude-hook":
        click.echo(json.dumps(_for_hook(session, query, budget)))
        return
    with session.opened() as (lobes, caller):
        found = assemble(lobes, caller, query, space=session.needed_space(caller), budget=budget)
    if session.as_json or form == "json":
        click.echo(json.dumps(document(found)))
    else:
        click.echo(as_text(found))


def document(found: Context) -> dict[str, Any]:
    """No manifest is kept of it yet, so `manifest` names none."""
    return {
        "manifest": None,
        "space": found.space,
        "brief": as_text(found),
        "sources": [_source(one) for one in found.pieces],
        "omitted": [{"reason": name, "count": count} for name, count in found.omitted.items()],
        "conflicts": sorted(
            {tuple(sorted((one.id, *one.others))) for one in found.pieces if one.others}
        ),
        "more_with_approval": found.more_with_approval,
        "tokens": found.tokens,
        "degraded": list(found.degraded),
        "took_ms": found.took_ms,
    }


def _source(one: Piece) -> dict[str, Any]:
    return {
        "id": one.id,
        "version": one.version,
        "layer": one.layer,
        "lobe": one.lobe,
        "place": one.place,
        "role": one.role,
        "reason": one.reason,
        "tokens": one.tokens,
        "scores": dict(one.scores),
        "cut": one.is_cut,
    }


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
        return {"systemMessage": f"Lobes gave no context. {shown(error.message)}"}
    said = {"hookEventName": "SessionStart", "additionalContext": as_text(found)}
    return {"hookSpecificOutput": said}


def _here() -> Path | None:
    try:
        return Path.cwd().resolve()
    except OSError:  # the working directory is gone
        return None
