"""`mcp`: serve an agent over stdin and stdout."""

from __future__ import annotations

from typing import cast

import click

from lobes.cli.session import Session, global_options
from lobes.domain.actors import PRESETS, Preset
from lobes.domain.errors import Unavailable


@click.command()
@click.option(
    "--preset",
    type=click.Choice(PRESETS),
    default="proposer",
    help="What the agent may do at most; the Space's own setting counts too.",
)
@global_options
def mcp(session: Session, *, preset: str) -> None:
    """Serve one agent (Model Context Protocol), bound to one Space, until stdin ends.

    The Space is --space, else the one in whose folder it is started.
    """
    if session.serve_agent is None:
        raise Unavailable("There is no server here.", reason="no_server")
    session.serve_agent(
        session.folders, preset=cast("Preset", preset), space=session.space, debug=session.debug
    )
