"""`permission show|set|grant|revoke`: who may do what with one thing."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

import click

from lobes.cli.app import LazyGroup
from lobes.cli.output import show, shown, table
from lobes.cli.session import Session, global_options
from lobes.cli.words import TEXT
from lobes.domain.permission_change import WANTED, PermissionChange, Wanted, parse_subject
from lobes.domain.reasons import nobody
from lobes.domain.resources import Resource, parse_resource, resource_address
from lobes.domain.roles import parse_right
from lobes.services import permissions
from lobes.services.permissions import PermissionEffect, PermissionView

_HERE = "lobes.cli.permission"


@click.group(
    cls=LazyGroup,
    lazy={
        "show": (f"{_HERE}:show_", "Who may do what."),
        "set": (f"{_HERE}:set_", "Change who may see it at all."),
        "grant": (f"{_HERE}:grant", "Give a role or a right to somebody."),
        "revoke": (f"{_HERE}:revoke", "Take it away again."),
    },
    help="Who may do what with a Space, a document, a memory or a session.",
)
def permission() -> None:
    pass


@click.command()
@click.argument("resource", type=TEXT)
@global_options
def show_(session: Session, *, resource: str) -> None:
    """Who may do what with RESOURCE: space/ID, doc/ULID, memory/ULID or session/ULID."""
    asked = parse_resource(resource)
    with session.opened() as (lobes, caller):
        view = permissions.show_permission(lobes, caller, asked)
    show(session, view_document(view), lambda: _view_lines(view))


def view_document(view: PermissionView) -> dict[str, Any]:
    """A permission in the words of the contract: the lists by verb, and by whom they name."""
    permission = view.permission
    grants = permission.grants if permission else ()
    return {
        "resource": resource_address(view.resource),
        "name": view.name,
        "owner": view.owner,
        "group": view.group,
        "visibility": permission.visibility if permission else "inherit",
        "readable": permission is None or permission.sound,
        "dormant": view.is_dormant,
        "grants": {verb: sorted(subjects) for verb, subjects in grants},
        "subjects": [
            {"subject": o.subject, "role": o.role, "verbs": list(o.verbs), "trouble": o.trouble}
            for o in view.people
        ],
        "version": view.version,
    }


def _view_lines(view: PermissionView) -> Iterable[str]:
    permission = view.permission
    visibility = permission.visibility if permission else f"as its Space, {view.space}"
    group = f"  group {shown(view.group)}" if view.group else ""
    yield f"{shown(view.name)}  {shown(visibility)}  owner {shown(view.owner)}{group}"
    if permission is not None and not permission.sound:
        yield f"What is stored can't be read, so it is its owner's alone: {shown(view.stored)}"
    if view.is_dormant:
        yield "While it is private, these lists rest:"
    rows = [(o.subject, o.role or "–", " ".join(o.verbs) or "–", o.trouble) for o in view.people]
    yield from table(rows)
    yield f"Version {view.version}"


_dry_run = click.option("--dry-run", is_flag=True, help="Only say who gains and who loses what.")
_version = click.option(
    "--shown", "version", type=TEXT, metavar="VERSION", help="Only if it is still as it was shown."
)


@click.command()
@click.argument("resource", type=TEXT)
@click.option(
    "--visibility",
    required=True,
    type=click.Choice(WANTED),
    help="Who may see it: its group, who is named, its owner; inherit: as its Space.",
)
@_dry_run
@_version
@global_options
def set_(
    session: Session, *, resource: str, visibility: str, dry_run: bool, version: str | None
) -> None:
    """Change who may see RESOURCE. Lists stay; one that can't be read is replaced whole."""
    change = PermissionChange(visibility=cast("Wanted", visibility))
    _change(session, parse_resource(resource), change, dry_run=dry_run, version=version)


@click.command()
@click.argument("resource", type=TEXT)
@click.argument("right", type=TEXT)
@click.argument("subject", type=TEXT)
@_dry_run
@_version
@global_options
def grant(
    session: Session,
    *,
    resource: str,
    right: str,
    subject: str,
    dry_run: bool,
    version: str | None,
) -> None:
    """Give RIGHT (viewer, collaborator, editor or one verb) to SUBJECT (user:ID, group:ID, all)."""
    change = PermissionChange(grant=_pairs(right, subject))
    _change(session, parse_resource(resource), change, dry_run=dry_run, version=version)


@click.command()
@click.argument("resource", type=TEXT)
@click.argument("right", type=TEXT)
@click.argument("subject", type=TEXT)
@_dry_run
@_version
@global_options
def revoke(
    session: Session,
    *,
    resource: str,
    right: str,
    subject: str,
    dry_run: bool,
    version: str | None,
) -> None:
    """Take RIGHT (a role or one verb) from SUBJECT."""
    change = PermissionChange(revoke=_pairs(right, subject))
    _change(session, parse_resource(resource), change, dry_run=dry_run, version=version)


def _pairs(right: str, subject: str) -> tuple[tuple[str, str], ...]:
    who = parse_subject(subject)
    return tuple((verb, who) for verb in parse_right(right))


def _change(
    session: Session,
    resource: Resource,
    change: PermissionChange,
    *,
    dry_run: bool,
    version: str | None,
) -> None:
    with session.opened() as (lobes, caller):
        if dry_run:
            effect = permissions.preview_permission(lobes, caller, resource, change)
        else:
            effect = permissions.save_permission(lobes, caller, resource, change, shown=version)
    gains = [(turn.person, turn.gained) for turn in effect.turns if turn.gained]
    loses = [(turn.person, turn.lost) for turn in effect.turns if turn.lost]
    document = {
        **view_document(effect.after),
        "gains": [{"person": person, "verbs": list(verbs)} for person, verbs in gains],
        "loses": [{"person": person, "verbs": list(verbs)} for person, verbs in loses],
        "notes": list(effect.notes),
        "replaced": effect.replaced,
        "saved": not dry_run and effect.is_change,
    }
    show(session, document, lambda: _effect_lines(effect, dry_run=dry_run))


def _effect_lines(effect: PermissionEffect, *, dry_run: bool) -> Iterable[str]:
    for turn in effect.turns:
        if turn.gained:
            yield f"+ {shown(turn.person)} may {', '.join(turn.gained)}"
        if turn.lost:
            yield f"- {shown(turn.person)} may no longer {', '.join(turn.lost)}"
    if not any(turn.gained for turn in effect.turns):
        yield f"{nobody(is_whole=effect.is_whole).capitalize()} gains anything."
    if effect.replaced:
        yield f"Replaces what can't be read: {shown(effect.replaced)}"
    yield from (shown(note) for note in effect.notes)
    if not effect.is_change:
        yield "It is like that already."
    else:
        yield "Nothing was changed." if dry_run else "Saved."
