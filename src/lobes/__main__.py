"""`lobes`, and `python -m lobes`: the shell's face; asked nothing, it opens the terminal app."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from lobes.cli.errors import exit_code, show_error
from lobes.config.folders import Folders, chosen_folders
from lobes.domain.agents import agent_in
from lobes.domain.errors import LobesError

if TYPE_CHECKING:
    from lobes.domain.actors import Preset


def main() -> None:
    """Run the program with the words of the command line and end with its exit code."""
    os.umask(0o077)
    words = sys.argv[1:]
    sys.exit(_run(words) if words else _start())


def _run(words: list[str]) -> int:
    from lobes.cli.app import run

    return run(words, open_tui=open_tui, serve_agent=serve_agent)


def _start() -> int:
    """Nothing was asked: straight to the first frame, which waits for no command tree."""
    try:
        return open_tui(chosen_folders(None, os.environ), demo=False)
    except LobesError as error:
        show_error(error, as_json=False)
        return exit_code(error)


def open_tui(folders: Folders, *, demo: bool) -> int:
    """The terminal app on this home; its exit code. Textual is imported here and nowhere before.

    Raises `Forbidden` where a known agent runs it.
    """
    if agent_in(os.environ) is not None:
        from lobes.services.agents import refuse_app

        refuse_app(folders, os.environ)
    from lobes.tui.start import start

    return start(folders, demo=demo)


def serve_agent(folders: Folders, *, preset: Preset, space: str | None, debug: bool) -> None:
    """An agent's server on stdin and stdout. The official package is imported here and nowhere
    before."""
    from lobes.mcp.start import run

    run(folders, preset=preset, space=space, debug=debug)


if __name__ == "__main__":
    main()
