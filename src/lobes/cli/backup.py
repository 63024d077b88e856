"""`backup` and `restore`: the home in one file, and back."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from lobes.cli.output import show, shown, typed
from lobes.cli.session import Session, global_options
from lobes.cli.words import PLACE, TEXT
from lobes.clock import utc_now
from lobes.domain.errors import Conflict
from lobes.services.restoring import Judged, Restored

WORD = "replace"


@click.command()
@click.argument("file", required=False, type=PLACE)
@global_options
def backup(session: Session, *, file: Path | None) -> None:
    """The home in one file at FILE, while others go on writing.

    Not in it: secrets, the index, and packs outside the home.
    """
    from lobes.services.backups import back_up_home

    target = None if file is None else Path(os.path.abspath(file.expanduser()))
    with session.opened() as (lobes, caller):
        done = back_up_home(lobes, caller, target)
    document = {
        "file": str(done.file),
        "bytes": done.bytes,
        "files": done.files,
        "skipped": [{"path": path, "reason": why} for path, why in done.skipped],
    }

    def lines() -> Iterable[str]:
        yield f"{shown(done.file)}: {done.files:,} files, {done.bytes:,} bytes."
        for path, why in done.skipped[:20]:
            yield f"Not in it: {shown(path)} ({why})."
        yield "Secrets, the index and packs outside the home aren't in it."

    show(session, document, lines)


@click.command()
@click.argument("file", type=PLACE)
@click.option("--confirm", "word", type=TEXT, metavar="WORD", help=f"{WORD}, instead of typing it.")
@click.option("--dry-run", is_flag=True, help="Only look at it.")
@global_options
def restore(session: Session, *, file: Path, word: str | None, dry_run: bool) -> None:
    """A home out of a backup, or in the place of the one that is there."""
    from lobes.services import restoring

    file = file.expanduser()
    if not session.folders.store.exists():
        if dry_run:
            _judged(session, restoring.judge(file))
        else:
            _tell(session, _new(session, file))
        return
    with session.opened() as (lobes, caller):
        restoring.may_restore(lobes, caller)
        judged = restoring.judge(file)
        if dry_run:
            _judged(session, judged)
            return
        _confirm(session, judged, word)
        restored = restoring.restore_over(lobes, caller, file)
    _tell(session, restored)


def _new(session: Session, file: Path) -> Restored:
    from lobes.services import restoring
    from lobes.services.agents import refuse_making

    folders = session.folders

    def may(presence: str) -> None:
        refuse_making(folders, os.environ, presence=presence)

    restored = restoring.restore_new(folders, file, clock=utc_now, may=may)
    with session.opened() as (lobes, _):
        restoring.note_restored(lobes, restored)
    return restored


def _confirm(session: Session, judged: Judged, word: str | None) -> None:
    if not session.as_json:
        for line in _about(judged):
            click.echo(line)
        click.echo("What was done in this home since then is lost, but for its record.")
        click.echo("This home is backed up first. Packs that are there stay as they are.")
    if (typed(session, f"Type {WORD} to go on") if word is None else word) != WORD:
        raise Conflict(
            "Nothing was restored: there is a home here.",
            hint=f"Type {WORD} where it asks, or --confirm {WORD}.",
            reason="not_confirmed",
        )


def _about(judged: Judged) -> Iterable[str]:
    yield f"A backup of {shown(judged.owner)}'s home, made {shown(judged.made)}."
    yield f"It is whole: {judged.files:,} files."


def _judged(session: Session, judged: Judged) -> None:
    show(session, {"backup": asdict(judged), "restored": False}, lambda: _about(judged))


def _tell(session: Session, restored: Restored) -> None:
    document: dict[str, Any] = {
        **asdict(restored),
        "restored": True,
        "before": str(restored.before) if restored.before else None,
    }
    show(session, document, lambda: _lines(restored))


def _lines(restored: Restored) -> Iterable[str]:
    yield f"Restored the home of {shown(restored.made)}; epoch {restored.epoch}."
    if restored.before:
        yield f"What was here before: {shown(restored.before)}."
    for path in restored.kept[:20]:
        yield f"Stayed as it is: {shown(path)}."
    for space in restored.missing:
        yield f"{shown(space)}: its folder isn't here. What is indexed stays; space edit --root."
    yield "lobes index makes it searchable."
