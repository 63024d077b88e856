"""`space export`, `space import` and `memory export`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import click

from lobes.cli.output import show, shown
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, PLACE, TEXT
from lobes.services.exporting import Exported

_SHOWN = 20
_ALL = click.option(
    "--all", "every", is_flag=True, help="Archived, superseded and rejected memories too."
)


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@click.option("--to", "folder", required=True, type=PLACE, help="A new one.")
@_ALL
@global_options
def export(session: Session, *, named: str, folder: Path, every: bool) -> None:
    """A folder with its pack, memories and settings, readable without Lobes."""
    from lobes.services.exporting import export_space

    with session.opened() as (lobes, caller):
        done = export_space(lobes, caller, named, _absolute(folder), every=every)
    _tell(session, done)


@click.command("export")
@click.option("--to", "file", required=True, type=PLACE, help="A new file.")
@_ALL
@global_options
def export_memories(session: Session, *, file: Path, every: bool) -> None:
    """The memories of --space in one file: Markdown for .md, else JSON lines."""
    from lobes.services import exporting

    with session.opened() as (lobes, caller):
        space = session.needed_space(caller)
        done = exporting.export_memories(lobes, caller, space, _absolute(file), every=every)
    _tell(session, done)


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path.expanduser()))


def _tell(session: Session, done: Exported) -> None:
    document = {
        "to": str(done.folder),
        "files": done.files,
        "memories": done.memories,
        "left_out": [asdict(one) for one in done.left_out],
    }

    def lines() -> Iterable[str]:
        yield f"{shown(done.folder)}: {done.files:,} files, {done.memories:,} memories."
        for one in done.left_out[:_SHOWN]:
            yield f"Stayed out, {shown(one.reason)}: {shown(one.what)}."
        if len(done.left_out) > _SHOWN:
            yield f"And {len(done.left_out) - _SHOWN:,} more; --json lists them."

    show(session, document, lines)


@click.command("import")
@click.argument("folder", metavar="DIR", type=PLACE)
@click.option("--id", "as_id", type=TEXT, metavar="ID", help="Under another id.")
@click.option("--folder", "target", type=PLACE, help="Where its pack goes.")
@global_options
def import_(session: Session, *, folder: Path, as_id: str | None, target: Path | None) -> None:
    """An exported Space, taken in again as it was."""
    from lobes.services.space_importing import import_space

    place = None if target is None else _absolute(target)
    with session.opened() as (lobes, caller):
        done = import_space(lobes, caller, _absolute(folder), as_id=as_id, target=place)
    document = {**asdict(done), "folder": str(done.folder)}

    def lines() -> Iterable[str]:
        yield f"{done.space}: {done.files:,} files, {done.memories:,} memories."
        if done.renamed:
            yield f"Their ids were taken, so {done.renamed:,} memories got new ones."
        yield f"lobes index {done.space} makes it searchable."

    show(session, document, lines)
