"""`group …`: list, show, add, edit, join, leave, remove, restore."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any, cast

import click

from lobes.cli.app import LazyGroup
from lobes.cli.output import confirmed, items, show, shown, table
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, TEXT
from lobes.domain.errors import Conflict, Invalid
from lobes.domain.groups import GROUP_KINDS, Group, GroupKind
from lobes.domain.ids import parse_slug
from lobes.services import group_changes, groups
from lobes.services.group_changes import NewGroup
from lobes.services.groups import GroupDetail, GroupImpact, GroupView, Member

_HERE = "lobes.cli.group"


@click.group(
    cls=LazyGroup,
    lazy={
        "list": (f"{_HERE}:list_", "The groups that you may know of."),
        "show": (f"{_HERE}:show_", "One group: members, roles, Spaces."),
        "add": (f"{_HERE}:add", "A new team, department or organization."),
        "edit": (f"{_HERE}:edit", "Another name, or another wider group."),
        "join": (f"{_HERE}:join", "Take somebody in, or give them another role."),
        "leave": (f"{_HERE}:leave", "Leave, or take somebody out."),
        "remove": (f"{_HERE}:remove", "Remove a group; its grants are void."),
        "restore": (f"{_HERE}:restore", "Bring a removed group back."),
    },
    help="Teams, departments and organizations.",
)
def group() -> None:
    pass


def group_document(one: GroupView) -> dict[str, Any]:
    return {
        "id": one.id,
        "kind": one.kind,
        "name": one.name,
        "parent": one.parent or None,
        "lobe": one.lobe,
        "role": one.role,
        "members": one.members,
        "spaces": one.spaces,
    }


@click.command()
@global_options
def list_(session: Session) -> None:
    """The groups that you may know of, with your role in each."""
    with session.opened() as (lobes, caller):
        found = groups.list_groups(lobes, caller)
    show(session, items([group_document(one) for one in found]), lambda: _list_lines(found))


def _list_lines(found: Iterable[GroupView]) -> list[str]:
    return table([_cells(one) for one in found]) or [
        "No groups yet. lobes group add ID --kind team makes one."
    ]


def _cells(one: GroupView) -> tuple[str, ...]:
    above = f"in {one.parent}" if one.parent else ""
    counts = f"{one.members:,} members", f"{one.spaces:,} Spaces"
    return (one.id, one.kind, one.name, above, one.role, *counts)


@click.command()
@click.argument("named", type=NAME, metavar="GROUP")
@global_options
def show_(session: Session, *, named: str) -> None:
    """One group: its members with their roles, the Spaces in it, the groups right below it."""
    with session.opened() as (lobes, caller):
        found = groups.show_group(lobes, caller, named)
    document = {
        **group_document(found),
        "people": [asdict(one) for one in found.people],
        "in_it": [{"id": id, "name": name} for id, name in found.in_it],
        "below": list(found.below),
        "documents": 0,
    }
    show(session, document, lambda: _show_lines(found))


def _show_lines(found: GroupDetail) -> Iterable[str]:
    above = f", in {shown(found.parent)}" if found.parent else ""
    yield f"{shown(found.name)}  {found.kind} {shown(found.id)}{above}"
    yield from table([(one.person, one.name, one.role, _by(one)) for one in found.people])
    yield "Spaces in it  " + (", ".join(shown(name) for _, name in found.in_it) or "none")
    yield "Groups in it  " + (", ".join(map(shown, found.below)) or "none")
    yield f"Its lobe is {found.lobe}."


def _by(one: Member) -> str:
    return "" if one.since else f"through {one.through or 'a group below'}"


@click.command()
@click.argument("id_", type=TEXT, metavar="ID")
@click.option("--kind", type=click.Choice(GROUP_KINDS), required=True, help="How wide it is.")
@click.option("--name", type=TEXT, default="", help="Its name; the id otherwise.")
@click.option(
    "--in", "parent", type=NAME, default="", metavar="GROUP", help="The wider group it lies in."
)
@global_options
def add(session: Session, *, id_: str, kind: str, name: str, parent: str) -> None:
    """A new group; you are its owner. Members of a group are members of the wider one too."""
    wanted = NewGroup(id_, cast("GroupKind", kind), name, parent)
    with session.opened() as (lobes, caller):
        made = group_changes.add_group(lobes, caller, wanted)
    _tell(session, made, "Added")


@click.command()
@click.argument("named", type=NAME, metavar="GROUP")
@click.option("--name", type=TEXT, default="", help="What it is called.")
@click.option("--in", "parent", type=NAME, metavar="GROUP", help="The wider group it lies in.")
@click.option("--alone", is_flag=True, help="It lies in no other group.")
@global_options
def edit(session: Session, *, named: str, name: str, parent: str | None, alone: bool) -> None:
    """Another name, or another place. Who is in it is then in the wider group too, or no more."""
    if not (name or parent or alone):
        raise Invalid("Nothing to change.", hint="See lobes group edit --help.", reason="no_change")
    with session.opened() as (lobes, caller):
        place = "" if alone else parent
        edited = group_changes.edit_group(lobes, caller, named, name=name, parent=place)
    _tell(session, edited, "Changed")


def _tell(session: Session, group: Group, word: str) -> None:
    document = {
        "id": group.id,
        "kind": group.kind,
        "name": group.name,
        "parent": group.parent,
        "lobe": str(group.lobe),
    }
    show(session, document, lambda: [f"{word} {group.kind} {shown(group.name)}."])


@click.command()
@click.argument("named", type=NAME, metavar="GROUP")
@click.option("--person", type=NAME, metavar="PERSON", help="Whom; you otherwise.")
@click.option(
    "--role",
    type=click.Choice(["member", "owner"]),
    default="member",
    help="owner: decides who is in it.",
)
@global_options
def join(session: Session, *, named: str, person: str | None, role: str) -> None:
    """Take somebody in, or give a member another role. Its owners do that."""
    with session.opened() as (lobes, caller):
        joined = group_changes.join_group(
            lobes, caller, named, _whom(person), role="owner" if role == "owner" else "member"
        )
    document = {"group": named, "person": joined.person, "role": role}
    words = "an owner" if role == "owner" else "a member"
    line = f"{shown(joined.name)} is {words} of {shown(joined.group)} now."
    show(session, document, lambda: [line])


@click.command()
@click.argument("named", type=NAME, metavar="GROUP")
@click.option("--person", type=NAME, metavar="PERSON", help="Whom to take out; you otherwise.")
@global_options
def leave(session: Session, *, named: str, person: str | None) -> None:
    """Leave a group, or take somebody out of it. Its last owner can't go."""
    with session.opened() as (lobes, caller):
        gone = group_changes.leave_group(lobes, caller, named, _whom(person))
    document = {"group": named, "person": gone.person}
    show(session, document, lambda: [f"{shown(gone.name)} is out of {shown(gone.group)}."])


def _whom(person: str | None) -> str:
    """ "" for oneself; an empty name, as of a variable that isn't set, is nobody's."""
    return "" if person is None else parse_slug(person, what="person")


@click.command()
@click.argument("named", type=NAME, metavar="GROUP")
@click.option("--dry-run", is_flag=True, help="Only show what it would do.")
@global_options
def remove(session: Session, *, named: str, dry_run: bool) -> None:
    """Remove GROUP: what was granted to it is void, its Spaces fall back to their owners."""
    with session.opened() as (lobes, caller):
        impact = groups.group_impact(lobes, caller, named)
        if not session.as_json:
            for line in _impact_lines(impact):
                click.echo(line)
        if dry_run:
            show(session, {"impact": asdict(impact), "removed": False}, list)
            return
        if not confirmed(session, f"Remove {shown(impact.name)}?"):
            raise Conflict("Nothing was removed.", hint="--yes does it.", reason="not_confirmed")
        group_changes.remove_group(lobes, caller, named)
    show(
        session,
        {"impact": asdict(impact), "removed": True},
        lambda: [f"Removed. lobes group restore {shown(named)} brings it back."],
    )


def _impact_lines(impact: GroupImpact) -> Iterable[str]:
    def names(some: tuple[str, ...], none: str) -> str:
        return ", ".join(map(shown, some)) or none

    yield f"In it no longer: {names(impact.people, 'no one')}."
    yield f"Open to their owners and whom they name only: {names(impact.spaces, 'no Space')}."
    yield f"Then in no group: {names(impact.below, 'none')}."
    yield "What was granted to it is void and shows as an unknown group."


@click.command()
@click.argument("named", type=NAME, metavar="GROUP")
@global_options
def restore(session: Session, *, named: str) -> None:
    """Bring a removed group back: members, grants and Spaces as they were."""
    with session.opened() as (lobes, caller):
        back = group_changes.restore_group(lobes, caller, named)
    _tell(session, back, "Brought back")
