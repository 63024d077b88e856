"""`person …`: list, add, me, superuser."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict

import click

from lobes.cli.app import LazyGroup
from lobes.cli.output import items, show, shown, table
from lobes.cli.session import Session, global_options
from lobes.cli.words import NAME, TEXT
from lobes.services import people
from lobes.services.people import PersonView

_HERE = "lobes.cli.person"


@click.group(
    cls=LazyGroup,
    lazy={
        "list": (f"{_HERE}:list_", "The persons that you may know of."),
        "add": (f"{_HERE}:add", "Let this installation know somebody."),
        "me": (f"{_HERE}:me", "Who you are here."),
        "superuser": (f"{_HERE}:superuser", "Make somebody a superuser, or no longer."),
    },
    help="The persons that this installation knows.",
)
def person() -> None:
    pass


@click.command()
@global_options
def list_(session: Session) -> None:
    """The persons that you may know of: yourself, and who is in a group that you may read."""
    with session.opened() as (lobes, caller):
        found = people.list_people(lobes, caller)
    show(session, items([asdict(one) for one in found]), lambda: _lines(found))


def _lines(found: Iterable[PersonView]) -> list[str]:
    return table([(one.id, one.name, _marks(one), ", ".join(one.groups)) for one in found])


def _marks(one: PersonView) -> str:
    marks = (("you", one.is_me), ("owner", one.is_owner), ("superuser", one.is_superuser))
    return ", ".join(word for word, holds in marks if holds)


@click.command()
@click.argument("id_", type=TEXT, metavar="PERSON")
@click.option("--name", type=TEXT, default="", help="Their name; the id otherwise.")
@global_options
def add(session: Session, *, id_: str, name: str) -> None:
    """Let this installation know PERSON. They are in no group, and nothing is theirs yet."""
    with session.opened() as (lobes, caller):
        added = people.add_person(lobes, caller, id_, name=name)
    show(session, asdict(added), lambda: [f"Added {shown(added.name)}."])


@click.command()
@global_options
def me(session: Session) -> None:
    """Who you are here, and your groups."""
    with session.opened() as (lobes, caller):
        found = people.me(lobes, caller)
    show(session, asdict(found), lambda: _lines([found]))


@click.command()
@click.argument("id_", type=NAME, metavar="PERSON")
@click.option("--add/--remove", "is_superuser", default=None, help="Make one, or unmake one.")
@global_options
def superuser(session: Session, *, id_: str, is_superuser: bool | None) -> None:
    """A superuser may do everything here but read what is sealed: personal lobes and shares."""
    if is_superuser is None:
        raise click.UsageError("--add or --remove?")
    with session.opened() as (lobes, caller):
        found = people.set_superuser(lobes, caller, id_, is_superuser=is_superuser)
    words = "a superuser now" if is_superuser else "no superuser any more"
    show(session, asdict(found), lambda: [f"{shown(found.name)} is {words}."])
