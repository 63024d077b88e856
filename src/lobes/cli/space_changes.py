"""`space edit|trust|finish|archive|restore|trash`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from pathlib import Path

import click

from lobes.cli.output import confirmed, show, shown
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, PLACE, TEXT
from lobes.domain.errors import Conflict
from lobes.domain.spaces import Space
from lobes.services import manifests, space_changes
from lobes.services.installation import Caller, Installation
from lobes.services.roots import move_root
from lobes.services.space_groups import Placed, place_space


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@click.option("--name", type=TEXT, help="What it is called.")
@click.option("--description", type=TEXT, help="What it is about, in a sentence.")
@click.option("--root", type=PLACE, help="Its folder has moved here.")
@click.option("--overlap", is_flag=True, help="Although it nests with another Space's folder.")
@click.option("--group", type=NAME, metavar="GROUP", help="Open it to the members of this group.")
@click.option("--no-group", is_flag=True, help="Open it to you and whom it names only.")
@global_options
def edit(
    session: Session,
    *,
    named: str,
    name: str | None,
    description: str | None,
    root: Path | None,
    overlap: bool,
    group: str | None,
    no_group: bool,
) -> None:
    """Change its words (in space.yaml only that value), where its folder is, or its group."""
    words = space_changes.Edit(name, description)
    with session.opened() as (lobes, caller):
        if group is not None or no_group:
            placed = place_space(lobes, caller, named, "" if no_group else group or "")
            if words == space_changes.Edit() and root is None:
                show(session, asdict(placed), lambda: _placed_lines(placed))
                return
        if root is not None:
            move_root(lobes, caller, named, root, confirms_overlap=overlap)
        edited = space_changes.edit_space(lobes, caller, named, words)
    _tell(session, edited, "Changed")


def _placed_lines(placed: Placed) -> Iterable[str]:
    where = f"in {shown(placed.group_name)}" if placed.group else "in no group"
    yield f"{shown(placed.name)} is {where} now."
    yield "It opens to " + (", ".join(map(shown, placed.gains)) or "no one else") + "."
    yield "It closes to " + (", ".join(map(shown, placed.loses)) or "no one") + "."


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@click.option(
    "--hash", "content_hash", type=TEXT, help="Trust exactly this content, without asking."
)
@global_options
def trust(session: Session, *, named: str, content_hash: str | None) -> None:
    """Show what a changed space.yaml would open, and let it take effect."""
    with session.opened() as (lobes, caller):
        manifests.may_trust(lobes, caller, named)
        waiting = manifests.waiting(lobes, caller, named)
        if waiting is None:
            show(session, {"space": named, "waiting": None}, lambda: ["Nothing waits for trust."])
            return
        if not session.as_json:
            for line in (*waiting.widens, *waiting.lines):
                click.echo(f"  {shown(line)}")
        if content_hash is None and not confirmed(session, "Trust this version?"):
            if session.as_json:
                show(session, {"space": named, "waiting": asdict(waiting)}, list)
                return
            raise Conflict("Nothing was trusted.", hint="--yes trusts it.", reason="not_confirmed")
        chosen = content_hash or waiting.content_hash
        trusted = manifests.trust(lobes, caller, named, content_hash=chosen)
    _tell(session, trusted, "Trusted space.yaml of")


Act = Callable[[Installation, Caller, str], Space]


def _act(session: Session, space: str, act: Act, word: str) -> None:
    with session.opened() as (lobes, caller):
        changed = act(lobes, caller, space)
    _tell(session, changed, word)


def _tell(session: Session, space: Space, word: str) -> None:
    document = {
        "id": space.id,
        "kind": space.kind,
        "name": space.name,
        "description": space.description,
        "status": space.status,
    }
    show(session, document, lambda: [f"{word} {shown(space.name)}."])


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@global_options
def finish(session: Session, *, named: str) -> None:
    """A Project is done; it stays searchable."""
    _act(session, named, space_changes.finish_space, "Finished")


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@global_options
def archive(session: Session, *, named: str) -> None:
    """Out of lists and sources until it is restored."""
    _act(session, named, space_changes.archive_space, "Archived")


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@global_options
def restore(session: Session, *, named: str) -> None:
    """Back from the archive or the trash."""
    _act(session, named, space_changes.restore_space, "Restored")


@click.command()
@click.argument("named", type=NAME, metavar="SPACE")
@click.option("--dry-run", is_flag=True, help="Only show what it would do.")
@global_options
def trash(session: Session, *, named: str, dry_run: bool) -> None:
    """Into the trash; `space restore` brings it back. Touches none of your files."""
    with session.opened() as (lobes, caller):
        impact = space_changes.trash_impact(lobes, caller, named)
        if not session.as_json:
            losers = ", ".join(map(shown, impact.losers)) or "no one"
            click.echo(f"{impact.documents:,} documents leave search. Loses it: {losers}.")
            click.echo(f"The folder {shown(impact.root)} is not touched.")
        if dry_run:
            show(session, {"impact": asdict(impact), "trashed": False}, list)
            return
        if not confirmed(session, f"Put {shown(impact.name)} into the trash?"):
            raise Conflict("Nothing was trashed.", hint="--yes does it.", reason="not_confirmed")
        space_changes.trash_space(lobes, caller, named)
    show(
        session,
        {"impact": asdict(impact), "trashed": True},
        lambda: [f"Trashed. lobes space restore {named} brings it back."],
    )
