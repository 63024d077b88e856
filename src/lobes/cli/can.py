"""`can`: what an actor may do, and by which rule."""

from __future__ import annotations

from dataclasses import asdict

import click

from lobes.cli.output import show, shown
from lobes.cli.session import Session, global_options
from lobes.cli.words import TEXT
from lobes.domain.resources import parse_resource
from lobes.services import can as can_services


@click.command()
@click.argument("actor", type=TEXT)
@click.argument("verb", type=TEXT)
@click.argument("resource", type=TEXT)
@global_options
def can(session: Session, *, actor: str, verb: str, resource: str) -> None:
    """Whether ACTOR (me, user:ID, ai:me/PRESET@SPACE) may do VERB to RESOURCE."""
    asked = parse_resource(resource)
    with session.opened() as (lobes, caller):
        found = can_services.can(lobes, caller, actor, verb, asked)
    answer = "Yes" if found.allowed else "No"
    line = f"{answer}, rule {found.rule}. {shown(found.sentence)}"
    show(session, asdict(found), lambda: [line])
