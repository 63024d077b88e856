"""`allow-once`: one Space answers one question of another."""

from __future__ import annotations

import click

from lobes.cli.output import show, shown
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, TEXT
from lobes.services.approvals import MINUTES
from lobes.services.approvals import allow_once as allow


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@click.option(
    "--from", "target", type=NAME, required=True, metavar="SPACE", help="Whose lobe may answer."
)
@click.argument("query", type=TEXT)
@global_options
def allow_once(session: Session, *, named: str, target: str, query: str) -> None:
    """Let the lobe of --from answer one question of SPACE, within ten minutes, once.

    QUERY is the question to the letter: another spelling is another question.
    """
    with session.opened() as (lobes, caller):
        allowed = allow(lobes, caller, named, target, query)
    document = {
        "space": allowed.asking,
        "lobe": f"space/{allowed.target}",
        "name": allowed.name,
        "expires": allowed.expires.isoformat(),
        "minutes": MINUTES,
    }
    local = allowed.expires.astimezone()
    show(session, document, lambda: [f"{shown(allowed.name)} may answer once, until {local:%H:%M}"])
