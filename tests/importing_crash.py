"""Imports of a Space that are cut off, each at one moment, as by a power loss of the process.

    python importing_crash.py EXPORT HOME…

Each home is named like the moment; its import ends right behind that.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import homes
from lobes.services import space_importing
from lobes.store.memories import Memories
from lobes.store.unit_of_work import UnitOfWork

CUT_OFF = 77
PLACES: dict[str, tuple[Any, str]] = {
    "begun": (space_importing, "write_atomic"),
    "copied": (space_importing, "settle"),
    "judged": (space_importing, "space_to_add"),
    "remembered": (Memories, "bring_in"),
    "committed": (UnitOfWork, "commit"),
}


def cut_behind(real: Callable[..., Any]) -> Callable[..., Any]:
    def cut(*given: Any, **named: Any) -> Any:
        real(*given, **named)
        os._exit(CUT_OFF)

    return cut


def main(export: str, *folders: str) -> None:
    ended: list[int] = []
    for folder in map(Path, folders):
        child = os.fork()
        if not child:
            with homes.opened_home(folder) as home:
                owner, name = PLACES[folder.name]
                setattr(owner, name, cut_behind(getattr(owner, name)))
                space_importing.import_space(home.lobes, home.me, Path(export))
            os._exit(0)
        ended.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    sys.exit(CUT_OFF if set(ended) == {CUT_OFF} else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
