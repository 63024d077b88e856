"""`presence status|forget|passphrase`, and the question that shows a person to be there."""

from __future__ import annotations

import os

import click

from lobes.bootstrap import open_installation
from lobes.cli.app import LazyGroup
from lobes.cli.output import show, shown
from lobes.cli.session import Session, global_options
from lobes.cli.terminal import ask_hidden, tell, terminal_here
from lobes.domain.agents import agent_in
from lobes.domain.errors import Invalid, NoPresence, PresenceWanted
from lobes.domain.presence import Terminal
from lobes.services import presence as services
from lobes.services.installation import Caller, Installation

TRIES = 3
"""How often one command asks."""

_WHERE = "Type the six digits that the app shows (press : there and choose the presence code)"


def attend(session: Session, wanted: PresenceWanted) -> None:
    """Ask in this terminal, once; from then on the session's caller counts as present.

    Raises `NoPresence` where nobody answers or knows the code. Nothing of the home is held open
    while the question stands.
    """
    terminal = terminal_here()
    with open_installation(session.folders) as lobes:
        caller = lobes.owner_at("cli", is_present=False)
        if terminal is None or not _answered(lobes, caller, terminal):
            raise services.nobody_there(lobes, caller, wanted)
    session.is_proven = True


def _answered(lobes: Installation, caller: Caller, terminal: Terminal) -> bool:
    tell("This needs you. " + _WHERE)
    for _ in range(TRIES):
        typed = ask_hidden("Code or passphrase: ")
        if not typed:
            return False
        try:
            services.confirm(lobes, caller, terminal, typed)
        except NoPresence as refused:
            tell(f"{refused.message} {refused.hint}")
            if refused.reason == "wait":
                return False
        else:
            return True
    return False


@click.group(
    cls=LazyGroup,
    lazy={
        "status": ("lobes.cli.presence:status", "Whether this terminal counts as attended."),
        "forget": ("lobes.cli.presence:forget", "It no longer does."),
        "passphrase": ("lobes.cli.presence:passphrase", "Set a passphrase to use for the code."),
    },
    help="Whether a person is known to be at this terminal.",
    invoke_without_command=True,
)
@global_options
def presence(session: Session) -> None:
    if click.get_current_context().invoked_subcommand is None:
        _status(session)


@click.command()
@global_options
def status(session: Session) -> None:
    """Whether this terminal counts as attended, and until when."""
    _status(session)


def _status(session: Session) -> None:
    marker = agent_in(os.environ)
    with session.opened() as (lobes, caller):
        terminal = terminal_here()
        found = services.standing(lobes, terminal)
    agent = marker if found.asks else None
    until = None if agent else found.until
    document = {
        "presence": "on" if found.asks else "off",
        "present": caller.is_present,
        "until": None if until is None else until.isoformat(),
        "terminal": terminal is not None,
        "passphrase": found.has_passphrase,
        "agent": None if agent is None else agent.agent,
    }

    def lines() -> list[str]:
        if not found.asks:
            return ["This home asks nobody: it was made without presence."]
        if agent is not None:
            return [f"{agent.agent} runs this ({agent.variable} is set): an agent is no person."]
        if until is not None:
            return [f"You are known to be at this terminal until {until:%H:%M} UTC."]
        return ["Nobody is known to be at this terminal; what needs a person asks for the code."]

    show(session, document, lines)


@click.command()
@click.option("--all", "everywhere", is_flag=True, help="In every terminal, not in this one alone.")
@global_options
def forget(session: Session, *, everywhere: bool) -> None:
    """This terminal no longer counts as attended."""
    terminal = terminal_here()
    with session.opened() as (lobes, caller):
        nothing = terminal is None and not everywhere
        ended = 0 if nothing else services.forget(lobes, caller, None if everywhere else terminal)
    show(session, {"forgotten": ended}, lambda: [f"{ended} forgotten."])


@click.command()
@click.option("--remove", is_flag=True, help="None any more; the app's code alone counts then.")
@global_options
def passphrase(session: Session, *, remove: bool) -> None:
    """Set a passphrase that counts like the app's code. Asks for proof each time."""
    with session.opened() as (lobes, caller):
        services.may_set_passphrase(lobes, caller)
        # Whoever sits down at an attended terminal must not stay present for good.
        terminal = terminal_here()
        if terminal is None or not (session.is_proven or _answered(lobes, caller, terminal)):
            raise services.nobody_there(lobes, caller, PresenceWanted("write_meta", "home"))
        services.set_passphrase(lobes, caller, None if remove else _chosen())
    word = "There is no passphrase any more." if remove else "The passphrase is set."
    show(session, {"passphrase": not remove}, lambda: [shown(word)])


def _chosen() -> str:
    first = ask_hidden("New passphrase: ") or ""
    if first != ask_hidden("Once more: "):
        raise Invalid("These are two different ones.", hint="Type it again.", reason="mismatch")
    return first
