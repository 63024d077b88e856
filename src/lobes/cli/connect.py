"""`connect`: tell an agent's program how to start the server."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

import click

from lobes.cli.output import show, shown
from lobes.cli.session import Session, global_options
from lobes.domain.agent_programs import PROGRAMS, hook
from lobes.domain.display import display_text
from lobes.services.connecting import (
    Connected,
    Connection,
    as_json,
    connection,
    hook_words,
    server_words,
)
from lobes.services.connecting import connect as write_entry


@click.command()
@click.argument("program", metavar="CLIENT", type=click.Choice(list(PROGRAMS)))
@click.option("--write", is_flag=True, help="Merge it into the client's file; keeps the rest.")
@global_options
def connect(session: Session, *, program: str, write: bool) -> None:
    """Print the configuration with which CLIENT starts the server for a Space, or write it.

    With --write into the folder of the Space of --space; what was there is kept.
    """
    home = os.environ.get("LOBES_HOME") if session.home is None else str(session.home)
    place = os.path.abspath(home) if home else None
    words = server_words(place, session.space)
    wanted = connection(program, words=words)
    done: Connected | None = None
    if write:
        with session.opened() as (lobes, caller):
            done = write_entry(lobes, caller, wanted, session.needed_space(caller))
    file = wanted.program.hook_file
    settings = hook(hook_words(place, session.space)) if file else None
    document = {
        "client": program,
        "file": wanted.program.file,
        "section": wanted.program.section,
        "entry": as_json(wanted),
        "written": done is not None and done.changed,
        "kept": done.kept if done else "",
        "hook": {"file": file, "settings": settings} if settings else None,
    }
    show(session, document, lambda: [*_lines(wanted, done), *_hook_lines(file, settings)])


def _lines(wanted: Connection, done: Connected | None) -> Iterable[str]:
    if done is None:
        yield f"For {wanted.program.name}, in {wanted.program.file} of the Space's folder:"
        yield ""
        yield from map(display_text, wanted.text.splitlines())
    else:
        state = "written" if done.changed else "was there already"
        yield f"{wanted.program.name}: {shown(done.path)} {state}"
    if done and done.kept:
        yield f"what was there is kept as {shown(done.kept)}"


def _hook_lines(file: str, settings: dict[str, object] | None) -> Iterable[str]:
    """Printed alone, never written: other hooks of the person's stand in that list."""
    if settings is None:
        return
    yield ""
    yield f"For what the Space holds at the start of each session, in {file}:"
    yield ""
    yield from map(display_text, json.dumps(settings, indent=2).splitlines())
