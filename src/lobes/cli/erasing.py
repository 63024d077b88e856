"""`memory erase` and `space erase`: shown first, and the name has to be typed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import click

from lobes.cli.output import show, shown, typed
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, TEXT
from lobes.domain.errors import Conflict
from lobes.services import erasing
from lobes.services.erasing import Erased, Preview

UNAVAILABLE = 7
_SHOWN = 20
_CONFIRM = click.option(
    "--confirm", "name", type=TEXT, metavar="NAME", help="The name again, instead of typing it."
)
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Only show what it would do.")


@click.command("erase")
@click.argument("named", type=NAME, metavar="ID")
@_CONFIRM
@_DRY_RUN
@global_options
def erase_memory(session: Session, *, named: str, name: str | None, dry_run: bool) -> None:
    """Out of every file of Lobes, for good. Shows first what it does."""
    with session.opened() as (lobes, caller):
        preview = erasing.preview_memory(lobes, caller, named)
        if not _is_meant(session, preview, name, dry_run=dry_run):
            return
        _tell(session, preview, erasing.erase_memory(lobes, caller, named))


@click.command("erase")
@click.argument("named", type=NAME, metavar="SPACE")
@_CONFIRM
@_DRY_RUN
@global_options
def erase_space(session: Session, *, named: str, name: str | None, dry_run: bool) -> None:
    """Out of every file of Lobes, for good; touches none of your files."""
    with session.opened() as (lobes, caller):
        preview = erasing.preview_space(lobes, caller, named)
        if not _is_meant(session, preview, name, dry_run=dry_run):
            return
        _tell(session, preview, erasing.erase_space(lobes, caller, named))


def _is_meant(session: Session, preview: Preview, name: str | None, *, dry_run: bool) -> bool:
    """False for a dry run; `Conflict` where the name wasn't typed. `--yes` types nothing."""
    if dry_run:
        show(session, {"impact": asdict(preview), "erased": False}, lambda: _impact(preview))
        return False
    if not session.as_json:
        for line in _impact(preview):
            click.echo(line)
    question = f"This can't be undone. Type {preview.named} to erase"
    if (typed(session, question) if name is None else name) != preview.named:
        raise Conflict(
            "Nothing was erased.",
            hint=f"Type {preview.named} where it asks, or --confirm {preview.named}.",
            reason="not_confirmed",
        )
    return True


def _impact(preview: Preview) -> Iterable[str]:
    yield f"Erases {shown(preview.title or preview.named)}."
    yield "Goes: " + ", ".join(f"{count:,} {word}" for word, count in preview.counts) + "."
    yield "Loses it: " + (", ".join(map(shown, preview.losers)) or "no one") + "."
    if stays := _named(preview):
        yield f"Stays, though it says the same or is tied to it: {stays}."
    if preview.root:
        yield f"The folder {shown(preview.root)} is not touched."
    if preview.backups:
        yield f"Our own backups ({preview.backups}) are made anew without it."
    yield "Not reached:"
    for line in preview.unreached:
        yield f"  {shown(line)}"


def _named(preview: Preview) -> str:
    """What stays with its words; "" where nothing does."""
    ids = (*preview.stays, *preview.elsewhere)
    more = f" and {len(ids) - _SHOWN:,} more; --json lists them" if len(ids) > _SHOWN else ""
    return ", ".join(ids[:_SHOWN]) + more


def _tell(session: Session, preview: Preview, erased: Erased) -> None:
    document = {"impact": asdict(preview), "erased": True, **asdict(erased.rest)}
    show(session, document, lambda: _lines(erased, preview))
    if erased.rest.left:
        session.exit_code = UNAVAILABLE


def _lines(erased: Erased, preview: Preview) -> Iterable[str]:
    rest = erased.rest
    yield f"Erased {erased.named}."
    if stays := _named(preview):
        yield f"Its words may still be in {stays}."
    if rest.rewritten:
        yield f"Backups made anew without it: {', '.join(map(shown, rest.rewritten))}."
    if rest.removed:
        yield f"Backups that couldn't be read are gone: {', '.join(map(shown, rest.removed))}."
    for line in rest.left:
        yield f"Still to do: {shown(line)}"
    if rest.left:
        yield "lobes doctor --fix goes on with it."
