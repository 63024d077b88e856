"""`lobes`, and `python -m lobes`: the shell's face; asked nothing, it opens the terminal app."""

from __future__ import annotations

import os
import sys

from lobes.cli.app import run
from lobes.config.folders import Folders


def main() -> None:
    """Run the program with the words of the command line and end with its exit code."""
    os.umask(0o077)
    sys.exit(run(sys.argv[1:], open_tui=open_tui))


def open_tui(folders: Folders, *, demo: bool) -> int:
    """The terminal app on this home; its exit code. Textual is imported here and nowhere before."""
    from lobes.tui.start import start

    return start(folders, demo=demo)


if __name__ == "__main__":
    main()
