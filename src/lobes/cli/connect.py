"""`connect`: tell an agent's program how to start the server, and what a session begins with."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable

import click

from lobes.cli.output import show, shown
from lobes.cli.session import Session, global_options
from lobes.domain.agent_programs import HOOKS, PROGRAMS, hook
from lobes.domain.display import display_text
from lobes.services.connecting import Connected, Connection, as_json, connection
from lobes.services.connecting import connect as write_entry


@click.command()
@click.argument("program", metavar="CLIENT", type=click.Choice(list(PROGRAMS)))
@click.option("--write", is_flag=True, help="Merge it into the client's files; keeps the rest.")
@global_options
def connect(session: Session, *, program: str, write: bool) -> None:
    """Print the configuration with which CLIENT starts the server for a Space, or write it.

    With --write into the folder of the Space of --space; what was there is kept. Where CLIENT runs
    something at the start of a session, that is told and written too.
    """
    home = os.environ.get("LOBES_HOME") if session.home is None else str(session.home)
    wanted = connection(program, home=os.path.abspath(home) if home else None, space=session.space)
    done: tuple[Connected, ...] = ()
    if write:
        with session.opened() as (lobes, caller):
            done = write_entry(lobes, caller, wanted, session.needed_space(caller))
    file = wanted.program.hook_file
    document = {
        "client": program,
        "file": wanted.program.file,
        "section": wanted.program.section,
        "entry": as_json(wanted),
        **_became(done, wanted.program.file),
        "hook": {"file": file, "settings": _settings(wanted), **_became(done, file)}
        if file
        else None,
    }
    show(session, document, lambda: _told(done) if done else _lines(wanted))


def _became(done: Iterable[Connected], file: str) -> dict[str, object]:
    found = next((one for one in done if one.path == file), None)
    return {"written": found is not None and found.changed, "kept": found.kept if found else ""}


def _settings(wanted: Connection) -> dict[str, object]:
    """The file of settings as it would be if it held nothing else."""
    section, name = HOOKS
    return {section: {name: [hook(wanted.hook)]}}


def _told(done: Iterable[Connected]) -> Iterable[str]:
    for one in done:
        yield f"{shown(one.path)} {'written' if one.changed else 'was there already'}"
        if one.kept:
            yield f"what was there is kept as {shown(one.kept)}"


def _lines(wanted: Connection) -> Iterable[str]:
    yield f"For {wanted.program.name}, in {wanted.program.file} of the Space's folder:"
    yield ""
    yield from map(display_text, wanted.text.splitlines())
    if wanted.program.hook_file:
        yield ""
        yield f"For what a session begins with, in {wanted.program.hook_file}:"
        yield ""
        yield from map(display_text, json.dumps(_settings(wanted), indent=2).splitlines())
