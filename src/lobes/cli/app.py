"""The command tree. A group knows its commands by name; their modules load when they are run."""

from __future__ import annotations

import errno
import importlib
import io
import itertools
import os
import sys
from collections.abc import Mapping
from typing import Any

import click

from lobes import __version__
from lobes.cli.errors import DONE, FAILED, INTERRUPTED, USAGE, exit_code, show_error
from lobes.cli.session import OpenTui, ServeAgent, Session, global_options
from lobes.domain.errors import Forbidden, LobesError

Commands = Mapping[str, tuple[str, str]]
"""Name → (`module:attribute`, one line of help)."""


class LazyGroup(click.Group):
    """A group whose commands are imported when they are run: `--help` imports none of them."""

    def __init__(self, *args: Any, lazy: Commands, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lazy = lazy

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.lazy)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy:
            return None
        module, _, attribute = self.lazy[cmd_name][0].partition(":")
        return getattr(importlib.import_module(module), attribute)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.lazy.items()])


COMMANDS: Commands = {
    "init": ("lobes.cli.home:init", "Make a home, with the sample Spaces if wanted."),
    "demo": ("lobes.cli.home:demo", "Look around in a home with the sample Spaces."),
    "status": ("lobes.cli.home:status", "How the home and its index are."),
    "which": ("lobes.cli.home:which", "The Space whose folder holds a path."),
    "space": ("lobes.cli.space:space", "List, add and change Spaces."),
    "index": ("lobes.cli.index:index", "Follow the files of the packs."),
    "search": ("lobes.cli.search:search", "Ask a Space; every answer says why it is there."),
    "context": ("lobes.cli.context:context", "What an agent starts from, with its sources."),
    "memory": ("lobes.cli.memory:memory", "What you and your agents remember."),
    "pack": ("lobes.cli.pack:pack", "Decide on edits of pack files."),
    "review": ("lobes.cli.review:review", "What waits for you to decide."),
    "session": ("lobes.cli.sessions:session", "What agents recorded of their turns."),
    "lobe": ("lobes.cli.lobe:lobe", "Which Spaces draw on which, and why."),
    "permission": ("lobes.cli.permission:permission", "Who may do what with a thing."),
    "sensitivity": ("lobes.cli.sensitivity:sensitivity", "How sensitive documents are."),
    "can": ("lobes.cli.can:can", "What an actor may do, and by which rule."),
    "allow-once": ("lobes.cli.allow:allow_once", "Let a Space answer one question of another."),
    "person": ("lobes.cli.person:person", "The persons that this installation knows."),
    "group": ("lobes.cli.group:group", "Teams, departments and organizations."),
    "mcp": ("lobes.cli.mcp:mcp", "Serve an agent over stdin and stdout (MCP)."),
    "connect": ("lobes.cli.connect:connect", "Tell an agent's program how to start it."),
    "audit": ("lobes.cli.audit:audit", "What was read and decided, and whether that is whole."),
    "presence": ("lobes.cli.presence:presence", "Whether a person is known to be here."),
    "engine": ("lobes.cli.engine:engine", "The index engine."),
    "backup": ("lobes.cli.backup:backup", "The home in one file, while others go on."),
    "restore": ("lobes.cli.backup:restore", "A home out of a backup, or in the place of one."),
    "doctor": ("lobes.cli.doctor:doctor", "Look for what is wrong."),
    "config": ("lobes.cli.config:config", "Settings and where files lie."),
    "keys": ("lobes.cli.keys:keys", "The keys of the app, and your own for them."),
}


@click.group(
    cls=LazyGroup,
    lazy=COMMANDS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help="The knowledge that you and your agents use, kept apart on purpose.",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@global_options
def root(session: Session) -> None:
    context = click.get_current_context()
    if context.invoked_subcommand is None:
        if session.acting_as is not None:
            raise Forbidden("The app is its owner's; --as is for commands.", reason="no_presence")
        if session.as_json:
            raise click.UsageError("The app draws on a terminal; --json is for commands.")
        session.exit_code = session.open_tui(session.folders, demo=False)


def run(words: list[str], *, open_tui: OpenTui, serve_agent: ServeAgent | None = None) -> int:
    """Run one command line; the exit code. No traceback ever reaches the person."""
    session = Session(open_tui, serve_agent)
    try:
        # A terminal that can't show a sign gets its escape, never a broken command.
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        code = _code(words, session)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):
        # The reader has gone (`| head`), which click, where it notices it, turns into an exit;
        # nothing may be written at the end either.
        _let_go_of_stdout()
        return DONE
    except OSError:
        _let_go_of_stdout()
        print("The output couldn't be written: its disk is full or gone.", file=sys.stderr)
        return FAILED
    return code


def _let_go_of_stdout() -> None:
    assert sys.__stdout__ is not None
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())


def _code(words: list[str], session: Session) -> int:
    try:
        root.main(words, prog_name="lobes", standalone_mode=False, obj=session)
    except LobesError as error:
        show_error(error, as_json=_wants_json(words, session))
        return exit_code(error)
    except (click.exceptions.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except click.ClickException as error:
        return _usage(error, as_json=_wants_json(words, session))
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
            raise
        return _broken(error, session)
    except Exception as error:
        return _broken(error, session)
    return session.exit_code


def _wants_json(words: list[str], session: Session) -> bool:
    """A word that is refused may stand before the option, which hasn't been read then."""
    return session.as_json or "--json" in itertools.takewhile(lambda word: word != "--", words)


def _usage(error: click.ClickException, *, as_json: bool) -> int:
    """A command line that can't be read."""
    from lobes.domain.errors import Invalid

    show_error(Invalid(error.format_message(), hint="See --help.", reason="usage"), as_json=as_json)
    return USAGE


def _broken(error: Exception, session: Session) -> int:
    """A fault of ours: its kind, never its text, which may hold a path or a pack's words."""
    hint = "With --debug a log says where."
    if session.debug or os.environ.get("LOBES_DEBUG"):
        from lobes.config.fault_log import write_fault

        log = write_fault(error, session.folders)
        hint = f"Where stands in {log}" if log else "The state folder can't be written."
    fault = LobesError(
        f"Something broke in Lobes ({type(error).__name__}).", hint=hint, reason="internal_error"
    )
    show_error(fault, as_json=session.as_json)
    return FAILED
