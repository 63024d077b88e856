"""What every command shares: the global options, the open home, and who calls.

The global options may stand before the command or after it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from lobes.cli.words import NAME, PLACE, TEXT
from lobes.config.folders import Folders, chosen_folders
from lobes.domain.agents import agent_in
from lobes.domain.errors import Forbidden, Invalid, PresenceWanted

if TYPE_CHECKING:
    from lobes.services.installation import Caller, Installation

OpenTui = Callable[..., int]
ServeAgent = Callable[..., None]
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(slots=True)
class Session:
    """One run of the program."""

    open_tui: OpenTui
    serve_agent: ServeAgent | None = None
    home: Path | None = None
    space: str | None = None
    as_json: bool = False
    yes: bool = False
    quiet: bool = False
    acting_as: str | None = None
    inline: bool = False
    debug: bool = False
    exit_code: int = 0
    is_proven: bool = False
    """Somebody has just shown to be at this terminal."""

    @property
    def folders(self) -> Folders:
        return chosen_folders(self.home, os.environ)

    @contextmanager
    def opened(self) -> Generator[tuple[Installation, Caller]]:
        """The home and the caller; closed at the end."""
        from lobes.bootstrap import open_installation

        engine = "inline" if self.inline else "process"
        with open_installation(self.folders, engine=engine) as lobes:
            yield lobes, self.caller(lobes)

    def caller(self, lobes: Installation) -> Caller:
        """Who this command line counts as: the agent that runs it, or the owner at the shell.

        A terminal is no proof of a person: nobody counts as present who hasn't typed the code in
        it. A home made without presence takes whoever calls for its owner, or what `--as` says.
        """
        if lobes.presence == "off":
            return self._as_told(lobes)
        if self.acting_as is not None:
            raise Forbidden(
                "--as works only in a home made with --presence off.",
                hint="Leave it out: you are the owner here.",
                reason="no_presence",
            )
        marker = agent_in(os.environ)
        if marker is not None:
            from lobes.services.agents import agent_caller

            return agent_caller(lobes, marker, named=self.space)
        if not sys.stdin.isatty():
            return lobes.owner_at("cli", is_present=False)
        return self._at_a_terminal(lobes)

    def _as_told(self, lobes: Installation) -> Caller:
        if self.acting_as is None:
            return lobes.owner_at("cli", is_present=True)
        from lobes.domain.actors import parse_actor
        from lobes.services.agents import acting

        return acting(lobes, parse_actor(self.acting_as), "cli")

    def _at_a_terminal(self, lobes: Installation) -> Caller:
        from lobes.cli.terminal import terminal_here
        from lobes.services.presence import attended_until

        terminal = terminal_here()
        if terminal is None:
            return lobes.owner_at("cli", is_present=False)
        present = self.is_proven or attended_until(lobes, terminal) is not None
        caller = lobes.owner_at("cli", is_present=present)
        return replace(caller, can_be_asked=not present)

    def needed_space(self, caller: Caller) -> str:
        """The Space of `--space`, for an agent or a job the one it is bound to, or `Invalid`."""
        from lobes.domain.actors import Human

        bound = None if isinstance(caller.actor, Human) else caller.actor.space
        space = self.space or bound
        if space is None:
            raise Invalid(
                "Which Space?", hint="Name it with --space ID; lobes space list.", reason="no_space"
            )
        return space


_OPTIONS = (
    click.option(
        "--home",
        type=PLACE,
        help="Use the home in this folder; LOBES_HOME says it too.",
    ),
    click.option("--space", type=NAME, metavar="ID", help="The Space that asks."),
    click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout."),
    click.option("--yes", is_flag=True, help="Answer with yes; makes nobody present."),
    click.option("--quiet", is_flag=True, help="No progress."),
    click.option("--no-color", is_flag=True, help="No colours, in the app neither."),
    click.option("--no-animation", is_flag=True, help="Nothing moves in the app."),
    click.option("--debug", is_flag=True, help="After a fault of Lobes, note where it arose."),
    click.option("--as", "acting_as", type=TEXT, metavar="ACTOR", hidden=True),
    click.option("--inline", is_flag=True, hidden=True),
)


def global_options(command: F) -> F:
    """The options that every command takes, before its name or after it; the later one counts."""

    @click.pass_context
    @wraps(command)
    def wrapped(context: click.Context, /, **given: Any) -> Any:
        session = context.find_object(Session)
        assert session is not None
        if given.pop("no_color", False):
            # What whoever draws looks at, as https://no-color.org asks.
            os.environ["NO_COLOR"] = "1"
        if given.pop("no_animation", False):
            os.environ["LOBES_ANIMATION"] = "off"
        for name in ("home", "space", "acting_as"):
            value = given.pop(name, None)
            if value is not None:
                setattr(session, name, value)
        for name in ("as_json", "yes", "quiet", "inline", "debug"):
            if given.pop(name, False):
                setattr(session, name, True)
        try:
            return command(session, **given)
        except PresenceWanted as wanted:
            from lobes.cli.presence import attend

            attend(session, wanted)
        # Nothing was done so far: a command asks for what needs a person before it acts.
        return command(session, **given)

    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return cast("F", wrapped)
