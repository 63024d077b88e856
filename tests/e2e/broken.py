"""`python -m tests.e2e.broken HOME`: the app with a fault in the view of Activity's rows."""

from __future__ import annotations

import sys
from pathlib import Path

from lobes.config.folders import folders_under
from lobes.tui.start import start
from lobes.tui.views import activity

SECRET = "sk-live-4eC39HqLyjWDarjtT1zdp7dc of a memory in /home/ada/clients"
"""What the fault's message holds: a person's text, a path, a key."""


def breaks(*_: object, **__: object) -> object:
    raise ValueError(SECRET)


if __name__ == "__main__":
    setattr(activity, "row", breaks)  # noqa: B010 (a fault, not an assignment to a view)
    sys.exit(start(folders_under(Path(sys.argv[1]))))
