"""The fields of a memory as options of a command, and what they say as a proposal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lobes.cli.session import Session
from lobes.cli.words import NAME, TEXT
from lobes.domain.actors import is_human
from lobes.domain.ids import parse_address
from lobes.domain.memories import CLASSES, EPISTEMICS, KINDS, LONGEST
from lobes.domain.proposals import Proposal
from lobes.domain.sensitivity import LEVELS
from lobes.domain.texts import no_text

if TYPE_CHECKING:
    from lobes.services.installation import Caller

F = TypeVar("F", bound=Callable[..., Any])

DATES = ("%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S%z")
_OPTIONS = (
    click.option(
        "--kind",
        type=click.Choice(KINDS),
        default="observation",
        show_default=True,
        help="What it is.",
    ),
    click.option(
        "--class",
        "memory_class",
        type=click.Choice(CLASSES),
        default="project",
        show_default=True,
        help="Whom or what it is about.",
    ),
    click.option("--epistemic", type=click.Choice(EPISTEMICS), help="How it is known."),
    click.option(
        "--category", type=TEXT, default="", help="health, style, … by which Spaces inherit it."
    ),
    click.option("--subject", type=TEXT, default="", help="What it is about, in a word or two."),
    click.option("--valid-from", type=click.DateTime(DATES), help="It holds from here on."),
    click.option("--valid-to", type=click.DateTime(DATES), help="Here it no longer holds."),
    click.option("--sensitivity", type=click.Choice(LEVELS), help="How sensitive it is at least."),
    click.option("--evidence", type=TEXT, multiple=True, metavar="TEXT", help="An id or a path."),
    click.option(
        "--replaces", type=NAME, default="", metavar="ID", help="The memory it would supersede."
    ),
    click.option(
        "--lobe", type=TEXT, metavar="LOBE", help="Put it there: personal/YOU, team/ID, space/ID."
    ),
)


def fields(command: F) -> F:
    """The options of `add` and `propose`."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def proposal_of(
    session: Session, caller: Caller, text: str, given: Mapping[str, Any]
) -> tuple[Proposal, str]:
    """What the options say, and the Space that it is proposed in; "" where a person names a lobe
    and no Space."""
    lobe = None if given["lobe"] is None else parse_address(given["lobe"])
    space = session.space or ""
    if not space and lobe is not None and is_human(caller.actor):
        space = lobe.id if lobe.kind == "space" else ""
    else:
        space = session.needed_space(caller)
    proposal = Proposal(
        statement=_read_in() if text == "-" else text,
        kind=given["kind"],
        memory_class=given["memory_class"],
        epistemic=given["epistemic"],
        subject=given["subject"],
        category=given["category"],
        lobe=lobe,
        given=given["sensitivity"],
        evidence=given["evidence"],
        valid_from=moment(given["valid_from"]),
        valid_to=moment(given["valid_to"]),
        replaces=given["replaces"],
    )
    return proposal, space


def moment(given: datetime | None) -> datetime | None:
    """A date without a time zone is one of UTC: the same wherever it is read."""
    return given if given is None or given.tzinfo else given.replace(tzinfo=UTC)


def _read_in() -> str:
    """What stands on the standard input, no more of it than a statement may have."""
    try:
        return sys.stdin.buffer.read(LONGEST * 4 + 1).decode("utf-8")
    except UnicodeDecodeError as error:
        raise no_text() from error
