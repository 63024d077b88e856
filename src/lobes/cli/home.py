"""`init`, `demo`, `status`, `which`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Literal, cast

import click

from lobes import __version__
from lobes.cli.output import show, shown, table
from lobes.cli.session import Session, global_options
from lobes.cli.words import PLACE, TEXT
from lobes.clock import utc_now
from lobes.config.folders import Folders
from lobes.domain.lobes import CROSS_SPACE, CrossSpace
from lobes.services.status import Status


@click.command()
@click.option("--sample", is_flag=True, help="Add the six sample Spaces.")
@click.option(
    "--user", type=TEXT, metavar="SLUG", help="Your id; taken from your account otherwise."
)
@click.option(
    "--default-cross-space",
    type=click.Choice(CROSS_SPACE),
    default="open",
    help="How new Spaces draw on your others.",
)
@click.option("--presence", type=click.Choice(["on", "off"]), default="on", help="off: tests only.")
@click.option("--accept-synced", is_flag=True, help="Even in a synced or network folder.")
@global_options
def init(
    session: Session,
    *,
    sample: bool,
    user: str | None,
    default_cross_space: str,
    presence: str,
    accept_synced: bool,
) -> None:
    """Make a home. Nothing is made twice: an existing home stays as it is."""
    from lobes.services.agents import refuse_making
    from lobes.services.homes import NewHome, account_slug, add_samples, make_home

    wanted = NewHome(
        user=user or account_slug(),
        default_cross_space=cast("CrossSpace", default_cross_space),
        presence=cast('Literal["on", "off"]', presence),
        accept_synced=accept_synced,
    )
    refuse_making(session.folders, os.environ, presence=wanted.presence)
    make_home(session.folders, wanted, clock=utc_now)
    added: tuple[str, ...] = ()
    if sample:
        with session.opened() as (lobes, _):
            added = add_samples(lobes, lobes.owner_at("cli", is_present=True))
    document = {"home": str(session.folders.home), "user": wanted.user, "spaces": added}
    show(session, document, lambda: _made(session.folders, added))


def _made(folders: Folders, added: Iterable[str]) -> Iterable[str]:
    yield f"A home was made in {shown(folders.home)}."
    for space in added:
        yield f"  {shown(space)}"
    yield "lobes index makes its packs searchable; lobes opens it."


@click.command()
@global_options
def demo(session: Session) -> None:
    """A home with the sample Spaces, indexed, then the app; without a terminal a short tour."""
    from lobes.cli.tour import open_demo

    session.exit_code = open_demo(session)


@click.command()
@global_options
def status(session: Session) -> None:
    """How the home and its index are. Starts nothing and writes nothing."""
    from lobes.services.status import home_status

    with session.opened() as (lobes, caller):
        found = home_status(lobes, caller)
    document = {
        "home": str(session.folders.home),
        "version": __version__,
        "schema": found.schema,
        "spaces": found.spaces,
        "documents": found.documents,
        "chunks": found.passages,
        "memories": found.memories,
        "pending": dict(found.pending),
        "engine": asdict(found.engine),
        "roots": [asdict(root) for root in found.roots],
        "problems": list(found.problems),
    }
    show(session, document, lambda: _status_lines(found))


def _status_lines(found: Status) -> Iterable[str]:
    engine = found.engine
    yield (
        f"{found.spaces} Spaces, {found.documents:,} documents, {found.passages:,} passages,"
        f" {found.memories:,} memories"
    )
    if waiting := sum(found.pending.values()):
        yield f"{waiting:,} waiting: lobes review"
    yield f"engine {engine.state}"
    if engine.state != "off":
        yield f"  words {engine.words_done:,} of {engine.words_total:,}"
        yield f"  meaning {engine.vectors_done:,} of {engine.vectors_total:,}"
    yield from table([(one.space, one.state, one.path) for one in found.roots])
    for problem in found.problems:
        yield f"! {shown(problem)}"


@click.command()
@click.argument("path", type=PLACE, default=".")
@global_options
def which(session: Session, *, path: Path) -> None:
    """The Space whose folder holds PATH; exit code 3 outside any."""
    from lobes.services.spaces import which as find

    with session.opened() as (lobes, caller):
        here = find(lobes, caller, path)
    show(session, asdict(here), lambda: [shown(here.space)])
