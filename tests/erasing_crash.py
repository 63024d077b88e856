"""An erasure that is cut off at one moment, as by a power loss of the process.

    python erasing_crash.py FOLDER MEMORY POINT

`POINT` is `noted`, `committed`, `compacted` or `forgotten`; the process ends right behind it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import homes
from lobes.services import erasing, erasing_rest
from lobes.store import erasures
from lobes.store.unit_of_work import UnitOfWork

CUT_OFF = 77
PLACES: dict[str, tuple[Any, str]] = {
    "noted": (erasures, "note"),
    "committed": (UnitOfWork, "commit"),
    "compacted": (erasing_rest, "compact"),
    "forgotten": (erasing_rest, "forget_lobes"),
}


def cut_behind(real: Callable[..., Any]) -> Callable[..., Any]:
    def cut(*given: Any, **named: Any) -> Any:
        real(*given, **named)
        os._exit(CUT_OFF)

    return cut


def main(folder: str, memory: str, point: str) -> None:
    with homes.opened_home(Path(folder)) as home:
        owner, name = PLACES[point]
        setattr(owner, name, cut_behind(getattr(owner, name)))
        erasing.erase_memory(home.lobes, home.me, memory)


if __name__ == "__main__":
    main(*sys.argv[1:])
