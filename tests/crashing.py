"""A run that follows a pack and is cut off at one moment, as by a power loss of the process.

    python crashing.py FOLDER POINT COUNT

`POINT` is `commit.before`, `commit.after`, or a step of the index; the process ends there at the
`COUNT`-th time, with nothing flushed and nothing closed.
"""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path
from typing import Any

import homes
from lobes.engine.index import Index
from lobes.services.indexing import index_all
from lobes.store.unit_of_work import UnitOfWork

CUT_OFF = 77


def main(folder: str, point: str, count: int) -> None:
    left = [count]

    def reached(step: str) -> None:
        if step == point:
            left[0] -= 1
            if left[0] == 0:
                os._exit(CUT_OFF)

    real = UnitOfWork.commit

    def commit(self: UnitOfWork) -> None:
        reached("commit.before")
        real(self)
        reached("commit.after")

    made: Any = functools.partial(Index, step=reached)
    homes.Index = made
    with homes.opened_home(Path(folder)) as home:
        UnitOfWork.commit = commit
        index_all(home.lobes, home.me)
        home.settle()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
